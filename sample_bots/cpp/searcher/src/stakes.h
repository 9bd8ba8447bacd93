// What the end of a hand is worth: points, tokens, debts and the chance to win the game.
#pragma once

#include <array>

#include "arena/v1/view.pb.h"
#include "rules.h"

namespace euchre {

// What both sides own; by side.
struct Ledger {
  std::array<int, 2> scores{};
  std::array<int, 2> tokens{};
  std::array<bool, 2> token_debt{};
  std::array<int, 2> hlm_debt{};
};

Ledger ledger_of(const arena::v1::Ledger& message);

// A contract that is to be played, or was.
struct Contract {
  int level = kNoLevel;
  int declarer = kNoSeat;
  int call = 0;
};

// Takes the price of a call from a side, or adds to its debt (rules T4.1, T4.2).
Ledger pay_for_call(Ledger ledger, int side, int price);

// The ledger after a hand (rules C4, T2, T3, T4). `taken` are the declaring side's tricks;
// `old_debt` its HLM debt before the call was named.
Ledger settle(const Rules& rules, const Ledger& ledger, const Contract& contract, int taken,
              int old_debt);

// What a ledger is worth to a side, in points of an even game.
class Stakes {
 public:
  Stakes(const Rules& rules, const Ledger& before, int hand_number, int side);

  // Of the ledger after this hand; `declaring` is the side that declared it.
  double value(const Ledger& after, int declaring) const;

  // Of a contract with that many tricks, its call to be paid for first.
  double value_of(const Contract& contract, int taken, const Ledger& now) const;

  // The same where the call has been named and paid for.
  double value_of_play(const Contract& contract, int taken, const Ledger& now) const;

  const Ledger& before() const { return before_; }

 private:
  double chance_to_win(const Ledger& after, int declaring) const;
  double owned(const Ledger& ledger, int side) const;

  const Rules& rules_;
  Ledger before_;
  int left_;
  int side_;
};

}  // namespace euchre
