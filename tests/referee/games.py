"""Games, sets and records for the tests of this room and its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arena.referee.course import Course
from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault, Question, Refusal, Reply
from arena.referee.seat import Seat as Player
from arena.referee.sets import SetPlan, deals_of, play_set
from arena.referee.table import Table
from arena.rules import CLASSIC, Seat, Variant
from arena.rules.record import Entrant, GameRecord, SetRecord
from tests.referee.seats import Scripted, at_random

SEED = bytes(range(32))
SET_ID = "r1:1-2:1"
ENTRANTS = (Entrant("ann", "v1"), Entrant("bob", "v2"))
SEATS = tuple(Seat(number) for number in range(4))

Respond = Callable[[Seat, Question | Refusal], Reply | ArenaFault]

SHORT = replace(CLASSIC, name="short", max_hands=3)
"""Classic, ended by its hand limit: quick to play, quick to tamper with."""


def plan_of(variant: Variant, policy: Policy | None = None, *, mirror: bool = True) -> SetPlan:
    """A set of that variant."""
    return SetPlan(SET_ID, variant, policy or Policy(), ENTRANTS, SEED, mirror)


def course_of(plan: SetPlan, half: str = "a") -> Course:
    """The game of a half."""
    return Course(
        plan.variant,
        plan.policy,
        half=half,
        deal_set=plan.deal_set(half),
        deal=deals_of(plan, half),
    )


def play(course: Course, respond: Respond) -> GameRecord:
    """Play a game without tables, every question answered by ``respond``."""
    asking = course.play()
    try:
        seat, what = next(asking)
        while True:
            reply = respond(seat, what)
            if isinstance(reply, ArenaFault):
                seat, what = asking.throw(reply)
            else:
                seat, what = asking.send(reply)
    except StopIteration as stop:
        record: GameRecord = stop.value
        return record


def four_at_random(seed: int = 0) -> list[Scripted]:
    """Seats that play any legal action."""
    return [Scripted(at_random(seed * 4 + seat)) for seat in SEATS]


async def play_at_tables(plan: SetPlan, seats_of: Callable[[str], list[Player]]) -> SetRecord:
    """Play a set, the seats of each half given."""

    async def play_half(half: str) -> GameRecord:
        return await Table(course_of(plan, half), seats_of(half)).play()

    return await play_set(plan, play_half)


async def random_set(variant: Variant, *, seed: int = 0, mirror: bool = True) -> SetRecord:
    """The record of a set played at random."""
    plan = plan_of(variant, mirror=mirror)
    return await play_at_tables(plan, lambda half: [*four_at_random(seed + ord(half))])
