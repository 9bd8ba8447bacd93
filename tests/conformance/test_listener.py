"""The scripted referee's door: how it is closed while bots stand in it."""

from __future__ import annotations

import asyncio
import logging

import grpc
import pytest

from arena.cli.logs import is_for_another_loop
from arena.conformance.listener import Listener
from arena.conformance.transcript import Transcript
from arena.server.play import REFEREE_SERVICE
from arena.v1 import referee_pb2

CALLERS = 8


async def _close_on_callers() -> None:
    listener = Listener("127.0.0.1:0", Transcript())
    await listener.start()
    listener.expect("t")
    hello = referee_pb2.PlayRequest(hello=referee_pb2.Hello(token="t")).SerializeToString()
    async with grpc.aio.insecure_channel(listener.address) as channel:
        play: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(
            f"/{REFEREE_SERVICE}/Play"
        )
        calls = [play() for _ in range(CALLERS)]
        for call in calls:
            await call.write(hello)
            assert await listener.coming("t", 20.0) is not None
        await listener.stop()


def test_it_closes_on_callers_without_a_word_of_the_library(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for _ in range(3):
        asyncio.run(_close_on_callers())
    assert [record.getMessage() for record in caplog.records if not _is_of_others(record)] == []


def _is_of_others(record: logging.LogRecord) -> bool:
    """Whether it tells of an event of gRPC's that a loop of an earlier test has left."""
    error = record.exc_info[1] if record.exc_info else None
    return error is not None and is_for_another_loop(error)
