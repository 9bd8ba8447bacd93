"""When a session's items go out, and in what company (docs/design, pacing)."""

from __future__ import annotations

import asyncio

import pytest

from arena.referee.course import STOPPED as STOP
from arena.referee.seat import Reply
from arena.server.remote import RemoteSeat
from arena.server.sessions import MAX_BATCH
from arena.v1 import record_pb2, referee_pb2
from arena.wire.views import PublicEncoder
from tests.referee.games import SHORT, course_of, plan_of
from tests.rules.recorded import completed
from tests.server.held import ILLEGAL, MILLI, Held, holding

GAME = completed().halves[0]
STOPPED = course_of(plan_of(SHORT)).record(STOP)


def arms(items: list[referee_pb2.Item]) -> list[str | None]:
    return [item.WhichOneof("item") for item in items]


async def test_a_session_that_holds_nothing_is_asked_at_once(held: Held) -> None:
    [seat] = held.seats(1)
    assert not held.awake()
    held.ask(seat)
    assert held.awake()


async def test_while_it_holds_something_what_is_new_waits(held: Held) -> None:
    seats = held.seats(3)
    held.ask(seats[0])
    assert len(held.decisions()) == 1
    held.session.wake.clear()
    held.ask(seats[1], seats[2])
    assert not held.awake()


async def test_everything_answered_what_waits_goes_out_in_one_message(held: Held) -> None:
    seats = held.seats(4)
    held.ask(seats[0], seats[1])
    ids = [decision.decision_id for decision in held.decisions()]
    held.session.wake.clear()
    held.ask(seats[2], seats[3])
    held.answer(ids[0])
    assert not held.awake()
    held.answer(ids[1])
    assert held.awake()
    assert len(held.decisions()) == 2


async def test_what_waits_a_millisecond_goes_out_although_something_is_held(held: Held) -> None:
    seats = held.seats(3)
    held.ask(seats[0])
    held.decisions()
    held.session.wake.clear()
    held.ask(seats[1], seats[2])
    async with asyncio.timeout(5):
        await held.session.wake.wait()
    assert len(held.decisions()) == 2


async def test_sixty_four_that_are_ready_do_not_wait(held: Held) -> None:
    first, *others = held.seats(1 + MAX_BATCH)
    held.ask(first)
    held.decisions()
    held.session.wake.clear()
    held.ask(*others[:-1])
    assert not held.awake()
    held.ask(others[-1])
    assert held.awake()
    assert len(held.decisions()) == MAX_BATCH


async def test_a_message_holds_sixty_four_items_and_the_rest_follows(held: Held) -> None:
    seats = held.seats(2 * MAX_BATCH + 5)
    held.ask(*seats)
    held.session.wake.clear()
    assert len(held.batch()) == MAX_BATCH
    assert held.awake()  # as many again are ready
    held.session.wake.clear()
    assert len(held.batch()) == MAX_BATCH
    assert not held.awake()  # five are not; they have their millisecond
    async with asyncio.timeout(5):
        await held.session.wake.wait()
    assert len(held.batch()) == 5
    assert held.batch() == []


async def test_waiting_to_be_sent_is_not_on_the_bots_clock(held: Held) -> None:
    seats = held.seats(2)
    held.ask(seats[0])
    [first] = held.decisions()
    held.ask(seats[1])
    await held.advance(500 * MILLI)
    [second] = held.decisions()
    assert second.time_left_ms == 10_000
    held.answer(first.decision_id)
    await held.advance(20 * MILLI)
    held.answer(second.decision_id)
    latencies = [reply.latency for _, reply in held.replies if isinstance(reply, Reply)]
    assert latencies == [500 * MILLI, 20 * MILLI]


async def test_without_a_stream_nothing_is_written_and_no_timer_runs() -> None:
    async with holding(streaming=False) as held:
        seats = held.seats(1)
        held.ask(*seats)
        assert not held.awake()
        assert held.session._hold is None


async def test_a_message_or_the_end_of_the_stream_stops_the_timer(held: Held) -> None:
    seats = held.seats(3)
    held.ask(seats[0])
    held.decisions()
    for seat, end in ((seats[1], held.batch), (seats[2], lambda: held.session.detach(held.stream))):
        held.ask(seat)
        timer = held.session._hold
        assert timer is not None
        end()
        assert timer.cancelled()
        assert held.session._hold is None


async def test_a_timer_that_finds_nothing_wakes_nobody(held: Held) -> None:
    held.session._release()
    assert not held.awake()


async def test_a_refused_answer_is_told_at_once(held: Held) -> None:
    _, ids = held.asked(2)
    held.answer(ids[0], action=ILLEGAL)
    assert held.awake()
    [rejected] = held.rejected()
    assert (rejected.decision_id, rejected.open) == (ids[0], True)


async def test_questions_of_a_table_that_was_stopped_are_not_sent(held: Held) -> None:
    seats = held.seats(2)
    held.ask(*seats)
    seats[0].game_finished(STOPPED)
    items = held.batch()
    assert arms(items) == ["game_finished", "decision"]
    assert items[1].decision.table_id == seats[1].table_id


async def test_sequence_numbers_rise_by_one_and_ids_name_one_thing_each(held: Held) -> None:
    seats = [held.session.open_seat(held.terms, 1, b"x", s.public) for s in held.seats(2)]
    held.ask(*seats)
    items = held.batch()
    numbers = [item.sequence for item in items]
    assert numbers == list(range(numbers[0], numbers[0] + 4))
    decisions = [item.decision for item in items if item.HasField("decision")]
    assert len({decision.decision_id for decision in decisions}) == 2
    assert [decision.table_id for decision in decisions] == [seat.table_id for seat in seats]


async def test_a_match_is_announced_with_its_first_game_and_ends_with_its_last(held: Held) -> None:
    def begin(seat: int, bot_seed: bytes) -> RemoteSeat:
        return held.session.open_seat(held.terms, seat, bot_seed, PublicEncoder())

    first, second = begin(1, b"chance-1"), begin(3, b"chance-2")
    items = held.batch()
    assert arms(items) == ["match_start", "game_start", "game_start"]
    match_id = items[0].match_start.match_id
    start = items[2].game_start
    assert (start.match_id, start.table_id, start.seat, start.bot_seed) == (
        match_id,
        second.table_id,
        3,
        b"chance-2",
    )
    first.game_finished(STOPPED)
    assert arms(held.batch()) == ["game_finished"]
    second.game_finished(STOPPED)
    last = held.batch()
    assert arms(last) == ["game_finished", "match_finished"]
    assert last[1].match_finished.match_id == match_id
    begin(1, b"chance-3")
    assert held.batch()[0].match_start.match_id != match_id


async def test_a_bot_is_told_how_its_game_ended(held: Held) -> None:
    [seat] = held.seats(1)
    record = GAME
    seat.game_finished(record)
    finished = held.batch()[0].game_finished
    assert finished.table_id == seat.table_id
    assert list(finished.scores) == list(record.scores)
    assert finished.winner == record.winner
    assert finished.ending.kind == record_pb2.ENDING_KIND_COMPLETED


@pytest.mark.parametrize("wanted", [True, False], ids=["wanted", "not wanted"])
async def test_finished_hands_are_sent_to_those_who_asked_for_them(*, wanted: bool) -> None:
    hand = GAME.hands[0]
    async with holding(hand_results=wanted) as held:
        held.seats(1)[0].hand_finished(hand)
        items = held.batch()
    assert len(items) == wanted
    for item in items:
        shown = item.hand_finished.hand
        assert [move.action for move in shown.moves] == [move.action for move in hand.moves]
