#include "cards.h"

#include <algorithm>
#include <string>

#include "errors.h"

namespace euchre {
namespace {

constexpr int kTrumpFrom = 100;

const arena::v1::CallRule& rule_of(const arena::v1::Variant& variant, arena::v1::Call call) {
  const auto& calls = variant.calls();
  const auto rule = std::find_if(calls.begin(), calls.end(),
                                 [&](const auto& candidate) { return candidate.call() == call; });
  if (rule == calls.end()) {
    throw UnknownValue("the variant has no call " + std::to_string(call));
  }
  return *rule;
}

// How high each rank is in a suit that holds no bower, 1 the lowest.
std::array<int, kRanks> heights(const arena::v1::CallRule& rule) {
  std::array<int, kRanks> height{1, 2, 3, 4, 5, 6};
  if (rule.order().empty()) return height;
  height.fill(0);
  int next = kRanks;
  for (const int rank : rule.order()) {
    if (rank < arena::v1::RANK_NINE || rank > arena::v1::RANK_ACE) {
      throw UnknownValue("a call orders a rank that is not known: " + std::to_string(rank));
    }
    height.at(static_cast<std::size_t>(rank - 1)) = next--;
  }
  return height;
}

// A card's height within its effective suit.
int height_of(int card, int trump, const std::array<int, kRanks>& height) {
  if (trump != kNoTrump && rank_of(card) == kJack) {
    if (suit_of(card) == trump) return kRanks + 2;
    if (suit_of(card) == mate_of(trump)) return kRanks + 1;
  }
  return height.at(static_cast<std::size_t>(rank_of(card)));
}

}  // namespace

int card_of(arena::v1::Card card) {
  if (card < arena::v1::CARD_9C || card > arena::v1::CARD_AS) {
    throw UnknownValue("a card is not known: " + std::to_string(card));
  }
  return card - 1;
}

int trump_of(arena::v1::Call call) {
  if (call < arena::v1::CALL_CLUBS || call > arena::v1::CALL_MID) {
    throw UnknownValue("a call is not known: " + std::to_string(call));
  }
  return call <= arena::v1::CALL_SPADES ? call - arena::v1::CALL_CLUBS : kNoTrump;
}

int effective_suit(int card, int trump) {
  const bool left = trump != kNoTrump && rank_of(card) == kJack && suit_of(card) == mate_of(trump);
  return left ? trump : suit_of(card);
}

CallTables tables_of(const arena::v1::Variant& variant, arena::v1::Call call) {
  CallTables tables;
  tables.trump = trump_of(call);
  const auto height = heights(rule_of(variant, call));
  for (int card = 0; card < kCards; ++card) tables.suit[card] = effective_suit(card, tables.trump);
  for (int led = 0; led < kCards; ++led) {
    for (int card = 0; card < kCards; ++card) {
      const int value = height_of(card, tables.trump, height);
      const bool follows = tables.suit[card] == tables.suit[led];
      if (follows) tables.follow[led] |= bit_of(card);
      if (tables.suit[card] == tables.trump) {
        tables.strength[led][card] = static_cast<std::uint8_t>(kTrumpFrom + value);
      } else if (follows) {
        tables.strength[led][card] = static_cast<std::uint8_t>(1 + value);
      }
    }
  }
  return tables;
}

}  // namespace euchre
