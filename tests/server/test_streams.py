"""Whole games over streams, and everything that can go wrong on one."""

from __future__ import annotations

import asyncio
import logging

import grpc
import pytest

from arena.referee.policy import Policy, TimeControl
from arena.referee.seat import FaultKind
from arena.rules.record import EndingKind, Faults, GameRecord, Mover
from arena.server.admission import Lane, Place
from arena.server.sessions import Session
from arena.v1 import referee_pb2, referee_pb2_grpc
from tests.hosting.bots import until
from tests.referee.games import SHORT, course_of, plan_of, play
from tests.referee.seats import first as first_legal
from tests.server.client import Client
from tests.server.hall import PLACES, Hall, illegal, open_hall, token_of
from tests.server.held import SECOND, JumpingClock

OK = grpc.StatusCode.OK
INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT
RESOURCE_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED

BLITZ = Policy(time=TimeControl(bank_ms=5000, increment_ms=0, decision_ms=1000))
MOVE_OVER = 6 * SECOND // 5
"""Long enough for one decision to be over, too short for the next."""


def without_times(record: GameRecord) -> list[object]:
    return [(hand.dealt, hand.moves, hand.result) for hand in record.hands]


# Playing.


async def test_four_sessions_play_a_game_as_the_same_seats_would_without_a_network(
    hall: Hall,
) -> None:
    clients = await hall.four()
    [game] = hall.begin()
    hall.playing(clients)
    record = await game
    assert record.ending.kind is EndingKind.COMPLETED

    def respond(_: object, what: object) -> object:
        return first_legal(what, None)  # type: ignore[arg-type]

    alone = play(course_of(plan_of(SHORT)), respond)  # type: ignore[arg-type]
    assert without_times(record) == without_times(alone)
    await until(lambda: all(client.items[-1].HasField("match_finished") for client in clients))
    for seat, client in enumerate(clients):
        arms = [item.WhichOneof("item") for item in client.items]
        assert arms[:2] == ["match_start", "game_start"]
        assert arms[-2:] == ["game_finished", "match_finished"]
        assert set(arms[2:-2]) == {"decision"}
        assert [item.sequence for item in client.items] == list(range(1, len(arms) + 1))
        assert client.items[1].game_start.seat == seat
        assert client.items[1].game_start.bot_seed == b"chance-%d" % seat
        seats = {item.decision.seat for item in client.items if item.HasField("decision")}
        assert seats == {seat}


async def test_the_times_of_a_game_are_those_on_the_referees_clock(hall: Hall) -> None:
    clients = await hall.four()
    [game] = hall.begin()
    hall.playing(clients)
    record = await game
    for hand in record.hands:
        for move, time in zip(hand.moves, hand.times_us, strict=True):
            assert (time > 0) == (move.mover is Mover.BOT)


async def test_decisions_of_many_tables_share_a_message(hall: Hall) -> None:
    clients = await hall.four(tables=8)
    games = hall.begin(count=8)
    # Seat 1 speaks first at every table.
    items = await clients[1].message()
    assert [item.WhichOneof("item") for item in items].count("decision") == 8
    decisions = [item.decision for item in items if item.HasField("decision")]
    assert len({decision.table_id for decision in decisions}) == 8
    # Answered in another order, in two messages.
    await clients[1].first(*decisions[5:], *decisions[:2])
    await clients[1].first(*reversed(decisions[2:5]))
    hall.playing(clients)
    records = await asyncio.gather(*games)
    assert len({str(without_times(record)) for record in records}) == 1
    sessions = [hall.session(place) for place in PLACES]
    for session in sessions:
        assert session.decisions / session.messages > 2


async def test_whoever_asked_for_hands_is_shown_them_i2(hall: Hall) -> None:
    clients = await hall.four(hand_results=True)
    [game] = hall.begin()
    hall.playing(clients)
    record = await game
    await until(lambda: clients[0].items[-1].HasField("match_finished"))
    shown = [item.hand_finished for item in clients[0].items if item.HasField("hand_finished")]
    assert [[move.action for move in hand.hand.moves] for hand in shown] == [
        [move.action for move in hand.moves] for hand in record.hands
    ]


