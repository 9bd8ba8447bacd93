// One stream: a thread that reads, and the caller, who writes.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <thread>

#include "arena/v1/referee.grpc.pb.h"
#include "inbox.h"

namespace euchre {

class Stream {
 public:
  // Calls `Play`; the context must outlive the stream.
  Stream(arena::v1::RefereeService::Stub& stub, grpc::ClientContext& context, Inbox& inbox);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  // Ends the stream where `finish` has not.
  ~Stream();

  // Whether it went out; if not, the stream has ended and `finish` says why.
  bool write(const arena::v1::PlayRequest& request);

  // Closes our side, waits for the arena's, and gives the status.
  grpc::Status finish(std::chrono::milliseconds patience);

 private:
  void read();

  grpc::ClientContext& context_;
  Inbox& inbox_;
  std::unique_ptr<grpc::ClientReaderWriter<arena::v1::PlayRequest, arena::v1::PlayResponse>> call_;
  std::thread reader_;
};

}  // namespace euchre
