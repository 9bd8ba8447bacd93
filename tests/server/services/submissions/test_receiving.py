"""What comes too slowly is ended by the server's clock, and nobody takes all the places."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from arena.hosting.shelf import Part
from arena.referee.clock import ManualClock
from arena.server.limits import Limits
from arena.server.services import receiving
from arena.server.services.errors import CallError
from arena.server.services.receiving import LEAST_RATE, MAX_CHUNK, PATIENCE_SECONDS, Incoming
from arena.server.submissions import MOST_UPLOADS, MOST_UPLOADS_OF_OWNER, TooMany
from arena.v1 import bot_service_pb2 as pb
from tests.server.services.callers import STRANGER
from tests.server.services.house import House, refused
from tests.server.services.submissions.sending import ANN, BOB, packed, submit

SECOND = 1_000_000
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
SLOWLY = pytest.raises(CallError, match="comes too slowly")


class Line:
    """What comes over a line, when the test says so."""

    def __init__(self) -> None:
        self._coming: asyncio.Queue[pb.SubmitBotRequest] = asyncio.Queue()

    def send(self, chunk: bytes) -> None:
        self._coming.put_nowait(pb.SubmitBotRequest(chunk=chunk))

    async def pieces(self) -> AsyncIterator[pb.SubmitBotRequest]:
        while True:
            yield await self._coming.get()


def header_of(archive: bytes) -> pb.SubmitBotHeader:
    return pb.SubmitBotHeader(size=len(archive), sha256=hashlib.sha256(archive).hexdigest())


async def test_a_header_is_due_at_once() -> None:
    clock = ManualClock()
    reading = asyncio.create_task(Incoming(Line().pieces(), clock).header())
    await clock.advance(PATIENCE_SECONDS * SECOND - 1)
    assert not reading.done()
    await clock.advance(1)
    with SLOWLY:
        await reading


async def test_each_piece_is_due_soon_after_the_last(tmp_path: Path) -> None:
    clock, line = ManualClock(), Line()
    header = header_of(bytes(200 * LEAST_RATE))
    incoming = Incoming(line.pieces(), clock)
    reading = asyncio.create_task(incoming.archive(header, Part(tmp_path)))
    for _ in range(5):
        await clock.advance(PATIENCE_SECONDS * SECOND - 1)
        line.send(bytes(MAX_CHUNK))
    await clock.advance(PATIENCE_SECONDS * SECOND - 1)
    assert not reading.done()
    await clock.advance(1)
    with SLOWLY:
        await reading


async def test_all_of_it_is_due_at_a_lowest_rate(tmp_path: Path) -> None:
    clock, line, archive = ManualClock(), Line(), bytes(20 * LEAST_RATE)
    incoming = Incoming(line.pieces(), clock)
    reading = asyncio.create_task(incoming.archive(header_of(archive), Part(tmp_path)))
    for _ in range(PATIENCE_SECONDS + 20 - 1):
        await clock.advance(SECOND)
        line.send(bytes(1024))
    await clock.advance(SECOND - 1)
    assert not reading.done()
    await clock.advance(1)
    with SLOWLY:
        await reading


async def test_what_comes_in_crumbs_is_refused(tmp_path: Path) -> None:
    line, archive = Line(), bytes(4096)
    for _ in archive:
        line.send(b"\0")
    incoming = Incoming(line.pieces(), ManualClock())
    with pytest.raises(CallError, match="the pieces are too small"):
        await incoming.archive(header_of(archive), Part(tmp_path))


async def test_what_comes_in_time_is_written(tmp_path: Path) -> None:
    line, archive = Line(), b"archive"
    line.send(archive[:4])
    line.send(archive[4:])
    incoming = Incoming(line.pieces(), ManualClock())
    await incoming.archive(header_of(archive), Part(tmp_path))
    assert Part(tmp_path).archive.read_bytes() == archive


async def test_a_stream_that_says_nothing_is_ended(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "PATIENCE_SECONDS", 0)
    call = house.bots.SubmitBot(metadata=ANN)
    assert "too slowly" in await refused(call.read(), grpc.StatusCode.DEADLINE_EXCEEDED)


async def test_a_stream_without_a_token_is_not_waited_for(house: House) -> None:
    for metadata in (None, STRANGER):
        call = house.bots.SubmitBot(metadata=metadata)
        await refused(call.read(), grpc.StatusCode.UNAUTHENTICATED)


async def test_of_one_author_only_so_many_streams_are_open(house: House, folder: Path) -> None:
    most = Limits().streams_of_caller
    calls = [house.bots.SubmitBot(metadata=ANN) for _ in range(most + 1)]
    reads = [asyncio.ensure_future(call.read()) for call in calls]
    done, _ = await asyncio.wait(reads, return_when=asyncio.FIRST_COMPLETED)
    (one,) = done
    assert f"{most} of your streams are open" in await refused(one, EXHAUSTED)
    assert (await submit(house, packed(folder), BOB))[-1].HasField("ready")
    for call in calls:
        call.cancel()
    await asyncio.wait(reads)

    async def passes() -> bool:
        try:
            return (await submit(house, replace(packed(folder), request="r2", name="ann")))[
                -1
            ].HasField("ready")
        except grpc.aio.AioRpcError as error:
            assert error.code() is EXHAUSTED, error.details()
            return False

    while not await passes():  # the server hears of it a moment later
        pass


def test_of_one_author_only_so_many_archives_come_at_once(house: House) -> None:
    owners = [f"author {n}" for n in range(MOST_UPLOADS // MOST_UPLOADS_OF_OWNER + 1)]
    with contextlib.ExitStack() as sending:
        for owner in owners[:-1]:
            for _ in range(MOST_UPLOADS_OF_OWNER):
                sending.enter_context(house.submissions.uploading(owner))
            with pytest.raises(TooMany, match="2 of your archives are being sent"):
                sending.enter_context(house.submissions.uploading(owner))
        with pytest.raises(TooMany, match="8 archives are being sent"):
            sending.enter_context(house.submissions.uploading(owners[-1]))
    with house.submissions.uploading(owners[0]):
        pass
