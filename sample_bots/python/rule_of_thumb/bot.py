"""Rules of thumb: count tricks to bid, lead trumps, second hand low, third hand high.

Everything is worked out from the variant's data (cards, calls, bids, prices), so house rules are
played as well. The bot remembers nothing: each decision is a function of the view.

The weights were found by dealing at random, playing out with this very way of playing and fitting
the tricks taken by a straight line; they are rounded.
"""

from collections.abc import Sequence
from functools import cache
from math import erf, exp, sqrt
from typing import NamedTuple

from arena.sdk import (
    NOBODY,
    ROTATIONS,
    Action,
    ActionKind,
    Auction,
    Bot,
    Call,
    Card,
    Exchange,
    Move,
    Phase,
    Rank,
    Tables,
    View,
    card_of,
    run,
)

# What a trump takes by its place in the order (right bower first), with one and two copies; what
# the best and the second card of another suit take, and a suit that one can trump.
TRUMP_TRICKS = {1: (1.2, 0.85, 0.7, 0.65, 0.6, 0.55, 0.5), 2: (1.3, 0.6, 0.5, 0.42, 0.38, 0.35)}
ACE_TRICKS = {1: 0.45, 2: 0.4}
VOID_TRICKS = {1: 0.25, 2: 0.6}
PLAIN_TRICKS = {1: (0.72, 0.15), 2: (0.62, 0.06)}

# As parts of a hand: what the partner adds with and without trump, and how far the count is off.
TRUMP_BASE, PLAIN_BASE, SPREAD = 0.215, 0.34, 0.18

MARGIN = 0.3  # points that a bid must promise beyond passing
SAFE = 0.7  # the least chance of a bid that is higher than it need be
TOKEN_POINTS = 3.0  # what a token is worth: three force the opponents, which brings about ten
DEBT_POINTS = 9.0  # what a unit of HLM debt costs
FORCED_CHANCE = 0.15  # that a side that is forced takes all tricks
DEFENDED = 2  # the defenders' tricks when an alone contract is set


class Sheet:
    """What a call means: the order of the cards in each suit.

    Attributes:
        trumps: mask of the trumps, 0 without.
        suits: for each suit its mask and its cards, high to low.
        suit_of: for each card the mask of its suit.
        above: for each card, how many others of its suit beat it.
        worth: for each card, what it costs to throw it away; trumps last.
        strength: for each card led, the strength of every card.
    """

    def __init__(self, tables: Tables, call: Call) -> None:
        play = tables.by_call[call]
        assert play is not None, "a call that the variant lacks"
        self.strength = play.strength
        self.trumps = 0
        if call.trump is not None:
            self.trumps = play.follow[card_of(call.trump, Rank.JACK)] & tables.deck_mask
        self.suits: list[tuple[int, list[Card]]] = []
        self.suit_of, self.above, self.worth = [0] * 24, [0] * 24, [0] * 24
        cards: dict[int, list[Card]] = {}
        for card in sorted(set(tables.deck)):
            cards.setdefault(play.follow[card] & tables.deck_mask, []).append(card)
        for mask, suit in cards.items():
            suit.sort(key=play.strength[suit[0]].__getitem__, reverse=True)
            self.suits.append((mask, suit))
            for place, card in enumerate(suit):
                self.suit_of[card], self.above[card] = mask, place
                self.worth[card] = len(suit) - place + (20 if mask == self.trumps else 0)


@cache
def sheets_of(tables: Tables) -> dict[Call, Sheet]:
    """The sheets of a variant's calls."""
    return {rule.call: Sheet(tables, rule.call) for rule in tables.variant.calls}


