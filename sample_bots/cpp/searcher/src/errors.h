// What can go wrong, by what the program does about it.
#pragma once

#include <stdexcept>

namespace euchre {

// The command line or the environment makes no sense. One sentence.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The arena does not want this bot; trying again would not help. One sentence.
class Refused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The arena cannot be reached, or not any more. One sentence.
class Lost : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The arena sent a value that this code does not know: it is newer than the bot.
class UnknownValue : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace euchre
