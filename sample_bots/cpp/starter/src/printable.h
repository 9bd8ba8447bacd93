// What an arena says, as one line that is safe to print.
#pragma once

#include <string>

namespace euchre {

// The text, which should be UTF-8, with control characters and what is no UTF-8 as \x1b, cut where
// it is long.
std::string printable(const std::string& text);

}  // namespace euchre
