"""Coming back: the same game, nothing repeated and nothing missed."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from arena.referee.policy import Policy, TimeControl
from arena.rules.record import EndingKind, Faults
from arena.server.admission import Admission, Chair, Lane, token_hash
from arena.server.outbox import RESUME_BUFFER
from arena.v1 import referee_pb2
from tests.hosting.bots import until
from tests.server.client import Client
from tests.server.hall import ANN, PLACES, Hall, open_hall, token_of
from tests.server.held import SECOND, Held, JumpingClock

FAILED_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
CANNOT = "the session cannot be resumed; send a Hello without session_token"

SEAT = 1
PLACE = PLACES[SEAT]


async def back(hall: Hall, lost: Client, *, acknowledged: int | None = None) -> Client:
    """A client that resumes the session of another one, which has hung up."""
    await lost.hang_up()
    session = hall.arena.lobby.by_token(lost.welcome.session_token)
    assert session is not None
    await until(lambda: not session.connected)
    client = hall.client()
    last = lost.items[-1].sequence if lost.items else 0
    client.acknowledged = last if acknowledged is None else acknowledged
    welcome = await client.hello(token_of(PLACE.version), session_token=lost.welcome.session_token)
    assert welcome.resumed
    assert welcome.session_token == lost.welcome.session_token
    return client


async def test_a_dropped_stream_resumes_in_the_same_game(hall: Hall) -> None:
    clients = await hall.four()
    [game] = hall.begin()
    hall.playing(client for seat, client in enumerate(clients) if seat != SEAT)
    client = clients[SEAT]
    seen: list[referee_pb2.Item] = []
    for _ in range(4):
        decision = await client.decision()
        seen += client.items
        client = await back(hall, client)
        again = await client.decision()
        assert again.decision_id == decision.decision_id
        assert again.public == decision.public
        assert list(again.legal) == list(decision.legal)
        await client.first(again)
    hall.playing([client])
    record = await game
    assert record.ending.kind is EndingKind.COMPLETED
    assert record.seats[SEAT].faults == Faults()
    await until(lambda: client.items[-1].HasField("match_finished"))
    events = [item for item in (*seen, *client.items) if not item.HasField("decision")]
    kinds = {item.sequence: item.WhichOneof("item") for item in events}
    # What was acknowledged came once.
    assert list(kinds.values()) == ["match_start", "game_start", "game_finished", "match_finished"]


async def test_events_that_were_not_acknowledged_come_again_with_their_numbers(
    hall: Hall,
) -> None:
    clients = await hall.four()
    hall.begin()
    await clients[SEAT].decision()
    before = [item for item in clients[SEAT].items if not item.HasField("decision")]
    client = await back(hall, clients[SEAT], acknowledged=before[0].sequence)
    await client.decision()
    assert [item for item in client.items if not item.HasField("decision")] == before[1:]


async def test_what_is_acknowledged_before_it_comes_again_does_not_come(held: Held) -> None:
    for _ in range(3):
        held.session.send(referee_pb2.Item())
    assert [item.sequence for item in held.batch()] == [1, 2, 3]
    held.session.attach()
    assert held.session.acknowledge(2)
    held.session.send(referee_pb2.Item())
    assert [item.sequence for item in held.batch()] == [3, 4]


async def test_what_happened_meanwhile_is_told(hall: Hall) -> None:
    """The game went on to its end without the bot's seat, and another began."""
    clients = await hall.four()
    [game] = hall.begin()
    decision = await clients[SEAT].decision()
    await clients[SEAT].first(decision)
    await clients[2].decision()
    await clients[SEAT].hang_up()
    game.cancel()
    await asyncio.wait([game])
    client = await back(hall, clients[SEAT])
    items = await client.message()
    assert [item.WhichOneof("item") for item in items] == ["game_finished", "match_finished"]
    assert items[0].game_finished.table_id == decision.table_id


async def test_the_remaining_time_is_told_and_the_clock_ran_meanwhile() -> None:
    clock = JumpingClock()
    policy = Policy(time=TimeControl(bank_ms=9000, increment_ms=0, decision_ms=5000))
    async with open_hall(clock=clock) as hall:
        clients = await hall.four()
        hall.begin(policy=policy)
        decision = await clients[SEAT].decision()
        assert (decision.bank_left_ms, decision.time_left_ms) == (9000, 5000)
        await clock.advance(2 * SECOND)
        client = await back(hall, clients[SEAT])
        again = await client.decision()
        assert (again.bank_left_ms, again.time_left_ms) == (7000, 3000)


async def test_whoever_waits_for_a_bot_sees_it_come_back(hall: Hall) -> None:
    client = await hall.joined(PLACE)
    session = hall.session(PLACE)
    await client.hang_up()
    await until(lambda: not session.connected)
    waiting = asyncio.create_task(hall.arena.lobby.wait_for(PLACE, 5.0))
    await asyncio.sleep(0)  # it waits
    await back(hall, client)
    assert await waiting is session


