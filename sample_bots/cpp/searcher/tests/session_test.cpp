#include "session.h"

#include <doctest/doctest.h>

#include <vector>

#include "errors.h"

namespace {

using arena::v1::Action;
using arena::v1::Item;
using euchre::Game;
using euchre::Player;
using euchre::Question;
using euchre::Session;

// What the players of a test were asked, and how they answer.
struct Script {
  std::vector<Game> games;
  int asked = 0;
  std::size_t waiting = 0;
  bool knows_game = true;
  bool knows_question = true;
  std::vector<std::string> said;
};

// Always the last legal action.
class Scripted : public Player {
 public:
  explicit Scripted(Script& script) : script_(script) {}

  Action act(const Question& question) override {
    ++script_.asked;
    script_.waiting = question.waiting;
    if (!script_.knows_question) throw euchre::UnknownValue("what is this");
    return *question.decision.legal().rbegin();
  }

 private:
  Script& script_;
};

Session session_of(Script& script) {
  return {[&](const Game& game) -> std::unique_ptr<Player> {
            if (!script.knows_game) throw euchre::UnknownValue("what is this");
            script.games.push_back(game);
            return std::make_unique<Scripted>(script);
          },
          [&](const std::string& line) { script.said.push_back(line); }};
}

Item match_start(std::uint32_t sequence, std::uint32_t match_id) {
  Item item;
  item.set_sequence(sequence);
  item.mutable_match_start()->set_match_id(match_id);
  return item;
}

Item game_start(std::uint32_t sequence, std::uint32_t match_id, std::uint32_t table_id) {
  Item item;
  item.set_sequence(sequence);
  auto& start = *item.mutable_game_start();
  start.set_match_id(match_id);
  start.set_table_id(table_id);
  start.set_seat(3);
  start.set_bot_seed(std::string("\0\0\0\0\0\0\x01\x02", 8));
  return item;
}

Item decision(std::uint32_t sequence, std::uint32_t table_id, std::uint32_t decision_id) {
  Item item;
  item.set_sequence(sequence);
  auto& question = *item.mutable_decision();
  question.set_decision_id(decision_id);
  question.set_table_id(table_id);
  question.add_legal()->set_kind(arena::v1::ACTION_KIND_PASS);
  auto& bid = *question.add_legal();
  bid.set_kind(arena::v1::ACTION_KIND_BID);
  bid.set_bid(2);
  return item;
}

Item rejected(std::uint32_t sequence, std::uint32_t decision_id, bool open) {
  Item item;
  item.set_sequence(sequence);
  auto& rejected = *item.mutable_rejected();
  rejected.set_decision_id(decision_id);
  rejected.set_open(open);
  rejected.set_text("no");
  return item;
}

void open_table(Session& session) {
  session.take(match_start(1, 9));
  session.take(game_start(2, 9, 7));
}

arena::v1::ActionKind only_answer(Session& session, std::uint32_t decision_id) {
  const auto request = session.request();
  REQUIRE(request);
  REQUIRE(request->answers().answers_size() == 1);
  CHECK(request->answers().answers(0).decision_id() == decision_id);
  return request->answers().answers(0).action().kind();
}

}  // namespace

TEST_CASE("a game is told its match, seat and chance") {
  Script script;
  Session session = session_of(script);
  open_table(session);
  REQUIRE(script.games.size() == 1);
  CHECK(script.games[0].match->match_id() == 9);
  CHECK(script.games[0].seat == 3);
  CHECK(script.games[0].seed == 0x102);
  CHECK_FALSE(session.request());
}

TEST_CASE("answers of several questions share a request that acknowledges") {
  Script script;
  Session session = session_of(script);
  open_table(session);
  session.take(game_start(3, 9, 8));
  session.take(decision(4, 7, 1), {{}, 1});
  CHECK(script.waiting == 1);
  session.take(decision(5, 8, 2), {{}, 0});
  CHECK(session.has_answers());
  const auto request = session.request();
  REQUIRE(request);
  CHECK(request->acknowledged() == 5);
  REQUIRE(request->answers().answers_size() == 2);
  CHECK(request->answers().answers(1).action().bid() == 2);
  CHECK_FALSE(session.request());
}

