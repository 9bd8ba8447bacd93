#include "bidder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace euchre {
namespace {

// As parts of a hand: what the partner adds with and without trump, and how far a count is off.
constexpr double kTrumpBase = 0.215;
constexpr double kPlainBase = 0.345;
constexpr double kSpread = 0.16;
constexpr double kVoidTricks[2] = {0.25, 0.6};
// What a call that costs tokens must be better by, in tricks; on credit, by more.
constexpr double kPaidTricks = 1.0;
constexpr double kCreditTricks = 2.5;
// The least chance of a bid, and of an alone contract.
constexpr double kSafe = 0.72;
constexpr double kLast = 0.5;
constexpr double kAlone = 0.62;

// Alone under a trump: each trump beyond the needed, a gap above the first and above the second
// trump, each loser, each loser that only one card beats, the first lead, a constant. By copies.
constexpr double kAloneTrump[2][7] = {{0.75, -1.55, -0.55, -3.4, 1.0, 0.5, 0.85},
                                      {0.53, -1.5, -1.5, -3.2, 2.2, 0.55, 0.55}};
// Alone without: each loser, each that only one card beats, each void, the first lead, a constant.
constexpr double kAlonePlain[5] = {-1.85, 0.95, -0.3, 0.7, 0.1};
constexpr int kFar = 2;

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

int row_of(const Rules& rules) { return rules.copies == 1 ? 0 : 1; }

// Copies above a card in its suit that are elsewhere.
int missing_above(const Rules& rules, const Sheet& sheet, int card, CardMask held, CardMask twins) {
  const CardMask above = sheet.above[card];
  return rules.copies * std::popcount(above) - std::popcount(above & held) -
         std::popcount(above & twins);
}

struct AloneCount {
  int trumps = 0;
  int first_gap = 2 * kFar;
  int second_gap = 2 * kFar;
  int losers = 0;
  int kings = 0;
  int worst = 0;
  int voids = 0;
};

void count_trump(AloneCount& count, int missing) {
  ++count.trumps;
  if (missing <= count.first_gap) {
    count.second_gap = count.first_gap;
    count.first_gap = missing;
  } else {
    count.second_gap = std::min(count.second_gap, missing);
  }
}

AloneCount alone_count(const Rules& rules, const Sheet& sheet, CardMask held, CardMask twins) {
  AloneCount count;
  const auto visit = [&](int card) {
    const int missing = missing_above(rules, sheet, card, held, twins);
    if ((sheet.trumps & bit_of(card)) != 0) {
      count_trump(count, missing);
    } else if (missing > 0) {
      ++count.losers;
      count.kings += missing == 1 ? 1 : 0;
      count.worst = std::max(count.worst, missing);
    }
  };
  for_each_card(held, visit);
  for_each_card(twins, visit);
  for (const CardMask suit : sheet.members) {
    if (suit != sheet.trumps && (suit & held) == 0) ++count.voids;
  }
  return count;
}

// The chance that a count of `tricks` takes at least `needed`.
double makes(const Rules& rules, double tricks, int needed) {
  const double scale = kSpread * rules.hand_size;
  return 0.5 * std::erfc((needed - 0.5 - tricks) / (scale * std::sqrt(2.0)));
}

double price_in_tricks(const Ledger& ledger, int side, const Sheet& sheet) {
  if (sheet.price == 0) return 0.0;
  return ledger.tokens[side] >= sheet.price ? kPaidTricks * sheet.price : kCreditTricks;
}

Contract alone_bid(const Rules& rules, const Ledger& ledger, const Turn& turn, CardMask held,
                   CardMask twins) {
  Contract best;
  double most = kAlone;
  const int levels = static_cast<int>(rules.bids.size());
  for (int level = turn.floor; level < levels; ++level) {
    const Bid& bid = rules.bids[static_cast<std::size_t>(level)];
    if (!bid.alone) continue;
    const bool mended = bid.exchange != arena::v1::EXCHANGE_NONE;
    const bool leads = rules.declarer_leads || turn.seat == ((turn.dealer + 1) & 3);
    for (const int call : rules.calls) {
      const Sheet& sheet = rules.sheet(call);
      if (!rules.may_name(call, level)) continue;
      if (price_in_tricks(ledger, side_of(turn.seat), sheet) > kPaidTricks) continue;
      const double chance = alone_chance(rules, sheet, held, twins, mended, leads);
      // The next alone bid counts more, so nearly the same chance will do.
      if (chance > most) {
        most = std::max(kAlone, chance - 0.12);
        best = {level, turn.seat, call};
      }
    }
  }
  return best;
}

}  // namespace

