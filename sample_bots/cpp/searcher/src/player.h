// What sits at a table and is asked: the line between the session and the strategy.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "arena/v1/referee.pb.h"

namespace euchre {

// A game that begins.
struct Game {
  // The rules as data, the clocks, the number of faults.
  std::shared_ptr<const arena::v1::MatchStart> match;
  // Our seat, 0 to 3.
  int seat = 0;
  // All chance is drawn from it, so that the same tournament gives the same games.
  std::uint64_t seed = 0;
};

// A question, and how much is waiting behind it.
struct Question {
  const arena::v1::Decision& decision;
  // When it arrived; its clock has run since then.
  std::chrono::steady_clock::time_point arrived;
  // Questions that wait for this one to be answered.
  std::size_t waiting = 0;
};

// Plays one game; made when it begins, gone when it is over.
class Player {
 public:
  Player() = default;
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  virtual ~Player() = default;

  // One of the legal actions. Throws UnknownValue where the question has something that this code
  // does not know; the session then answers the first legal action.
  virtual arena::v1::Action act(const Question& question) = 0;
};

using Players = std::function<std::unique_ptr<Player>(const Game&)>;

// Takes one line for the bot's author.
using Say = std::function<void(const std::string&)>;

}  // namespace euchre
