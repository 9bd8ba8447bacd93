// A variant compiled once a game: what a search looks up.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "arena/v1/variant.pb.h"
#include "cards.h"

namespace euchre {

// Calls by their number on the wire, which counts from 1.
inline constexpr int kCalls = 9;
inline constexpr int kNoSeat = -1;
inline constexpr int kNoLevel = -1;

constexpr int partner_of(int seat) { return seat ^ 2; }
constexpr int side_of(int seat) { return seat & 1; }

// A call: who follows, who wins, what a hand counts for.
struct Sheet {
  CallTables tables;
  // All trumps of the deck, 0 without.
  CardMask trumps = 0;
  // The suits of the deck as the call has them.
  std::array<CardMask, kSuits> members{};
  // The cards of its own suit that beat a card.
  std::array<CardMask, kCards> above{};
  // What it costs to throw a card away; trumps last.
  std::array<int, kCards> worth{};
  // What a card adds to the tricks that a hand is good for.
  std::array<float, kCards> tricks{};
  // Whom the partner's card is taken from, best class first (rules T1.5).
  std::vector<CardMask> gifts;
  int price = 0;
  // The lowest bid it may be named on, as a level.
  int lowest = 0;
};

// A step of the ladder; its level is its place from 0.
struct Bid {
  int tricks = 0;
  bool alone = false;
  arena::v1::Exchange exchange = arena::v1::EXCHANGE_NONE;
  // Points made, none for the tricks taken; points lost.
  std::optional<int> made;
  int set = 0;
};

struct Rules {
  // Throws UnknownValue where the variant has something that this code does not know.
  explicit Rules(const arena::v1::Variant& variant);

  const Sheet& sheet(int call) const { return *sheets[static_cast<std::size_t>(call)]; }
  bool may_name(int call, int level) const { return sheet(call).lowest <= level; }

  arena::v1::Variant variant;
  int copies = 1;
  int hand_size = 6;
  CardMask deck = 0;
  std::vector<Bid> bids;
  // The calls on offer, as numbers on the wire.
  std::vector<int> calls;
  std::array<std::optional<Sheet>, kCalls> sheets;
  bool named_in_bid = false;
  bool declarer_leads = false;
  int forced_level = kNoLevel;
};

}  // namespace euchre
