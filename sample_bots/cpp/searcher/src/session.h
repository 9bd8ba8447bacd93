// What a session does with the items it is sent: tables come and go, players are asked.
//
// Nothing here knows the network: items go in by `take`, requests come out of `request`. A resumed
// stream may bring items and questions again; items are dropped by their sequence number, and a
// question that was answered before gets the same answer without asking the player again.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

#include "arena/v1/referee.pb.h"
#include "player.h"

namespace euchre {

// The most answers that one request may carry.
inline constexpr int kMaxAnswers = 1024;
// Items taken in without an answer due after which an empty request acknowledges them.
inline constexpr std::uint32_t kMaxUnacknowledged = 256;

// When a message arrived, and how many questions wait behind the one that is taken.
struct Arrival {
  std::chrono::steady_clock::time_point at;
  std::size_t waiting = 0;
};

class Session {
 public:
  Session(Players players, Say say);

  // A new session: nothing of an earlier one is left.
  void begin();
  // The same session on a new stream: what was not sent will be asked again.
  void resume();
  // Takes in one item.
  void take(const arena::v1::Item& item, const Arrival& arrival = {});
  // What is to be sent now.
  std::optional<arena::v1::PlayRequest> request();

  bool has_answers() const { return !answers_.empty(); }
  // The sequence number of the last item taken in.
  std::uint32_t acknowledged() const { return acknowledged_; }

 private:
  struct Table {
    std::uint32_t match_id = 0;
    // None where the game has something that this code does not know.
    std::unique_ptr<Player> player;
    // The last question and its answer; ids count from 1.
    std::uint32_t decision_id = 0;
    std::optional<arena::v1::Action> answer;
    arena::v1::Action first_legal;
    bool refused = false;
  };

  void take_event(const arena::v1::Item& item);
  void start_game(const arena::v1::GameStart& start);
  void decide(const arena::v1::Decision& decision, const Arrival& arrival);
  arena::v1::Action ask(Table& table, const Question& question);
  void queue(std::uint32_t decision_id, const arena::v1::Action& action);
  void reject(const arena::v1::Rejected& rejected);
  void answer_first_legal(Table& table);
  Table* table_of_question(std::uint32_t decision_id);
  void finish_match(std::uint32_t match_id);

  Players players_;
  Say say_;
  std::uint32_t acknowledged_ = 0;
  std::uint32_t told_ = 0;
  std::deque<arena::v1::Answer> answers_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const arena::v1::MatchStart>> matches_;
  std::unordered_map<std::uint32_t, Table> tables_;
};

}  // namespace euchre
