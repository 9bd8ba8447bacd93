"""A hand counted for one call: tricks with the partner, the chance to take all of them alone.

The weights were fitted to random deals, played out by rules of thumb: the tricks by a straight
line, the chance alone by a logistic curve. One and two copies of each card have their own.
"""

from math import erf, exp, sqrt
from typing import Final

from sheets import Sheet

from arena.sdk import Card, OpeningLead, Variant, View

# What a trump takes by its place in the order (right bower first); the best card of another suit;
# a suit that one can trump; the two best cards of a suit without trump.
TRUMP_TRICKS = {1: (1.2, 0.85, 0.7, 0.65, 0.6, 0.55, 0.5), 2: (1.3, 0.6, 0.5, 0.42, 0.38, 0.35)}
ACE_TRICKS = {1: 0.45, 2: 0.4}
VOID_TRICKS = {1: 0.25, 2: 0.6}
PLAIN_TRICKS = {1: (0.72, 0.15), 2: (0.62, 0.06)}

# As parts of a hand: what the partner adds with and without trump, and how far the count is off.
TRUMP_BASE = 0.21
PLAIN_BASE = 0.35
SPREAD = 0.16

# Alone under a trump: each trump beyond the needed, a gap above the first and above the second
# trump, each loser, each loser that only one card beats, the first lead, a constant.
ALONE_TRUMP = {
    1: (0.75, -1.55, -0.55, -3.4, 1.0, 0.5, 0.85),
    2: (0.53, -1.5, -1.5, -3.2, 2.2, 0.55, 0.55),
}
# Alone without: each loser, each that only one card beats, each void, the first lead, a constant.
ALONE_PLAIN = (-1.85, 0.95, -0.3, 0.7, 0.1)
_FAR: Final = 2


class Count:
    """A hand counted for one call.

    Attributes:
        tricks: what the side is expected to take.
        chances: for each number of tricks, the chance of just so many.
    """

    def __init__(self, sheet: Sheet, view: View, variant: Variant) -> None:
        self._copies = variant.copies
        self._trump = bool(sheet.trumps)
        self._leads = (
            variant.opening_lead is OpeningLead.DECLARER or view.seat == (view.dealer + 1) & 3
        )
        self._gaps: list[int] = []
        self._losers: list[int] = []
        self._voids = 0
        self.tricks = variant.hand_size * (TRUMP_BASE if sheet.trumps else PLAIN_BASE)
        for mask, suit in sheet.suits:
            places, missing = in_hand(view, suit, variant.copies)
            if mask == sheet.trumps:
                self._gaps = missing
                weights = TRUMP_TRICKS[variant.copies]
                self.tricks += sum(weights[min(place, len(weights) - 1)] for place in places)
            else:
                self._losers += [number for number in missing if number]
                self._voids += not places
                self.tricks += self._plain_tricks(places, sheet, view)
        self._extra = len(self._gaps) - variant.hand_size // 2 - 1
        self._losers.sort()
        self.chances = spread(self.tricks, variant.hand_size)

    def _plain_tricks(self, places: list[int], sheet: Sheet, view: View) -> float:
        if not self._trump:
            weights = (*PLAIN_TRICKS[self._copies], 0.0)
            return sum(weights[min(place, 2)] for place in places)
        if places:
            return ACE_TRICKS[self._copies] * places.count(0)
        return VOID_TRICKS[self._copies] * min((view.held & sheet.trumps).bit_count(), 2) / 2

    def makes(self, tricks: int) -> float:
        """The chance of at least so many tricks."""
        return sum(self.chances[tricks:])

    def alone(self, *, mended: bool) -> float:
        """The chance to take all tricks alone; an exchange mends the worst loser."""
        losers = self._losers[:-1] if mended else self._losers
        kings = losers.count(1)
        if self._trump:
            first, second = (*self._gaps, 2 * _FAR, 2 * _FAR)[:2]
            gaps = (min(first, _FAR), min(second - first, _FAR))
            seen = (self._extra, *gaps, len(losers), kings, self._leads, 1)
            weights: tuple[float, ...] = ALONE_TRUMP[self._copies]
        else:
            seen = (len(losers), kings, self._voids, self._leads, 1)
            weights = ALONE_PLAIN
        score = sum(weight * number for weight, number in zip(weights, seen, strict=True))
        return 1 / (1 + exp(-score))


def in_hand(view: View, suit: list[Card], copies: int) -> tuple[list[int], list[int]]:
    """The suit in hand, high to low: places in the order, and how many above are elsewhere."""
    held, twins = view.held, view.twins
    places: list[int] = []
    missing: list[int] = []
    elsewhere = 0
    for place, card in enumerate(suit):
        here = (held >> card & 1) + (twins >> card & 1)
        places += [place] * here
        missing += [elsewhere] * here
        elsewhere += copies - here
    return places, missing


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
