#include "hand.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "recorded_hands.h"
#include "shipped_variants.h"
#include "stakes.h"
#include "variants.h"

namespace {

using euchre::Contract;
using euchre::Deal;
using euchre::Hand;
using euchre::Ledger;
using euchre::Rules;
using euchre::testing::RecordedHand;

std::vector<std::pair<int, int>> plays_of(const RecordedHand& recorded) {
  std::vector<std::pair<int, int>> plays;
  std::istringstream words(recorded.plays);
  for (std::string word; words >> word;) {
    plays.emplace_back(word[0] - '0', euchre::testing::card(word.substr(1)));
  }
  return plays;
}

Ledger ledger_of(const char* text) {
  Ledger ledger;
  std::istringstream numbers(text);
  numbers >> ledger.scores[0] >> ledger.scores[1] >> ledger.tokens[0] >> ledger.tokens[1];
  numbers >> ledger.token_debt[0] >> ledger.token_debt[1];
  numbers >> ledger.hlm_debt[0] >> ledger.hlm_debt[1];
  return ledger;
}

}  // namespace

TEST_CASE("recorded hands are played as the rules have them, to the same tricks") {
  for (const RecordedHand& recorded : euchre::testing::kRecordedHands) {
    CAPTURE(recorded.plays);
    const Rules rules(euchre::testing::variant_named(recorded.variant));
    const bool alone = rules.bids[static_cast<std::size_t>(recorded.level)].alone;
    const int sitter = alone ? euchre::partner_of(recorded.declarer) : euchre::kNobody;
    Deal deal;
    for (const auto& [seat, card] : plays_of(recorded)) deal.add(seat, card);
    Hand hand(rules, rules.sheet(recorded.call), deal, recorded.declarer, sitter,
              euchre::opening_leader(rules, recorded.dealer, recorded.declarer, sitter));
    for (const auto& [seat, card] : plays_of(recorded)) {
      REQUIRE(hand.to_act() == seat);
      REQUIRE((hand.legal() & euchre::bit_of(card)) != 0);
      hand.play(card);
    }
    CHECK(hand.over());
    CHECK(hand.tricks(0) == recorded.tricks[0]);
    CHECK(hand.tricks(1) == recorded.tricks[1]);
  }
}

TEST_CASE("recorded hands are scored as the rules have them") {
  for (const RecordedHand& recorded : euchre::testing::kRecordedHands) {
    CAPTURE(recorded.variant);
    CAPTURE(recorded.plays);
    CAPTURE(recorded.before);
    CAPTURE(recorded.after);
    const Rules rules(euchre::testing::variant_named(recorded.variant));
    const Ledger before = ledger_of(recorded.before);
    const Ledger expected = ledger_of(recorded.after);
    const Contract contract{recorded.level, recorded.declarer, recorded.call};
    const int side = euchre::side_of(recorded.declarer);
    const Ledger paid = pay_for_call(before, side, rules.sheet(recorded.call).price);
    const Ledger after =
        settle(rules, paid, contract, recorded.tricks[side], before.hlm_debt[side]);
    CHECK(after.scores == expected.scores);
    CHECK(after.tokens == expected.tokens);
    CHECK(after.token_debt == expected.token_debt);
    CHECK(after.hlm_debt == expected.hlm_debt);
  }
}

TEST_CASE("of two equal cards the one played first is ahead") {
  const Rules rules(euchre::testing::double_deck());
  const int ace = euchre::testing::card("AC");
  Deal deal;
  for (int seat = 0; seat < 4; ++seat) deal.add(seat, seat < 2 ? ace : ace - 1);
  Hand hand(rules, rules.sheet(arena::v1::CALL_NO_TRUMP), deal, 1, euchre::kNobody, 1);
  CHECK((hand.unseen(1) & euchre::bit_of(ace)) != 0);
  hand.play(ace);
  hand.play(ace - 1);
  hand.play(ace - 1);
  CHECK((hand.unseen(2) & euchre::bit_of(ace)) != 0);
  CHECK((hand.unseen(0) & euchre::bit_of(ace)) == 0);
  hand.play(ace);
  CHECK(hand.winner() == 1);
}
