#include "choice.h"

#include <algorithm>
#include <vector>

#include "errors.h"

namespace euchre {
namespace {

using arena::v1::Action;

// After so many deals only so many candidates stay in the race.
struct Round {
  int deals;
  std::size_t stay;
};
constexpr Round kRounds[] = {{24, 12}, {64, 6}, {160, 3}};

// An action, where it is a bid together with the call that would be named for it.
struct Candidate {
  int place = 0;
  const Action* action = nullptr;
  Contract contract;
  double total = 0;
};

class Trial {
 public:
  Trial(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes)
      : rules_(rules), knowledge_(knowledge), simulator_(rules, knowledge, stakes) {}

  void set_deal(const Deal& deal) { simulator_.set_deal(deal); }

  double value(const Candidate& candidate) {
    const Ledger& ledger = knowledge_.ledger;
    switch (candidate.action->kind()) {
      case arena::v1::ACTION_KIND_PASS:
        return simulator_.value(simulator_.finish_auction(knowledge_.contract, ledger), ledger);
      case arena::v1::ACTION_KIND_BID:
        return simulator_.value(simulator_.finish_auction(candidate.contract, ledger), ledger);
      case arena::v1::ACTION_KIND_FORCE_PARTNER:
        return force(partner_of(knowledge_.seat), rules_.variant.tokens().force_partner());
      case arena::v1::ACTION_KIND_FORCE_OPPONENTS:
        return force(simulator_.shooter_of(1 - side_of(knowledge_.seat)),
                     rules_.variant.tokens().force_opponents());
      case arena::v1::ACTION_KIND_SHOOTER_SELF:
        return force(knowledge_.seat, 0);
      case arena::v1::ACTION_KIND_SHOOTER_PARTNER:
        return force(partner_of(knowledge_.seat), 0);
      case arena::v1::ACTION_KIND_CALL:
        return simulator_.value(candidate.contract, ledger);
      default:
        return simulator_.value_of_play(knowledge_.contract, exchange(*candidate.action));
    }
  }

 private:
  double force(int seat, std::uint32_t price) {
    Ledger ledger = knowledge_.ledger;
    ledger.tokens[side_of(knowledge_.seat)] -= static_cast<int>(price);
    return simulator_.value(simulator_.finish_auction(simulator_.forced(seat), ledger), ledger);
  }

  // The deal after our part of the exchange, and the other's as it would be.
  Deal exchange(const Action& action) const {
    Deal deal = simulator_.deal();
    const Contract& contract = knowledge_.contract;
    const int declarer = contract.declarer;
    const int partner = partner_of(declarer);
    const auto move = [&](int from, int to, int card) {
      deal.take(from, card);
      deal.add(to, card);
    };
    switch (action.kind()) {
      case arena::v1::ACTION_KIND_NO_TRADE:
        break;
      case arena::v1::ACTION_KIND_TRADE: {
        const int given = simulator_.card_to_give(partner, deal, contract);
        move(declarer, partner, card_of(action.card()));
        move(partner, declarer, given);
        break;
      }
      case arena::v1::ACTION_KIND_GIVE: {
        const int lost = simulator_.card_to_lose(declarer, deal, contract);
        move(partner, declarer, card_of(action.card()));
        if (knowledge_.traded) {
          move(declarer, partner, lost);
        } else {
          deal.take(declarer, simulator_.card_to_lose(declarer, deal, contract));
        }
        break;
      }
      case arena::v1::ACTION_KIND_DISCARD:
        deal.take(declarer, card_of(action.card()));
        break;
      default:
        throw UnknownValue("an action is not known: " + std::to_string(action.kind()));
    }
    return deal;
  }

  const Rules& rules_;
  const Knowledge& knowledge_;
  Simulator simulator_;
};

void add_bids(const Rules& rules, const Knowledge& knowledge, const Action& action, int place,
              std::vector<Candidate>& candidates) {
  const int level = static_cast<int>(action.bid()) - 1;
  if (level < 0 || level >= static_cast<int>(rules.bids.size())) {
    throw UnknownValue("a bid is not known: " + std::to_string(action.bid()));
  }
  for (const int call : rules.calls) {
    const bool offered = action.call() != 0 ? action.call() == call : rules.may_name(call, level);
    if (offered) candidates.push_back({place, &action, {level, knowledge.seat, call}});
  }
}

std::vector<Candidate> candidates_of(const Rules& rules, const Knowledge& knowledge,
                                     const arena::v1::Decision& decision) {
  std::vector<Candidate> candidates;
  for (int place = 0; place < decision.legal_size(); ++place) {
    const Action& action = decision.legal(place);
    if (action.kind() == arena::v1::ACTION_KIND_BID) {
      add_bids(rules, knowledge, action, place, candidates);
      continue;
    }
    Contract contract = knowledge.contract;
    if (action.kind() == arena::v1::ACTION_KIND_CALL) {
      trump_of(action.call());
      contract.call = action.call();
    }
    candidates.push_back({place, &action, contract});
  }
  return candidates;
}

void keep_best(std::vector<Candidate>& candidates, std::size_t stay) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.total > b.total; });
  if (candidates.size() > stay) candidates.resize(stay);
}

}  // namespace

int choose_before_play(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes,
                       const arena::v1::Decision& decision, const Effort& effort, Random& random) {
  std::vector<Candidate> candidates = candidates_of(rules, knowledge, decision);
  const Sampler sampler(rules, knowledge);
  Trial trial(rules, knowledge, stakes);
  for (int deals = 0; !effort.spent(deals); ++deals) {
    trial.set_deal(sampler.sample(random));
    for (Candidate& candidate : candidates) candidate.total += trial.value(candidate);
    for (const Round& round : kRounds) {
      if (round.deals == deals + 1) keep_best(candidates, round.stay);
    }
  }
  keep_best(candidates, 1);
  return candidates.front().place;
}

}  // namespace euchre
