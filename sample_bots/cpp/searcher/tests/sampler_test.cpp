#include "sampler.h"

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <vector>

#include "shipped_variants.h"
#include "strategy.h"
#include "variants.h"

namespace {

using arena::v1::Decision;
using euchre::bit_of;
using euchre::CardMask;
using euchre::Deal;
using euchre::Knowledge;
using euchre::Random;
using euchre::Rules;
using euchre::Sampler;
using euchre::testing::card;
using euchre::testing::wire;

constexpr int kTrials = 300;

arena::v1::Move& add_move(Decision& decision, std::uint32_t seat, arena::v1::ActionKind kind) {
  auto& move = *decision.mutable_public_()->add_moves();
  move.set_seat(seat);
  move.mutable_action()->set_kind(kind);
  return move;
}

void add_play(Decision& decision, std::uint32_t seat, const char* text) {
  add_move(decision, seat, arena::v1::ACTION_KIND_PLAY).mutable_action()->set_card(wire(text));
}

void add_hand(Decision& decision, const std::vector<const char*>& cards) {
  for (const char* text : cards) {
    decision.mutable_private_()->add_hand(wire(text));
    auto& action = *decision.add_legal();
    action.set_kind(arena::v1::ACTION_KIND_PLAY);
    action.set_card(wire(text));
  }
}

// Seat 0 is asked; seat 1 has bid, and hearts are trump.
Decision play_question(std::uint32_t bid) {
  Decision decision;
  auto& view = *decision.mutable_public_();
  view.set_phase(arena::v1::PHASE_PLAY);
  view.mutable_contract()->set_declarer(1);
  view.mutable_contract()->set_bid(bid);
  view.mutable_contract()->set_call(arena::v1::CALL_HEARTS);
  add_move(decision, 1, arena::v1::ACTION_KIND_BID).mutable_action()->set_bid(bid);
  for (const std::uint32_t seat : {2U, 3U, 0U}) {
    add_move(decision, seat, arena::v1::ACTION_KIND_PASS);
  }
  decision.set_time_left_ms(10'000);
  decision.set_bank_left_ms(60'000);
  return decision;
}

// What each seat may see in a deal: the right numbers, no card too often.
void check_deal(const Rules& rules, const Knowledge& knowledge, const Deal& deal) {
  std::array<int, euchre::kCards> count{};
  for (int seat = 0; seat < 4; ++seat) {
    const int cards = std::popcount(deal.held[seat]) + std::popcount(deal.twins[seat]);
    const int mine = std::popcount(knowledge.held) + std::popcount(knowledge.twins);
    CHECK(cards == (seat == knowledge.seat ? mine : knowledge.room[seat]));
    CHECK((deal.held[seat] & ~knowledge.may_hold[seat]) == 0);
    euchre::for_each_card(deal.held[seat], [&](int each) { ++count[each]; });
    euchre::for_each_card(deal.twins[seat], [&](int each) { ++count[each]; });
  }
  for (const auto& play : knowledge.plays) ++count[play.card];
  for (const int copies : count) CHECK(copies <= rules.copies);
  CHECK(deal.held[knowledge.seat] == knowledge.held);
  CHECK(deal.twins[knowledge.seat] == knowledge.twins);
}

// Seat 2 has shown to have no clubs, seat 3 neither clubs nor trumps.
Decision question_with_voids() {
  Decision decision = play_question(2);
  decision.mutable_public_()->set_dealer(0);
  add_play(decision, 1, "AC");
  add_play(decision, 2, "9D");
  add_play(decision, 3, "9S");
  add_play(decision, 0, "9C");
  add_play(decision, 1, "JH");
  add_play(decision, 2, "9H");
  add_play(decision, 3, "TS");
  add_hand(decision, {"AH", "KH", "AS", "KD", "TC"});
  return decision;
}

}  // namespace

TEST_CASE("deals agree with cards, numbers and voids") {
  const Rules rules(euchre::testing::classic());
  const Knowledge knowledge(rules, question_with_voids());
  CHECK((knowledge.may_hold[3] &
         (rules.sheet(arena::v1::CALL_HEARTS).trumps | bit_of(card("KC")))) == 0);
  CHECK((knowledge.may_hold[3] & bit_of(card("JD"))) == 0);
  CHECK(knowledge.may_hold[1] == rules.deck);
  const Sampler sampler(rules, knowledge);
  Random random(1);
  for (int i = 0; i < kTrials; ++i) check_deal(rules, knowledge, sampler.sample(random));
}

TEST_CASE("deals of two copies agree too") {
  const Rules rules(euchre::testing::double_deck());
  Decision decision = play_question(4);
  add_play(decision, 1, "AC");
  add_play(decision, 2, "JS");
  add_play(decision, 3, "AC");
  add_hand(decision, {"AH", "AH", "JH", "KS", "KS", "QC", "QD", "KD"});
  const Knowledge knowledge(rules, decision);
  CHECK(knowledge.twins == (bit_of(card("AH")) | bit_of(card("KS"))));
  const Sampler sampler(rules, knowledge);
  Random random(2);
  for (int i = 0; i < kTrials; ++i) check_deal(rules, knowledge, sampler.sample(random));
}

TEST_CASE("after a gift its giver has no better trump, and what was put away is nowhere") {
  const Rules rules(euchre::testing::token());
  Decision decision = play_question(5);
  auto& view = *decision.mutable_public_();
  view.mutable_contract()->set_declarer(0);
  view.set_sits_out(2);
  add_move(decision, 2, arena::v1::ACTION_KIND_GIVE);
  add_move(decision, 0, arena::v1::ACTION_KIND_DISCARD);
  decision.mutable_private_()->set_received(wire("KH"));
  decision.mutable_private_()->set_discarded(wire("9C"));
  add_hand(decision, {"JH", "KH", "QH", "TH", "AS", "AC"});
  const Knowledge knowledge(rules, decision);
  CHECK(knowledge.room[2] == 5);
  const Sampler sampler(rules, knowledge);
  Random random(3);
  for (int i = 0; i < kTrials; ++i) {
    const Deal deal = sampler.sample(random);
    check_deal(rules, knowledge, deal);
    CHECK((deal.held[2] & (bit_of(card("AH")) | bit_of(card("JD")))) == 0);
    CHECK(((deal.held[1] | deal.held[2] | deal.held[3]) & bit_of(card("9C"))) == 0);
  }
}

TEST_CASE("who bids more has better hands in the deals") {
  const Rules rules(euchre::testing::classic());
  const auto trumps_with = [&](std::uint32_t bid) {
    Decision decision = play_question(bid);
    add_hand(decision, {"9H", "KC", "QS", "KD", "TC", "9C"});
    const Knowledge knowledge(rules, decision);
    const Sampler sampler(rules, knowledge);
    Random random(4);
    int trumps = 0;
    for (int i = 0; i < kTrials; ++i) {
      trumps += std::popcount(sampler.sample(random).held[1] &
                              rules.sheet(arena::v1::CALL_HEARTS).trumps);
    }
    return trumps;
  };
  // Six trumps are out among eighteen places: two in a hand that says nothing.
  CHECK(trumps_with(1) > 2 * kTrials);
  CHECK(trumps_with(4) > trumps_with(1));
}

TEST_CASE("the same question and seed give the same answer, and any answer is legal") {
  auto match = std::make_shared<arena::v1::MatchStart>();
  *match->mutable_variant() = euchre::testing::classic();
  const Decision decision = question_with_voids();
  const auto first = euchre::make_player({match, 0, 7})->act({decision, {}, 0});
  const auto second = euchre::make_player({match, 0, 7})->act({decision, {}, 3});
  CHECK(first.card() == second.card());
  CHECK(first.kind() == arena::v1::ACTION_KIND_PLAY);
}

TEST_CASE("with no time left it still answers") {
  auto match = std::make_shared<arena::v1::MatchStart>();
  *match->mutable_variant() = euchre::testing::classic();
  Decision decision = question_with_voids();
  decision.set_time_left_ms(0);
  decision.set_bank_left_ms(0);
  const auto answer = euchre::make_player({match, 0, 7})->act({decision, {}, 0});
  CHECK(answer.card() != arena::v1::CARD_UNSPECIFIED);
}
