#include "stakes.h"

#include <algorithm>
#include <cmath>

namespace euchre {
namespace {

// Points of a hand: what a side takes on average, and how far the difference spreads.
constexpr double kHandPoints = 2.7;
constexpr double kHandSpread = 7.0;
// What winning the game is worth beside the points.
constexpr double kGamePoints = 8.0;
// What a token is worth: three of them force the opponents, which brings about ten points.
constexpr double kTokenPoints = 3.0;
constexpr double kTokenDebtPoints = 3.0;
constexpr double kHlmDebtPoints = 9.0;
// Tokens beyond these are of little use.
constexpr int kUsefulTokens = 6;

double bell(double deviations) { return 0.5 * std::erfc(-deviations / std::sqrt(2.0)); }

int crossings(const google::protobuf::RepeatedField<std::uint32_t>& decades, int score) {
  return static_cast<int>(std::count_if(decades.begin(), decades.end(), [&](std::uint32_t decade) {
    return static_cast<int>(decade) <= score;
  }));
}

// One side's stock and token debt after its crossings (rules T2.2 to T2.6, T3.1).
void cross(const arena::v1::TokenRules& rules, Ledger& ledger, int side, int old) {
  const int score = ledger.scores[side];
  int& stock = ledger.tokens[side];
  stock += crossings(rules.decades(), score) - crossings(rules.decades(), old);
  if (stock < 0) {
    stock = 0;
    ledger.token_debt[side] = true;
  }
  for (const int step : rules.sympathy()) stock += score <= step && step < old ? 1 : 0;
}

// Both debts after the declaring side has played its contract (rules T3.3, T4.4).
void clear_debts(const arena::v1::TokenRules& rules, Ledger& ledger, const Contract& contract,
                 int old_debt) {
  const int side = side_of(contract.declarer);
  const int bid = contract.level + 1;
  if (!rules.has_token_debt_minimum() || bid >= static_cast<int>(rules.token_debt_minimum())) {
    ledger.token_debt[side] = false;
  }
  const bool high =
      !rules.has_hlm_debt_minimum() || bid >= static_cast<int>(rules.hlm_debt_minimum());
  if (old_debt > 0 && high) --ledger.hlm_debt[side];
}

}  // namespace

Ledger ledger_of(const arena::v1::Ledger& message) {
  Ledger ledger;
  for (int side = 0; side < 2; ++side) {
    if (side < message.scores_size()) ledger.scores[side] = message.scores(side);
    if (side < message.tokens_size()) ledger.tokens[side] = static_cast<int>(message.tokens(side));
    if (side < message.token_debt_size()) ledger.token_debt[side] = message.token_debt(side);
    if (side < message.hlm_debt_size()) {
      ledger.hlm_debt[side] = static_cast<int>(message.hlm_debt(side));
    }
  }
  return ledger;
}

Ledger pay_for_call(Ledger ledger, int side, int price) {
  if (price == 0) return ledger;
  if (ledger.tokens[side] >= price) {
    ledger.tokens[side] -= price;
  } else {
    ++ledger.hlm_debt[side];
  }
  return ledger;
}

Ledger settle(const Rules& rules, const Ledger& ledger, const Contract& contract, int taken,
              int old_debt) {
  const Bid& bid = rules.bids[static_cast<std::size_t>(contract.level)];
  const int side = side_of(contract.declarer);
  Ledger after = ledger;
  after.scores[side] += taken >= bid.tricks ? bid.made.value_or(taken) : -bid.set;
  if (rules.variant.defenders_score()) after.scores[1 - side] += rules.hand_size - taken;
  if (!rules.variant.has_tokens()) return after;
  clear_debts(rules.variant.tokens(), after, contract, old_debt);
  for (int each = 0; each < 2; ++each) {
    cross(rules.variant.tokens(), after, each, ledger.scores[each]);
  }
  return after;
}

Stakes::Stakes(const Rules& rules, const Ledger& before, int hand_number, int side)
    : rules_(rules),
      before_(before),
      left_(static_cast<int>(rules.variant.hands()) - hand_number - 1),
      side_(side) {}

double Stakes::value(const Ledger& after, int declaring) const {
  const int them = 1 - side_;
  const double points =
      (after.scores[side_] - before_.scores[side_]) - (after.scores[them] - before_.scores[them]);
  return points + kGamePoints * chance_to_win(after, declaring) + owned(after, side_) -
         owned(after, them);
}

double Stakes::value_of(const Contract& contract, int taken, const Ledger& now) const {
  const int side = side_of(contract.declarer);
  const int price = rules_.sheet(contract.call).price;
  const Ledger paid = pay_for_call(now, side, price);
  return value(settle(rules_, paid, contract, taken, now.hlm_debt[side]), side);
}

double Stakes::value_of_play(const Contract& contract, int taken, const Ledger& now) const {
  const int side = side_of(contract.declarer);
  return value(settle(rules_, now, contract, taken, now.hlm_debt[side]), side);
}

double Stakes::chance_to_win(const Ledger& after, int declaring) const {
  const int ours = after.scores[side_];
  const int theirs = after.scores[1 - side_];
  if (!rules_.variant.has_target()) {
    if (left_ > 0) return bell((ours - theirs) / (kHandSpread * std::sqrt(left_)));
    return ours == theirs ? 0.5 : (ours > theirs ? 1.0 : 0.0);
  }
  const int target = static_cast<int>(rules_.variant.target());
  if (ours >= target && theirs >= target) {
    const bool by_score = rules_.variant.both_reach() == arena::v1::BOTH_REACH_HIGHER_SCORE;
    return (by_score ? ours > theirs : declaring == side_) ? 1.0 : 0.0;
  }
  if (ours >= target || theirs >= target) return ours >= target ? 1.0 : 0.0;
  const double hands = std::max(1.0, std::min(target - ours, target - theirs) / kHandPoints);
  return bell((ours - theirs) / (kHandSpread * std::sqrt(hands)));
}

double Stakes::owned(const Ledger& ledger, int side) const {
  if (!rules_.variant.has_tokens()) return 0.0;
  return kTokenPoints * std::min(ledger.tokens[side], kUsefulTokens) -
         (ledger.token_debt[side] ? kTokenDebtPoints : 0.0) -
         kHlmDebtPoints * ledger.hlm_debt[side];
}

}  // namespace euchre
