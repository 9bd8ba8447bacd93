"""Records to look at and to tamper with: of a finished set, a forfeited one, a broken one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache

from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault, FaultKind
from arena.referee.sets import lost_unplayed
from arena.rules import CLASSIC, DOUBLE, TOKEN, Seat
from arena.rules.record import (
    Ending,
    EndingKind,
    SetRecord,
)
from tests.referee.games import SHORT, plan_of, play_at_tables, random_set
from tests.referee.seats import Answer, Scripted, after, at_random, failing, first

SHORT_VARIANTS = {
    "classic": SHORT,
    "token": replace(TOKEN, name="short", max_hands=4),
    "double": replace(DOUBLE, name="short", hands=2),
}


@cache
def completed(name: str = "classic") -> SetRecord:
    """A set played at random to its end."""
    return asyncio.run(random_set(SHORT_VARIANTS[name], seed=3))


@cache
def forfeited() -> SetRecord:
    """A set that seat 1 forfeits in half A, with the stand-in's moves before."""
    late: Answer = failing(FaultKind.TIMEOUT)
    scripts: list[Answer] = [at_random(0), first, at_random(2), at_random(3)]

    async def run() -> SetRecord:
        return await play_at_tables(
            plan_of(CLASSIC, Policy(max_faults=6)),
            lambda half: [
                Scripted(after(8, late) if half == "a" and seat == 1 else script)
                for seat, script in enumerate(scripts)
            ],
        )

    return asyncio.run(run())


@cache
def faulty() -> SetRecord:
    """A set in which the arena failed in half B."""

    async def run() -> SetRecord:
        return await play_at_tables(
            plan_of(SHORT),
            lambda half: [
                Scripted(first if half == "a" else after(9, lambda _, __: ArenaFault("no memory")))
                for _ in range(4)
            ],
        )

    return asyncio.run(run())


def unplayed() -> SetRecord:
    """A set whose second bot never came."""
    return lost_unplayed(plan_of(SHORT), 1, EndingKind.CRASH, "it did not start")


# Changes.


def in_half(record: SetRecord, number: int, **changes: object) -> SetRecord:
    """The record with a changed half."""
    halves = list(record.halves)
    halves[number] = replace(halves[number], **changes)  # type: ignore[arg-type]
    return replace(record, halves=tuple(halves))


def in_hand(record: SetRecord, half: int, number: int, **changes: object) -> SetRecord:
    """The record with a changed hand."""
    hands = list(record.halves[half].hands)
    hands[number] = replace(hands[number], **changes)  # type: ignore[arg-type]
    return in_half(record, half, hands=tuple(hands))


def in_move(record: SetRecord, half: int, hand: int, number: int, **changes: object) -> SetRecord:
    """The record with a changed move."""
    moves = list(record.halves[half].hands[hand].moves)
    moves[number] = moves[number]._replace(**changes)  # type: ignore[arg-type]
    return in_hand(record, half, hand, moves=tuple(moves))


def in_result(record: SetRecord, **changes: object) -> SetRecord:
    """The record with a changed result of half A's second hand."""
    result = record.halves[0].hands[1].result
    assert result is not None
    return in_hand(record, 0, 1, result=result._replace(**changes))  # type: ignore[arg-type]


def with_ending(record: SetRecord, half: int, kind: EndingKind, seat: int | None) -> SetRecord:
    """The record with another ending."""
    at_fault = None if seat is None else Seat(seat)
    return in_half(record, half, ending=Ending(kind, at_fault, "so it was"))
