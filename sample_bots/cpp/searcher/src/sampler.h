// Deals that agree with everything a seat has seen.
#pragma once

#include "bidder.h"
#include "knowledge.h"
#include "random.h"

namespace euchre {

class Sampler {
 public:
  Sampler(const Rules& rules, const Knowledge& knowledge);

  // The cards that each seat holds now. Bids make hands that fit them more likely.
  Deal sample(Random& random) const;

 private:
  Deal any_deal(Random& random) const;
  bool try_to_deal(Random& random, Deal& deal) const;
  bool deal_by_search(Random& random, Deal& deal) const;
  bool place_rest(Random& random, std::vector<int>& cards, std::array<int, kSeats + 1>& room,
                  Deal& deal) const;
  double likelihood(const Deal& deal) const;
  double fit(const Speech& speech, CardMask held, CardMask twins) const;

  const Rules& rules_;
  const Knowledge& knowledge_;
  // What there is to place, the hardest cards first.
  std::vector<int> cards_;
  // Those who have spoken freely, and what they played of the hand that they were dealt.
  std::vector<Speech> evidence_;
  Deal played_;
};

}  // namespace euchre