# Taking over.


async def test_a_second_stream_with_the_session_token_takes_over(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.play.PARTING_SECONDS", 0.01)
    clients = await hall.four()
    [game] = hall.begin()
    first = clients[SEAT]
    decision = await first.decision()
    second = hall.client()
    second.acknowledged = first.items[-1].sequence
    welcome = await second.hello(token_of(PLACE.version), session_token=first.welcome.session_token)
    assert welcome.resumed
    # Sent without a wake from elsewhere: the old writer must not have used it up.
    again = await second.decision()
    assert again.decision_id == decision.decision_id
    assert await first.ends() == (grpc.StatusCode.OK, "")
    assert hall.session(PLACE).connected
    await second.first(again)
    clients[SEAT] = second
    hall.playing(clients)
    assert (await game).ending.kind is EndingKind.COMPLETED


async def test_taking_over_again_and_again_loses_no_wake(hall: Hall) -> None:
    clients = await hall.four()
    hall.begin()
    decision = await clients[SEAT].decision()
    token = clients[SEAT].welcome.session_token
    for _ in range(20):
        client = hall.client()
        await client.hello(token_of(PLACE.version), session_token=token)
        assert (await client.decision()).decision_id == decision.decision_id


# Who may not.


async def test_a_session_of_another_bot_cannot_be_resumed(hall: Hall) -> None:
    client = await hall.joined(PLACE)
    await client.hang_up()
    thief = hall.client()
    await thief.say_hello(token_of(1), session_token=client.welcome.session_token)
    assert await thief.ends() == (FAILED_PRECONDITION, CANNOT)


async def test_a_session_is_not_resumed_beside_another_one_that_plays_its_half(hall: Hall) -> None:
    both = await hall.joined(PLACE._replace(lane=None))
    await both.hang_up()
    session = hall.arena.lobby.by_token(both.welcome.session_token)
    assert session is not None
    await until(lambda: not session.connected)
    await hall.joined(PLACE)
    client = hall.client()
    await client.say_hello(token_of(PLACE.version), session_token=both.welcome.session_token)
    status, sentence = await client.ends()
    assert status is FAILED_PRECONDITION
    assert sentence == "this bot already has a live session for this chair and lane"


async def test_a_hosted_process_cannot_resume_its_partners_session(hall: Hall) -> None:
    for chair, token in ((Chair.FIRST, "one"), (Chair.SECOND, "two")):
        admission = Admission(ANN.version, "ann", "v1", chair=chair, lane=Lane.A, hosted=True)
        hall.arena.lobby.tokens.add(token_hash(token), admission)
    partner = hall.client()
    await partner.hello("one")
    thief = hall.client()
    await thief.say_hello("two", session_token=partner.welcome.session_token)
    assert await thief.ends() == (FAILED_PRECONDITION, CANNOT)


async def test_a_session_that_said_goodbye_cannot_be_resumed(hall: Hall) -> None:
    client = await hall.joined(PLACE)
    await client.goodbye()
    await client.ends()
    again = hall.client()
    await again.say_hello(token_of(PLACE.version), session_token=client.welcome.session_token)
    assert await again.ends() == (FAILED_PRECONDITION, CANNOT)


async def test_what_was_never_sent_cannot_be_acknowledged_by_a_resume(hall: Hall) -> None:
    client = await hall.joined(PLACE)
    await client.hang_up()
    again = hall.client()
    again.acknowledged = 7
    await again.say_hello(token_of(PLACE.version), session_token=client.welcome.session_token)
    assert await again.ends() == (grpc.StatusCode.INVALID_ARGUMENT, "item 7 was never sent")


@pytest.mark.parametrize(("acknowledged", "possible"), [(0, False), (200, True)])
async def test_beyond_the_buffer_there_is_a_fresh_start(
    hall: Hall, acknowledged: int, *, possible: bool
) -> None:
    # With so many tables a bot may send so many unknown answers: each is answered by an event,
    # and nobody acknowledges it.
    client = await hall.joined(PLACE, tables=100)
    count = RESUME_BUFFER // 2 + 50
    for _ in range(2):
        await client.answer(*[referee_pb2.Answer(decision_id=9)] * count)
    while len(client.items) < 2 * count:
        await client.message()
    session = hall.session(PLACE)
    await client.hang_up()
    await until(lambda: not session.connected)
    again = hall.client()
    again.acknowledged = acknowledged
    token = client.welcome.session_token
    if possible:
        assert (await again.hello(token_of(PLACE.version), session_token=token)).resumed
        return
    await again.say_hello(token_of(PLACE.version), session_token=token)
    assert await again.ends() == (FAILED_PRECONDITION, CANNOT)
    fresh = await hall.joined(PLACE)
    assert fresh.welcome.session_token != token
