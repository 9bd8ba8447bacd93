#include "strategy.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "errors.h"
#include "trick.h"

namespace euchre {
namespace {

using arena::v1::Action;
using arena::v1::Call;
using arena::v1::Decision;
using arena::v1::Variant;

constexpr double kTrumpTricks = 0.7;
constexpr double kAceTricks = 0.5;
// What the partner takes, as a part of a hand.
constexpr double kPartner = 0.2;
// What a token is worth, in tricks.
constexpr double kToken = 2.0;
constexpr double kNever = -99.0;
// Where trumps begin in the tables of strengths.
constexpr int kTrumpFrom = 100;

// The legal action that is best by `key`, the first among equals.
template <typename Key>
const Action& best_of(const Decision& decision, Key key) {
  return *std::max_element(decision.legal().begin(), decision.legal().end(),
                           [&](const Action& a, const Action& b) { return key(a) < key(b); });
}

// A card's strength when it is led itself.
int own_strength(const CallTables& tables, const Action& action) {
  const int card = card_of(action.card());
  return tables.strength[card][card];
}

}  // namespace

Strategy::Strategy(const Game& game) : game_(game), variant_(game_.match->variant()) {
  for (const auto& rule : variant_.calls()) {
    tables_[rule.call()] = tables_of(variant_, rule.call());
  }
}

Action Strategy::act(const Question& question) {
  const Decision& decision = question.decision;
  switch (decision.public_().phase()) {
    case arena::v1::PHASE_SPEAK:
      return speak(decision);
    case arena::v1::PHASE_CALL:
      return name_call(decision);
    case arena::v1::PHASE_GIVE:
      return give(decision);
    case arena::v1::PHASE_TRADE:
    case arena::v1::PHASE_DISCARD:
      return put_away(decision);
    case arena::v1::PHASE_PLAY:
      return play(decision);
    case arena::v1::PHASE_SHOOTER:
      // Nobody wants to: the first answer is as good as the other.
      return decision.legal(0);
    default:
      throw UnknownValue("the arena asks in a phase that is not known: " +
                         std::to_string(decision.public_().phase()));
  }
}

// The auction.

Action Strategy::speak(const Decision& decision) const {
  return best_of(decision, [&](const Action& action) {
    const double spare = margin(decision, action);
    // The highest bid that the hand is worth; else the least bad.
    return std::pair(spare > 0 ? static_cast<int>(action.bid()) : 0, spare);
  });
}

// The tricks beyond what a bid needs; 0 for a pass. It neither goes alone nor forces.
double Strategy::margin(const Decision& decision, const Action& action) const {
  if (action.kind() == arena::v1::ACTION_KIND_PASS) return 0.0;
  const bool bids = action.kind() == arena::v1::ACTION_KIND_BID;
  if (!bids || action.bid() < 1 || static_cast<int>(action.bid()) > variant_.bids_size()) {
    return kNever;
  }
  const auto& bid = variant_.bids(static_cast<int>(action.bid()) - 1);
  if (bid.alone()) return kNever;
  double best = kNever;
  for (const auto& rule : variant_.calls()) {
    const bool named = action.call() == arena::v1::CALL_UNSPECIFIED ? may_name(rule, action.bid())
                                                                    : action.call() == rule.call();
    if (named) best = std::max(best, tricks(decision, rule.call()));
  }
  return best - bid.tricks();
}

bool Strategy::may_name(const arena::v1::CallRule& rule, std::uint32_t bid) const {
  return rule.lowest_bid() <= bid;
}

// How many tricks both partners may take.
double Strategy::tricks(const Decision& decision, Call call) const {
  const CallTables& sheet = tables(call);
  double tricks = kPartner * variant_.hand_size();
  for (const int wire : decision.private_().hand()) {
    const int card = card_of(static_cast<arena::v1::Card>(wire));
    if (sheet.suit[card] == sheet.trump) {
      tricks += kTrumpTricks;
    } else if (rank_of(card) == kAce) {
      tricks += kAceTricks;
    }
  }
  for (const auto& rule : variant_.calls()) {
    if (rule.call() == call) tricks -= kToken * rule.tokens();
  }
  return tricks;
}

Action Strategy::name_call(const Decision& decision) const {
  return best_of(decision, [&](const Action& action) { return tricks(decision, action.call()); });
}

// The exchange.

Action Strategy::give(const Decision& decision) const {
  const CallTables& sheet = tables(decision.public_().contract().call());
  return best_of(decision, [&](const Action& action) { return own_strength(sheet, action); });
}

Action Strategy::put_away(const Decision& decision) const {
  const CallTables& sheet = tables(decision.public_().contract().call());
  return best_of(decision, [&](const Action& action) {
    const bool declines = action.card() == arena::v1::CARD_UNSPECIFIED;
    // Rather nothing than a trump.
    return declines ? -kTrumpFrom : -own_strength(sheet, action);
  });
}

// The play.

Action Strategy::play(const Decision& decision) const {
  const CallTables& sheet = tables(decision.public_().contract().call());
  const Trick trick = trick_of(decision.public_());
  if (trick.cards.empty()) {
    return best_of(decision, [&](const Action& action) { return own_strength(sheet, action); });
  }
  const auto& row = sheet.strength[trick.cards.front()];
  const auto winning = std::max_element(trick.cards.begin(), trick.cards.end(),
                                        [&](int a, int b) { return row[a] < row[b]; });
  const int to_beat = row[*winning];
  const int winner = trick.seats[static_cast<std::size_t>(winning - trick.cards.begin())];
  const bool ours = winner == (game_.seat ^ 2);
  // Wins as cheaply as it can, never over its partner; else throws away the weakest.
  return best_of(decision, [&](const Action& action) {
    const int strength = row[card_of(action.card())];
    return std::tuple(!ours && strength > to_beat, -strength, -own_strength(sheet, action));
  });
}

const CallTables& Strategy::tables(Call call) const {
  const auto found = tables_.find(call);
  if (found == tables_.end()) throw UnknownValue("a call is not known: " + std::to_string(call));
  return found->second;
}

std::unique_ptr<Player> make_player(const Game& game) { return std::make_unique<Strategy>(game); }

}  // namespace euchre
