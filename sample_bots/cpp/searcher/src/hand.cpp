#include "hand.h"

namespace euchre {

Hand::Hand(const Rules& rules, const Sheet& sheet, const Deal& deal, int declarer, int sitter,
           int leader)
    : sheet_(&sheet),
      deal_(deal),
      deck_(rules.deck),
      gone_(rules.copies == 1 ? rules.deck : 0),
      declarer_(static_cast<std::int8_t>(declarer)),
      sitter_(static_cast<std::int8_t>(sitter)),
      leader_(static_cast<std::int8_t>(leader)),
      to_act_(static_cast<std::int8_t>(leader)) {}

void Hand::play(int card) {
  const CardMask bit = bit_of(card);
  deal_.take(to_act_, card);
  gone_twice_ |= gone_ & bit;
  gone_ |= bit;
  if (led_ == kNothingLed) {
    led_ = best_ = static_cast<std::int8_t>(card);
    winner_ = to_act_;
  } else {
    const auto& row = sheet_->tables.strength[led_];
    const int suit = sheet_->tables.suit[led_];
    if (sheet_->tables.suit[card] != suit) voids_[to_act_] |= static_cast<std::uint8_t>(1U << suit);
    // Of two equal cards the one played first stays ahead.
    if (row[card] > row[best_]) {
      best_ = static_cast<std::int8_t>(card);
      winner_ = to_act_;
    }
  }
  to_act_ = static_cast<std::int8_t>(after(to_act_));
  if (to_act_ != leader_) return;
  leader_ = to_act_ = winner_;
  ++tricks_[side_of(winner_)];
  led_ = best_ = kNothingLed;
}

int opening_leader(const Rules& rules, int dealer, int declarer, int sitter) {
  if (rules.declarer_leads) return declarer;
  const int left = (dealer + 1) & 3;
  return left == sitter ? (left + 1) & 3 : left;
}

}  // namespace euchre
