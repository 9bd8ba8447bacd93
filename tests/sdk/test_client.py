"""The client against a scripted arena over real gRPC: one batch in, one message out."""

from __future__ import annotations

import pytest

from arena.sdk.client import channel_options
from arena.sdk.options import parse_address
from arena.v1 import referee_pb2
from tests.sdk.dialling import CLASSIC, client_of, ids, opening
from tests.sdk.feeder import Feeder, deal
from tests.sdk.scripted import Stream, scripted_arena


async def test_a_batch_is_answered_in_one_message_and_goodbye_ends_in_order() -> None:
    feeder = Feeder(CLASSIC)

    async def script(stream: Stream) -> None:
        request = await stream.welcome()
        hello = request.hello
        assert (request.acknowledged, hello.token, hello.protocol_version) == (0, "token", 1)
        assert (hello.bot_name, hello.bot_version, hello.tables) == ("first", "v1", 64)
        assert (hello.chair, hello.lane) == (referee_pb2.CHAIR_SECOND, referee_pb2.LANE_B)
        assert (hello.session_token, hello.hand_results) == ("", False)
        await stream.send_items(opening(feeder))
        answers = await stream.receive()
        assert ids(answers) == [1, 2, 3, 4]
        assert answers.acknowledged == feeder.sequence
        item = feeder.decision(deal(CLASSIC)).item
        await stream.send_items([item])
        answers = await stream.receive()
        assert (ids(answers), answers.acknowledged) == ([5], feeder.sequence)
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        client, lines = client_of(arena)
        await client.play()
        assert lines == []


async def test_messages_with_unknown_arms_are_ignored() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send()
        await stream.send_bytes(b"\x7a\x02\x08\x01")
        await stream.send_items(opening(Feeder(CLASSIC)))
        assert ids(await stream.receive()) == [1, 2, 3, 4]
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        await client_of(arena)[0].play()


async def test_a_session_has_no_deadline() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        assert stream.deadline is None
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        await client_of(arena)[0].play()


async def test_draining_is_told_and_play_goes_on() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send(draining=referee_pb2.Draining(text="the server is updated"))
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.receive()
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        client, lines = client_of(arena)
        await client.play()
        assert lines == ["the arena says: the server is updated"]


@pytest.mark.parametrize(
    ("tcp", "told"),
    [
        pytest.param(True, ["dialled in", "back"], id="over the network both are told"),
        pytest.param(False, [], id="a bot that the arena starts says nothing"),
    ],
)
async def test_a_bot_says_that_it_is_there(tcp: bool, told: list[str]) -> None:
    chair, lane = referee_pb2.CHAIR_SECOND, referee_pb2.LANE_B

    async def first(stream: Stream) -> None:
        await stream.welcome(chair=chair)

    async def second(stream: Stream) -> None:
        await stream.welcome(resumed=True, chair=chair, lane=lane)
        await stream.goodbye()

    async with scripted_arena(first, second, tcp=tcp) as arena:
        client, lines = client_of(arena)
        await client.play()
        lanes = {"dialled in": "both lanes", "back": "lane B"}
        assert lines == [f"{how} at {arena.address}: second chair, {lanes[how]}" for how in told]


async def test_what_a_slow_bot_has_answered_does_not_wait_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a clock that leaps, each decision takes longer than a slice."""
    monkeypatch.setattr("arena.sdk.client._SLICE_SECONDS", -1.0)

    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        requests = [ids(await stream.receive())]
        while sum(map(len, requests)) < 4:
            requests.append(ids(await stream.receive()))
        assert len(requests) > 1
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        await client_of(arena)[0].play()


@pytest.mark.parametrize(
    ("address", "keepalive", "proxy"),
    [
        ("unix:/tmp/s", None, 0),
        ("localhost:50051", None, 0),
        ("127.0.0.1:50051", None, 0),
        ("arena.example:443", 30_000, None),
    ],
)
def test_only_a_remote_arena_has_keepalive_and_proxies(
    address: str, keepalive: int | None, proxy: int | None
) -> None:
    found = dict(channel_options(parse_address(address)))
    assert found.get("grpc.keepalive_time_ms") == keepalive
    assert found.get("grpc.http2.ping_timeout_ms") == (10_000 if keepalive else None)
    assert found.get("grpc.keepalive_timeout_ms") == found.get("grpc.http2.ping_timeout_ms")
    assert found.get("grpc.enable_http_proxy") == proxy
