"""What a decision costs, and when its time is over (docs/design, time and faults)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from arena.referee.seat import FaultKind, Reply
from arena.server.pulse import PERIOD, Pulse
from arena.wire.views import PublicEncoder
from tests.server.held import ILLEGAL, MILLI, SECOND, Held, JumpingClock, holding, question

BEAT = PERIOD
TWO_BEATS = 2 * PERIOD


def costs(held: Held) -> list[tuple[int, int]]:
    """What came back: charged and latency, in microseconds."""
    replies = [reply for _, reply in held.replies]
    held.replies.clear()
    return [(reply.charged, reply.latency) for reply in replies if isinstance(reply, Reply)]


def faults(held: Held) -> list[FaultKind | None]:
    return [reply.fault for _, reply in held.replies if isinstance(reply, Reply)]


# Charging.


async def test_a_session_that_holds_one_decision_pays_the_time_it_takes(held: Held) -> None:
    _, [number] = held.asked(1)
    await held.advance(700 * MILLI)
    held.answer(number)
    assert costs(held) == [(700 * MILLI, 700 * MILLI)]


async def test_a_session_that_holds_n_decisions_pays_one_nth_for_each(held: Held) -> None:
    _, ids = held.asked(4)
    await held.advance(400 * MILLI)
    held.answer(*ids)
    assert costs(held) == [(100 * MILLI, 400 * MILLI)] * 4


async def test_the_share_follows_how_many_it_holds(held: Held) -> None:
    _, ids = held.asked(4)
    await held.advance(400 * MILLI)
    held.answer(*ids[:2])
    await held.advance(100 * MILLI)
    held.answer(ids[2])
    await held.advance(30 * MILLI)
    held.answer(ids[3])
    # 400/4, then 100/2, then 30.
    assert [charged // MILLI for charged, _ in costs(held)] == [100, 100, 150, 180]


async def test_what_is_sent_later_pays_from_then_on(held: Held) -> None:
    first, second = held.seats(2)
    held.ask(first)
    [one] = held.decisions()
    await held.advance(100 * MILLI)
    held.ask(second)
    [two] = held.decisions()
    await held.advance(100 * MILLI)
    held.answer(one.decision_id, two.decision_id)
    assert costs(held) == [(150 * MILLI, 200 * MILLI), (50 * MILLI, 100 * MILLI)]


async def test_a_refused_answer_costs_nothing_by_itself_and_the_clock_runs_on(held: Held) -> None:
    _, [number] = held.asked(1)
    await held.advance(100 * MILLI)
    held.answer(number, action=ILLEGAL)
    await held.advance(100 * MILLI)
    held.answer(number)
    # The course charges the last reply only.
    assert costs(held)[-1] == (200 * MILLI, 200 * MILLI)


# What the referee itself was late by.


async def test_time_in_which_the_event_loop_hung_is_not_charged(held: Held) -> None:
    _, [number] = held.asked(1)
    held.clock.jump(5 * SECOND)  # the answer lay ready, nobody read it
    held.answer(number)
    # Up to the beat that was due it may well have been the bot.
    assert costs(held) == [(BEAT, BEAT)]


async def test_a_hang_before_the_question_is_no_credit_for_it(held: Held) -> None:
    await held.advance(3 * BEAT)
    held.clock.jump(5 * SECOND)
    await held.advance(0)  # the beat, late
    _, [number] = held.asked(1)
    await held.advance(300 * MILLI)
    held.answer(number)
    assert costs(held) == [(300 * MILLI, 300 * MILLI)]


async def test_credit_never_makes_time(held: Held) -> None:
    _, ids = held.asked(4)
    held.clock.jump(SECOND)
    held.answer(*ids)
    assert all(charged == 0 for charged, _ in costs(held))


async def test_the_lag_counts_up_also_while_a_beat_is_overdue() -> None:
    clock = JumpingClock()
    pulse = Pulse(clock)
    start = clock.now()
    assert pulse.lag(start) == 0
    assert pulse.lag(start + PERIOD) == 0
    assert pulse.lag(start + PERIOD + 7) == 7
    beat = asyncio.create_task(pulse.run())
    await clock.advance(PERIOD)
    clock.jump(PERIOD + 30)
    assert pulse.lag(clock.now()) == 30
    await clock.advance(0)
    assert pulse.lag(clock.now()) == 30
    await clock.advance(10 * PERIOD)
    assert pulse.lag(clock.now()) == 30
    beat.cancel()
    await asyncio.wait([beat])


async def test_every_beat_calls_every_sweep() -> None:
    clock = JumpingClock()
    pulse = Pulse(clock)
    swept: list[str] = []
    sweeps: list[Callable[[], None]] = [lambda: swept.append("a"), lambda: swept.append("b")]
    for sweep in sweeps:
        pulse.each_beat(sweep)
    beat = asyncio.create_task(pulse.run())
    await clock.advance(2 * PERIOD)
    assert swept == ["a", "b", "a", "b"]
    beat.cancel()
    await asyncio.wait([beat])


# Time over.


async def test_past_the_maximum_the_decision_ends_while_the_bot_is_silent(held: Held) -> None:
    _, [number] = held.asked(1, limit=1 * SECOND)
    await held.advance(SECOND + BEAT)
    assert held.replies == []
    await held.advance(TWO_BEATS)
    reply = held.reply()
    assert (reply.action, reply.fault) == (None, FaultKind.TIMEOUT)
    assert reply.sentence == "the time for a decision ran out"
    assert SECOND < reply.charged <= SECOND + 3 * BEAT
    held.answer(number)
    [rejected] = held.rejected()
    assert (rejected.decision_id, rejected.open) == (number, False)


async def test_an_empty_bank_ends_a_decision_before_its_maximum(held: Held) -> None:
    held.asked(1, bank=300 * MILLI)
    await held.advance(300 * MILLI)
    assert held.replies == []
    await held.advance(3 * BEAT)
    reply = held.reply()
    assert (reply.fault, reply.sentence) == (FaultKind.TIMEOUT, "its bank ran out")


async def test_many_tables_are_no_fault_in_themselves(held: Held) -> None:
    """Each pays its share only, and the maximum runs from the last accepted answer."""
    _, ids = held.asked(8, bank=3 * SECOND, limit=SECOND)
    for number in ids:
        await held.advance(900 * MILLI)
        held.answer(number)
    assert faults(held) == [None] * 8


async def test_the_maximum_runs_from_the_later_of_hand_over_and_last_accepted_answer(
    held: Held,
) -> None:
    _, ids = held.asked(3, limit=SECOND)
    await held.advance(900 * MILLI)
    held.answer(ids[0])
    await held.advance(900 * MILLI)
    assert faults(held) == [None]
    await held.advance(4 * BEAT)
    assert faults(held) == [None, FaultKind.TIMEOUT, FaultKind.TIMEOUT]


async def test_a_refused_answer_does_not_buy_time(held: Held) -> None:
    _, ids = held.asked(2, limit=SECOND)
    await held.advance(900 * MILLI)
    held.answer(ids[0], action=ILLEGAL)
    held.replies.clear()
    await held.advance(4 * BEAT)
    assert faults(held) == [FaultKind.TIMEOUT] * 2


async def test_neither_do_stale_and_unknown_answers(held: Held) -> None:
    _, ids = held.asked(2, limit=SECOND)
    held.answer(ids[0])
    held.replies.clear()
    await held.advance(900 * MILLI)
    held.answer(ids[0], 999)
    await held.advance(4 * BEAT)
    assert faults(held) == [FaultKind.TIMEOUT]


async def test_an_answer_that_is_read_after_one_overdue_beat_still_counts(held: Held) -> None:
    seats, [number] = held.asked(1, limit=SECOND)
    await held.advance(SECOND + BEAT)
    assert seats[0].overdue
    held.answer(number)
    assert faults(held) == [None]


async def test_found_overdue_twice_means_in_a_row(held: Held) -> None:
    seats, ids = held.asked(3, limit=SECOND)
    found = []
    for wait in (SECOND + BEAT, BEAT, SECOND - BEAT, BEAT):
        await held.advance(wait)
        found.append(seats[2].overdue)
        if len(found) == 1:
            held.answer(ids[0])  # moves the maximum of the others
    assert found == [True, False, False, True]
    assert faults(held) == [None]


async def test_the_next_question_at_a_table_has_a_clock_of_its_own(held: Held) -> None:
    seats, [number] = held.asked(1, limit=SECOND)
    await held.advance(SECOND + BEAT)
    assert seats[0].overdue
    held.answer(number)
    held.replies.clear()
    held.ask(*seats, limit=SECOND)
    [decision] = held.decisions()
    assert decision.time_left_ms == 1000
    await held.advance(SECOND + BEAT)
    # Overdue for one beat, whatever was before.
    assert held.replies == []
    held.answer(decision.decision_id)
    assert costs(held) == [(SECOND + BEAT, SECOND + BEAT)]


async def test_a_hang_of_the_event_loop_ends_no_decision(held: Held) -> None:
    held.asked(1, limit=SECOND)
    held.clock.jump(20 * SECOND)
    await held.advance(4 * BEAT)
    assert held.replies == []


async def test_a_timeout_lets_what_waits_go_out(held: Held) -> None:
    seats = held.seats(2)
    held.ask(seats[0], limit=SECOND)
    held.decisions()
    held.session.wake.clear()
    await held.advance(SECOND)
    held.ask(seats[1])
    timer = held.session._hold
    assert timer is not None
    timer.cancel()
    await held.advance(3 * BEAT)
    assert faults(held) == [FaultKind.TIMEOUT]
    assert held.awake()


# Without a stream.


async def test_with_a_decision_due_absence_is_on_the_bots_clock() -> None:
    async with holding(streaming=False) as held:
        held.ask(*held.seats(1), limit=SECOND)
        await held.advance(SECOND)
        assert held.replies == []
        await held.advance(3 * BEAT)
        reply = held.reply()
    assert reply.fault is FaultKind.DISCONNECT
    assert reply.sentence == "the time for a decision ran out while the bot was not connected"


async def test_a_table_that_asks_on_while_the_bot_is_away_has_one_question_open(
    held: Held,
) -> None:
    held.session.detach(held.stream)
    seats = [held.session.open_seat(held.terms, 1, b"chance", PublicEncoder()) for _ in range(2)]
    told: list[int] = []

    def ask(number: int) -> None:
        # The stand-in moves, and it is the same seat's turn.
        def take(_: object) -> None:
            told.append(number)
            if held.session.gone is None:
                ask(number)

        seats[number].ask(question(limit=SECOND), take)

    ask(0)
    ask(1)
    await held.advance(SECOND + 3 * BEAT)
    assert sorted(told) == [0, 1]
    held.session.leave(FaultKind.CRASH, "it ended")
    assert sorted(told) == [0, 0, 1, 1]


async def test_what_waited_to_be_sent_when_the_stream_broke_is_on_the_clock_from_then(
    held: Held,
) -> None:
    seats = held.seats(2)
    held.ask(seats[0], limit=SECOND)
    held.decisions()
    await held.advance(500 * MILLI)
    held.ask(seats[1], limit=SECOND)
    await held.advance(100 * MILLI)
    held.session.detach(held.stream)
    await held.advance(500 * MILLI)
    assert [table for table, _ in held.replies] == [seats[0].table_id]
    await held.advance(500 * MILLI + 3 * BEAT)
    assert faults(held) == [FaultKind.DISCONNECT] * 2


async def test_after_a_resume_the_remaining_time_is_told_and_runs_on(held: Held) -> None:
    held.asked(1, limit=SECOND, bank=5 * SECOND)
    await held.advance(300 * MILLI)
    held.session.detach(held.stream)
    await held.advance(200 * MILLI)
    held.session.attach()
    [again] = held.decisions()
    assert (again.time_left_ms, again.bank_left_ms) == (500, 4500)
    await held.advance(300 * MILLI)
    held.answer(again.decision_id)
    assert costs(held) == [(800 * MILLI, 800 * MILLI)]


async def test_the_clocks_and_the_last_latency_are_told_with_the_question(held: Held) -> None:
    [seat] = held.seats(1)
    held.ask(seat, bank=7_654_321, limit=10 * SECOND, last_latency=123_456)
    [decision] = held.decisions()
    assert decision.bank_left_ms == 7654
    assert decision.time_left_ms == 7654
    assert decision.last_latency_us == 123_456


@pytest.mark.parametrize("streaming", [True, False])
async def test_a_session_without_questions_is_swept_for_nothing(*, streaming: bool) -> None:
    async with holding(streaming=streaming) as held:
        held.seats(2)
        await held.advance(100 * SECOND)
        assert held.replies == []
