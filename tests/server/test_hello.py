"""How a session begins, and who does not get one."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

import arena
from arena.server.admission import Admission, Chair, Lane, Place, Tokens, token_hash
from arena.v1 import referee_pb2
from tests.server.client import Client
from tests.server.hall import ANN, Hall, token_of

OK = grpc.StatusCode.OK
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
FAILED_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT

FIRST, SECOND = referee_pb2.CHAIR_FIRST, referee_pb2.CHAIR_SECOND
LANE_A, LANE_B = referee_pb2.LANE_A, referee_pb2.LANE_B

ANN_TOKEN = token_of(1)
TAKEN = "this bot already has a live session for this chair and lane"


async def test_a_hello_is_answered_by_a_welcome_that_says_what_the_session_plays(
    hall: Hall,
) -> None:
    welcome = await hall.client().hello(ANN_TOKEN, chair=SECOND, lane=LANE_B, tables=7)
    assert len(welcome.session_token) >= 32
    welcome.session_token = ""
    assert welcome == referee_pb2.Welcome(
        protocol_version=1,
        chair=SECOND,
        lane=LANE_B,
        tables=7,
        max_request_bytes=65536,
        server_version=arena.__version__,
    )
    session = hall.session(Place(ANN.version, Chair.SECOND, Lane.B))
    assert session.admission == ANN


async def test_a_session_takes_one_table_where_hello_says_nothing(hall: Hall) -> None:
    assert (await hall.client().hello(ANN_TOKEN)).tables == 1


async def test_the_most_tables_are_1024(hall: Hall) -> None:
    assert (await hall.client().hello(ANN_TOKEN, tables=1024)).tables == 1024


async def test_headers_come_before_the_first_message_is_read(hall: Hall) -> None:
    client = hall.client()
    async with asyncio.timeout(10):
        await client.call.initial_metadata()


async def test_without_a_lane_a_session_plays_both(hall: Hall) -> None:
    assert (await hall.client().hello(ANN_TOKEN)).lane == referee_pb2.LANE_UNSPECIFIED
    for lane in Lane:
        assert hall.arena.lobby.find(Place(ANN.version, Chair.FIRST, lane)) is not None
    assert hall.arena.lobby.find(Place(ANN.version, Chair.SECOND, Lane.A)) is None


REFUSED: dict[str, tuple[dict[str, object], grpc.StatusCode, str]] = {
    "an unknown token": ({"token": "guess"}, UNAUTHENTICATED, "the token is not known"),
    "no token": ({"token": ""}, UNAUTHENTICATED, "the token is not known"),
    "a later protocol": (
        {"protocol_version": 2},
        FAILED_PRECONDITION,
        "the bot speaks protocol version 2, this server speaks 1",
    ),
    "no protocol": (
        {"protocol_version": 0},
        FAILED_PRECONDITION,
        "the bot speaks protocol version 0, this server speaks 1",
    ),
    "too many tables": (
        {"tables": 1025},
        INVALID_ARGUMENT,
        "tables is 1025 and may be at most 1024",
    ),
    "no chair": (
        {"chair": 0},
        FAILED_PRECONDITION,
        "the token fixes no chair, so Hello must say FIRST or SECOND",
    ),
    "a third chair": (
        {"chair": 3},
        FAILED_PRECONDITION,
        "the token fixes no chair, so Hello must say FIRST or SECOND",
    ),
    "a third lane": ({"lane": 3}, INVALID_ARGUMENT, "3 is no lane: A, B or unspecified"),
    "a session that is not known": (
        {"session_token": "guess"},
        FAILED_PRECONDITION,
        "the session cannot be resumed; send a Hello without session_token",
    ),
}


@pytest.mark.parametrize(("fields", "code", "sentence"), REFUSED.values(), ids=REFUSED)
async def test_a_hello_is_refused(
    hall: Hall, fields: dict[str, object], code: grpc.StatusCode, sentence: str
) -> None:
    client = hall.client()
    await client.say_hello(**({"token": ANN_TOKEN} | fields))  # type: ignore[arg-type]
    assert await client.ends() == (code, sentence)
    assert hall.arena.lobby.sessions() == []


async def test_a_first_message_that_is_no_hello_is_refused(hall: Hall) -> None:
    for arm in ({"answers": referee_pb2.Answers()}, {}):
        client = hall.client()
        await client.send(**arm)
        assert await client.ends() == (
            INVALID_ARGUMENT,
            "the first message of a stream must be a Hello",
        )


async def test_a_stream_that_ends_before_its_hello_is_refused(hall: Hall) -> None:
    client = hall.client()
    await client.half_close()
    code, _ = await client.ends()
    assert code is INVALID_ARGUMENT


async def test_who_says_nothing_is_not_waited_for_long(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.play.HELLO_SECONDS", 0.01)
    assert await hall.client().ends() == (INVALID_ARGUMENT, "no Hello came in time")


async def test_a_hello_cannot_acknowledge_what_was_never_sent(hall: Hall) -> None:
    client = hall.client()
    client.acknowledged = 5
    await client.say_hello(ANN_TOKEN)
    assert await client.ends() == (INVALID_ARGUMENT, "item 5 was never sent")
    assert hall.arena.lobby.sessions() == []


# Chairs and lanes.

TAKEN_BY: dict[str, tuple[int, int, bool]] = {
    "the same chair and lane": (FIRST, LANE_A, True),
    "the same chair for both lanes": (FIRST, 0, True),
    "the other lane": (FIRST, LANE_B, False),
    "the other chair": (SECOND, LANE_A, False),
}


@pytest.mark.parametrize(("chair", "lane", "taken"), TAKEN_BY.values(), ids=TAKEN_BY)
async def test_a_second_live_session_for_a_chair_and_lane_is_refused(
    hall: Hall, chair: int, lane: int, *, taken: bool
) -> None:
    await hall.client().hello(ANN_TOKEN, chair=FIRST, lane=LANE_A)
    second = hall.client()
    if not taken:
        await second.hello(ANN_TOKEN, chair=chair, lane=lane)
        return
    await second.say_hello(ANN_TOKEN, chair=chair, lane=lane)
    assert await second.ends() == (FAILED_PRECONDITION, TAKEN)


async def test_a_session_for_both_lanes_takes_each(hall: Hall) -> None:
    await hall.client().hello(ANN_TOKEN)
    second = hall.client()
    await second.say_hello(ANN_TOKEN, lane=LANE_B)
    assert await second.ends() == (FAILED_PRECONDITION, TAKEN)


async def test_another_bot_may_have_the_same_chair_and_lane(hall: Hall) -> None:
    await hall.client().hello(ANN_TOKEN, lane=LANE_A)
    await hall.client().hello(token_of(2), lane=LANE_A)


async def test_one_whose_stream_is_gone_makes_way(hall: Hall) -> None:
    first = hall.client()
    await first.hello(ANN_TOKEN)
    await gone(hall, first)
    again = await hall.client().hello(ANN_TOKEN)
    assert again.session_token != first.welcome.session_token
    assert len(hall.arena.lobby.sessions()) == 1


async def gone(hall: Hall, client: Client) -> None:
    """Hang up and wait until the server knows."""
    session = hall.arena.lobby.by_token(client.welcome.session_token)
    assert session is not None
    await client.hang_up()
    async with asyncio.timeout(10):
        while session.connected:
            await session.wake.wait()
            await asyncio.sleep(0)


# Tokens that fix more.


def hosted(chair: Chair, lane: Lane) -> Admission:
    return Admission(ANN.version, "ann", "v1", chair=chair, lane=lane, hosted=True)


async def test_a_token_may_fix_chair_and_lane_whatever_hello_says(hall: Hall) -> None:
    hall.arena.lobby.tokens.add(token_hash("fixed"), hosted(Chair.SECOND, Lane.B))
    welcome = await hall.client().hello("fixed", chair=FIRST, lane=LANE_A)
    assert (welcome.chair, welcome.lane) == (SECOND, LANE_B)


async def test_the_token_of_a_hosted_process_serves_one_session(hall: Hall) -> None:
    hall.arena.lobby.tokens.add(token_hash("once"), hosted(Chair.FIRST, Lane.A))
    first = hall.client()
    await first.hello("once", chair=0)
    await gone(hall, first)
    second = hall.client()
    await second.say_hello("once")
    used = "the token has been used; it serves one session"
    assert await second.ends() == (UNAUTHENTICATED, used)
    # Its own session it may resume.
    third = hall.client()
    welcome = await third.hello("once", session_token=first.welcome.session_token)
    assert welcome.resumed


async def test_a_removed_token_is_not_known_and_may_be_given_anew(hall: Hall) -> None:
    tokens = hall.arena.lobby.tokens
    tokens.add(token_hash("once"), hosted(Chair.FIRST, Lane.A))
    await hall.client().hello("once")
    tokens.remove(token_hash("once"))
    tokens.remove(token_hash("once"))
    client = hall.client()
    await client.say_hello("once")
    assert (await client.ends())[0] is UNAUTHENTICATED
    tokens.add(token_hash("once"), hosted(Chair.FIRST, Lane.B))
    await hall.client().hello("once")


def test_a_token_that_is_no_unicode_is_not_known() -> None:
    assert Tokens().find("\ud800") is None


# Beside Play.


async def test_health_answers_and_says_when_the_arena_closes(hall: Hall) -> None:
    async with grpc.aio.insecure_channel(hall.address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        await hall.arena.health.enter_graceful_shutdown()
        answer = await stub.Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.NOT_SERVING