TEST_CASE("a request carries no more answers than the contract allows") {
  Script script;
  Session session = session_of(script);
  for (std::uint32_t i = 0; i < 1025; ++i) session.take(decision(i + 1, 50, i + 1));
  CHECK(session.request()->answers().answers_size() == 1024);
  CHECK(session.request()->answers().answers_size() == 1);
  CHECK_FALSE(session.request());
}

TEST_CASE("after 256 items without an answer an empty request acknowledges") {
  Script script;
  Session session = session_of(script);
  for (std::uint32_t i = 1; i <= 255; ++i) session.take(match_start(i, i));
  CHECK_FALSE(session.request());
  session.take(match_start(256, 256));
  const auto request = session.request();
  REQUIRE(request);
  CHECK(request->acknowledged() == 256);
  CHECK(request->has_answers());
  CHECK_FALSE(session.request());
}

TEST_CASE("a resumed stream repeats: items are skipped, questions get the same answer") {
  Script script;
  Session session = session_of(script);
  open_table(session);
  session.take(decision(3, 7, 1));
  session.resume();
  CHECK_FALSE(session.has_answers());
  session.take(game_start(2, 9, 7));
  CHECK(script.games.size() == 1);
  session.take(decision(4, 7, 1));
  CHECK(script.asked == 1);
  CHECK(only_answer(session, 1) == arena::v1::ACTION_KIND_BID);
  CHECK(session.acknowledged() == 4);
}

TEST_CASE("a new session forgets the old one") {
  Script script;
  Session session = session_of(script);
  open_table(session);
  session.take(decision(3, 7, 1));
  session.begin();
  CHECK(session.acknowledged() == 0);
  CHECK_FALSE(session.request());
  session.take(decision(1, 7, 1));
  CHECK(script.asked == 1);
  CHECK(only_answer(session, 1) == arena::v1::ACTION_KIND_PASS);
}

TEST_CASE("a refused answer is followed by the first legal one, once") {
  Script script;
  Session session = session_of(script);
  open_table(session);
  session.take(decision(3, 7, 1));
  only_answer(session, 1);
  session.take(rejected(4, 1, true));
  CHECK(only_answer(session, 1) == arena::v1::ACTION_KIND_PASS);
  CHECK_FALSE(script.said.empty());
  session.take(rejected(5, 1, true));
  CHECK_FALSE(session.request());
}

TEST_CASE("a refusal of a closed question changes nothing") {
  Script script;
  Session session = session_of(script);
  open_table(session);
  session.take(decision(3, 7, 1));
  only_answer(session, 1);
  session.take(rejected(4, 1, false));
  session.take(rejected(5, 0, false));
  CHECK_FALSE(session.request());
}

TEST_CASE("what is not known is answered with the first legal action") {
  Script script;
  Session session = session_of(script);
  SUBCASE("a table") { session.take(decision(1, 7, 1)); }
  SUBCASE("a question") {
    script.knows_question = false;
    open_table(session);
    session.take(decision(3, 7, 1));
  }
  SUBCASE("a game") {
    script.knows_game = false;
    open_table(session);
    session.take(decision(3, 7, 1));
  }
  CHECK(only_answer(session, 1) == arena::v1::ACTION_KIND_PASS);
  CHECK(script.said.size() == 1);
}

TEST_CASE("an unknown arm is skipped, and acknowledged") {
  Script script;
  Session session = session_of(script);
  Item item;
  item.set_sequence(4);
  session.take(item);
  CHECK(session.acknowledged() == 4);
  CHECK_FALSE(session.request());
}

TEST_CASE("finished games and matches are dropped") {
  Script script;
  Session session = session_of(script);
  open_table(session);
  Item item;
  item.set_sequence(3);
  SUBCASE("a game") { item.mutable_game_finished()->set_table_id(7); }
  SUBCASE("a match") { item.mutable_match_finished()->set_match_id(9); }
  session.take(item);
  session.take(decision(4, 7, 1));
  CHECK(script.asked == 0);
  CHECK(only_answer(session, 1) == arena::v1::ACTION_KIND_PASS);
}