# Answers that are not taken.


async def test_illegal_answers_are_refused_and_the_third_forfeits(hall: Hall) -> None:
    clients = await hall.four()
    [game] = hall.begin()
    decision = await clients[1].decision()
    for faults in (1, 2):
        await clients[1].answer(illegal(decision))
        rejected = await clients[1].rejected()
        assert (rejected.decision_id, rejected.open) == (decision.decision_id, True)
        assert (rejected.faults, rejected.paragraph) == (faults, "N")
        assert rejected.code == referee_pb2.REJECTION_CODE_WRONG_PHASE
    await clients[1].answer(illegal(decision))
    record = await game
    assert (record.ending.kind, record.ending.seat) == (EndingKind.ILLEGAL, 1)
    finished = await clients[2].until("game_finished")
    assert finished.game_finished.winner == 0


async def test_stale_unknown_and_empty_answers_change_nothing(hall: Hall) -> None:
    clients = await hall.four()
    hall.begin()
    decision = await clients[1].decision()
    await clients[1].answer(referee_pb2.Answer(decision_id=decision.decision_id))
    empty = await clients[1].rejected()
    await clients[1].first(decision)
    await clients[2].decision()
    await clients[1].first(decision)
    stale = await clients[1].rejected()
    decision.decision_id = 999
    await clients[1].first(decision)
    unknown = await clients[1].rejected()
    assert [(r.code, r.open) for r in (empty, stale, unknown)] == [
        (referee_pb2.REJECTION_CODE_UNKNOWN_ACTION, True),
        (referee_pb2.REJECTION_CODE_STALE, False),
        (referee_pb2.REJECTION_CODE_UNKNOWN_DECISION, False),
    ]


@pytest.mark.parametrize("data", [b"", b"\x7a\x02hi"], ids=["unset", "of a later version"])
async def test_an_arm_that_is_unset_or_unknown_is_no_fault(hall: Hall, data: bytes) -> None:
    clients = await hall.four()
    [game] = hall.begin()
    decision = await clients[1].decision()
    await clients[1].call.write(referee_pb2.PlayRequest.FromString(data))
    rejected = await clients[1].rejected()
    assert (rejected.code, rejected.open) == (referee_pb2.REJECTION_CODE_UNKNOWN_ARM, False)
    assert rejected.decision_id == 0
    await clients[1].first(decision)
    hall.playing(clients)
    assert (await game).seats[1].faults == Faults()


# Breaking the contract.


async def ended_by(
    hall: Hall, request: referee_pb2.PlayRequest
) -> tuple[grpc.StatusCode, str, Session]:
    """How a stream ends that sends this after its Hello; and its session."""
    client = await hall.joined(PLACES[0])
    session = hall.session(PLACES[0])
    await client.call.write(request)
    return *await client.ends(), session


async def test_a_number_that_was_never_sent_breaks_the_contract(hall: Hall) -> None:
    request = referee_pb2.PlayRequest(acknowledged=3, answers=referee_pb2.Answers())
    code, sentence, session = await ended_by(hall, request)
    assert (code, sentence) == (INVALID_ARGUMENT, "item 3 was never sent")
    assert session.gone is FaultKind.PROTOCOL
    assert session.gone_sentence == "the bot broke the contract: item 3 was never sent"
    assert hall.arena.lobby.sessions() == []


@pytest.mark.parametrize(("count", "fine"), [(1024, True), (1025, False)])
async def test_a_message_holds_at_most_1024_answers(hall: Hall, count: int, *, fine: bool) -> None:
    answers = [referee_pb2.Answer(decision_id=5)] * count
    request = referee_pb2.PlayRequest(answers=referee_pb2.Answers(answers=answers))
    if fine:
        client = await hall.joined(PLACES[0])
        await client.call.write(request)
        assert (await client.rejected()).code == referee_pb2.REJECTION_CODE_UNKNOWN_DECISION
        return
    code, sentence, session = await ended_by(hall, request)
    assert (code, sentence) == (RESOURCE_EXHAUSTED, "a message holds at most 1024 answers")
    assert session.gone is FaultKind.PROTOCOL


