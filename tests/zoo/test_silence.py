"""Peers that fall silent without a word, as frozen or unplugged machines do.

The times of gRPC's options are shortened here, all alike; the options are those of the product.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence

import pytest

from arena.sdk import Bot, client
from arena.sdk.options import Options, parse_address
from arena.server import app
from arena.server.admission import token_hash
from arena.server.app import running_arena
from arena.v1 import referee_pb2
from tests.hosting.bots import until
from tests.server.hall import ANN, token_of
from tests.server.serving import environment
from tests.zoo.keeper import program
from tests.zoo.proxy import proxying
from tests.zoo.visitors import PREFACE, dial

FASTER = 30
MUCH_FASTER = 200
PINGS = 7
PING_BYTES = 17


def hastened(
    options: Sequence[tuple[str, int]], faster: int = FASTER
) -> tuple[tuple[str, int], ...]:
    """The options of gRPC with shorter times."""
    return tuple(
        (name, value // faster if name.endswith("_ms") else value) for name, value in options
    )


def with_shorter(options: Sequence[tuple[str, int]], shorter: str) -> tuple[tuple[str, int], ...]:
    """The options with one of their times a good deal shorter."""
    assert shorter in dict(options)
    return tuple(
        (name, value // MUCH_FASTER if name == shorter else value) for name, value in options
    )


def options_for(address: str) -> Options:
    """The options of a bot of the kit."""
    return Options(
        address=parse_address(address),
        token=token_of(1),
        chair=referee_pb2.CHAIR_FIRST,
        lane=referee_pb2.LANE_A,
        name="ann",
        version="v1",
        tables=1,
    )


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers and clients that notice sooner."""
    monkeypatch.setattr(app, "SERVER_OPTIONS", hastened(app.SERVER_OPTIONS))
    # Over the loopback the kit keeps nothing alive: a process of this machine dies audibly.
    monkeypatch.setattr(client, "_LOCAL", (*client._LOCAL, *hastened(client._REMOTE)))


@pytest.mark.usefixtures("hasty")
async def test_a_frozen_bot_is_noticed_in_seconds_and_may_come_back() -> None:
    async with running_arena("127.0.0.1:0", tables=2) as arena:
        arena.lobby.tokens.add(token_hash(token_of(1)), ANN)
        process = await asyncio.create_subprocess_exec(
            *program("beast", "stops_after_its_hello", "."),
            env=environment(ARENA_ADDR=arena.addresses[0], ARENA_TOKEN=token_of(1), ZOO_REMOTE="1"),
        )
        await until(lambda: len(arena.lobby.sessions()) == 2)
        sessions = arena.lobby.sessions()
        # Without the timeout of pings this would take a minute, without keepalive hours.
        await until(lambda: not any(session.connected for session in sessions))
        assert [session.gone for session in sessions] == [None, None]
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()


class Quiet(Bot):
    """Is never asked."""


@pytest.mark.usefixtures("hasty")
async def test_the_kit_notices_a_frozen_arena_in_seconds() -> None:
    async with running_arena("127.0.0.1:0", tables=2) as arena:
        arena.lobby.tokens.add(token_hash(token_of(1)), ANN)
        async with proxying(arena.addresses[0]) as (proxy, address):
            patience = client.Patience(total_seconds=0.0)  # to notice is what is asked here
            bot = client.Client(Quiet, options_for(address), say=lambda _: None, patience=patience)
            playing = asyncio.create_task(bot.play())
            await until(lambda: arena.lobby.sessions())
            proxy.silent.set()
            async with asyncio.timeout(20):
                with pytest.raises(client.Lost, match=r"^lost the arena at .*: unavailable for"):
                    await playing
        await until(lambda: not any(session.connected for session in arena.lobby.sessions()))


async def test_pings_as_the_kit_sends_them_are_not_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = with_shorter(app.SERVER_OPTIONS, "grpc.http2.min_ping_interval_without_data_ms")
    kit = with_shorter(client._REMOTE, "grpc.keepalive_time_ms")
    monkeypatch.setattr(app, "SERVER_OPTIONS", server)
    monkeypatch.setattr(client, "_LOCAL", (*client._LOCAL, *kit))
    async with running_arena("127.0.0.1:0", tables=2) as arena:
        arena.lobby.tokens.add(token_hash(token_of(1)), ANN)
        async with proxying(arena.addresses[0]) as (proxy, address):
            bot = client.Client(Quiet, options_for(address), say=lambda _: None)
            playing = asyncio.create_task(bot.play())
            await until(lambda: arena.lobby.sessions())
            [session] = arena.lobby.sessions()
            enough = proxy.carried + PINGS * PING_BYTES
            await until(lambda: proxy.carried >= enough)
            assert session.stream == 1, "the stream has never been lost"
            bot.leave()
            await playing


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("said", [b"", PREFACE], ids=["nothing", "its preface"])
async def test_who_connects_and_says_no_more_than_that_is_hung_up_on(said: bytes) -> None:
    async with running_arena("127.0.0.1:0", tables=2) as arena:
        reader, writer = await dial(arena.addresses[0])
        writer.write(said)
        async with asyncio.timeout(20):
            while await reader.read(4096):
                pass  # what the arena says first
        writer.close()
