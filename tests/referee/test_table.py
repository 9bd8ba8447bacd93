"""A table: answers now or later, whoever is slow, and what happens when it is stopped."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

import pytest

from arena.referee.clock import ManualClock, Micros
from arena.referee.policy import Policy, TimeControl
from arena.referee.seat import ArenaFault, FaultKind, Question, Refusal, Reply, Take
from arena.referee.seat import Seat as Player
from arena.referee.table import Table
from arena.rules import CLASSIC, GameEnd
from arena.rules.record import EndingKind, Faults
from tests.referee.games import SHORT, course_of, four_at_random, plan_of, play
from tests.referee.seats import Clocked, Scripted, Waiting, answer, fault, first


def table_of(*seats: Player, policy: Policy | None = None) -> Table:
    return Table(course_of(plan_of(SHORT, policy)), seats)


def others(count: int = 3) -> list[Scripted]:
    return [Scripted(first) for _ in range(count)]


async def started(table: Table) -> asyncio.Task[object]:
    task: asyncio.Task[object] = asyncio.create_task(table.play())
    await asyncio.sleep(0)
    return task


async def test_a_table_plays_the_course_of_its_game() -> None:
    seats = four_at_random(7)
    record = await table_of(*seats).play()
    again = four_at_random(7)
    course = course_of(plan_of(SHORT))
    last: dict[int, Question] = {}

    def respond(seat: int, what: Question | Refusal) -> Reply | ArenaFault:
        assert isinstance(what, Question)
        last[seat] = what
        taken: list[Reply | ArenaFault] = []
        again[seat].ask(what, taken.append)
        return taken[0]

    assert play(course, respond) == record
    for seat in seats:
        assert seat.games == [record]
        assert tuple(seat.hands) == record.hands


async def test_a_long_game_of_answers_inside_ask_needs_no_deep_stack() -> None:
    limited = replace(CLASSIC, name="long", target=100_000, max_hands=200)
    depth = 0

    def script(question: Question, _: Refusal | None) -> Reply:
        nonlocal depth
        depth = max(depth, stack_depth())
        return answer(question.legal[0])

    seats = [Scripted(script) for _ in range(4)]
    before = stack_depth()
    record = await Table(course_of(plan_of(limited)), seats).play()
    assert len(record.hands) == 200
    assert record.end is GameEnd.HAND_LIMIT
    assert depth < before + 20


def stack_depth() -> int:
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


async def test_answers_may_come_later_and_from_anywhere() -> None:
    waiting = Waiting()
    table = table_of(*others(1), waiting, *others(2))
    task = await started(table)
    while not task.done():
        if waiting.take is not None:
            waiting.reply(answer(waiting.questions[-1].legal[0]))
        await asyncio.sleep(0)
    record = waiting.games[0]
    assert record.ending.kind is EndingKind.COMPLETED
    assert task.result() is record


async def test_a_refused_answer_may_be_mended_later() -> None:
    waiting = Waiting()
    task = await started(table_of(*others(1), waiting, *others(2)))
    waiting.reply(answer(None))
    assert [refusal.faults for refusal in waiting.refusals] == [1]
    assert len(waiting.questions) == 1
    waiting.reply(answer(waiting.questions[0].legal[0]))
    assert len(waiting.questions) == 2
    task.cancel()
    await asyncio.wait([task])


# Clocks.

SECOND = 1_000_000
BLITZ = Policy(time=TimeControl(bank_ms=10_000, increment_ms=500, decision_ms=4000))


async def clocked(*thinking: int, policy: Policy = BLITZ) -> tuple[Clocked, object]:
    """A game in which seat 1 thinks that long each time."""
    clock = ManualClock()
    seat = Clocked(clock, thinking)
    task = await started(table_of(*others(1), seat, *others(2), policy=policy))
    while not task.done():
        await clock.advance(Micros(SECOND // 2))
    return seat, task.result()


async def test_thinking_within_the_limits_costs_time_and_no_fault() -> None:
    seat, _ = await clocked(3 * SECOND, 4 * SECOND, 0)
    assert [question.bank for question in seat.questions[:4]] == [
        10 * SECOND,
        7_500_000,
        4 * SECOND,
        4_500_000,
    ]
    assert seat.games[0].seats[1].faults == Faults()
    assert seat.questions[1].last_latency == 3 * SECOND


async def test_a_decision_beyond_its_maximum_is_a_timeout_and_the_game_goes_on() -> None:
    seat, _ = await clocked(4 * SECOND + 1, 0)
    assert seat.games[0].seats[1].faults == Faults(timeout=1)
    assert seat.games[0].ending.kind is EndingKind.COMPLETED
    assert seat.questions[1].stood_in == (0,)


async def test_an_empty_bank_is_a_timeout_below_the_maximum_too() -> None:
    seat, _ = await clocked(4 * SECOND, 4 * SECOND, 3_500_000, 0)
    # 10 - 4 + 0.5 - 4 + 0.5 = 3 seconds for the third.
    assert seat.questions[2].bank == 3 * SECOND
    assert seat.questions[3].bank == SECOND // 2
    assert seat.games[0].seats[1].faults == Faults(timeout=1)


async def test_a_seat_that_is_always_late_forfeits_on_time() -> None:
    seat, _ = await clocked(*([5 * SECOND] * 9))
    record = seat.games[0]
    assert record.ending == (
        EndingKind.TIMEOUT,
        1,
        "seat 1: the time for a decision ran out",
    )
    assert record.winner == 0


async def test_a_process_that_ends_while_asked_forfeits_by_crash() -> None:
    waiting = Waiting()
    task = await started(table_of(*others(1), waiting, *others(2)))
    waiting.reply(fault(FaultKind.CRASH, "the bot's process exited with status 3"))
    await asyncio.wait([task])
    assert waiting.games[0].ending.kind is EndingKind.CRASH


# Stopping, and our own failures.


async def test_a_cancelled_game_tells_every_seat_that_it_was_stopped() -> None:
    waiting = Waiting()
    seats: list[Player] = [Scripted(first), waiting, Scripted(first), Scripted(first)]
    task = await started(table_of(*seats))
    waiting.reply(answer(waiting.questions[-1].legal[0]))
    late = waiting.take
    assert late is not None
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for seat in seats:
        assert isinstance(seat, (Scripted, Waiting))
        [game] = seat.games
        assert game.ending == (EndingKind.STOPPED, None, "the other half decided the set")
        assert game.winner is None
    # An answer on its way is not minded any more.
    late(answer(waiting.questions[-1].legal[0]))
    assert len(waiting.questions) == 2


class FailsWhenAsked(Scripted):
    """A seat of ours with a bug."""

    def __init__(self, error: Exception, *, again: bool = False) -> None:
        super().__init__(lambda _, __: answer(None))
        self._error = error
        self._again = again

    def ask(self, question: Question, take: Take) -> None:
        if not self._again:
            raise self._error
        super().ask(question, take)

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        raise self._error


@pytest.mark.parametrize("again", [False, True], ids=["asked", "asked again"])
@pytest.mark.parametrize(
    "error", [AssertionError("a number is odd"), ArenaFault("a number is odd")], ids=repr
)
async def test_a_failing_assertion_of_a_seat_is_an_arena_fault(
    error: Exception, *, again: bool
) -> None:
    seats = [Scripted(first), FailsWhenAsked(error, again=again), *others(2)]
    record = await table_of(*seats).play()
    assert record.ending == (
        EndingKind.ARENA_FAULT,
        None,
        "the arena failed: a number is odd",
    )
    assert all(seat.games == [record] for seat in seats)


async def test_an_arena_fault_that_comes_instead_of_an_answer_ends_the_game() -> None:
    waiting = Waiting()
    task = await started(table_of(*others(1), waiting, *others(2)))
    waiting.reply(ArenaFault("a message could not be written"))
    await asyncio.wait([task])
    assert waiting.games[0].ending.kind is EndingKind.ARENA_FAULT


async def test_any_other_error_of_ours_reaches_whoever_plays_the_table() -> None:
    seats = [Scripted(first), FailsWhenAsked(KeyError("x")), *others(2)]
    with pytest.raises(KeyError):
        await table_of(*seats).play()
    assert [seat.games[0].ending.kind for seat in seats] == [EndingKind.STOPPED] * 4


async def test_an_error_does_not_reach_whoever_answered() -> None:
    """The answer came from another bot's message: its reader must go on."""
    waiting = Waiting()
    table = table_of(Scripted(first), waiting, FailsWhenAsked(KeyError("x")), Scripted(first))
    task = await started(table)
    waiting.reply(answer(waiting.questions[-1].legal[0]))
    with pytest.raises(KeyError):
        await task


def test_a_table_has_four_seats() -> None:
    with pytest.raises(AssertionError, match="four seats"):
        table_of(*others(3))
