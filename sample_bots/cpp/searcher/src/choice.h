// Decisions before the play: each legal action is tried on many deals.
#pragma once

#include "arena/v1/referee.pb.h"
#include "effort.h"
#include "knowledge.h"
#include "sampler.h"
#include "simulator.h"

namespace euchre {

// The place in `legal` of the best action.
int choose_before_play(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes,
                       const arena::v1::Decision& decision, const Effort& effort, Random& random);

}  // namespace euchre
