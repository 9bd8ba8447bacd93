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
from tests.server.services.house import House, refused

SECRET = "secret of /etc/arena"


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
