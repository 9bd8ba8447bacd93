#include "inbox.h"

#include <utility>

namespace euchre {

void Inbox::put(arena::v1::PlayResponse response) {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back({std::move(response), std::chrono::steady_clock::now()});
  }
  changed_.notify_all();
}

void Inbox::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void Inbox::end() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = ended_ = true;
  }
  changed_.notify_all();
}

void Inbox::interrupt() {
  {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    closed_ = true;
  }
  changed_.notify_all();
}

std::optional<Message> Inbox::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return interrupted_ || closed_ || !messages_.empty(); });
  if (interrupted_ || messages_.empty()) return std::nullopt;
  Message message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

bool Inbox::wait_for_end(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return ended_; });
}

}  // namespace euchre
