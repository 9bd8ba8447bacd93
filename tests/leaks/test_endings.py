"""What a seat is told of how its game ended: another seat's reasons may speak of its cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.referee.course import STOPPED
from arena.referee.policy import Policy
from arena.rules import CLASSIC, Seat
from arena.rules.record import Ending, EndingKind
from arena.v1 import referee_pb2
from tests.leaks.script import Script, course_from
from tests.leaks.stage import Act, Deed, Stage
from tests.referee.games import SHORT, course_of, plan_of

ILLEGAL = Ending(EndingKind.ILLEGAL, Seat(2), "seat 2: illegal answer: seat 2 does not hold JS")
FAILED = Ending(EndingKind.ARENA_FAULT, None, "the arena failed: a gift before the call")
COMPLETED = Ending(EndingKind.COMPLETED, None, "played to the end")


def finished(ending: Ending) -> list[str]:
    """What seats 0..3 are told of a game with that ending."""
    policy = Policy()
    course = course_from(Script(CLASSIC, policy, (False,) * 4, patient=True), None, [])
    stage = Stage(CLASSIC, policy, course, (False,) * 4, patient=True)
    record = replace(course_of(plan_of(SHORT)).record(STOPPED), ending=ending)
    for seat in stage.seats:
        seat.game_finished(record)
    stage.collect()
    told = []
    for messages in stage.messages:
        items = [
            item
            for message in messages
            for item in referee_pb2.PlayResponse.FromString(message).items.items
        ]
        told += [i.game_finished.ending.sentence for i in items if i.HasField("game_finished")]
    return told


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        pytest.param(
            ILLEGAL,
            [*["seat 2 forfeited the game"] * 2, ILLEGAL.sentence, "seat 2 forfeited the game"],
            id="the seat that forfeited is told why, the others that it did",
        ),
        pytest.param(FAILED, ["the arena failed"] * 4, id="nobody is told how the arena failed"),
        pytest.param(COMPLETED, [COMPLETED.sentence] * 4, id="what all saw is told to all"),
    ],
)
async def test_a_seat_is_told_of_an_ending_what_it_may_know(
    ending: Ending, told: list[str]
) -> None:
    assert finished(ending) == told


async def test_the_record_says_in_full_why_a_seat_forfeited() -> None:
    plan = plan_of(SHORT, Policy(max_faults=1))
    stage = Stage(SHORT, plan.policy, course_of(plan), (False,) * 4, patient=True)
    await stage.open()
    await stage.do(Act(Deed.WRONG))
    assert stage.record is not None
    assert stage.record.ending.sentence == (
        "seat 1: illegal answer: the answer names no action of this variant"
    )
