// A hand in play, small enough to be copied for every trial of a search.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "rules.h"

namespace euchre {

// The cards of four seats: held at least once, held twice.
struct Deal {
  std::array<CardMask, kSeats> held{};
  std::array<CardMask, kSeats> twins{};

  void add(int seat, int card) {
    twins[seat] |= held[seat] & bit_of(card);
    held[seat] |= bit_of(card);
  }
  void take(int seat, int card) {
    const CardMask bit = bit_of(card);
    if ((twins[seat] & bit) != 0) {
      twins[seat] ^= bit;
    } else {
      held[seat] &= ~bit;
    }
  }
};

inline constexpr int kNobody = 4;
inline constexpr int kNothingLed = -1;

class Hand {
 public:
  // Before the first card; `sitter` is kNobody where all four play.
  Hand(const Rules& rules, const Sheet& sheet, const Deal& deal, int declarer, int sitter,
       int leader);

  // Plays a legal card for the seat to act.
  void play(int card);

  bool over() const { return deal_.held[to_act_] == 0; }
  int to_act() const { return to_act_; }
  int tricks(int side) const { return tricks_[side]; }
  int leader() const { return leader_; }
  int declarer() const { return declarer_; }
  int sitter() const { return sitter_; }
  // The card led, or kNothingLed.
  int led() const { return led_; }
  // Who is winning the trick, with which card.
  int winner() const { return winner_; }
  int best() const { return best_; }
  const Sheet& sheet() const { return *sheet_; }
  CardMask held(int seat) const { return deal_.held[seat]; }
  CardMask twins(int seat) const { return deal_.twins[seat]; }
  // Suits that a seat has shown to lack, as bits.
  int voids(int seat) const { return voids_[seat]; }

  CardMask legal() const {
    const CardMask held = deal_.held[to_act_];
    if (led_ == kNothingLed) return held;
    const CardMask follows = held & sheet_->tables.follow[led_];
    return follows != 0 ? follows : held;
  }

  // The seat that plays after one.
  int after(int seat) const {
    const int next = (seat + 1) & 3;
    return next == sitter_ ? (next + 1) & 3 : next;
  }

  // Cards of which a copy is where a seat cannot see it.
  CardMask unseen(int seat) const {
    return deck_ & ~(gone_twice_ | deal_.twins[seat] | (deal_.held[seat] & gone_));
  }

  // Puts other cards into the hands, of the same number for each seat.
  void deal_anew(const Deal& deal) { deal_ = deal; }

 private:
  const Sheet* sheet_;
  Deal deal_;
  CardMask deck_;
  // Played at least once, and twice. A deck of one copy starts with one copy of each gone.
  CardMask gone_;
  CardMask gone_twice_ = 0;
  std::int8_t declarer_;
  std::int8_t sitter_;
  std::int8_t leader_;
  std::int8_t to_act_;
  std::int8_t winner_ = kNoSeat;
  std::int8_t led_ = kNothingLed;
  std::int8_t best_ = kNothingLed;
  std::array<std::int8_t, 2> tricks_{};
  std::array<std::uint8_t, kSeats> voids_{};
};

// Calls `visit` with each card of a mask, in order.
template <typename Visit>
void for_each_card(CardMask cards, Visit visit) {
  for (; cards != 0; cards &= cards - 1) visit(std::countr_zero(cards));
}

// Who leads to the first trick.
int opening_leader(const Rules& rules, int dealer, int declarer, int sitter);

}  // namespace euchre
