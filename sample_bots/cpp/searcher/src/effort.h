// How much work a decision gets: a fixed number of trials, and fewer only where time is short.
#pragma once

#include <chrono>

#include "player.h"

namespace euchre {

class Effort {
 public:
  using Clock = std::chrono::steady_clock;

  Effort(int trials, Clock::time_point deadline) : trials_(trials), deadline_(deadline) {}

  // Whether `done` trials are enough. The clock is looked at now and then, and never stops the
  // very first ones.
  bool spent(int done) const {
    if (done >= trials_) return true;
    return done > 0 && done % kBetweenLooks == 0 && Clock::now() >= deadline_;
  }

 private:
  static constexpr int kBetweenLooks = 16;

  int trials_;
  Clock::time_point deadline_;
};

// When to be done with a question at the latest, by its clocks and what waits behind it.
Effort::Clock::time_point deadline_for(const Question& question);

}  // namespace euchre
