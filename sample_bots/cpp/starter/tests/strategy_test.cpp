#include "strategy.h"

#include <doctest/doctest.h>

#include <initializer_list>

#include "errors.h"
#include "variants.h"

namespace {

using arena::v1::Action;
using arena::v1::Decision;
using euchre::testing::small_variant;
using euchre::testing::wire;

Action act(const Decision& decision) {
  auto match = std::make_shared<arena::v1::MatchStart>();
  *match->mutable_variant() = small_variant();
  return euchre::make_player({match, 0, 1})->act({decision, {}, 0});
}

Decision auction(std::initializer_list<const char*> hand) {
  Decision decision;
  decision.mutable_public_()->set_phase(arena::v1::PHASE_SPEAK);
  for (const char* text : hand) decision.mutable_private_()->add_hand(wire(text));
  decision.add_legal()->set_kind(arena::v1::ACTION_KIND_PASS);
  for (const std::uint32_t bid : {1U, 2U, 3U}) {
    auto& action = *decision.add_legal();
    action.set_kind(arena::v1::ACTION_KIND_BID);
    action.set_bid(bid);
  }
  return decision;
}

// Hearts are trump; the trick so far begins with the seat on the left.
Decision play(std::initializer_list<const char*> trick, std::initializer_list<const char*> legal) {
  Decision decision;
  auto& view = *decision.mutable_public_();
  view.set_phase(arena::v1::PHASE_PLAY);
  view.mutable_contract()->set_call(arena::v1::CALL_HEARTS);
  std::uint32_t seat = 4 - static_cast<std::uint32_t>(trick.size());
  for (const char* text : trick) {
    auto& move = *view.add_moves();
    move.set_seat(seat++);
    move.mutable_action()->set_kind(arena::v1::ACTION_KIND_PLAY);
    move.mutable_action()->set_card(wire(text));
  }
  for (const char* text : legal) {
    auto& action = *decision.add_legal();
    action.set_kind(arena::v1::ACTION_KIND_PLAY);
    action.set_card(wire(text));
  }
  return decision;
}

}  // namespace

TEST_CASE("it bids what the hand is worth, and passes without") {
  CHECK(act(auction({"JH", "JD", "AH", "KH", "AC", "9S"})).bid() == 2);
  CHECK(act(auction({"9C", "TC", "9D", "TD", "9S", "TS"})).kind() == arena::v1::ACTION_KIND_PASS);
}

TEST_CASE("it leads its best card") {
  CHECK(act(play({}, {"9C", "AC", "9H"})).card() == wire("9H"));
}

TEST_CASE("it wins as cheaply as it can, or throws away the weakest") {
  CHECK(act(play({"TC"}, {"9C", "QC", "AC"})).card() == wire("QC"));
  CHECK(act(play({"AC"}, {"KC", "TC"})).card() == wire("TC"));
  CHECK(act(play({"AC"}, {"AD", "9S", "9H", "JH"})).card() == wire("9H"));
}

TEST_CASE("it never plays over its partner") {
  CHECK(act(play({"9C", "QC"}, {"9D", "KC"})).card() == wire("KC"));
  CHECK(act(play({"QC", "9C"}, {"TC", "KC"})).card() == wire("TC"));
}

TEST_CASE("a phase that is not known is not guessed at") {
  Decision decision = play({}, {"9C"});
  decision.mutable_public_()->set_phase(static_cast<arena::v1::Phase>(99));
  CHECK_THROWS_AS(act(decision), euchre::UnknownValue);
}
