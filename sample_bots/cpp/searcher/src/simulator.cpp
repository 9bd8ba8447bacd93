#include "simulator.h"

#include <algorithm>
#include <tuple>

#include "policy.h"

namespace euchre {
namespace {

constexpr int kKinds = 4;
constexpr int kUnknown = -1;

std::size_t cache_index(const Contract& contract, const Bid& bid) {
  const int kind = bid.alone ? 1 + std::clamp(static_cast<int>(bid.exchange) - 1, 0, 2) : 0;
  return static_cast<std::size_t>((contract.declarer * kCalls + contract.call) * kKinds + kind);
}

int copies_missing(const Rules& rules, const Sheet& sheet, const Deal& deal, int seat, int card) {
  const CardMask above = sheet.above[card];
  return rules.copies * std::popcount(above) - std::popcount(above & deal.held[seat]) -
         std::popcount(above & deal.twins[seat]);
}

}  // namespace

Simulator::Simulator(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes)
    : rules_(rules),
      knowledge_(knowledge),
      stakes_(stakes),
      cache_(static_cast<std::size_t>(kSeats * kCalls * kKinds), kUnknown) {}

void Simulator::set_deal(const Deal& deal) {
  deal_ = deal;
  std::fill(cache_.begin(), cache_.end(), kUnknown);
}

// The lowest level that a side's debts allow it to bid (rules T3.2, T4.3, T4.5).
int Simulator::lowest_level(int side, const Ledger& ledger) const {
  const auto& tokens = rules_.variant.tokens();
  int level = 0;
  if (ledger.token_debt[side] && tokens.has_token_debt_minimum()) {
    level = std::max(level, static_cast<int>(tokens.token_debt_minimum()) - 1);
  }
  if (ledger.hlm_debt[side] > 0 && tokens.has_hlm_debt_minimum()) {
    level = std::max(level, static_cast<int>(tokens.hlm_debt_minimum()) - 1);
  }
  return level;
}

Contract Simulator::finish_auction(Contract standing, const Ledger& ledger) const {
  for (int seat = knowledge_.seat; seat != knowledge_.dealer;) {
    seat = (seat + 1) & 3;
    // Who was made to shoot has spoken.
    if (seat == standing.declarer) continue;
    Turn turn{seat, knowledge_.dealer, 0, false, false};
    turn.floor = std::max(standing.level + 1, lowest_level(side_of(seat), ledger));
    turn.must_bid = standing.level == kNoLevel && seat == knowledge_.dealer &&
                    rules_.variant.all_pass() != arena::v1::ALL_PASS_THROWN_IN;
    turn.partner_stands = standing.level != kNoLevel && side_of(standing.declarer) == side_of(seat);
    const Contract bid = quick_bid(rules_, ledger, turn, deal_.held[seat], deal_.twins[seat]);
    if (bid.level != kNoLevel) standing = bid;
  }
  if (standing.level != kNoLevel && standing.call == 0) {
    const int seat = standing.declarer;
    standing.call =
        rules_.bids[static_cast<std::size_t>(standing.level)].alone
            ? forced(seat).call
            : best_call(rules_, ledger, seat, standing.level, deal_.held[seat], deal_.twins[seat])
                  .call;
  }
  return standing;
}

double Simulator::forced_chance(int seat, int call) const {
  const Sheet& sheet = rules_.sheet(call);
  // A call that costs tokens must be worth them.
  const double price = 0.15 * sheet.price;
  const bool leads = rules_.declarer_leads || seat == ((knowledge_.dealer + 1) & 3);
  return alone_chance(rules_, sheet, deal_.held[seat], deal_.twins[seat], true, leads) - price;
}

Contract Simulator::forced(int seat) const {
  const int level = std::max(rules_.forced_level, 0);
  Contract best{level, seat, rules_.calls.front()};
  double most = -1.0;
  for (const int call : rules_.calls) {
    const double chance = forced_chance(seat, call);
    if (rules_.may_name(call, level) && chance > most) {
      most = chance;
      best.call = call;
    }
  }
  return best;
}

int Simulator::shooter_of(int side) const {
  const Contract first = forced(side);
  const Contract second = forced(side + 2);
  return forced_chance(side, first.call) >= forced_chance(side + 2, second.call) ? side : side + 2;
}

double Simulator::value(const Contract& contract, const Ledger& ledger) {
  if (contract.level == kNoLevel) return stakes_.value(ledger, 0);
  return stakes_.value_of(contract, tricks(contract), ledger);
}

double Simulator::value_of_play(const Contract& contract, const Deal& exchanged) {
  return stakes_.value_of_play(contract, play(contract, exchanged), knowledge_.ledger);
}

int Simulator::tricks(const Contract& contract) {
  const Bid& bid = rules_.bids[static_cast<std::size_t>(contract.level)];
  int& known = cache_[cache_index(contract, bid)];
  if (known == kUnknown) known = play(contract, exchanged(contract));
  return known;
}

// The highest trump, else the card that fewest beat (rules B4, T1.4, T1.5).
int Simulator::card_to_give(int seat, const Deal& deal, const Contract& contract) const {
  const Sheet& sheet = rules_.sheet(contract.call);
  const bool gift =
      rules_.bids[static_cast<std::size_t>(contract.level)].exchange == arena::v1::EXCHANGE_GIFT;
  CardMask choice = deal.held[seat];
  if (gift) {
    for (const CardMask cards : sheet.gifts) {
      if ((choice & cards) == 0) continue;
      choice &= cards;
      break;
    }
  }
  int best = std::countr_zero(choice);
  const auto goodness = [&](int card) {
    return std::pair((sheet.trumps >> card & 1U) != 0, -std::popcount(sheet.above[card]));
  };
  for_each_card(choice, [&](int card) {
    if (goodness(card) > goodness(best)) best = card;
  });
  return best;
}

// The surest loser: no trump, beaten by most, in the shortest suit.
int Simulator::card_to_lose(int seat, const Deal& deal, const Contract& contract) const {
  const Sheet& sheet = rules_.sheet(contract.call);
  const auto badness = [&](int card) {
    const CardMask suit = sheet.members[sheet.tables.suit[card]];
    return std::tuple((sheet.trumps >> card & 1U) == 0,
                      copies_missing(rules_, sheet, deal, seat, card),
                      -std::popcount(deal.held[seat] & suit));
  };
  int worst = std::countr_zero(deal.held[seat]);
  for_each_card(deal.held[seat], [&](int card) {
    if (badness(card) > badness(worst)) worst = card;
  });
  return worst;
}

Deal Simulator::exchanged(const Contract& contract) const {
  Deal deal = deal_;
  const int declarer = contract.declarer;
  const int partner = partner_of(declarer);
  switch (rules_.bids[static_cast<std::size_t>(contract.level)].exchange) {
    case arena::v1::EXCHANGE_TRADE: {
      const int lost = card_to_lose(declarer, deal, contract);
      const int given = card_to_give(partner, deal, contract);
      deal.take(declarer, lost);
      deal.take(partner, given);
      deal.add(declarer, given);
      deal.add(partner, lost);
      break;
    }
    case arena::v1::EXCHANGE_GIFT: {
      const int given = card_to_give(partner, deal, contract);
      deal.take(partner, given);
      deal.add(declarer, given);
      deal.take(declarer, card_to_lose(declarer, deal, contract));
      break;
    }
    default:
      break;
  }
  return deal;
}

// The declaring side's tricks.
int Simulator::play(const Contract& contract, const Deal& deal) const {
  const bool alone = rules_.bids[static_cast<std::size_t>(contract.level)].alone;
  const int sitter = alone ? partner_of(contract.declarer) : kNobody;
  const int leader = opening_leader(rules_, knowledge_.dealer, contract.declarer, sitter);
  Hand hand(rules_, rules_.sheet(contract.call), deal, contract.declarer, sitter, leader);
  play_out(hand);
  return hand.tricks(side_of(contract.declarer));
}

}  // namespace euchre
