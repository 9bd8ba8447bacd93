#include "knowledge.h"

#include <algorithm>

#include "errors.h"

namespace euchre {
namespace {

using arena::v1::Move;
using arena::v1::PrivateView;

int card_or_none(arena::v1::Card card) {
  return card == arena::v1::CARD_UNSPECIFIED ? -1 : card_of(card);
}

}  // namespace

Knowledge::Knowledge(const Rules& rules, const arena::v1::Decision& decision)
    : seat(static_cast<int>(decision.seat() & 3U)),
      dealer(static_cast<int>(decision.public_().dealer() & 3U)),
      phase(decision.public_().phase()),
      ledger(ledger_of(decision.public_().ledger())) {
  const auto& view = decision.public_();
  const PrivateView& mine = decision.private_();
  for (const int wire : mine.hand()) {
    const CardMask bit = bit_of(card_of(static_cast<arena::v1::Card>(wire)));
    twins |= held & bit;
    held |= bit;
  }
  gave = card_or_none(mine.gave());
  received = card_or_none(mine.received());
  discarded = card_or_none(mine.discarded());
  if (view.has_contract()) {
    contract = {static_cast<int>(view.contract().bid()) - 1,
                static_cast<int>(view.contract().declarer() & 3U), view.contract().call()};
    const bool known = contract.level >= 0 && contract.level < static_cast<int>(rules.bids.size());
    if (!known) throw UnknownValue("a bid is not known");
    if (contract.call != 0) trump_of(view.contract().call());
  }
  if (view.has_sits_out()) sitter = static_cast<int>(view.sits_out() & 3U);
  read_moves(rules, view);
  read_hidden(rules);
  read_room(rules);
  may_hold.fill(rules.deck);
  if (!plays.empty()) read_voids(rules);
  if (received >= 0) read_gift(rules);
}

void Knowledge::read_moves(const Rules& rules, const arena::v1::PublicView& view) {
  for (const Move& move : view.moves()) {
    const int mover = static_cast<int>(move.seat() & 3U);
    switch (move.action().kind()) {
      case arena::v1::ACTION_KIND_PASS:
      case arena::v1::ACTION_KIND_BID:
        read_speech(move);
        break;
      case arena::v1::ACTION_KIND_FORCE_PARTNER:
      case arena::v1::ACTION_KIND_SHOOTER_PARTNER:
        forced = partner_of(mover);
        break;
      case arena::v1::ACTION_KIND_SHOOTER_SELF:
        forced = mover;
        break;
      case arena::v1::ACTION_KIND_TRADE:
        traded = true;
        break;
      case arena::v1::ACTION_KIND_GIVE:
        given = true;
        break;
      case arena::v1::ACTION_KIND_PLAY:
        plays.push_back({mover, card_of(move.action().card())});
        break;
      default:
        break;
    }
  }
  for (Speech& speech : speeches) {
    speech.floor = std::clamp(speech.floor, 0, static_cast<int>(rules.bids.size()) - 1);
  }
}

void Knowledge::read_speech(const Move& move) {
  int floor = 0;
  for (const Speech& speech : speeches) floor = std::max(floor, speech.level + 1);
  const bool bids = move.action().kind() == arena::v1::ACTION_KIND_BID;
  speeches.push_back({static_cast<int>(move.seat() & 3U),
                      bids ? static_cast<int>(move.action().bid()) - 1 : kNoLevel,
                      move.action().call(), floor});
}

void Knowledge::read_hidden(const Rules& rules) {
  std::array<int, kCards> count{};
  for (int card = 0; card < kCards; ++card) {
    count[card] = (rules.deck >> card & 1U) != 0 ? rules.copies : 0;
    count[card] -= static_cast<int>(held >> card & 1U) + static_cast<int>(twins >> card & 1U);
  }
  if (discarded >= 0) --count[discarded];
  for (const Play& play : plays) --count[play.card];
  for (int card = 0; card < kCards; ++card) {
    for (int copy = 0; copy < count[card]; ++copy) hidden.push_back(card);
  }
}

// A sitter keeps its cards; under a gift it is one short, and the declarer has put one away.
void Knowledge::read_room(const Rules& rules) {
  for (int each = 0; each < kSeats; ++each) room[each] = rules.hand_size;
  for (const Play& play : plays) --room[play.seat];
  if (given && !traded) {
    const int partner = partner_of(contract.declarer);
    --room[partner];
    const bool holds_seven = phase == arena::v1::PHASE_DISCARD;
    if (holds_seven) ++room[contract.declarer];
    if (!holds_seven && discarded < 0) room[kSeats] = 1;
  }
  room[seat] = 0;
  // The rest must fit, whatever a house rule does with cards.
  int places = 0;
  for (const int each : room) places += each;
  room[kSeats] += static_cast<int>(hidden.size()) - places;
  if (room[kSeats] < 0) throw UnknownValue("the cards of this hand do not add up");
}

void Knowledge::read_voids(const Rules& rules) {
  const Sheet& sheet = rules.sheet(contract.call);
  const int active = sitter == kNobody ? kSeats : kSeats - 1;
  int led = 0;
  for (std::size_t i = 0; i < plays.size(); ++i) {
    if (i % static_cast<std::size_t>(active) == 0) led = plays[i].card;
    const CardMask suit = sheet.tables.follow[led];
    if ((suit & bit_of(plays[i].card)) == 0) may_hold[plays[i].seat] &= ~suit;
  }
}

// A partner that had to give its best card has none better (rules T1.5).
void Knowledge::read_gift(const Rules& rules) {
  if (traded || seat != contract.declarer || contract.call == 0) return;
  CardMask better = 0;
  for (const CardMask gifts : rules.sheet(contract.call).gifts) {
    if ((gifts & bit_of(received)) != 0) break;
    better |= gifts;
  }
  may_hold[partner_of(seat)] &= ~better;
}

}  // namespace euchre
