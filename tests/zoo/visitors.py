"""Who comes to the port and speaks no gRPC, or no word: raw sockets."""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
from collections.abc import Awaitable, Callable

from grpc import aio

from arena.v1 import referee_pb2_grpc

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
EMPTY_SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
MOST_IDLE = 2000
SILENT_STREAMS = 500

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def dial(address: str) -> Stream:
    """A raw connection to an address as gRPC writes it."""
    if address.startswith("unix:"):
        return await asyncio.open_unix_connection(address.removeprefix("unix:"))
    host, _, port = address.rpartition(":")
    return await asyncio.open_connection(host, int(port))


_OPEN: list[object] = []


async def send(address: str, *chunks: bytes) -> None:
    """Send bytes and leave the connection open."""
    stream = await dial(address)
    _OPEN.append(stream)
    # The arena may hang up in the middle.
    with contextlib.suppress(ConnectionError):
        for chunk in chunks:
            stream[1].write(chunk)
            await stream[1].drain()


async def sends_random_bytes(address: str) -> None:
    chance = random.Random(7)
    for size in (1, 9, 1000, 1_000_000):
        await send(address, chance.randbytes(size))


async def sends_random_frames(address: str) -> None:
    chance = random.Random(8)
    for _ in range(20):
        await send(address, PREFACE, EMPTY_SETTINGS, chance.randbytes(10_000))


async def speaks_http_1(address: str) -> None:
    await send(address, b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n")


async def says_its_preface_only(address: str) -> None:
    for _ in range(50):
        await send(address, PREFACE)


async def opens_thousands_of_connections(address: str) -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    _OPEN.extend([await dial(address) for _ in range(min(MOST_IDLE, soft // 4))])


async def opens_streams_without_a_word(address: str) -> None:
    channel = aio.insecure_channel(address, options=(("grpc.enable_http_proxy", 0),))
    stub = referee_pb2_grpc.RefereeServiceStub(channel)
    calls = [stub.Play() for _ in range(SILENT_STREAMS)]
    _OPEN.extend(calls)
    for call in calls:
        with contextlib.suppress(aio.AioRpcError):  # more than the arena takes: it refuses them
            await call.wait_for_connection()


VISITS: dict[str, Callable[[str], Awaitable[None]]] = {
    "sends_random_bytes": sends_random_bytes,
    "sends_random_frames": sends_random_frames,
    "speaks_http_1": speaks_http_1,
    "says_its_preface_only": says_its_preface_only,
    "opens_thousands_of_connections": opens_thousands_of_connections,
    "opens_streams_without_a_word": opens_streams_without_a_word,
}
