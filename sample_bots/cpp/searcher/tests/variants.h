// Small variants for the tests.
#pragma once

#include <initializer_list>
#include <string>

#include "arena/v1/variant.pb.h"
#include "cards.h"

namespace euchre::testing {

inline int card(const std::string& text) {
  const auto rank = std::string("9TJQKA").find(text[0]);
  const auto suit = std::string("CDHS").find(text[1]);
  return static_cast<int>(suit) * kRanks + static_cast<int>(rank);
}

inline arena::v1::Card wire(const std::string& text) {
  return static_cast<arena::v1::Card>(card(text) + 1);
}

inline void add_call(arena::v1::Variant& variant, arena::v1::Call call,
                     std::initializer_list<arena::v1::Rank> order = {}) {
  auto& rule = *variant.add_calls();
  rule.set_call(call);
  for (const auto rank : order) rule.add_order(rank);
}

// Suits, and Mid; bids of 3 and 4 tricks, and one alone.
inline arena::v1::Variant small_variant() {
  using namespace arena::v1;
  Variant variant;
  variant.set_hand_size(6);
  variant.set_copies(1);
  for (int rank = RANK_NINE; rank <= RANK_ACE; ++rank) variant.add_ranks(static_cast<Rank>(rank));
  for (const Call call : {CALL_CLUBS, CALL_DIAMONDS, CALL_HEARTS, CALL_SPADES}) {
    add_call(variant, call);
  }
  add_call(variant, CALL_MID, {RANK_QUEEN, RANK_KING, RANK_TEN, RANK_ACE, RANK_NINE, RANK_JACK});
  for (const std::uint32_t tricks : {3U, 4U, 6U}) {
    auto& bid = *variant.add_bids();
    bid.set_tricks(tricks);
    bid.set_alone(tricks == 6);
  }
  return variant;
}

}  // namespace euchre::testing
