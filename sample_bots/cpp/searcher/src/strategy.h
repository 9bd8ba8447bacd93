// How the bot plays: it tries what it may do on deals that agree with all it has seen.
#pragma once

#include <memory>

#include "player.h"
#include "rules.h"

namespace euchre {

class Strategy : public Player {
 public:
  // Throws UnknownValue where the variant has something that this code does not know.
  explicit Strategy(const Game& game);

  arena::v1::Action act(const Question& question) override;

 private:
  Game game_;
  Rules rules_;
};

std::unique_ptr<Player> make_player(const Game& game);

}  // namespace euchre
