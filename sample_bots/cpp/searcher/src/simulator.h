// What becomes of a deal: the rest of the auction, the exchange, the play, all by quick rules.
#pragma once

#include <optional>
#include <vector>

#include "bidder.h"
#include "hand.h"
#include "knowledge.h"
#include "stakes.h"

namespace euchre {

class Simulator {
 public:
  Simulator(const Rules& rules, const Knowledge& knowledge, const Stakes& stakes);

  // Takes up another deal.
  void set_deal(const Deal& deal);

  // What the auction comes to after a seat has spoken; kNoLevel where the hand is thrown in.
  Contract finish_auction(Contract standing, const Ledger& ledger) const;

  // The contract of a seat that is made to shoot.
  Contract forced(int seat) const;
  // Which of the two seats of a side would rather shoot.
  int shooter_of(int side) const;

  // What a contract is worth to our side on this deal, the exchange still to come.
  double value(const Contract& contract, const Ledger& ledger);

  // The same from a deal in which cards have been exchanged already.
  double value_of_play(const Contract& contract, const Deal& exchanged);

  // The exchange: which card a seat would trade, give or discard.
  int card_to_give(int seat, const Deal& deal, const Contract& contract) const;
  int card_to_lose(int seat, const Deal& deal, const Contract& contract) const;

  const Deal& deal() const { return deal_; }

 private:
  int lowest_level(int side, const Ledger& ledger) const;
  int tricks(const Contract& contract);
  Deal exchanged(const Contract& contract) const;
  int play(const Contract& contract, const Deal& deal) const;
  double forced_chance(int seat, int call) const;

  const Rules& rules_;
  const Knowledge& knowledge_;
  const Stakes& stakes_;
  Deal deal_;
  // Tricks of the declaring side by declarer, call and kind of contract on this deal; -1 unknown.
  std::vector<int> cache_;
};

}  // namespace euchre
