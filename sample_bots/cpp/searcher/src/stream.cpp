#include "stream.h"

#include <utility>

namespace euchre {

Stream::Stream(arena::v1::RefereeService::Stub& stub, grpc::ClientContext& context, Inbox& inbox)
    : context_(context), inbox_(inbox), call_(stub.Play(&context)), reader_([this] { read(); }) {}

Stream::~Stream() {
  if (reader_.joinable()) finish(std::chrono::milliseconds(0));
}

bool Stream::write(const arena::v1::PlayRequest& request) { return call_->Write(request); }

grpc::Status Stream::finish(std::chrono::milliseconds patience) {
  call_->WritesDone();
  if (!inbox_.wait_for_end(patience)) context_.TryCancel();
  reader_.join();
  return call_->Finish();
}

void Stream::read() {
  arena::v1::PlayResponse response;
  while (call_->Read(&response)) {
    const bool last = response.has_goodbye();
    inbox_.put(std::move(response));
    response.Clear();
    if (last) inbox_.close();
  }
  inbox_.end();
}

}  // namespace euchre
