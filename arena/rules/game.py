"""A game: a run of hands from 0-0 to the variant's end (rules C1.2, C6, D8)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, assert_never

from arena.rules.cards import Card, Seat, Side, left_of
from arena.rules.dealing import deal_hand
from arena.rules.hand import Hand
from arena.rules.scoring import START, Ledger, Settlement
from arena.rules.tables import tables_of
from arena.rules.variant import BothReach, Tie, Variant


class GameEnd(Enum):
    """Why a game is over."""

    TARGET = "target"
    """One side alone reached the target (rules C6.1)."""
    BOTH_REACHED = "both-reached"
    """Both did in one hand (rules C6.2)."""
    HAND_LIMIT = "hand-limit"
    """``max_hands`` were played without a decision (rules C6.3)."""
    ALL_HANDS = "all-hands"
    """The fixed number of hands was played (rules D8)."""


class GameResult(NamedTuple):
    """How a game ended.

    Attributes:
        winner: the side that won, None for a draw.
        end: why it is over.
    """

    winner: Side | None
    end: GameEnd


class Game:
    """A game under way. Deal a hand, play it to its last trick, ``score`` it, again.

    Attributes:
        tables: of the variant.
        ledger: what both sides own.
        dealer: who deals the next hand; the last dealer once the game is over.
        hands_played: hands scored so far.
        result: None until the game is over.
    """

    __slots__ = ("dealer", "hands_played", "ledger", "result", "tables")

    def __init__(
        self,
        variant: Variant,
        *,
        ledger: Ledger = START,
        dealer: Seat | None = None,
        hands_played: int = 0,
    ) -> None:
        self.tables = tables_of(variant)
        self.ledger = ledger
        self.dealer = Seat(variant.first_dealer) if dealer is None else dealer
        self.hands_played = hands_played
        self.result: GameResult | None = None

    def deal(self, hands: Sequence[Sequence[Card]]) -> Hand:
        """The next hand, with the cards of seats 0..3.

        Raises:
            DealError: the cards are not the deck dealt out.
        """
        assert self.result is None, "a hand was dealt after the end of the game"
        return deal_hand(
            self.tables, hands, dealer=self.dealer, ledger=self.ledger, number=self.hands_played
        )

    def score(self, hand: Hand) -> Settlement:
        """Add a finished hand to the game; the deal passes on, or the game is over."""
        settlement = hand.settle()
        self.ledger = settlement.ledger
        self.hands_played += 1
        contract = hand.contract
        self.result = end_of_game(
            self.tables.variant,
            self.ledger.scores,
            hands_played=self.hands_played,
            declaring=None if contract is None else contract.side,
        )
        if self.result is None:
            self.dealer = left_of(self.dealer)
        return settlement


def end_of_game(
    variant: Variant, scores: tuple[int, int], *, hands_played: int, declaring: Side | None
) -> GameResult | None:
    """The game's result after a hand, None where it goes on.

    Args:
        variant: the data.
        scores: of both sides after the hand.
        hands_played: the hand included.
        declaring: the side that declared it, None when it was thrown in.
    """
    if variant.target is None:
        if hands_played < (variant.hands or 0):
            return None
        return GameResult(_higher(variant, scores, declaring), GameEnd.ALL_HANDS)
    reached = [side for side in (Side(0), Side(1)) if scores[side] >= variant.target]
    if len(reached) == 1:
        return GameResult(reached[0], GameEnd.TARGET)
    if reached:
        return GameResult(_both_reached(variant, scores, declaring), GameEnd.BOTH_REACHED)
    if hands_played >= variant.max_hands:
        return GameResult(_higher(variant, scores, declaring), GameEnd.HAND_LIMIT)
    return None


def _both_reached(variant: Variant, scores: tuple[int, int], declaring: Side | None) -> Side | None:
    match variant.both_reach:
        case BothReach.DECLARING_SIDE:
            assert declaring is not None, "a hand thrown in scores nothing"
            return declaring
        case BothReach.HIGHER_SCORE:
            return _higher(variant, scores, declaring)
        case _:
            assert_never(variant.both_reach)


def _higher(variant: Variant, scores: tuple[int, int], declaring: Side | None) -> Side | None:
    if scores[0] != scores[1]:
        return Side(0) if scores[0] > scores[1] else Side(1)
    match variant.tie:
        case Tie.DRAW:
            return None
        case Tie.DECLARING_SIDE:
            return declaring
        case _:
            assert_never(variant.tie)
