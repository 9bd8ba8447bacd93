#include "session.h"

#include <algorithm>
#include <utility>

#include "errors.h"

namespace euchre {
namespace {

using arena::v1::Action;
using arena::v1::Decision;
using arena::v1::GameStart;
using arena::v1::Item;

std::uint64_t number_of(const std::string& bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

Session::Session(Players players, Say say) : players_(std::move(players)), say_(std::move(say)) {}

void Session::begin() {
  tables_.clear();
  matches_.clear();
  answers_.clear();
  acknowledged_ = told_ = 0;
}

void Session::resume() { answers_.clear(); }

void Session::take(const Item& item, const Arrival& arrival) {
  // A question that comes again has a new sequence number; it is known by its id.
  if (item.item_case() == Item::kDecision) {
    decide(item.decision(), arrival);
  } else if (item.sequence() > acknowledged_) {
    take_event(item);
  }
  acknowledged_ = std::max(acknowledged_, item.sequence());
}

void Session::take_event(const Item& item) {
  switch (item.item_case()) {
    case Item::kMatchStart:
      matches_[item.match_start().match_id()] =
          std::make_shared<const arena::v1::MatchStart>(item.match_start());
      break;
    case Item::kGameStart:
      start_game(item.game_start());
      break;
    case Item::kRejected:
      reject(item.rejected());
      break;
    case Item::kGameFinished:
      tables_.erase(item.game_finished().table_id());
      break;
    case Item::kMatchFinished:
      finish_match(item.match_finished().match_id());
      break;
    default:
      // Hands are not asked for, and a later version's items are to be ignored.
      break;
  }
}

std::optional<arena::v1::PlayRequest> Session::request() {
  if (answers_.empty() && acknowledged_ - told_ < kMaxUnacknowledged) return std::nullopt;
  arena::v1::PlayRequest request;
  request.set_acknowledged(acknowledged_);
  told_ = acknowledged_;
  auto& answers = *request.mutable_answers();
  while (!answers_.empty() && answers.answers_size() < kMaxAnswers) {
    *answers.add_answers() = std::move(answers_.front());
    answers_.pop_front();
  }
  return request;
}

void Session::start_game(const GameStart& start) {
  Table table;
  table.match_id = start.match_id();
  if (const auto match = matches_.find(start.match_id()); match != matches_.end()) {
    try {
      table.player = players_(
          Game{match->second, static_cast<int>(start.seat() & 3U), number_of(start.bot_seed())});
    } catch (const UnknownValue& error) {
      say_(std::string(error.what()) + "; the first legal action is played at this table");
    }
  }
  tables_.insert_or_assign(start.table_id(), std::move(table));
}

void Session::decide(const Decision& decision, const Arrival& arrival) {
  if (decision.legal().empty()) return;
  const auto found = tables_.find(decision.table_id());
  if (found == tables_.end()) {
    say_("the arena asked at a table that it never opened; the first legal action is played");
    queue(decision.decision_id(), decision.legal(0));
    return;
  }
  Table& table = found->second;
  if (table.decision_id != decision.decision_id() || !table.answer) {
    table.decision_id = decision.decision_id();
    table.first_legal = decision.legal(0);
    table.refused = false;
    table.answer = ask(table, Question{decision, arrival.at, arrival.waiting});
  }
  queue(table.decision_id, *table.answer);
}

Action Session::ask(Table& table, const Question& question) {
  if (!table.player) return table.first_legal;
  try {
    return table.player->act(question);
  } catch (const UnknownValue& error) {
    say_(std::string(error.what()) + "; the first legal action is played");
    return table.first_legal;
  }
}

void Session::queue(std::uint32_t decision_id, const Action& action) {
  arena::v1::Answer& answer = answers_.emplace_back();
  answer.set_decision_id(decision_id);
  *answer.mutable_action() = action;
}

void Session::reject(const arena::v1::Rejected& rejected) {
  const std::string paragraph =
      rejected.paragraph().empty() ? "" : " (rules " + rejected.paragraph() + ")";
  say_("the arena did not take an answer: " + rejected.text() + paragraph);
  Table* table = table_of_question(rejected.decision_id());
  if (rejected.open() && table != nullptr && !table->refused) answer_first_legal(*table);
}

void Session::answer_first_legal(Table& table) {
  say_("answered the first legal action in its place; this counts as a fault of the bot");
  table.refused = true;
  table.answer = table.first_legal;
  queue(table.decision_id, table.first_legal);
}

Session::Table* Session::table_of_question(std::uint32_t decision_id) {
  for (auto& [id, table] : tables_) {
    if (decision_id != 0 && table.decision_id == decision_id) return &table;
  }
  return nullptr;
}

void Session::finish_match(std::uint32_t match_id) {
  matches_.erase(match_id);
  std::erase_if(tables_, [&](const auto& entry) { return entry.second.match_id == match_id; });
}

}  // namespace euchre
