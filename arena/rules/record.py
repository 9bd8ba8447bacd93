"""Records: what is kept of a mirrored set, as values.

A record is self-contained: variant, dealt hands, every action in the notation and who made it,
results and endings.  ``verify`` replays one; ``arena.wire`` writes and reads the JSON.
Times are the only part that differs between two runs of one seed, so they stand apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Self

from arena.rules.cards import Seat, Side
from arena.rules.game import GameEnd
from arena.rules.variant import Variant

FORMAT: Final = 1
HALVES: Final = ("a", "b")


class Mover(Enum):
    """Who made a move."""

    BOT = "bot"
    FORCED = "forced"
    """The referee, because exactly one action was legal (rules A1)."""
    STAND_IN = "stand-in"
    """The first of the canonical order, for a seat that could not."""

    # Members are singletons; an enum's own hash is a Python function, called for every move.
    __hash__ = object.__hash__


class EndingKind(Enum):
    """How a game ended."""

    COMPLETED = "completed"
    ILLEGAL = "illegal"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    CRASH = "crash"
    PROTOCOL = "protocol"
    ARENA_FAULT = "arena-fault"
    """Our own failure: replayed, never rated."""
    STOPPED = "stopped"
    """The set was decided by a forfeit in the other half."""

    @property
    def is_forfeit(self) -> bool:
        """Whether a bot lost the game by it."""
        return self in _FORFEITS


_FORFEITS: Final = frozenset(
    {
        EndingKind.ILLEGAL,
        EndingKind.TIMEOUT,
        EndingKind.DISCONNECT,
        EndingKind.CRASH,
        EndingKind.PROTOCOL,
    }
)


class Ending(NamedTuple):
    """How a game ended: a kind for programs, a sentence for people.

    Attributes:
        kind: the kind.
        seat: the seat at fault, None where there is none.
        sentence: one sentence.
    """

    kind: EndingKind
    seat: Seat | None
    sentence: str


class Faults(NamedTuple):
    """Faults of a bot or seat, by kind."""

    illegal: int = 0
    timeout: int = 0
    disconnect: int = 0
    crash: int = 0
    protocol: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)

    def plus(self, other: Faults) -> Faults:
        """Both added, kind by kind."""
        return Faults(*(a + b for a, b in zip(self, other, strict=True)))


class RecordedMove(NamedTuple):
    """One move: the seat, its action in the notation, and who made it."""

    seat: Seat
    action: str
    mover: Mover


class HandResult(NamedTuple):
    """A scored hand; pairs are by side.

    Attributes:
        made: whether the contract was made, None for a hand thrown in.
        tricks: taken.
        points: of the hand.
        scores: after the hand.
        tokens: after the hand.
        token_debt: after the hand.
        hlm_debt: after the hand.
    """

    made: bool | None
    tricks: tuple[int, int]
    points: tuple[int, int]
    scores: tuple[int, int]
    tokens: tuple[int, int]
    token_debt: tuple[bool, bool]
    hlm_debt: tuple[int, int]


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand.

    Attributes:
        board: the deal's number within its set.
        dealer: who dealt.
        dealt: the cards of seats 0..3 as text, before any exchange.
        moves: in order.
        result: None for a hand that was not finished.
        times_us: for each move, hand-over to arrival in microseconds; 0 where not the bot's.
    """

    board: int
    dealer: Seat
    dealt: tuple[tuple[str, ...], ...]
    moves: tuple[RecordedMove, ...]
    result: HandResult | None
    times_us: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RecordedSeat:
    """A seat of a recorded game: which entrant sat there, and its faults."""

    entrant: int
    faults: Faults


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One half of a set.

    Attributes:
        half: ``a`` or ``b``.
        deal_set: the set id of its deals.
        seats: 0..3.
        hands: in order; empty for a half that was stopped.
        ending: how it ended.
        winner: the side that won, None for a draw and for a game without result.
        end: why a completed game was over, else None.
        scores: final, by side.
    """

    half: str
    deal_set: str
    seats: tuple[RecordedSeat, ...]
    hands: tuple[HandRecord, ...]
    ending: Ending
    winner: Side | None
    end: GameEnd | None
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that took part: its name and version label."""

    name: str
    version: str


