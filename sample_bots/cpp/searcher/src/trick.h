// The current trick, read from a view.
#pragma once

#include <vector>

#include "arena/v1/view.pb.h"

namespace euchre {

// The plays of a trick, the leader's first; empty for who is on lead.
struct Trick {
  std::vector<int> seats;
  std::vector<int> cards;
};

// Throws UnknownValue where a card is not known.
Trick trick_of(const arena::v1::PublicView& view);

}  // namespace euchre
