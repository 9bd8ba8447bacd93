"""Alive and ready: two questions, answered over gRPC and for the pages."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.server import vitals
from arena.server.pulse import Pulse
from arena.server.vitals import ALIVE_SECONDS, LIVENESS, Vitals, keep_health
from arena.store import Store, Unusable
from tests.server.held import SECOND, JumpingClock
from tests.server.services.house import House, open_house

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A house whose health is kept, by looks that follow each other closely."""
    monkeypatch.setattr(vitals, "LOOK_SECONDS", 0.005)
    async with open_house(tmp_path / "arena.db") as opened:
        opened.scheduler.vitals.listens()
        keeping = asyncio.create_task(keep_health(opened.scheduler.vitals, opened.arena.health))
        yield opened
        keeping.cancel()
        await asyncio.wait([keeping])


@contextlib.asynccontextmanager
async def watching(house: House, service: str) -> AsyncIterator[Any]:
    """The states of a service as they change."""
    stub: Any = health_pb2_grpc.HealthStub(house.channel)
    call = stub.Watch(health_pb2.HealthCheckRequest(service=service))
    yield call
    call.cancel()


async def becomes(watch: Any, status: int) -> None:
    """Wait until a watched service has a status."""
    async with asyncio.timeout(20):
        while (await watch.read()).status != status:
            pass


async def status_of(house: House, service: str) -> int:
    stub: Any = health_pb2_grpc.HealthStub(house.channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
    return int(answer.status)


def unusable(_: Store) -> int:
    raise Unusable("the disk is gone")


async def test_draining_ends_ready_and_not_alive(house: House) -> None:
    async with watching(house, "") as watch:
        await becomes(watch, SERVING)
        await house.scheduler.drain(0)
        await becomes(watch, NOT_SERVING)
        assert house.scheduler.vitals.unready() == ("draining",)
        assert await status_of(house, LIVENESS) == SERVING
        assert house.scheduler.vitals.alive()


async def test_a_broken_database_ends_ready_until_it_is_mended(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "arena.server.vitals"):
        async with watching(house, "") as watch:
            await becomes(watch, SERVING)
            with monkeypatch.context() as broken:
                broken.setattr(Store, "revision", unusable)
                await becomes(watch, NOT_SERVING)
                assert house.scheduler.vitals.unready() == ("database",)
                assert await status_of(house, LIVENESS) == SERVING
            await becomes(watch, SERVING)
    assert caplog.messages[-2:] == ["not ready: database", "ready"]


async def test_nothing_is_ready_before_everything_listens(tmp_path: Path) -> None:
    with Store.open(tmp_path / "arena.db") as store:
        state = Vitals(Pulse(JumpingClock()), store)
        assert state.unready() == ("starting",)
        state.listens()
        assert state.unready() == ()


async def test_a_database_without_its_tables_is_not_ready(house: House) -> None:
    with contextlib.closing(sqlite3.connect(house.store.path)) as other, other:
        other.execute("ALTER TABLE sets RENAME TO others")
    assert house.scheduler.vitals.unready() == ("database",)


async def test_a_set_that_could_not_be_written_ends_ready(house: House) -> None:
    house.scheduler.vitals.written = False
    assert house.scheduler.vitals.unready() == ("journal",)


async def test_a_loop_that_no_longer_beats_is_not_alive(tmp_path: Path) -> None:
    clock = JumpingClock()
    pulse = Pulse(clock)
    with Store.open(tmp_path / "arena.db") as store:
        state = Vitals(pulse, store)
        beat = asyncio.create_task(pulse.run())
        await clock.advance(60 * SECOND)
        assert state.alive(), "it has beaten all the time"
        beat.cancel()
        await asyncio.wait([beat])
        clock.jump(int(ALIVE_SECONDS * SECOND))
        assert not state.alive()


async def test_a_name_that_is_unknown_is_not_found(
    house: House,
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await status_of(house, "nonsense")
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