class SetOutcome(Enum):
    """Who won a set."""

    FIRST_WINS = "first-wins"
    SECOND_WINS = "second-wins"
    DRAW = "draw"
    NONE = "none"
    """An arena fault: no result."""


class Verdict(NamedTuple):
    """The result of a set.

    Attributes:
        outcome: who won.
        points: the point difference of both halves, first entrant minus second.
        hands: of both halves together.
        counts_points: false after a forfeit, which counts as a result but not in points.
    """

    outcome: SetOutcome
    points: int
    hands: int
    counts_points: bool


@dataclass(frozen=True, slots=True)
class SetRecord:
    """A mirrored set.

    Attributes:
        variant: the rules, as data.
        set_id: the job key.
        commitment: to the seed, in hex.
        entrants: two bots.
        halves: half A and half B.
        verdict: the result.
        format: the version of this format.
    """

    variant: Variant
    set_id: str
    commitment: str
    entrants: tuple[Entrant, ...]
    halves: tuple[GameRecord, ...]
    verdict: Verdict
    format: int = FORMAT

    def faults_of(self, entrant: int) -> Faults:
        """All faults of an entrant in this set."""
        total = Faults()
        for half in self.halves:
            for seat in half.seats:
                if seat.entrant == entrant:
                    total = total.plus(seat.faults)
        return total

    @classmethod
    def judged(
        cls,
        variant: Variant,
        set_id: str,
        commitment: str,
        entrants: tuple[Entrant, ...],
        halves: tuple[GameRecord, ...],
    ) -> Self:
        """A record whose verdict is worked out from its halves."""
        return cls(variant, set_id, commitment, entrants, halves, judge(halves))


def entrant_at(half: str, seat: int) -> int:
    """Which of the two entrants sits at ``seat``: in half B all move one seat clockwise."""
    return seat & 1 if half == HALVES[0] else (seat + 1) & 1


def chair_at(half: str, seat: int) -> int:
    """Which chair of its side sits at ``seat``: 0 the lower seat of half A, 1 the other."""
    return (seat if half == HALVES[0] else (seat - 1) & 3) >> 1


_LOST: Final = {
    frozenset({0}): SetOutcome.SECOND_WINS,
    frozenset({1}): SetOutcome.FIRST_WINS,
    frozenset({0, 1}): SetOutcome.DRAW,
}


def judge(halves: tuple[GameRecord, ...]) -> Verdict:
    """The result of a set (docs/design, tournaments).

    Won by games won; one each, by the sum of both point differences; equal again, a draw.  A
    forfeit loses the set; forfeits of both, as when neither came, are a draw.
    """
    if any(half.ending.kind is EndingKind.ARENA_FAULT for half in halves):
        return Verdict(SetOutcome.NONE, 0, 0, counts_points=False)
    hands = sum(hand.result is not None for half in halves for hand in half.hands)
    losers = {
        half.seats[half.ending.seat].entrant
        for half in halves
        if half.ending.kind.is_forfeit and half.ending.seat is not None
    }
    if losers:
        return Verdict(_LOST[frozenset(losers)], 0, hands, counts_points=False)
    games = sum(_sign(half, _game_sign(half)) for half in halves)
    points = sum(_sign(half, half.scores[0] - half.scores[1]) for half in halves)
    balance = games or points
    if balance == 0:
        return Verdict(SetOutcome.DRAW, points, hands, counts_points=True)
    outcome = SetOutcome.FIRST_WINS if balance > 0 else SetOutcome.SECOND_WINS
    return Verdict(outcome, points, hands, counts_points=True)


def _game_sign(half: GameRecord) -> int:
    return 0 if half.winner is None else 1 - 2 * half.winner


def _sign(half: GameRecord, side_zero: int) -> int:
    """A figure of side 0 as a figure of the first entrant."""
    return side_zero if half.seats[0].entrant == 0 else -side_zero
