// How the bot plays: the one place to write your own.
#pragma once

#include <map>
#include <memory>

#include "cards.h"
#include "player.h"

namespace euchre {

// Bids by counting trumps and aces, and takes tricks as cheaply as it can.
class Strategy : public Player {
 public:
  explicit Strategy(const Game& game);

  arena::v1::Action act(const Question& question) override;

 private:
  arena::v1::Action speak(const arena::v1::Decision& decision) const;
  arena::v1::Action name_call(const arena::v1::Decision& decision) const;
  arena::v1::Action give(const arena::v1::Decision& decision) const;
  arena::v1::Action put_away(const arena::v1::Decision& decision) const;
  arena::v1::Action play(const arena::v1::Decision& decision) const;

  double margin(const arena::v1::Decision& decision, const arena::v1::Action& action) const;
  double tricks(const arena::v1::Decision& decision, arena::v1::Call call) const;
  bool may_name(const arena::v1::CallRule& rule, std::uint32_t bid) const;
  const CallTables& tables(arena::v1::Call call) const;

  Game game_;
  const arena::v1::Variant& variant_;
  std::map<int, CallTables> tables_;
};

std::unique_ptr<Player> make_player(const Game& game);

}  // namespace euchre
