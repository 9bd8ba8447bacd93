#include "strategy.h"

#include <algorithm>
#include <cstdlib>

#include "choice.h"
#include "effort.h"
#include "errors.h"
#include "knowledge.h"
#include "random.h"
#include "stakes.h"
#include "tree.h"

namespace euchre {
namespace {

using arena::v1::Action;
using arena::v1::Decision;

// Trials of one decision: deals before the play, walks down the tree in it.
constexpr int kDeals = 250;
constexpr int kWalks = 3000;

// Each decision draws its own chance, from the game's seed and the place in the game.
Random chance_for(std::uint64_t seed, const Decision& decision) {
  const auto& view = decision.public_();
  const std::uint64_t place =
      (std::uint64_t{view.hand_number()} << 16) + static_cast<std::uint64_t>(view.moves_size());
  return Random(Random(seed ^ (place * 0xD1342543DE82EF95ULL)).next());
}

bool is_known(arena::v1::Phase phase) {
  return phase >= arena::v1::PHASE_SPEAK && phase <= arena::v1::PHASE_PLAY;
}

}  // namespace

Strategy::Strategy(const Game& game) : game_(game), rules_(game.match->variant()) {}

Action Strategy::act(const Question& question) {
  const Decision& decision = question.decision;
  const auto phase = decision.public_().phase();
  if (!is_known(phase)) {
    throw UnknownValue("the arena asks in a phase that is not known: " + std::to_string(phase));
  }
  const auto deadline = deadline_for(question);
  Random random = chance_for(game_.seed, decision);
  const Knowledge knowledge(rules_, decision);
  const Stakes stakes(rules_, knowledge.ledger, static_cast<int>(decision.public_().hand_number()),
                      side_of(knowledge.seat));
  if (phase != arena::v1::PHASE_PLAY) {
    const Effort effort(kDeals, deadline);
    return decision.legal(choose_before_play(rules_, knowledge, stakes, decision, effort, random));
  }
  CardMask legal = 0;
  for (const Action& action : decision.legal()) legal |= bit_of(card_of(action.card()));
  const int card = choose_card(rules_, knowledge, stakes, legal, Effort(kWalks, deadline), random);
  const auto& actions = decision.legal();
  return *std::find_if(actions.begin(), actions.end(), [&](const Action& action) {
    return action.card() == static_cast<arena::v1::Card>(card + 1);
  });
}

std::unique_ptr<Player> make_player(const Game& game) { return std::make_unique<Strategy>(game); }

}  // namespace euchre
