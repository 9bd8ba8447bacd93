#include "cards.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "errors.h"
#include "trick.h"
#include "variants.h"

namespace {

using euchre::CallTables;
using euchre::tables_of;
using euchre::testing::card;
using euchre::testing::small_variant;
using euchre::testing::wire;

// Each card wins against the next when `led` was led.
void check_order(const CallTables& tables, const char* led, const std::vector<std::string>& cards) {
  for (std::size_t i = 0; i + 1 < cards.size(); ++i) {
    CAPTURE(cards[i]);
    CHECK(tables.strength[card(led)][card(cards[i])] >
          tables.strength[card(led)][card(cards[i + 1])]);
  }
}

}  // namespace

TEST_CASE("trumps: both bowers, then ace to nine, then the suit led") {
  const CallTables hearts = tables_of(small_variant(), arena::v1::CALL_HEARTS);
  check_order(hearts, "9C",
              {"JH", "JD", "AH", "KH", "QH", "TH", "9H", "AC", "KC", "QC", "JC", "TC", "9C"});
  CHECK(hearts.strength[card("9C")][card("AD")] == 0);
  CHECK(hearts.suit[card("JD")] == 2);
}

TEST_CASE("the left bower follows trumps, not its own suit") {
  const CallTables hearts = tables_of(small_variant(), arena::v1::CALL_HEARTS);
  CHECK((hearts.follow[card("9H")] & euchre::bit_of(card("JD"))) != 0);
  CHECK((hearts.follow[card("9D")] & euchre::bit_of(card("JD"))) == 0);
  CHECK((hearts.follow[card("JD")] & euchre::bit_of(card("9H"))) != 0);
}

TEST_CASE("a call without trump has its own order and no bowers") {
  const CallTables mid = tables_of(small_variant(), arena::v1::CALL_MID);
  check_order(mid, "9D", {"QD", "KD", "TD", "AD", "9D", "JD"});
  CHECK(mid.strength[card("9D")][card("QC")] == 0);
  CHECK(mid.trump == euchre::kNoTrump);
}

TEST_CASE("what is not known is refused") {
  CHECK_THROWS_AS(euchre::card_of(static_cast<arena::v1::Card>(25)), euchre::UnknownValue);
  CHECK_THROWS_AS(euchre::card_of(arena::v1::CARD_UNSPECIFIED), euchre::UnknownValue);
  CHECK_THROWS_AS(euchre::trump_of(static_cast<arena::v1::Call>(9)), euchre::UnknownValue);
  CHECK_THROWS_AS(tables_of(small_variant(), arena::v1::CALL_LOW), euchre::UnknownValue);
}

TEST_CASE("the current trick is the end of the moves") {
  arena::v1::PublicView view;
  const auto play = [&](std::uint32_t seat, const char* text) {
    auto& move = *view.add_moves();
    move.set_seat(seat);
    move.mutable_action()->set_kind(arena::v1::ACTION_KIND_PLAY);
    move.mutable_action()->set_card(wire(text));
  };
  view.add_moves()->mutable_action()->set_kind(arena::v1::ACTION_KIND_PASS);
  CHECK(euchre::trick_of(view).cards.empty());
  for (const std::uint32_t seat : {0U, 1U, 2U}) play(seat, "9C");
  CHECK(euchre::trick_of(view).seats == std::vector{0, 1, 2});
  view.set_sits_out(3);
  CHECK(euchre::trick_of(view).cards.empty());
  play(2, "AS");
  CHECK(euchre::trick_of(view).cards == std::vector{card("AS")});
}
