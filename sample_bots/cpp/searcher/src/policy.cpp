#include "policy.h"

#include <bit>

namespace euchre {
namespace {

int cheapest(const Sheet& sheet, CardMask cards) {
  int best = std::countr_zero(cards);
  for_each_card(cards, [&](int card) {
    if (sheet.worth[card] < sheet.worth[best]) best = card;
  });
  return best;
}

int dearest(const Sheet& sheet, CardMask cards) {
  int best = std::countr_zero(cards);
  for_each_card(cards, [&](int card) {
    if (sheet.worth[card] > sheet.worth[best]) best = card;
  });
  return best;
}

// Those of the cards that nothing unseen of their own suit beats.
CardMask masters_in(const Sheet& sheet, CardMask cards, CardMask unseen) {
  CardMask masters = 0;
  for_each_card(cards, [&](int card) {
    if ((unseen & sheet.above[card]) == 0) masters |= bit_of(card);
  });
  return masters;
}

bool may_hold_trumps(const Hand& hand, int seat) {
  return seat != hand.sitter() && (hand.voids(seat) >> hand.sheet().tables.trump & 1) == 0;
}

// The master whose suit has most cards outside: the least likely to be trumped.
int safest(const Sheet& sheet, CardMask masters, CardMask unseen) {
  int best = std::countr_zero(masters);
  int most = -1;
  for_each_card(masters, [&](int card) {
    const int outside = std::popcount(unseen & sheet.members[sheet.tables.suit[card]]);
    if (outside > most) {
      most = outside;
      best = card;
    }
  });
  return best;
}

int lead(const Hand& hand) {
  const Sheet& sheet = hand.sheet();
  const int seat = hand.to_act();
  const CardMask held = hand.held(seat);
  const CardMask unseen = hand.unseen(seat);
  const CardMask trumps = held & sheet.trumps;
  const CardMask plain = held & ~sheet.trumps;
  if (trumps != 0) {
    const int top = dearest(sheet, trumps);
    if (plain == 0) return top;
    const bool declaring = side_of(hand.declarer()) == side_of(seat);
    const bool outside = (unseen & sheet.trumps) != 0 && (may_hold_trumps(hand, (seat + 1) & 3) ||
                                                          may_hold_trumps(hand, (seat + 3) & 3));
    const bool master = (unseen & sheet.above[top]) == 0;
    const bool many = std::popcount(trumps) >= 3;
    if (declaring && outside && (master || many)) return top;
  }
  const CardMask masters = masters_in(sheet, plain, unseen);
  return masters != 0 ? safest(sheet, masters, unseen) : cheapest(sheet, plain);
}

bool opponent_to_come(const Hand& hand) {
  const int seat = hand.to_act();
  for (int next = hand.after(seat); next != hand.leader(); next = hand.after(next)) {
    if (side_of(next) != side_of(seat)) return true;
  }
  return false;
}

bool partner_to_come(const Hand& hand) {
  const int seat = hand.to_act();
  for (int next = hand.after(seat); next != hand.leader(); next = hand.after(next)) {
    if (next == partner_of(seat)) return true;
  }
  return false;
}

int follow(const Hand& hand, CardMask legal) {
  const Sheet& sheet = hand.sheet();
  const auto& row = sheet.tables.strength[hand.led()];
  CardMask winners = 0;
  for_each_card(legal, [&](int card) {
    if (row[card] > row[hand.best()]) winners |= bit_of(card);
  });
  if (winners == 0) return cheapest(sheet, legal);
  const int seat = hand.to_act();
  const bool threatened = opponent_to_come(hand);
  const CardMask unseen = hand.unseen(seat);
  const CardMask masters = masters_in(sheet, winners, unseen);
  const bool ruffing =
      (winners & sheet.trumps) != 0 && sheet.tables.suit[hand.led()] != sheet.tables.trump;
  if (hand.winner() == partner_of(seat)) {
    const bool safe = !threatened || (unseen & sheet.above[hand.best()]) == 0;
    if (safe || ruffing || masters == 0) return cheapest(sheet, legal);
    return cheapest(sheet, masters);
  }
  if (!threatened || ruffing) return cheapest(sheet, winners);
  if (masters != 0) return cheapest(sheet, masters);
  return partner_to_come(hand) ? cheapest(sheet, legal) : dearest(sheet, winners);
}

}  // namespace

int policy_card(const Hand& hand) {
  const CardMask legal = hand.legal();
  if ((legal & (legal - 1)) == 0) return std::countr_zero(legal);
  return hand.led() == kNothingLed ? lead(hand) : follow(hand, legal);
}

void play_out(Hand& hand) {
  while (!hand.over()) hand.play(policy_card(hand));
}

}  // namespace euchre
