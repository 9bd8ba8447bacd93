// A quick bidder: what a hand is good for at a glance, and what a seat would say.
//
// It stands in for the other seats when an auction is played out, and says how well a bid fits a
// hand.
#pragma once

#include "hand.h"
#include "stakes.h"

namespace euchre {

// The tricks that a hand and its partner may take in a call.
double tricks_of(const Rules& rules, const Sheet& sheet, CardMask held, CardMask twins);

// The chance to take all tricks alone; an exchange takes the worst loser away.
double alone_chance(const Rules& rules, const Sheet& sheet, CardMask held, CardMask twins,
                    bool mended, bool leads);

// The call that a declarer would name, and what it makes of the hand.
struct Valued {
  int call = 0;
  double tricks = 0;
};
Valued best_call(const Rules& rules, const Ledger& ledger, int seat, int level, CardMask held,
                 CardMask twins);

// What a seat says: a contract of its own, or one with kNoLevel for a pass.
struct Turn {
  int seat = 0;
  int dealer = 0;
  // The lowest level that it may bid.
  int floor = 0;
  bool must_bid = false;
  bool partner_stands = false;
};
Contract quick_bid(const Rules& rules, const Ledger& ledger, const Turn& turn, CardMask held,
                   CardMask twins);

}  // namespace euchre