double tricks_of(const Rules& rules, const Sheet& sheet, CardMask held, CardMask twins) {
  double tricks = rules.hand_size * (sheet.trumps != 0 ? kTrumpBase : kPlainBase);
  for_each_card(held, [&](int card) { tricks += sheet.tricks[card]; });
  for_each_card(twins, [&](int card) { tricks += sheet.tricks[card]; });
  if (sheet.trumps == 0) return tricks;
  const int trumps = std::min(std::popcount(held & sheet.trumps), 2);
  for (const CardMask suit : sheet.members) {
    if ((suit & held) == 0) tricks += kVoidTricks[row_of(rules)] * trumps / 2;
  }
  return tricks;
}

double alone_chance(const Rules& rules, const Sheet& sheet, CardMask held, CardMask twins,
                    bool mended, bool leads) {
  const AloneCount count = alone_count(rules, sheet, held, twins);
  int losers = count.losers;
  int kings = count.kings;
  if (mended && losers > 0) {
    --losers;
    if (count.worst == 1) --kings;
  }
  const double lead = leads ? 1.0 : 0.0;
  if (sheet.trumps == 0) {
    const auto& w = kAlonePlain;
    return logistic(w[0] * losers + w[1] * kings + w[2] * count.voids + w[3] * lead + w[4]);
  }
  const auto& w = kAloneTrump[row_of(rules)];
  const int extra = count.trumps - rules.hand_size / 2 - 1;
  const int first = std::min(count.first_gap, kFar);
  const int second = std::min(count.second_gap - count.first_gap, kFar);
  return logistic(w[0] * extra + w[1] * first + w[2] * second + w[3] * losers + w[4] * kings +
                  w[5] * lead + w[6]);
}

Valued best_call(const Rules& rules, const Ledger& ledger, int seat, int level, CardMask held,
                 CardMask twins) {
  Valued best{rules.calls.front(), -1e9};
  for (const int call : rules.calls) {
    if (!rules.may_name(call, level)) continue;
    const Sheet& sheet = rules.sheet(call);
    const double tricks =
        tricks_of(rules, sheet, held, twins) - price_in_tricks(ledger, side_of(seat), sheet);
    if (tricks > best.tricks) best = {call, tricks};
  }
  return best;
}

Contract quick_bid(const Rules& rules, const Ledger& ledger, const Turn& turn, CardMask held,
                   CardMask twins) {
  const Contract alone = alone_bid(rules, ledger, turn, held, twins);
  if (alone.level != kNoLevel) return alone;
  const int levels = static_cast<int>(rules.bids.size());
  const bool last = turn.seat == turn.dealer;
  Contract best;
  for (int level = turn.floor; level < levels; ++level) {
    const Bid& bid = rules.bids[static_cast<std::size_t>(level)];
    const bool lowest = level == turn.floor;
    if (bid.alone && !(lowest && turn.must_bid)) break;
    const Valued valued = best_call(rules, ledger, turn.seat, level, held, twins);
    const double chance = makes(rules, valued.tricks, bid.tricks);
    const double wanted = !lowest || turn.partner_stands ? kSafe : kLast;
    if (chance >= wanted || (lowest && turn.must_bid)) best = {level, turn.seat, valued.call};
    // Nobody can outbid the dealer, so it bids no more than it must.
    if (last) break;
  }
  return best;
}

}  // namespace euchre
