"""How often somebody may call and how many calls may run, and what is said to those who wait."""

from __future__ import annotations

import contextlib
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from arena.referee.clock import ManualClock
from arena.server.admission import Tokens
from arena.server.limits import Limits, Rate
from arena.server.services.errors import CallError
from arena.server.services.turnstile import Turnstile
from arena.v1.bot_service_pb2 import ListBotsRequest
from tests.server.services.callers import OLGA, STRANGER, Metadata, prepared
from tests.server.services.house import ORGANISER, House

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


class Context:
    """As much of a call as the turnstile looks at."""

    def __init__(self, peer: str = "ipv4:192.0.2.7:50123", metadata: Metadata = ()) -> None:
        self._peer = peer
        self._metadata = metadata

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> Metadata:
        return self._metadata


async def test_a_caller_may_call_so_often(house: House) -> None:
    clock = ManualClock()
    await prepared(house)
    turnstile = Turnstile(house.arena.lobby.tokens, clock, Limits(asking=Rate(2, 3)))

    def ends(context: Context) -> str:
        try:
            with turnstile.passing(context):  # type: ignore[arg-type]
                return "passed"
        except Exception as error:
            return str(error)

    far, beside = Context(), Context("ipv4:192.0.2.7:9")
    assert [ends(far), ends(beside), ends(Context(metadata=STRANGER))] == ["passed"] * 3
    assert ends(far) == "too many calls: try again in 0.5 s"
    assert ends(Context("ipv4:192.0.2.8:9")) == "passed"
    assert {ends(Context(metadata=OLGA)) for _ in range(3)} == {"passed"}
    assert ends(Context("ipv4:192.0.2.8:9", OLGA)).startswith("too many calls")
    assert {ends(Context("unix:")) for _ in range(9)} == {"passed"}
    await clock.advance(500_000)
    assert [ends(far), ends(far)[:14]] == ["passed", "too many calls"]


def test_only_so_many_calls_run() -> None:
    turnstile = Turnstile(Tokens(), ManualClock(), Limits(calls=1))
    context: Any = Context()
    full = pytest.raises(Exception, match="1 calls run, as many as the arena takes")
    with turnstile.passing(context), full, turnstile.passing(context):
        pass
    with turnstile.passing(context):
        pass


async def test_only_so_many_streams_run_of_one_caller_and_of_all(house: House) -> None:
    await prepared(house)
    limits = Limits(streams=3, streams_of_caller=2)
    turnstile = Turnstile(house.arena.lobby.tokens, ManualClock(), limits)
    olga: Any = Context(metadata=OLGA)
    far: Any = Context()
    with contextlib.ExitStack() as open_streams:
        for _ in range(2):
            open_streams.enter_context(turnstile.streaming(olga))
        with pytest.raises(CallError, match="2 of your streams are open"):
            open_streams.enter_context(turnstile.streaming(olga))
        open_streams.enter_context(turnstile.streaming(far))
        with pytest.raises(CallError, match="3 streams are open, as many as the arena takes"):
            open_streams.enter_context(turnstile.streaming(far))
    with turnstile.streaming(olga), turnstile.streaming(far), turnstile.streaming(olga):
        pass


async def test_streams_count_as_calls() -> None:
    turnstile = Turnstile(Tokens(), ManualClock(), Limits(asking=Rate(1, 1)))
    context: Any = Context()
    with turnstile.streaming(context):
        pass
    with pytest.raises(CallError, match="too many calls"), turnstile.passing(context):
        pass


async def test_a_refusal_says_when_to_come_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.limits.Buckets.take", lambda *_: 1_500_000)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await house.bots.ListBots(ListBotsRequest(), metadata=ORGANISER)
    assert caught.value.code() is EXHAUSTED
    assert caught.value.details() == "too many calls: try again in 1.5 s"
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    assert status is not None
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in status.details)
    assert retry.retry_delay.ToMilliseconds() == 1500
