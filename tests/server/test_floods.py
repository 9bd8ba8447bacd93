"""Bots that cost the server more than they may: they flood, or never read what they are sent."""

from __future__ import annotations

import contextlib

import grpc
import pytest

from arena.referee.seat import FaultKind
from arena.server.lobby import MAX_STREAMS
from arena.server.outbox import RESUME_BUFFER
from arena.server.rejections import USELESS_BURST, USELESS_PER_SECOND
from arena.server.sessions import STALL_MICROS
from arena.v1 import referee_pb2
from tests.hosting.bots import until
from tests.server.hall import ANN, PLACES, Hall, token_of
from tests.server.held import SECOND, Held

FLOOD = f"the bot sent more than {USELESS_BURST} messages that answer nothing"
UNREAD = "the bot does not read what it is sent"


def useless(held: Held, count: int) -> None:
    """Answers to nothing; what they are answered with is read."""
    for _ in range(count):
        held.answer(999_999)
        held.batch()


BURST = USELESS_BURST + 2 * 1024  # the session of these tests takes 1,024 tables


async def test_answers_to_nothing_are_borne_up_to_a_burst(held: Held) -> None:
    useless(held, BURST)
    assert not held.session.cut
    useless(held, 1)
    assert held.session.cut == FLOOD
    assert held.session.gone is FaultKind.PROTOCOL


async def test_the_burst_comes_back_with_time(held: Held) -> None:
    useless(held, BURST)
    held.clock.jump(SECOND)
    useless(held, USELESS_PER_SECOND)
    assert held.session.gone is None
    useless(held, 1)
    assert held.session.cut == FLOOD


async def test_messages_without_answers_are_useless_too(held: Held) -> None:
    for _ in range(BURST + 1):
        held.answer()
    assert held.session.cut == FLOOD


async def test_unknown_arms_are_useless_too(held: Held) -> None:
    rejected = referee_pb2.Rejected(code=referee_pb2.REJECTION_CODE_UNKNOWN_ARM)
    for _ in range(BURST + 1):
        held.session.reject(rejected)
        held.batch()
    assert held.session.cut == FLOOD
    assert held.tally.rejected == {referee_pb2.REJECTION_CODE_UNKNOWN_ARM: BURST + 1}


async def test_answers_that_are_taken_cost_nothing_of_it(held: Held) -> None:
    useless(held, BURST)
    for _ in range(10):
        _, [number] = held.asked(1)
        held.answer(number)
    assert held.session.gone is None
    assert sum(held.tally.latencies) == 10


async def test_events_that_nobody_reads_pile_up_to_a_bound(held: Held) -> None:
    most = RESUME_BUFFER + 4 * 1024
    [seat] = held.seats(1)
    held.ask(seat)
    for _ in range(most):
        held.session.send(referee_pb2.Item())
    assert held.session.gone is None
    held.session.send(referee_pb2.Item())
    assert held.session.cut == UNREAD
    reply = held.reply()
    assert (reply.fault, reply.sentence) == (FaultKind.PROTOCOL, UNREAD)
    assert held.batch() == []


async def test_events_that_come_again_after_a_resume_count_towards_the_bound(held: Held) -> None:
    for _ in range(RESUME_BUFFER):
        held.session.send(referee_pb2.Item())
    while held.batch():
        pass
    for _ in range(4 * 1024 + 1):
        held.session.send(referee_pb2.Item())
    held.session.attach()
    assert held.session.gone is None
    held.session.send(referee_pb2.Item())
    assert held.session.cut == UNREAD


async def test_what_waits_behind_a_message_that_is_not_read_is_on_the_bots_clock(
    held: Held,
) -> None:
    held.asked(1)  # written, and never out
    seats = held.seats(1)
    held.ask(*seats, limit=SECOND)
    held.answer(1)
    held.replies.clear()
    await held.advance(STALL_MICROS // 2)
    assert not seats[0].handed
    await held.advance(2 * STALL_MICROS + SECOND)
    assert held.reply().fault is FaultKind.TIMEOUT


async def test_a_message_that_is_out_holds_nothing_up(held: Held) -> None:
    held.asked(1)
    [seat] = held.seats(1)
    held.ask(seat, limit=SECOND)
    held.session.written()
    held.answer(1)
    held.replies.clear()
    await held.advance(3 * STALL_MICROS)
    assert not seat.handed
    assert held.replies == []


@pytest.mark.parametrize(("tables", "messages"), [(1, 2), (1024, 4)])
async def test_a_flood_is_cut_off_with_a_reason(hall: Hall, tables: int, messages: int) -> None:
    client = await hall.joined(PLACES[0], tables=tables)
    session = hall.session(PLACES[0])
    answers = referee_pb2.Answers(answers=[referee_pb2.Answer(decision_id=9)] * 1000)
    for _ in range(messages):
        await client.send(answers=answers)
    assert await client.ends() == (grpc.StatusCode.RESOURCE_EXHAUSTED, FLOOD)
    assert session.gone is FaultKind.PROTOCOL
    assert hall.arena.lobby.sessions() == []
    await hall.joined(PLACES[0])


async def test_a_bot_that_reads_nothing_is_cut_off_although_its_stream_is_full(hall: Hall) -> None:
    await hall.joined(PLACES[0])
    session = hall.session(PLACES[0])
    item = referee_pb2.Item(rejected=referee_pb2.Rejected(text="x" * 60_000))
    count = 0
    while session.gone is None:
        session.send(item.__deepcopy__({}))
        count += 1
        if count % 64 == 0:
            await until(lambda: session.wake.is_set() or not session.gathers)
    assert session.cut == UNREAD
    await until(lambda: hall.arena.lobby.sessions() == [])


async def test_a_bot_keeps_no_more_than_32_streams_open(hall: Hall) -> None:
    with contextlib.ExitStack() as others:
        for _ in range(MAX_STREAMS):
            others.enter_context(hall.arena.lobby.stream_of(ANN))
        late = hall.client()
        await late.say_hello(token_of(ANN.version))
        assert await late.ends() == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "this bot has 32 streams open already; read them to their end",
        )
        await hall.joined(PLACES[1])  # another bot's
    await hall.joined(PLACES[0])
