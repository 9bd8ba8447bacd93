"""The boundary: no text of an error of ours leaves the server (grpc notes 1.1.7)."""

import logging
import re
from typing import Any, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from arena.store import Unusable
from arena.v1 import referee_pb2
from arena.v1.bot_service_pb2 import ListBotsRequest
from tests.server.services.house import House, bot_token, refused

SECRET = "secret of /etc/arena"
GARBAGE = b"\xff\xff\xff"


async def test_a_bug_becomes_a_number_that_the_log_knows(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise ValueError(SECRET)

    monkeypatch.setattr(house.store, "bots", fails)
    with caplog.at_level(logging.ERROR):
        call = house.bots.ListBots(ListBotsRequest())
        sentence = await refused(call, grpc.StatusCode.INTERNAL)
    assert SECRET not in sentence
    found = re.fullmatch(r"the arena has made a mistake, number ([0-9a-f]{8}) in its log", sentence)
    assert found is not None
    assert found[1] in caplog.text
    assert SECRET in caplog.text


async def test_a_database_that_fails_is_no_bug_and_tells_no_path(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise Unusable(SECRET)

    monkeypatch.setattr(house.store, "bots", fails)
    with caplog.at_level(logging.ERROR):
        call = house.bots.ListBots(ListBotsRequest())
        sentence = await refused(call, grpc.StatusCode.UNAVAILABLE)
    assert SECRET not in sentence
    assert SECRET in caplog.text


async def test_a_bug_in_play_says_nothing_either(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: str) -> None:
        raise ValueError(SECRET)

    monkeypatch.setattr(house.arena.lobby.tokens, "find", fails)
    play = house.referee.Play(iter([referee_pb2.PlayRequest(hello=referee_pb2.Hello())]))

    async def read() -> None:
        async for _ in play:
            pass

    sentence = await refused(read(), grpc.StatusCode.INTERNAL)
    assert SECRET not in sentence
    assert SECRET in caplog.text


@pytest.mark.parametrize("method", ["BotService/ListBots", "TournamentService/WatchTournament"])
async def test_bytes_that_are_no_message_are_the_callers_mistake(
    house: House, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    streams = method.endswith("WatchTournament")
    make: Any = house.channel.unary_stream if streams else house.channel.unary_unary
    call = make(f"/arena.v1.{method}")(GARBAGE)
    sentence = await refused(_all_of(call) if streams else call, grpc.StatusCode.INVALID_ARGUMENT)
    assert sentence == "the bytes are no message of the type that this method takes"
    assert not caplog.records


@pytest.mark.parametrize(
    "method",
    [
        "grpc.health.v1.Health/Check",
        "grpc.health.v1.Health/Watch",
        "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    ],
)
async def test_bytes_that_are_no_message_leave_no_trace_of_other_services_either(
    house: House, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    play: Any = house.channel.stream_stream(f"/{method}")
    call = play(iter([GARBAGE]))
    sentence = await refused(_all_of(call), grpc.StatusCode.INVALID_ARGUMENT)
    assert sentence == "the bytes are no message of the type that this method takes"
    assert not caplog.records


async def test_a_method_that_only_generated_code_has_is_unimplemented(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    call: Any = house.channel.unary_unary("/grpc.health.v1.Health/List")
    await refused(call(b""), grpc.StatusCode.UNIMPLEMENTED)
    assert not caplog.records


@pytest.mark.parametrize("said_hello", [False, True])
async def test_bytes_that_are_no_message_end_a_stream(
    house: House, caplog: pytest.LogCaptureFixture, *, said_hello: bool
) -> None:
    await house.register("guest")
    hello = referee_pb2.Hello(token=bot_token(1), protocol_version=1, chair=referee_pb2.CHAIR_FIRST)
    messages = [referee_pb2.PlayRequest(hello=hello).SerializeToString()] if said_hello else []
    play: Any = house.channel.stream_stream("/arena.v1.RefereeService/Play")
    call = play(iter([*messages, GARBAGE]))
    sentence = await refused(_all_of(call), grpc.StatusCode.INVALID_ARGUMENT)
    assert sentence == "the bytes are no message of the type that this method takes"
    assert not caplog.records


async def _all_of(call: Any) -> None:
    async for _ in call:
        pass


async def test_a_refusal_carries_its_reason_for_programs(house: House) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await house.bots.ListBots(ListBotsRequest(page_token="garbage"))
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain) == ("INVALID", "arena.bid-euchre")


async def test_reflection_lists_every_service(house: House) -> None:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(cast("Any", house.channel))
    requests = [reflection_pb2.ServerReflectionRequest(list_services="")]
    call = stub.ServerReflectionInfo(iter(requests))
    async for response in call:
        names = {service.name for service in response.list_services_response.service}
        break
    kinds = ("Bot", "Leaderboard", "Record", "Referee", "Tournament", "Variant")
    assert {f"arena.v1.{kind}Service" for kind in kinds} <= names