async def test_a_message_over_64_kib_is_not_read(hall: Hall) -> None:
    request = referee_pb2.PlayRequest(goodbye=referee_pb2.Goodbye(text="x" * 65_536))
    code, _, session = await ended_by(hall, request)
    assert code is RESOURCE_EXHAUSTED
    assert session.gone is None


async def test_metadata_over_8_kib_is_not_read(hall: Hall) -> None:
    stub: referee_pb2_grpc.RefereeServiceAsyncStub
    async with grpc.aio.insecure_channel(hall.address) as channel:
        stub = referee_pb2_grpc.RefereeServiceStub(channel)
        # gRPC refuses some above the limit and all far above it.
        call = stub.Play(metadata=(("long", "x" * 100_000),))
        assert await call.code() is RESOURCE_EXHAUSTED
    await hall.joined(PLACES[0])


async def test_a_second_hello_breaks_the_contract_and_costs_the_game(hall: Hall) -> None:
    clients = await hall.four()
    [game] = hall.begin()
    await clients[1].decision()
    await clients[1].say_hello("again")
    assert await clients[1].ends() == (
        INVALID_ARGUMENT,
        "a stream has one Hello, its first message",
    )
    record = await game
    assert record.ending == (
        EndingKind.PROTOCOL,
        1,
        "seat 1: the bot broke the contract: a stream has one Hello, its first message",
    )
    # It cannot be resumed, but its place is free for a new session.
    again = hall.client()
    token = clients[1].welcome.session_token
    await again.say_hello(token_of(PLACES[1].version), session_token=token)
    assert (await again.ends())[0] is grpc.StatusCode.FAILED_PRECONDITION
    await hall.joined(PLACES[1])


# Leaving.


async def test_a_goodbye_ends_the_session_in_order(hall: Hall) -> None:
    client = await hall.joined(PLACES[0])
    session = hall.session(PLACES[0])
    await client.goodbye("lunch")
    assert await client.ends() == (OK, "")
    assert session.gone is FaultKind.DISCONNECT
    # Not what it said: a record must not depend on it.
    assert session.gone_sentence == "the bot said goodbye"
    assert hall.arena.lobby.sessions() == []


async def test_a_goodbye_with_a_decision_due_forfeits_the_game(hall: Hall) -> None:
    clients = await hall.four()
    [game] = hall.begin()
    await clients[1].decision()
    await clients[1].goodbye("x" * 1000)
    hall.playing([clients[0], clients[2], clients[3]])
    record = await game
    assert record.ending == (EndingKind.DISCONNECT, 1, "seat 1: the bot said goodbye")
    assert record.seats[1].faults == Faults(disconnect=3)


