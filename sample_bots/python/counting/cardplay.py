"""Which card to play, from what is known of the others' cards."""

from collections.abc import Iterable

from memory import Memory
from sheets import Sheet

from arena.sdk import ROTATIONS, Action, Card, Move, Tables, View

# The partner's trick is taken over where that adds so much to the chance of the side.
TAKE_OVER = 0.25
# A cheaper card will do where it is not worse by more than this.
CHEAPER = 0.3
# With the partner still to play, and as the last of the side: the least chance to play high for.
WORTH_TRYING, LAST_CHANCE = 0.4, 0.1


class Situation:
    """One decision of the play."""

    __slots__ = ("many", "memory", "sheet", "trumps_out", "view")

    def __init__(self, view: View, tables: Tables, sheet: Sheet) -> None:
        self.view = view
        self.sheet = sheet
        self.memory = Memory(view, tables, sheet)
        self.many = tables.variant.hand_size // 2
        self.trumps_out = self.memory.out(sheet.trump_cards)

    def choose(self, legal: tuple[Action, ...]) -> Action:
        """The card to play."""
        trick = self.view.trick
        return self.follow(legal, trick) if trick else self.lead(legal)

    # Chances.

    def beats(self, seat: int, card: Card, led: int) -> float:
        """The chance that a seat beats ``card`` in a trick in which the suit ``led`` was led."""
        memory, sheet = self.memory, self.sheet
        share = memory.share(seat, led)
        suit = sheet.suit_of[card]
        higher = memory.above(card)
        if suit == led:
            over = 1 - (1 - share) ** higher if higher else 0.0
            ruffs = self.trumps_out if suit != sheet.trumps else 0
        else:
            # A trump on another suit's lead: only higher trumps of those who cannot follow.
            over, ruffs = 0.0, higher
        if not ruffs:
            return over
        void = (1 - share) ** memory.out(sheet.members[(led & -led).bit_length() - 1])
        trump = 1 - (1 - memory.share(seat, sheet.trumps)) ** ruffs
        return over + void * trump

    def holds(self, card: Card, led: int, opponents: Iterable[int]) -> float:
        """The chance that none of these opponents beats the card."""
        chance = 1.0
        for seat in opponents:
            chance *= 1 - self.beats(seat, card, led)
        return chance

    # Leading.

    def lead(self, legal: tuple[Action, ...]) -> Action:
        """Draw trumps while the others have some, then play masters, then the worthless."""
        view, sheet, memory = self.view, self.sheet, self.memory
        opponents = [
            seat for seat in ((view.seat + 1) & 3, (view.seat + 3) & 3) if seat != view.sitter
        ]
        trumps = [action for action in legal if action.bit & sheet.trumps]
        plain = [action for action in legal if not action.bit & sheet.trumps]
        if trumps:
            top = max(trumps, key=lambda action: sheet.worth[action.card])
            if not plain:
                return top
            declaring = view.declarer & 1 == view.seat & 1
            some = self.trumps_out and any(not memory.voids[s] & sheet.trumps for s in opponents)
            if declaring and some and (len(trumps) >= self.many or memory.above(top.card) == 0):
                return top
        masters = [action for action in plain if memory.above(action.card) == 0]
        if masters:
            return min(masters, key=lambda action: self.risk(action.card, opponents))
        return cheapest(plain, sheet)

    def risk(self, card: Card, opponents: list[int]) -> float:
        """The chance that a master is trumped; among equals, shorter suits first under trumps."""
        view, suit = self.view, self.sheet.suit_of[card]
        length = (view.held & suit).bit_count() + (view.twins & suit).bit_count()
        chance = 1 - self.holds(card, suit, opponents)
        return chance + (0.01 * length if self.sheet.trumps else -0.01 * length)

    # Following.

    def follow(self, legal: tuple[Action, ...], trick: tuple[Move, ...]) -> Action:
        """The cheapest card that has about the best chance; none for a hopeless or safe trick."""
        sheet, seat = self.sheet, self.view.seat
        row = sheet.strength[trick[0].action.card]
        led = sheet.suit_of[trick[0].action.card]
        # Of two equal cards the first stays ahead, as ``max`` has it.
        winning = max(trick, key=lambda move: row[move.action.card])
        winners = [action for action in legal if row[action.card] > row[winning.action.card]]
        if not winners:
            return cheapest(legal, sheet)
        winners.sort(key=lambda action: row[action.card])
        to_come = seats_to_come(self.view)
        opponents = [other for other in to_come if (other ^ seat) & 1]
        if winning.seat == seat ^ 2:
            return self.take_over(legal, winners, winning.action.card, led, opponents)
        if not opponents:
            return winners[0]
        best = self.holds(winners[-1].card, led, opponents)
        if best < (WORTH_TRYING if seat ^ 2 in to_come else LAST_CHANCE):
            return cheapest(legal, sheet)
        return self.cheap_enough(winners, best, led, opponents)

    def take_over(
        self,
        legal: tuple[Action, ...],
        winners: list[Action],
        top: Card,
        led: int,
        opponents: list[int],
    ) -> Action:
        """The partner is winning: leave it to it, unless it is likely to be beaten."""
        highest = winners[-1]
        ruffs = highest.bit & self.sheet.trumps and not led & self.sheet.trumps
        best = self.holds(highest.card, led, opponents)
        if ruffs or best - self.holds(top, led, opponents) <= TAKE_OVER:
            return cheapest(legal, self.sheet)
        return self.cheap_enough(winners, best, led, opponents)

    def cheap_enough(
        self, winners: list[Action], best: float, led: int, opponents: list[int]
    ) -> Action:
        """The lowest winner that is nearly as good as the highest."""
        for action in winners:
            if self.holds(action.card, led, opponents) >= best - CHEAPER:
                return action
        return winners[-1]


def seats_to_come(view: View) -> list[int]:
    """The seats that play to this trick after this one, in order."""
    after = ROTATIONS[view.sitter]
    seats = []
    seat: int = after[view.seat]
    while seat != view.leader:
        seats.append(seat)
        seat = after[seat]
    return seats


def cheapest(legal: Iterable[Action], sheet: Sheet) -> Action:
    """What is missed least."""
    return min(legal, key=lambda action: sheet.worth[action.card])
