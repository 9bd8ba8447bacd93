"""One episode: hands dealt from a seed and played, single legal moves made by themselves.

No numbers for a learner yet: deals, whose turn it is, what it may do, what a hand scored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple, assert_never

from arena.rules import Action, Card, Dealer, Game, Hand, Seat, Settlement, Side, Variant
from arena.rules.cards import SEATS
from arena.rules.deal import uniform

CHANCE: Final = 2**63
"""Seeds drawn where none is given are below this."""


class Length(Enum):
    """What an episode is."""

    HAND = "hand"
    """One hand from 0-0, dealt by any seat."""
    GAME = "game"
    """Hands from 0-0 to the variant's end."""


class Reward(Enum):
    """What a side is rewarded with."""

    POINTS = "points"
    """After each hand: its points minus those of the other side."""
    RESULT = "result"
    """At the end of the episode: 1 won, 0 drawn, -1 lost."""


def seed_bytes(seed: int) -> bytes:
    """The 32 bytes of rules S1 for the number that ``reset(seed=...)`` takes."""
    return hashlib.sha256(b"arena.env\n%d" % seed).digest()


class Scored(NamedTuple):
    """A hand that was scored.

    Attributes:
        hand: after its last trick.
        dealt: the cards of seats 0..3 before any exchange.
        settlement: its points, and what both sides own after it.
    """

    hand: Hand
    dealt: Sequence[Sequence[Card]]
    settlement: Settlement


class Episode:
    """An episode under way.

    Attributes:
        seed: 32 bytes.
        set_id: the set id of its deals (rules S2).
        hand: the hand under way; the last one when the episode is over.
        scored: the hands that the last ``apply`` brought to their end.
        winner: the side that won; None before the end, and for a draw.
        over: whether it has ended.
    """

    def __init__(self, variant: Variant, length: Length, *, seed: bytes, number: int) -> None:
        self.seed = seed
        self.set_id = f"episode-{number}"
        self._length = length
        self._dealer = Dealer(seed)
        self._game = Game(variant, dealer=self._first_dealer(variant))
        self.scored: tuple[Scored, ...] = ()
        self.winner: Side | None = None
        self.over = False
        self._dealt: Sequence[Sequence[Card]] = ()
        self.hand = self._deal()
        self._make_single_moves()

    def _first_dealer(self, variant: Variant) -> Seat:
        if self._length is Length.GAME:
            return Seat(variant.first_dealer)
        return Seat(uniform(self._dealer.stream(f"{self.set_id}:dealer", 0), SEATS))

    def _deal(self) -> Hand:
        variant = self._game.tables.variant
        self._dealt = self._dealer.deal(variant, self.set_id, self._game.hands_played)
        return self._game.deal(self._dealt)

    def apply(self, action: Action) -> None:
        """Do ``action`` for the seat to act, and go on to the next question or the end.

        Raises:
            IllegalAction: it is not legal; nothing has changed.
        """
        assert not self.over, "an action after the end of the episode"
        self.hand.apply(action)
        self.scored = ()
        self._make_single_moves()

    def _make_single_moves(self) -> None:
        """Rule A1: a seat with one legal action is not asked."""
        while not self.over and len(self.hand.legal) < 2:
            if self.hand.legal:
                self.hand.apply(self.hand.legal[0])
            else:
                self._score()

    def _score(self) -> None:
        settlement = self._game.score(self.hand)
        self.scored = (*self.scored, Scored(self.hand, self._dealt, settlement))
        result = self._game.result
        if self._length is Length.HAND:
            self.over = True
            lead = _lead(settlement.points)
            self.winner = None if lead == 0 else Side(0 if lead > 0 else 1)
        elif result is not None:
            self.over, self.winner = True, result.winner
        else:
            self.hand = self._deal()

    def rewards(self, reward: Reward) -> tuple[float, float]:
        """What the last ``apply`` earned, by side; the two add up to 0."""
        match reward:
            case Reward.POINTS:
                lead = sum(_lead(one.settlement.points) for one in self.scored)
            case Reward.RESULT:
                won = self.over and self.winner is not None
                lead = (1 if self.winner == 0 else -1) if won else 0
            case _:
                assert_never(reward)
        return float(lead), float(-lead)


def _lead(points: tuple[int, int]) -> int:
    return points[0] - points[1]
