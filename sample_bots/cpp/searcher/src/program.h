// A bot as a program.
//
// Exit codes: 0 the session ended in order (the arena said goodbye, or SIGTERM or SIGINT came),
// 1 the arena could not be reached (any more) or the bot has a bug, 2 wrong usage, 3 the arena
// refused the bot. Each has one sentence on standard error; nothing goes to standard output.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "player.h"

namespace euchre {

// Plays one session; the exit code.
int run(const std::vector<std::string>& arguments, const Defaults& defaults,
        const Players& players);

}  // namespace euchre
