"""A mirrored set: the same deals in half A and half B, and the record of both."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from arena.referee.policy import Policy
from arena.rules.cards import SEATS, Card, Seat, Side
from arena.rules.deal import Dealer, commitment
from arena.rules.record import (
    HALVES,
    Ending,
    EndingKind,
    Entrant,
    Faults,
    GameRecord,
    RecordedSeat,
    SetRecord,
    entrant_at,
)
from arena.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class SetPlan:
    """What is to be played.

    Attributes:
        set_id: the job key.
        variant: the rules.
        policy: clocks and faults.
        entrants: the two bots.
        seed: of the tournament.
        mirror: whether both halves share their deals.
    """

    set_id: str
    variant: Variant
    policy: Policy
    entrants: tuple[Entrant, Entrant]
    seed: bytes
    mirror: bool = True

    def deal_set(self, half: str) -> str:
        """The set id of a half's deals (rules S6)."""
        return self.set_id if self.mirror else f"{self.set_id}:{half}"


PlayHalf = Callable[[str], Awaitable[GameRecord]]
"""Plays half ``a`` or ``b`` of a plan."""


async def play_set(plan: SetPlan, play_half: PlayHalf) -> SetRecord:
    """Play both halves at once and judge them.

    A forfeit in half A stops half B.  One in half B does not stop half A, which might be
    forfeited too: so the record of a set never depends on which half was faster.

    Raises:
        Exception: what ``play_half`` raised; the other half is cancelled.
    """
    try:
        async with asyncio.TaskGroup() as group:
            second = group.create_task(_awaited(play_half, "b"))
            first = await play_half("a")
            if first.ending.kind is not EndingKind.COMPLETED:
                second.cancel()
    except ExceptionGroup as failed:
        # As itself: whoever plays sets tells one kind of failure from another.
        raise failed.exceptions[0] from None
    return set_of_halves(plan, first, second.result)


async def _awaited(play_half: PlayHalf, half: str) -> GameRecord:
    return await play_half(half)


def set_of_halves(plan: SetPlan, first: GameRecord, second: Callable[[], GameRecord]) -> SetRecord:
    """The set of half A and, where that does not decide it, half B."""
    if first.ending.kind.is_forfeit or first.ending.kind is EndingKind.ARENA_FAULT:
        return _record(plan, (first, stopped(plan, "b")))
    other = second()
    if other.ending.kind.is_forfeit:
        first = replace(stopped(plan, "a"), seats=first.seats)
    return _record(plan, (first, other))


def lost_unplayed(plan: SetPlan, loser: int, kind: EndingKind, sentence: str) -> SetRecord:
    """A set that ``loser`` (0 or 1) lost before a card was dealt."""
    return _record(plan, (_lost(plan, "a", loser, kind, sentence), stopped(plan, "b")))


def lost_by_both(
    plan: SetPlan, first: tuple[EndingKind, str], second: tuple[EndingKind, str]
) -> SetRecord:
    """A set for which neither came: kind and sentence of each. The first forfeits half A, the
    second half B, so it is a draw.
    """
    return _record(plan, (_lost(plan, "a", 0, *first), _lost(plan, "b", 1, *second)))


def _lost(plan: SetPlan, half: str, loser: int, kind: EndingKind, sentence: str) -> GameRecord:
    empty = stopped(plan, half)
    seat = next(Seat(number) for number in range(SEATS) if entrant_at(half, number) == loser)
    faulty = RecordedSeat(loser, Faults(**{kind.value: 1}))
    return replace(
        empty,
        seats=(*empty.seats[:seat], faulty, *empty.seats[seat + 1 :]),
        ending=Ending(kind, seat, sentence),
        winner=Side(1 - (seat & 1)),
    )


def stopped(plan: SetPlan, half: str) -> GameRecord:
    """A half without hands, because the set was decided in the other."""
    assert half in HALVES
    return GameRecord(
        half=half,
        deal_set=plan.deal_set(half),
        seats=tuple(RecordedSeat(entrant_at(half, seat), Faults()) for seat in range(SEATS)),
        hands=(),
        ending=Ending(EndingKind.STOPPED, None, "the other half decided the set"),
        winner=None,
        end=None,
        scores=(0, 0),
    )


def _record(plan: SetPlan, halves: tuple[GameRecord, GameRecord]) -> SetRecord:
    return SetRecord.judged(plan.variant, plan.set_id, commitment(plan.seed), plan.entrants, halves)


def deals_of(plan: SetPlan, half: str) -> Callable[[int], Sequence[Sequence[Card]]]:
    """The deals of a half: from a board to the hands of seats 0..3."""
    dealer = Dealer(plan.seed)
    deal_set = plan.deal_set(half)
    return lambda board: dealer.deal(plan.variant, deal_set, board)
