// SIGTERM and SIGINT: the first one takes leave, the second ends the process at once.
#pragma once

#include <functional>
#include <thread>

namespace euchre {

class Signals {
 public:
  // `leave` is called once, from a thread of its own.
  explicit Signals(std::function<void()> leave);
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

 private:
  std::thread watcher_;
};

}  // namespace euchre
