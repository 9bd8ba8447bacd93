#include "effort.h"

#include <algorithm>

namespace euchre {
namespace {

// One decision takes no more than this part of the bank, and leaves this part of the time for one
// decision to each question that waits.
constexpr int kOfBank = 40;
constexpr int kOfTime = 3;

}  // namespace

Effort::Clock::time_point deadline_for(const Question& question) {
  using std::chrono::milliseconds;
  const auto now = Effort::Clock::now();
  // Without an arrival, as in tests, nothing has passed yet.
  const bool known = question.arrived != Effort::Clock::time_point{};
  const auto passed = known ? now - question.arrived : Effort::Clock::duration::zero();
  const auto left = milliseconds(question.decision.time_left_ms()) - passed;
  const auto waiting = static_cast<int>(std::min<std::size_t>(question.waiting, 1024));
  const auto share = left / (kOfTime * (waiting + 1));
  const auto bank = milliseconds(question.decision.bank_left_ms()) / kOfBank;
  return now +
         std::max(Effort::Clock::duration::zero(), std::min<Effort::Clock::duration>(share, bank));
}

}  // namespace euchre
