// What a seat knows of a hand, read from a question.
#pragma once

#include <array>
#include <vector>

#include "arena/v1/referee.pb.h"
#include "hand.h"
#include "stakes.h"

namespace euchre {

// A bid or a pass, and what stood when it was said.
struct Speech {
  int seat = 0;
  // kNoLevel for a pass.
  int level = kNoLevel;
  // The call where it was named in the bid, else 0.
  int call = 0;
  // The lowest level that could have been bid.
  int floor = 0;
};

struct Play {
  int seat = 0;
  int card = 0;
};

struct Knowledge {
  // Throws UnknownValue where the question has something that this code does not know.
  Knowledge(const Rules& rules, const arena::v1::Decision& decision);

  int seat = 0;
  int dealer = 0;
  arena::v1::Phase phase = arena::v1::PHASE_UNSPECIFIED;
  Ledger ledger;
  Contract contract;
  int sitter = kNobody;
  CardMask held = 0;
  CardMask twins = 0;
  // Its part of an exchange; -1 where there was none.
  int gave = -1;
  int received = -1;
  int discarded = -1;
  std::vector<Speech> speeches;
  // Who was made to shoot, or kNoSeat: its bid says nothing about its cards.
  int forced = kNoSeat;
  bool traded = false;
  bool given = false;
  std::vector<Play> plays;
  // Cards that are with others, a twin twice, in card order.
  std::vector<int> hidden;
  // For each seat, how many of them it holds, and which it may hold. The last entry is what was
  // discarded unseen.
  std::array<int, kSeats + 1> room{};
  std::array<CardMask, kSeats + 1> may_hold{};

 private:
  void read_moves(const Rules& rules, const arena::v1::PublicView& view);
  void read_speech(const arena::v1::Move& move);
  void read_voids(const Rules& rules);
  void read_hidden(const Rules& rules);
  void read_room(const Rules& rules);
  void read_gift(const Rules& rules);
};

}  // namespace euchre
