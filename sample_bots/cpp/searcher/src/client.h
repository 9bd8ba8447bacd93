// The connection: one stream after the other until the session is over.
//
// What shapes this file: the end of a stream without a Goodbye is a disconnect, whatever its
// status; a deadline would cover the whole stream, so there is none; a stream is read by a thread
// that does nothing else, so a Goodbye or a loss is seen while the player thinks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "channel.h"
#include "inbox.h"
#include "options.h"
#include "session.h"
#include "stream.h"

namespace euchre {

// How long to try again: a growing wait between attempts, and an end.
struct Patience {
  std::chrono::milliseconds first{100};
  std::chrono::milliseconds most{2'000};
  std::chrono::milliseconds total{30'000};
};

class Client {
 public:
  Client(Options options, Players players, Say say, Patience patience = {});

  // Plays until the arena or `leave` ends the session in order. Throws Refused and Lost.
  void play();

  // Says goodbye and ends; what is being decided is not answered any more. From any thread.
  void leave();

 private:
  using Clock = std::chrono::steady_clock;

  grpc::Status converse(arena::v1::RefereeService::Stub& stub);
  void talk(Stream& stream, Inbox& inbox);
  void take(const Message& message, Stream& stream, Inbox& inbox);
  void take_items(const Message& message, Stream& stream, Inbox& inbox);
  void take_welcome(const arena::v1::Welcome& welcome);
  void tell_welcome(const arena::v1::Welcome& welcome);
  void send(Stream& stream);
  arena::v1::PlayRequest hello() const;

  void attach(grpc::ClientContext* context, Inbox* inbox);
  void check_refusal(const grpc::Status& status);
  void wait_after(const grpc::Status& status);
  bool leaving();

  Options options_;
  Say say_;
  Patience patience_;
  Session session_;
  std::string session_token_;
  // Set where the session is gone and a new one is to be opened without a wait.
  bool at_once_ = false;
  bool over_ = false;
  int waits_ = 0;
  Clock::time_point alive_at_;

  // What `leave` touches.
  std::mutex mutex_;
  std::condition_variable left_;
  grpc::ClientContext* context_ = nullptr;
  Inbox* inbox_ = nullptr;
  bool leaving_ = false;
  bool welcomed_ = false;
};

}  // namespace euchre
