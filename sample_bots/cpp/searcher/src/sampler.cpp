#include "sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace euchre {
namespace {

constexpr int kTries = 30;
constexpr int kDeals = 12;
// What a hand must be worth for a bid is never sure: others count otherwise.
constexpr double kLeast = 0.03;
constexpr double kPassSlope = 0.55;
constexpr double kBidSlope = 0.7;

int places_for(const Knowledge& knowledge, int card) {
  int places = 0;
  for (int place = 0; place <= kSeats; ++place) {
    const bool may = (knowledge.may_hold[place] >> card & 1U) != 0;
    places += knowledge.room[place] > 0 && may ? 1 : 0;
  }
  return places;
}

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace

Sampler::Sampler(const Rules& rules, const Knowledge& knowledge)
    : rules_(rules), knowledge_(knowledge), cards_(knowledge.hidden) {
  std::stable_sort(cards_.begin(), cards_.end(), [&](int a, int b) {
    return places_for(knowledge, a) < places_for(knowledge, b);
  });
  // After an exchange the declarer's hand is not the one it was dealt.
  const bool exchanged = knowledge.traded || knowledge.given;
  for (const Speech& speech : knowledge.speeches) {
    const bool changed = exchanged && side_of(speech.seat) == side_of(knowledge.contract.declarer);
    const bool free = speech.seat != knowledge.forced || speech.level == kNoLevel;
    if (speech.seat != knowledge.seat && free && !(changed && speech.level == kNoLevel)) {
      evidence_.push_back(speech);
    }
  }
  for (const Play& play : knowledge.plays) played_.add(play.seat, play.card);
}

// A deal is taken as soon as it is lucky by its likelihood; where none is, those tried share the
// chance by theirs.
Deal Sampler::sample(Random& random) const {
  Deal chosen;
  double total = 0.0;
  for (int tries = 0; tries < kDeals; ++tries) {
    const Deal deal = any_deal(random);
    if (evidence_.empty()) return deal;
    const double likely = likelihood(deal);
    if (random.unit() < likely) return deal;
    total += likely;
    if (random.unit() * total < likely) chosen = deal;
  }
  return chosen;
}

Deal Sampler::any_deal(Random& random) const {
  Deal deal;
  for (int tries = 0; tries < kTries; ++tries) {
    if (try_to_deal(random, deal)) return deal;
  }
  deal_by_search(random, deal);
  return deal;
}

// Each card to a seat that may hold it, by the room that it has.
bool Sampler::try_to_deal(Random& random, Deal& deal) const {
  deal = {};
  deal.held[knowledge_.seat] = knowledge_.held;
  deal.twins[knowledge_.seat] = knowledge_.twins;
  std::array<int, kSeats + 1> room = knowledge_.room;
  // Cards that are as hard to place as each other go in a random order.
  std::vector<int> cards = cards_;
  for (std::size_t i = 0; i < cards.size();) {
    std::size_t end = i + 1;
    const int places = places_for(knowledge_, cards[i]);
    while (end < cards.size() && places_for(knowledge_, cards[end]) == places) ++end;
    for (std::size_t j = end - 1; j > i; --j) {
      std::swap(cards[j],
                cards[i + static_cast<std::size_t>(random.below(static_cast<int>(j - i + 1)))]);
    }
    i = end;
  }
  for (const int card : cards) {
    int total = 0;
    for (int place = 0; place <= kSeats; ++place) {
      if ((knowledge_.may_hold[place] >> card & 1U) != 0) total += room[place];
    }
    if (total == 0) return false;
    int pick = random.below(total);
    for (int place = 0; place <= kSeats; ++place) {
      if ((knowledge_.may_hold[place] >> card & 1U) == 0) continue;
      pick -= room[place];
      if (pick >= 0) continue;
      --room[place];
      if (place < kSeats) deal.add(place, card);
      break;
    }
  }
  return true;
}

// For the rare hand in which hardly anything fits: tries all ways until one does.
bool Sampler::deal_by_search(Random& random, Deal& deal) const {
  deal = {};
  deal.held[knowledge_.seat] = knowledge_.held;
  deal.twins[knowledge_.seat] = knowledge_.twins;
  std::vector<int> cards(cards_.rbegin(), cards_.rend());
  std::array<int, kSeats + 1> room = knowledge_.room;
  return place_rest(random, cards, room, deal);
}

bool Sampler::place_rest(Random& random, std::vector<int>& cards, std::array<int, kSeats + 1>& room,
                         Deal& deal) const {
  if (cards.empty()) return true;
  const int card = cards.back();
  cards.pop_back();
  const int first = random.below(kSeats + 1);
  for (int i = 0; i <= kSeats; ++i) {
    const int place = (first + i) % (kSeats + 1);
    if (room[place] == 0 || (knowledge_.may_hold[place] >> card & 1U) == 0) continue;
    --room[place];
    if (place < kSeats) deal.add(place, card);
    if (place_rest(random, cards, room, deal)) return true;
    if (place < kSeats) deal.take(place, card);
    ++room[place];
  }
  cards.push_back(card);
  return false;
}

double Sampler::likelihood(const Deal& deal) const {
  double likely = 1.0;
  for (const Speech& speech : evidence_) {
    Deal dealt = deal;
    const CardMask played = played_.held[speech.seat];
    for_each_card(played, [&](int card) { dealt.add(speech.seat, card); });
    for_each_card(played_.twins[speech.seat], [&](int card) { dealt.add(speech.seat, card); });
    likely *= fit(speech, dealt.held[speech.seat], dealt.twins[speech.seat]);
  }
  return likely;
}

// How well a hand fits what its seat has said, from 0 to 1.
double Sampler::fit(const Speech& speech, CardMask held, CardMask twins) const {
  const double unit = rules_.hand_size / 6.0;
  if (speech.level == kNoLevel) {
    const Valued best =
        best_call(rules_, knowledge_.ledger, speech.seat, speech.floor, held, twins);
    const double needed = rules_.bids[static_cast<std::size_t>(speech.floor)].tricks + 0.3;
    return std::max(kLeast, logistic((needed - best.tricks) / (kPassSlope * unit)));
  }
  const Bid& bid = rules_.bids[static_cast<std::size_t>(speech.level)];
  const bool contract =
      speech.seat == knowledge_.contract.declarer && speech.level == knowledge_.contract.level;
  const int call = speech.call != 0 ? speech.call : (contract ? knowledge_.contract.call : 0);
  if (bid.alone && call != 0) {
    const bool mended = bid.exchange != arena::v1::EXCHANGE_NONE && !knowledge_.given;
    return std::max(kLeast, alone_chance(rules_, rules_.sheet(call), held, twins, mended, true));
  }
  const double best =
      best_call(rules_, knowledge_.ledger, speech.seat, speech.level, held, twins).tricks;
  const double tricks = call != 0 ? tricks_of(rules_, rules_.sheet(call), held, twins) : best;
  const double strong = logistic((tricks - bid.tricks + 0.2) / (kBidSlope * unit));
  // Who names a call has no much better one.
  const double chosen = call != 0 ? logistic((tricks - best + 1.0) / (0.4 * unit)) : 1.0;
  return std::max(kLeast, strong * chosen);
}

}  // namespace euchre
