#include "tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "policy.h"

namespace euchre {
namespace {

constexpr double kExplore = 0.35;
constexpr int kNone = -1;

struct Node {
  int card = kNone;
  // Children are a linked list.
  int first_child = kNone;
  int next = kNone;
  int visits = 0;
  // How often the card could have been played here.
  int chances = 0;
  // Of the side that plays the card.
  double total = 0;
};

class Tree {
 public:
  Tree(int side, std::vector<double> rewards) : side_(side), rewards_(std::move(rewards)) {
    nodes_.emplace_back();
  }

  void run(Hand& hand, CardMask first_legal, Random& random) {
    path_.clear();
    int node = 0;
    CardMask legal = first_legal;
    while (!hand.over()) {
      const int seat = hand.to_act();
      const CardMask untried = note_chances(node, legal);
      const bool fresh = untried != 0;
      node = fresh ? add(node, pick(hand, untried, random)) : most_promising(node, legal);
      path_.push_back({node, side_of(seat)});
      hand.play(nodes_[static_cast<std::size_t>(node)].card);
      if (fresh) break;
      legal = hand.over() ? 0 : hand.legal();
    }
    play_out(hand);
    reward(rewards_[static_cast<std::size_t>(hand.tricks(side_of(hand.declarer())))]);
  }

  int best_card() const {
    int best = kNone;
    int visits = -1;
    for (int child = nodes_[0].first_child; child != kNone; child = at(child).next) {
      if (at(child).visits > visits) {
        visits = at(child).visits;
        best = at(child).card;
      }
    }
    return best;
  }

 private:
  struct Step {
    int node;
    int side;
  };

  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }

  // Counts a chance for every child that could be played; the cards that have no child yet.
  CardMask note_chances(int node, CardMask legal) {
    for (int child = at(node).first_child; child != kNone; child = at(child).next) {
      const CardMask bit = bit_of(at(child).card);
      if ((legal & bit) == 0) continue;
      ++at(child).chances;
      legal &= ~bit;
    }
    return legal;
  }

  // What the rules of thumb would play comes first.
  static int pick(const Hand& hand, CardMask untried, Random& random) {
    const int card = policy_card(hand);
    if ((untried & bit_of(card)) != 0) return card;
    for (int skip = random.below(std::popcount(untried)); skip > 0; --skip) {
      untried &= untried - 1;
    }
    return std::countr_zero(untried);
  }

  int add(int node, int card) {
    const int child = static_cast<int>(nodes_.size());
    Node& made = nodes_.emplace_back();
    made.card = card;
    made.chances = 1;
    made.next = at(node).first_child;
    at(node).first_child = child;
    return child;
  }

  int most_promising(int node, CardMask legal) const {
    int best = kNone;
    double most = -std::numeric_limits<double>::infinity();
    for (int child = at(node).first_child; child != kNone; child = at(child).next) {
      const Node& each = at(child);
      if ((legal & bit_of(each.card)) == 0) continue;
      const double bonus = kExplore * std::sqrt(std::log(each.chances) / each.visits);
      const double promise = each.total / each.visits + bonus;
      if (promise > most) {
        most = promise;
        best = child;
      }
    }
    return best;
  }

  void reward(double ours) {
    for (const Step& step : path_) {
      ++at(step.node).visits;
      at(step.node).total += step.side == side_ ? ours : 1.0 - ours;
    }
  }

  int side_;
  // By the declaring side's tricks: what the hand is worth to our side, from 0 to 1.
  std::vector<double> rewards_;
  std::vector<Node> nodes_;
  std::vector<Step> path_;
};

// By the declaring side's tricks at the end; those that can still come about span 0 to 1.
std::vector<double> rewards_of(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes,
                               int taken, int left) {
  std::vector<double> rewards;
  for (int tricks = 0; tricks <= rules.hand_size; ++tricks) {
    rewards.push_back(stakes.value_of_play(knowledge.contract, tricks, knowledge.ledger));
  }
  const auto [low, high] =
      std::minmax_element(rewards.begin() + taken, rewards.begin() + taken + left + 1);
  const double lowest = *low;
  const double span = std::max(*high - *low, 1e-9);
  for (double& reward : rewards) reward = std::clamp((reward - lowest) / span, 0.0, 1.0);
  return rewards;
}

}  // namespace

int choose_card(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes,
                CardMask legal, const Effort& effort, Random& random) {
  const Contract& contract = knowledge.contract;
  // The plays so far, from hands that hold just these cards: the public state.
  Deal played;
  for (const Play& play : knowledge.plays) played.add(play.seat, play.card);
  Hand table(rules, rules.sheet(contract.call), played, contract.declarer, knowledge.sitter,
             opening_leader(rules, knowledge.dealer, contract.declarer, knowledge.sitter));
  for (const Play& play : knowledge.plays) table.play(play.card);
  const int taken = table.tricks(side_of(contract.declarer));
  const int left = rules.hand_size - table.tricks(0) - table.tricks(1);
  Tree tree(side_of(knowledge.seat), rewards_of(rules, knowledge, stakes, taken, left));
  const Sampler sampler(rules, knowledge);
  for (int trials = 0; !effort.spent(trials); ++trials) {
    Hand hand = table;
    hand.deal_anew(sampler.sample(random));
    tree.run(hand, legal, random);
  }
  return tree.best_card();
}

}  // namespace euchre