class Count:
    """A hand counted for one call.

    Attributes:
        call: the call.
        chances: for each number of tricks, the chance that the side takes just so many.
        losers: how many cards may lose when the hand is played alone.
    """

    def __init__(self, call: Call, sheet: Sheet, view: View, copies: int, size: int) -> None:
        self.call = call
        tricks = size * (TRUMP_BASE if sheet.trumps else PLAIN_BASE)
        trumps = mask_size(view, sheet.trumps)
        losers = 0.0
        for mask, suit in sheet.suits:
            mine, missing = in_hand(view, suit, copies)
            places = [sheet.above[card] for card in mine]
            if mask == sheet.trumps:
                weights = TRUMP_TRICKS[copies]
                tricks += sum(weights[min(place, len(weights) - 1)] for place in places)
                losers += 0.6 * max(0, size // 2 + 1 - trumps)
                losers += sum(cost for cost, n in zip((0.7, 0.3), missing, strict=False) if n)
            elif sheet.trumps:
                tricks += ACE_TRICKS[copies] * places.count(0)
                tricks += VOID_TRICKS[copies] * min(trumps, 2) / 2 if not mine else 0
                losers += sum(n > 0 for n in missing)
            else:
                weights = (*PLAIN_TRICKS[copies], 0.0)
                tricks += sum(weights[min(place, 2)] for place in places)
                losers += sum(n > 0 for n in missing) if mine else 0.3
        self.chances = spread(tricks, size)
        self.losers = losers

    def makes(self, tricks: int) -> float:
        """The chance of at least so many tricks."""
        return sum(self.chances[tricks:])


def mask_size(view: View, mask: int) -> int:
    """How many cards of a mask the hand holds, twins twice."""
    return (view.held & mask).bit_count() + (view.twins & mask).bit_count()


def in_hand(view: View, suit: list[Card], copies: int) -> tuple[list[Card], list[int]]:
    """The hand's cards of a suit, high to low; for each, how many that beat it are elsewhere."""
    mine: list[Card] = []
    missing: list[int] = []
    elsewhere = 0
    for card in suit:
        here = (view.held >> card & 1) + (view.twins >> card & 1)
        mine += [card] * here
        missing += [elsewhere] * here
        elsewhere += copies - here
    return mine, missing


def spread(tricks: float, size: int) -> list[float]:
    """The chance of 0, 1, ... ``size`` tricks when ``tricks`` are expected: a rounded bell."""
    scale = sqrt(2) * SPREAD * size
    chances = []
    below = 0.0
    for taken in range(size):
        up_to = (1 + erf((taken + 0.5 - tricks) / scale)) / 2
        chances.append(up_to - below)
        below = up_to
    return [*chances, 1 - below]


class Offer(NamedTuple):
    """What may be said: the points it promises, and the count behind a bid."""

    action: Action
    points: float
    bid: Count | None


class RuleOfThumb(Bot):
    """Counts, and plays by the book."""

    def game_started(self) -> None:
        self.sheets = sheets_of(self.tables)

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        match view.phase:
            case Phase.SPEAK:
                return self.speak(view, legal)
            case Phase.SHOOTER:
                level = self.tables.forced_level
                own = max(self.alone_chance(count, level) for count in self.counts(view))
                return legal[0] if own > FORCED_CHANCE else legal[1]
            case Phase.CALL:
                return self.name(view, legal)
            case _:
                assert view.call is not None, "cards move after the call"
                return move(view, legal, self.sheets[view.call])

    def name(self, view: View, legal: tuple[Action, ...]) -> Action:
        """The call that promises most."""
        points = {count.call: self.points(view, view.level, count) for count in self.counts(view)}
        return max(legal, key=lambda action: points[action.call or Call.CLUBS])

    def counts(self, view: View) -> list[Count]:
        """The hand counted for every call."""
        size, copies = self.variant.hand_size, self.variant.copies
        return [Count(call, sheet, view, copies, size) for call, sheet in self.sheets.items()]

    # What contracts bring: own points less the others'.

    def points(self, view: View, level: int, count: Count) -> float:
        """What this seat's contract brings, the price of the call taken off."""
        if self.variant.bids[level].alone:
            points = self.alone_points(level, self.alone_chance(count, level))
        else:
            points = self.side_points(level, count.chances)
        price = self.tables.call_prices[count.call]
        if price == 0:
            return points
        paid = view.ledger.tokens[view.seat & 1] >= price
        return points - (price * TOKEN_POINTS if paid else DEBT_POINTS)

    def alone_chance(self, count: Count, level: int) -> float:
        """The chance to take all tricks alone; an exchange mends one loser."""
        mended = self.variant.bids[level].exchange is not Exchange.NONE
        return 0.9 * exp(-1.3 * max(0.0, count.losers - mended))

    def alone_points(self, level: int, chance: float) -> float:
        """What an alone contract brings that is made with this chance."""
        bid = self.variant.bids[level]
        made = bid.tricks if bid.made is None else bid.made
        lost = bid.tricks if bid.set is None else bid.set
        return chance * made - (1 - chance) * (lost + DEFENDED * self.variant.defenders_score)

    def side_points(self, level: int, chances: list[float]) -> float:
        """What a contract with the partner brings, given the chances of each number of tricks."""
        bid, size = self.variant.bids[level], self.variant.hand_size
        lost = bid.tricks if bid.set is None else bid.set
        points = 0.0
        for taken, chance in enumerate(chances):
            made = taken if bid.made is None else bid.made
            defended = (size - taken) * self.variant.defenders_score
            points += chance * ((made if taken >= bid.tricks else -lost) - defended)
        return points

    # The auction.

    def speak(self, view: View, legal: tuple[Action, ...]) -> Action:
        """What promises most; whoever may be outbid says at once all that is safe."""
        counts = self.counts(view)
        offers = [self.offer(view, action, counts) for action in legal]
        best = max(offers, key=lambda offer: offer.points)
        last = view.seat == view.dealer or self.variant.auction is Auction.UNTIL_PASSED
        if last or best.bid is None or self.variant.bids[best.action.level].alone:
            return best.action
        passing = max(offer.points for offer in offers if offer.bid is None)
        safe = [
            offer.action
            for offer in offers
            if offer.bid is not None
            and offer.points > passing
            and offer.bid.makes(self.variant.bids[offer.action.level].tricks) > SAFE
        ]
        return safe[-1] if safe else best.action

    def offer(self, view: View, action: Action, counts: list[Count]) -> Offer:
        """What saying this promises."""
        if action.kind is ActionKind.PASS:
            return Offer(action, self.standing_points(view) + MARGIN, None)
        if action.kind is ActionKind.BID:
            named = [count for count in counts if action.call in (None, count.call)]
            points, count = max(
                ((self.points(view, action.level, count), count) for count in named),
                key=lambda pair: pair[0],
            )
            return Offer(action, points, count)
        level = self.tables.forced_level
        if action.kind is ActionKind.FORCE_PARTNER:
            # It gets this hand's best card and no more.
            points = self.alone_points(level, FORCED_CHANCE)
            return Offer(action, points - TOKEN_POINTS * self.tables.force_partner, None)
        points = -self.alone_points(level, self.opponents_chance(view))
        return Offer(action, points - TOKEN_POINTS * self.tables.force_opponents, None)

    def opponents_chance(self, view: View) -> float:
        """The chance of the opponents to take all tricks when they are forced."""
        bids = self.variant.bids
        strong = view.level >= 0 and (view.declarer ^ view.seat) & 1
        return FORCED_CHANCE * (1 + bids[view.level].tricks / 2 if strong else 1)

    def standing_points(self, view: View) -> float:
        """What it brings when the standing bid is played: half a trick more than was bid."""
        if view.level < 0:
            return 0.0
        bid = self.variant.bids[view.level]
        if bid.alone:
            points = self.alone_points(view.level, 0.75)
        else:
            chances = spread(bid.tricks + 0.6, self.variant.hand_size)
            points = self.side_points(view.level, chances)
        return points if view.declarer & 1 == view.seat & 1 else -points


# The cards.


def move(view: View, legal: tuple[Action, ...], sheet: Sheet) -> Action:
    """A card for the exchange or the trick."""
    match view.phase:
        case Phase.GIVE:
            return give(legal, sheet)
        case Phase.TRADE | Phase.DISCARD:
            return put_away(view, legal, sheet)
        case _:
            trick = view.trick
            return follow(view, legal, sheet, trick) if trick else lead(view, legal, sheet)


def give(legal: tuple[Action, ...], sheet: Sheet) -> Action:
    """The best card: the highest trump, else the highest of a suit."""
    return max(legal, key=lambda a: (bool(a.bit & sheet.trumps), -sheet.above[a.card]))


def put_away(view: View, legal: tuple[Action, ...], sheet: Sheet) -> Action:
    """The surest loser, from the shortest suit; nothing where every card is good."""

    def badness(action: Action) -> tuple[bool, int, int]:
        suit = sheet.suit_of[action.card]
        return suit != sheet.trumps, sheet.above[action.card] > 0, -mask_size(view, suit)

    cards = [action for action in legal if action.card >= 0]
    worst = max(cards, key=badness)
    keep = legal[0].kind is ActionKind.NO_TRADE and sheet.above[worst.card] == 0
    return legal[0] if keep else worst


def lead(view: View, legal: tuple[Action, ...], sheet: Sheet) -> Action:
    """The declaring side draws trumps; then the best cards of the suits; then what is worthless."""
    above = sheet.above
    trumps = [action for action in legal if action.bit & sheet.trumps]
    plain = [action for action in legal if not action.bit & sheet.trumps]
    if trumps:
        top = min(trumps, key=lambda action: above[action.card])
        declaring = view.declarer & 1 == view.seat & 1
        if not plain or (declaring and (len(trumps) >= 3 or above[top.card] == 0)):
            return top
    best = [action for action in plain if above[action.card] == 0]
    if not best:
        return cheapest(plain, sheet)
    # The shorter a suit, the later it is trumped; without trumps the longer one runs.
    sizes = {action: mask_size(view, sheet.suit_of[action.card]) for action in best}
    return (min if sheet.trumps else max)(best, key=sizes.__getitem__)


def follow(view: View, legal: tuple[Action, ...], sheet: Sheet, trick: tuple[Move, ...]) -> Action:
    """Second hand low, third hand high, last hand just enough; never over the partner's trick."""
    led = trick[0].action.card
    row = sheet.strength[led]
    # Of two equal cards the first stays ahead, as ``max`` has it.
    winning = max(trick, key=lambda move: row[move.action.card])
    best = row[winning.action.card]
    winners = [action for action in legal if row[action.card] > best]
    if not winners:
        return cheapest(legal, sheet)
    just_enough = min(winners, key=lambda action: row[action.card])
    highest = max(winners, key=lambda action: row[action.card])
    in_suit = bool(sheet.suit_of[led] & highest.bit)
    danger = opponents_to_come(view)
    if winning.seat == view.seat ^ 2:
        high_enough = sheet.above[winning.action.card] < 2 or not in_suit
        return cheapest(legal, sheet) if high_enough or not danger else highest
    if not danger or not in_suit:
        return just_enough
    second_hand = len(trick) == 1 and view.sitter == NOBODY
    if second_hand and sheet.above[highest.card] > 0:
        return cheapest(legal, sheet)
    return highest


def opponents_to_come(view: View) -> bool:
    """Whether an opponent still plays to this trick."""
    after = ROTATIONS[view.sitter]
    seat = after[view.seat]
    while seat != view.leader:
        if (seat ^ view.seat) & 1:
            return True
        seat = after[seat]
    return False


def cheapest(legal: Sequence[Action], sheet: Sheet) -> Action:
    """What is missed least."""
    return min(legal, key=lambda action: sheet.worth[action.card])


if __name__ == "__main__":
    run(RuleOfThumb, name="rule_of_thumb")
