// Which card to play: a Monte Carlo tree search over information sets.
//
// Each trial takes a fresh deal that agrees with what the seat has seen and walks down one tree for
// all deals: a node stands for the cards played since the question, which everyone has seen. Below
// the tree the hand is played out by rules of thumb.
#pragma once

#include <vector>

#include "effort.h"
#include "knowledge.h"
#include "sampler.h"
#include "stakes.h"

namespace euchre {

// The best card of `legal`.
int choose_card(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes,
                CardMask legal, const Effort& effort, Random& random);

}  // namespace euchre
