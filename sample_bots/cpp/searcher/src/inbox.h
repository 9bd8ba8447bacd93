// What the reader of a stream hands to the thread that plays.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "arena/v1/referee.pb.h"

namespace euchre {

struct Message {
  arena::v1::PlayResponse response;
  std::chrono::steady_clock::time_point arrived;
};

class Inbox {
 public:
  // From the reader: a message; that no further one matters; that the stream has ended.
  void put(arena::v1::PlayResponse response);
  void close();
  void end();

  // From anywhere: whoever waits in `take` gets nothing from now on.
  void interrupt();

  // The next message; none after an interrupt, or when all were taken and the stream is closed.
  std::optional<Message> take();

  // Whether no answer matters any more; cheap, to be asked between two decisions.
  bool closed() const { return closed_; }

  // Waits for the end of the stream, but no longer than that; whether it came.
  bool wait_for_end(std::chrono::milliseconds patience);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  std::atomic<bool> closed_ = false;
  bool interrupted_ = false;
  bool ended_ = false;
};

}  // namespace euchre
