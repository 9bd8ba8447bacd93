"""What points are worth at this score: the chance to win the game, in points of an even game."""

from math import erf, sqrt

from arena.sdk import Variant, View

# The points of a hand: what a side takes on average, and how far the difference spreads.
HAND_POINTS = 2.7
HAND_SPREAD = 7.0

# What winning the game is worth beside the points, which decide a set of one game each.
GAME_POINTS = 8.0


class Stakes:
    """The score before the hand, from one side's view."""

    def __init__(self, variant: Variant, view: View) -> None:
        side = view.seat & 1
        scores = view.ledger.scores
        self._target = variant.target
        self._ours, self._theirs = scores[side], scores[1 - side]
        self._left = (variant.hands or 0) - view.number - 1

    def gain(self, ours: float, theirs: float, *, declaring: bool) -> float:
        """What it brings when the hand ends so; ``declaring``: when this side declared it."""
        return ours - theirs + GAME_POINTS * self._chance(ours, theirs, declaring=declaring)

    def _chance(self, ours: float, theirs: float, *, declaring: bool) -> float:
        ours, theirs = self._ours + ours, self._theirs + theirs
        if self._target is None:
            return self._after_hands(ours - theirs)
        if ours >= self._target or theirs >= self._target:
            return float(ours >= self._target and (declaring or theirs < self._target))
        to_go, they_go = self._target - ours, self._target - theirs
        hands = max(1.0, min(to_go, they_go) / HAND_POINTS)
        return _bell((they_go - to_go) / (HAND_SPREAD * sqrt(hands)))

    def _after_hands(self, lead: float) -> float:
        if self._left > 0:
            return _bell(lead / (HAND_SPREAD * sqrt(self._left)))
        return 0.5 if lead == 0 else float(lead > 0)


def _bell(deviations: float) -> float:
    return (1 + erf(deviations / sqrt(2))) / 2
