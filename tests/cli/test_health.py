"""``arena health``: what a supervisor is told, by exit code and in a sentence."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from grpc_health.v1 import health_pb2

from arena.server.app import Arena, running_arena
from arena.server.vitals import LIVENESS
from tests.cli.commands import Done, assert_refused, process
from tests.cli.test_serve import serving

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder with a path that is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="h-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
async def ill(data: Path) -> AsyncIterator[Arena]:
    """A server that lives and is not ready."""
    async with running_arena(f"unix:{data}/arena.sock", tables=1) as arena:
        await arena.health.set("", NOT_SERVING)
        await arena.health.set(LIVENESS, SERVING)
        yield arena


async def asked(*arguments: str | Path) -> Done:
    """Ask while the server of this process answers."""
    return await asyncio.to_thread(process, "health", *arguments)


def test_a_server_that_is_well_is_ready_and_alive(data: Path) -> None:
    with serving(data) as (_, said):
        ready = process("health", "--data", data)
        assert (ready.code, ready.out, ready.err) == (0, "ready\n", "")
        alive = process("health", "--alive", "--server", said["bots"])
        assert (alive.code, alive.out, alive.err) == (0, "alive\n", "")


async def test_what_is_not_ready_may_be_alive(ill: Arena, data: Path) -> None:
    del ill
    assert_refused(await asked("--data", data), 1, "is not ready")
    assert (await asked("--alive", "--data", data)).out == "alive\n"


async def test_what_is_not_alive_is_told(ill: Arena, data: Path) -> None:
    await ill.health.set(LIVENESS, NOT_SERVING)
    assert_refused(await asked("--alive", "--data", data), 1, "is not alive")


def test_no_server_is_not_well(data: Path) -> None:
    assert_refused(process("health", "--data", data), 1, "no arena serves", str(data))
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(data / "arena.sock"))
    assert_refused(process("health", "--data", data), 1, "no arena answers at")


def test_an_address_that_is_none_is_wrong_usage(data: Path) -> None:
    assert_refused(process("health", "--data", data, "--server", "nowhere"), 2, "nowhere")
