// Cards and what a call makes of them, from the variant's data.
//
// A card is the number 6 * suit + rank, 0 to 23, in every variant: one less than on the wire.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arena/v1/cards.pb.h"
#include "arena/v1/variant.pb.h"

namespace euchre {

inline constexpr int kSuits = 4;
inline constexpr int kRanks = 6;
inline constexpr int kCards = kSuits * kRanks;
inline constexpr int kSeats = 4;
inline constexpr int kNoTrump = -1;

// Ranks as numbers, 0 the nine.
inline constexpr int kJack = 2;
inline constexpr int kAce = 5;

// Bit `card` is set.
using CardMask = std::uint32_t;

constexpr int suit_of(int card) { return card / kRanks; }
constexpr int rank_of(int card) { return card % kRanks; }
constexpr int mate_of(int suit) { return kSuits - 1 - suit; }
constexpr CardMask bit_of(int card) { return CardMask{1} << card; }

// The number of a card on the wire. Throws UnknownValue where it is none.
int card_of(arena::v1::Card card);

// The trump suit of a call, or kNoTrump. Throws UnknownValue.
int trump_of(arena::v1::Call call);

// The suit a card belongs to: the left bower is a trump.
int effective_suit(int card, int trump);

// What a call means for the play.
struct CallTables {
  int trump = kNoTrump;
  // The suit each card belongs to.
  std::array<int, kCards> suit{};
  // For each card led, the cards that follow it.
  std::array<CardMask, kCards> follow{};
  // strength[led][card]: how strong a card is in a trick that began with `led`; 0 never wins. Of
  // two equal cards the one played first is ahead, so a winner must be strictly stronger.
  std::array<std::array<std::uint8_t, kCards>, kCards> strength{};
};

// Throws UnknownValue where the variant or the call has something that this code does not know.
CallTables tables_of(const arena::v1::Variant& variant, arena::v1::Call call);

}  // namespace euchre
