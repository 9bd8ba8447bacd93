#include "signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace euchre {
namespace {

constexpr int kKilled = 128;
constexpr char kLeave = 'l';
constexpr char kEnd = 'e';

// A signal handler may do no more than write to a pipe.
int pipe_ends[2] = {-1, -1};
std::atomic<bool> seen = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void post(char word) {
  while (write(pipe_ends[1], &word, 1) < 0 && errno == EINTR) {
  }
}

extern "C" void on_signal(int number) {
  const int before = errno;
  if (seen.exchange(true)) _exit(kKilled + number);
  post(kLeave);
  errno = before;
}

void watch(const std::function<void()>& leave) {
  char word = 0;
  for (;;) {
    const ssize_t count = read(pipe_ends[0], &word, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count != 1 || word == kEnd) return;
    leave();
  }
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

Signals::Signals(std::function<void()> leave) {
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "no pipe for signals");
  }
  watcher_ = std::thread([leave = std::move(leave)] { watch(leave); });
  handle(SIGTERM, on_signal);
  handle(SIGINT, on_signal);
}

Signals::~Signals() {
  handle(SIGTERM, SIG_DFL);
  handle(SIGINT, SIG_DFL);
  post(kEnd);
  watcher_.join();
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

}  // namespace euchre
