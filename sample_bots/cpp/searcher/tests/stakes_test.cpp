#include "stakes.h"

#include <doctest/doctest.h>

#include "shipped_variants.h"

namespace {

using euchre::Contract;
using euchre::Ledger;
using euchre::Rules;
using euchre::Stakes;

// Levels of the token ladder.
constexpr int kFive = 2;
constexpr int kShot = 4;

// Seat 0 declares in hearts.
Ledger scored(const Ledger& before, int level, int taken) {
  const Rules rules(euchre::testing::token());
  const Contract contract{level, 0, arena::v1::CALL_HEARTS};
  return settle(rules, before, contract, taken, before.hlm_debt[0]);
}

}  // namespace

TEST_CASE("decades give tokens upwards and take them downwards, into debt at last") {
  CHECK(scored({{8, 0}}, kShot, 6).tokens[0] == 2);
  CHECK(scored({{20, 0}, {3, 0}}, kShot, 0).tokens[0] == 1);
  CHECK_FALSE(scored({{20, 0}, {2, 0}}, kShot, 0).token_debt[0]);
  const Ledger poor = scored({{20, 0}, {0, 0}}, kShot, 0);
  CHECK(poor.tokens[0] == 0);
  CHECK(poor.token_debt[0]);
}

TEST_CASE("sympathy counts the step itself, once on the way down") {
  CHECK(scored({{-15, 0}}, kFive, 0).tokens[0] == 1);
  CHECK(scored({{-14, 0}}, kFive, 0).tokens[0] == 0);
  CHECK(scored({{-20, 0}}, kFive, 0).tokens[0] == 0);
  CHECK(scored({{-22, 0}}, kFive, 5).tokens[0] == 0);
}

TEST_CASE("debts are cleared by contracts that are high enough, made or set") {
  const Ledger both{{0, 0}, {0, 0}, {true, false}, {2, 0}};
  CHECK_FALSE(scored(both, kFive, 0).token_debt[0]);
  CHECK(scored(both, kFive, 0).hlm_debt[0] == 2);
  CHECK(scored(both, kFive - 1, 4).token_debt[0]);
  CHECK(scored(both, kShot, 0).hlm_debt[0] == 1);
}

TEST_CASE("a paid call takes a token, or is owed") {
  CHECK(euchre::pay_for_call({{0, 0}, {2, 0}}, 0, 1).tokens[0] == 1);
  const Ledger owed = euchre::pay_for_call({}, 1, 1);
  CHECK(owed.tokens[1] == 0);
  CHECK(owed.hlm_debt[1] == 1);
}

TEST_CASE("a hand that wins the game is worth more than its points") {
  const Rules rules(euchre::testing::classic());
  const auto gain = [&](int score) {
    const Ledger before{{score, score}};
    const Stakes stakes(rules, before, 0, 0);
    const Contract contract{0, 0, arena::v1::CALL_HEARTS};
    return stakes.value_of(contract, 4, before) - stakes.value_of(contract, 3, before);
  };
  CHECK(gain(28) > gain(0));
}
