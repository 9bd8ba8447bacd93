// The three variants that the arena ships, as data.
#pragma once

#include <string>

#include "arena/v1/variant.pb.h"

namespace euchre::testing {

inline void add_bid(arena::v1::Variant& variant, std::uint32_t tricks, bool alone = false,
                    std::uint32_t points = 0,
                    arena::v1::Exchange exchange = arena::v1::EXCHANGE_NONE) {
  auto& bid = *variant.add_bids();
  bid.set_tricks(tricks);
  bid.set_alone(alone);
  bid.set_exchange(exchange);
  if (points != 0) bid.set_made(points);
  if (points != 0) bid.set_set(points);
}

// `order` as in the rules, high to low, such as `AKQJT9`; empty for a suit.
inline void add_call(arena::v1::Variant& variant, arena::v1::Call call, std::uint32_t price,
                     const std::string& order) {
  auto& rule = *variant.add_calls();
  rule.set_call(call);
  rule.set_tokens(price);
  for (const char rank : order) {
    rule.add_order(static_cast<arena::v1::Rank>(std::string("9TJQKA").find(rank) + 1));
  }
}

inline arena::v1::Variant suits_of(int lowest_rank, std::uint32_t copies, std::uint32_t size) {
  using namespace arena::v1;
  Variant variant;
  for (int rank = lowest_rank; rank <= RANK_ACE; ++rank) {
    variant.add_ranks(static_cast<Rank>(rank));
  }
  variant.set_copies(copies);
  variant.set_hand_size(size);
  for (const Call call : {CALL_CLUBS, CALL_DIAMONDS, CALL_HEARTS, CALL_SPADES}) {
    add_call(variant, call, 0, "");
  }
  variant.set_naming(NAMING_AFTER_AUCTION);
  variant.set_all_pass(ALL_PASS_DEALER_BIDS);
  variant.set_gift(GIFT_BEST);
  variant.set_gift_without_trump(GIFT_FALLBACK_ANY);
  variant.set_gift_tie(GIFT_TIE_PARTNER);
  variant.set_opening_lead(OPENING_LEAD_LEFT_OF_DEALER);
  variant.set_defenders_score(true);
  variant.set_both_reach(BOTH_REACH_DECLARING_SIDE);
  return variant;
}

inline arena::v1::Variant classic() {
  arena::v1::Variant variant = suits_of(arena::v1::RANK_NINE, 1, 6);
  add_call(variant, arena::v1::CALL_NO_TRUMP, 0, "AKQJT9");
  for (std::uint32_t tricks = 3; tricks <= 6; ++tricks) add_bid(variant, tricks);
  add_bid(variant, 6, true, 8, arena::v1::EXCHANGE_TRADE);
  add_bid(variant, 6, true, 12);
  variant.set_target(32);
  return variant;
}

inline arena::v1::Variant token() {
  arena::v1::Variant variant = suits_of(arena::v1::RANK_NINE, 1, 6);
  add_call(variant, arena::v1::CALL_HIGH, 1, "AKQJT9");
  add_call(variant, arena::v1::CALL_LOW, 1, "9TJQKA");
  add_call(variant, arena::v1::CALL_MID, 1, "QKTA9J");
  for (std::uint32_t tricks = 3; tricks <= 6; ++tricks) add_bid(variant, tricks);
  add_bid(variant, 6, true, 12, arena::v1::EXCHANGE_GIFT);
  add_bid(variant, 6, true, 21);
  variant.set_target(42);
  auto& tokens = *variant.mutable_tokens();
  for (const std::uint32_t decade : {10U, 20U, 30U, 40U}) tokens.add_decades(decade);
  for (const int step : {-20, -40, -60}) tokens.add_sympathy(step);
  tokens.set_token_debt_minimum(3);
  tokens.set_hlm_debt_minimum(5);
  tokens.set_credit(true);
  tokens.set_force_partner(2);
  tokens.set_force_opponents(3);
  tokens.set_forced_bid(5);
  return variant;
}

inline arena::v1::Variant double_deck() {
  arena::v1::Variant variant = suits_of(arena::v1::RANK_JACK, 2, 8);
  add_call(variant, arena::v1::CALL_NO_TRUMP, 0, "AKQJT9");
  for (std::uint32_t tricks = 1; tricks <= 8; ++tricks) add_bid(variant, tricks);
  add_bid(variant, 8, true, 24);
  variant.set_naming(arena::v1::NAMING_IN_BID);
  variant.set_opening_lead(arena::v1::OPENING_LEAD_DECLARER);
  variant.set_hands(8);
  return variant;
}

inline arena::v1::Variant variant_named(const std::string& name) {
  if (name == "classic") return classic();
  return name == "token" ? token() : double_deck();
}

}  // namespace euchre::testing
