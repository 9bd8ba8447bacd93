#include "rules.h"

#include <algorithm>
#include <bit>

#include "errors.h"

namespace euchre {
namespace {

// What a trump takes by its place in the order, the best card of another suit, and the two best of
// a suit without trump; found by a fit to hands played out at random. By copies of a card.
constexpr std::array<std::array<float, 7>, 2> kTrumpTricks{
    {{1.2F, 0.85F, 0.7F, 0.65F, 0.6F, 0.55F, 0.5F},
     {1.3F, 0.6F, 0.5F, 0.42F, 0.38F, 0.35F, 0.35F}}};
constexpr std::array<float, 2> kAceTricks{0.45F, 0.4F};
constexpr std::array<std::array<float, 2>, 2> kPlainTricks{{{0.72F, 0.15F}, {0.62F, 0.06F}}};
constexpr int kTrumpWorth = 20;

void fill_suits(Sheet& sheet, CardMask deck) {
  const CallTables& tables = sheet.tables;
  for (int card = 0; card < kCards; ++card) {
    if ((deck & bit_of(card)) == 0) continue;
    sheet.members[tables.suit[card]] |= bit_of(card);
    for (int other = 0; other < kCards; ++other) {
      const bool rival = (deck & bit_of(other)) != 0 && tables.suit[other] == tables.suit[card];
      if (rival && tables.strength[card][other] > tables.strength[card][card]) {
        sheet.above[card] |= bit_of(other);
      }
    }
  }
  if (tables.trump != kNoTrump) sheet.trumps = sheet.members[tables.trump];
}

void fill_values(Sheet& sheet, CardMask deck, int copies) {
  const std::size_t row = copies == 1 ? 0 : 1;
  for (int card = 0; card < kCards; ++card) {
    if ((deck & bit_of(card)) == 0) continue;
    const bool trump = (sheet.trumps & bit_of(card)) != 0;
    const int size = std::popcount(sheet.members[sheet.tables.suit[card]]);
    const auto place = static_cast<std::size_t>(std::popcount(sheet.above[card]));
    sheet.worth[card] = size - static_cast<int>(place) + (trump ? kTrumpWorth : 0);
    if (trump) {
      sheet.tricks[card] = kTrumpTricks[row][std::min<std::size_t>(place, 6)];
    } else if (sheet.trumps != 0) {
      sheet.tricks[card] = place == 0 ? kAceTricks[row] : 0.0F;
    } else {
      sheet.tricks[card] = place < 2 ? kPlainTricks[row][place] : 0.0F;
    }
  }
}

void add_rank_classes(Sheet& sheet, const arena::v1::Variant& variant,
                      const arena::v1::CallRule& rule) {
  std::vector<int> order(rule.order().begin(), rule.order().end());
  if (order.empty()) order = {6, 5, 4, 3, 2, 1};
  for (const int rank : order) {
    CardMask all = 0;
    for (int suit = 0; suit < kSuits; ++suit) {
      const CardMask card = bit_of(suit * kRanks + rank - 1);
      if (variant.gift_tie() == arena::v1::GIFT_TIE_FIRST_SUIT) sheet.gifts.push_back(card);
      all |= card;
    }
    if (variant.gift_tie() != arena::v1::GIFT_TIE_FIRST_SUIT) sheet.gifts.push_back(all);
  }
}

void fill_gifts(Sheet& sheet, const arena::v1::Variant& variant, const arena::v1::CallRule& rule) {
  constexpr CardMask kAny = bit_of(kCards) - 1;
  if (variant.gift() == arena::v1::GIFT_ANY) {
    sheet.gifts = {kAny};
    return;
  }
  std::vector<int> trumps;
  for (int card = 0; card < kCards; ++card) {
    if ((sheet.trumps & bit_of(card)) != 0) trumps.push_back(card);
  }
  std::sort(trumps.begin(), trumps.end(),
            [&](int a, int b) { return sheet.worth[a] > sheet.worth[b]; });
  for (const int card : trumps) sheet.gifts.push_back(bit_of(card));
  const bool any = variant.gift_without_trump() == arena::v1::GIFT_FALLBACK_ANY;
  if (sheet.trumps != 0 && any) {
    sheet.gifts.push_back(kAny);
  } else {
    add_rank_classes(sheet, variant, rule);
  }
}

Sheet sheet_of(const arena::v1::Variant& variant, const arena::v1::CallRule& rule, CardMask deck) {
  Sheet sheet;
  sheet.tables = tables_of(variant, rule.call());
  sheet.price = static_cast<int>(rule.tokens());
  sheet.lowest = std::max(0, static_cast<int>(rule.lowest_bid()) - 1);
  fill_suits(sheet, deck);
  fill_values(sheet, deck, static_cast<int>(variant.copies()));
  fill_gifts(sheet, variant, rule);
  return sheet;
}

Bid bid_of(const arena::v1::BidRule& rule) {
  Bid bid{static_cast<int>(rule.tricks()), rule.alone(), rule.exchange(), {}, 0};
  if (rule.has_made()) bid.made = static_cast<int>(rule.made());
  bid.set = static_cast<int>(rule.has_set() ? rule.set() : rule.tricks());
  return bid;
}

}  // namespace

Rules::Rules(const arena::v1::Variant& source)
    : variant(source),
      copies(static_cast<int>(source.copies())),
      hand_size(static_cast<int>(source.hand_size())),
      named_in_bid(source.naming() == arena::v1::NAMING_IN_BID),
      declarer_leads(source.opening_lead() == arena::v1::OPENING_LEAD_DECLARER) {
  for (const int rank : source.ranks()) {
    if (rank < 1 || rank > kRanks) throw UnknownValue("the deck has a rank that is not known");
    for (int suit = 0; suit < kSuits; ++suit) deck |= bit_of(suit * kRanks + rank - 1);
  }
  if (std::popcount(deck) * copies != kSeats * hand_size) {
    throw UnknownValue("the deck and the hands do not fit");
  }
  for (const auto& rule : source.bids()) bids.push_back(bid_of(rule));
  for (const auto& rule : source.calls()) {
    calls.push_back(rule.call());
    sheets.at(static_cast<std::size_t>(rule.call())) = sheet_of(source, rule, deck);
  }
  if (source.tokens().has_forced_bid()) {
    forced_level = static_cast<int>(source.tokens().forced_bid()) - 1;
  }
}

}  // namespace euchre