async def test_the_arena_says_goodbye_once_nothing_is_open(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.play.PARTING_SECONDS", 0.01)
    clients = await hall.four()
    [game] = hall.begin()
    decision = await clients[1].decision()
    for place in PLACES:
        hall.session(place).part("we close at six")
    await clients[1].first(decision)
    await asyncio.gather(*(client.play() for client in clients))
    assert (await game).ending.kind is EndingKind.COMPLETED
    for client in clients:
        assert client.items[-1].HasField("match_finished")
        assert client.last.goodbye.text == "we close at six"
        assert await client.status() == (OK, "")


async def test_an_arena_that_closes_says_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.play.PARTING_SECONDS", 0.01)
    async with open_hall() as hall:
        client = Client(hall.address)
        await client.hello(token_of(1))
    assert (await client.receive()).goodbye.text == "the arena closes"
    await client.hang_up()


async def test_a_warning_is_passed_on_and_the_games_go_on(hall: Hall) -> None:
    client = await hall.joined(PLACES[0])
    draining = referee_pb2.Draining(within_ms=5000, text="new cards are on their way")
    hall.session(PLACES[0]).warn(draining)
    assert (await client.receive()).draining == draining
    assert hall.session(PLACES[0]).connected


async def test_the_end_of_a_stream_without_goodbye_is_a_disconnect_not_a_leave(
    hall: Hall,
) -> None:
    client = await hall.joined(PLACES[0])
    session = hall.session(PLACES[0])
    await client.half_close()
    assert await client.ends() == (OK, "")
    await until(lambda: not session.connected)
    assert session.gone is None
    assert hall.arena.lobby.find(PLACES[0]) is None
    assert hall.arena.lobby.sessions() == [session]


# The clock decides.


async def test_a_silent_bot_forfeits_on_time_and_other_tables_do_not_wait() -> None:
    clock = JumpingClock()
    async with open_hall(clock=clock) as hall:
        clients = await hall.four(tables=2)
        slow, fast = hall.begin(policy=BLITZ, count=2)
        decisions: list[referee_pb2.Decision] = []
        while len(decisions) < 2:
            items = await clients[1].message()
            decisions += [item.decision for item in items if item.HasField("decision")]
        silent = decisions[0].table_id
        hall.playing([clients[0], clients[2], clients[3]])

        ignored = asyncio.Semaphore(1)  # one is held already

        async def play_one_table() -> None:
            await clients[1].first(decisions[1])
            while True:
                items = await clients[1].message()
                for decision in [item.decision for item in items if item.HasField("decision")]:
                    if decision.table_id == silent:
                        ignored.release()
                    else:
                        await clients[1].first(decision)

        hall.tasks.append(asyncio.create_task(play_one_table()))
        # The fast table needs no time at all: the clock has not been moved.
        assert (await fast).ending.kind is EndingKind.COMPLETED
        assert not slow.done()
        for _ in range(3):
            await ignored.acquire()
            await clock.advance(MOVE_OVER)
        record = await slow
        assert record.ending == (EndingKind.TIMEOUT, 1, "seat 1: the time for a decision ran out")
        assert record.seats[1].faults == Faults(timeout=3)


async def test_a_bot_whose_process_vanished_forfeits_when_its_clock_runs_out() -> None:
    clock = JumpingClock()
    async with open_hall(clock=clock) as hall:
        clients = await hall.four()
        [game] = hall.begin(policy=BLITZ)
        await clients[1].decision()
        session = hall.session(PLACES[1])
        await clients[1].hang_up()
        await until(lambda: not session.connected)
        hall.playing([clients[0], clients[2], clients[3]])
        assert not game.done()
        while not game.done():
            # Only while nobody else is asked: the others' answers take real time.
            await until(lambda: game.done() or any(session._waiting()))
            await clock.advance(MOVE_OVER)
        record = await game
        assert record.ending.kind is EndingKind.DISCONNECT
        assert "while the bot was not connected" in record.ending.sentence
        assert record.winner == 0


# Our own failures.


async def test_a_writer_that_fails_is_loud_and_its_games_end_as_arena_faults(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("arena.server.play.PARTING_SECONDS", 0.01)
    clients = await hall.four()

    def fails(_: Session) -> bytes:
        raise ValueError("a bug of ours")

    with caplog.at_level(logging.ERROR, logger="arena.server.play"):
        monkeypatch.setattr(Session, "take_batch", fails)
        [game] = hall.begin()
        record = await game
    assert record.ending.kind is EndingKind.ARENA_FAULT
    assert "a message could not be written" in record.ending.sentence
    assert "in a writer" in caplog.text
    await asyncio.gather(*(client.ends() for client in clients))


async def test_lanes_are_places_of_their_own(hall: Hall) -> None:
    await hall.joined(PLACES[0])
    assert hall.arena.lobby.find(Place(PLACES[0].version, PLACES[0].chair, Lane.B)) is None
