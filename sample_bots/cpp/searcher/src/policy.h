// Rules of thumb for the play: quick, and with no look at the other hands.
#pragma once

#include "hand.h"

namespace euchre {

// The card that the seat to act would play.
int policy_card(const Hand& hand);

// Plays the hand to its end by rules of thumb.
void play_out(Hand& hand);

}  // namespace euchre
