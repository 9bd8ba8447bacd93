"""A small TCP proxy that cuts connections, in the middle of messages too, and can fall silent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import repeat

CHUNK = 4096
FOR_EVER = 2**62


@dataclass
class Proxy:
    """Between bots and an arena.

    Attributes:
        target: where it connects to, HOST:PORT.
        lifetimes: the bytes after which each connection is cut, both directions together.
        cuts: how many it has cut.
        carried: bytes that came from its clients.
        silent: once set nothing goes through any more, as when a peer is frozen.
    """

    target: str
    lifetimes: Iterator[int] = field(default_factory=lambda: repeat(FOR_EVER))
    cuts: int = 0
    carried: int = 0
    silent: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until it ends or is cut."""
        host, _, port = self.target.rpartition(":")
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        life = _Life(next(self.lifetimes), [writer, far_writer])
        pumps = [
            asyncio.create_task(self._pump(reader, far_writer, life, counts=True)),
            asyncio.create_task(self._pump(far_reader, writer, life)),
        ]
        self._tasks |= set(pumps)
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        self.cuts += life.left <= 0
        life.end()

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        life: _Life,
        *,
        counts: bool = False,
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while life.left > 0 and (chunk := await reader.read(CHUNK)):
                if self.silent.is_set():
                    await asyncio.Event().wait()
                writer.write(chunk[: life.left])
                life.left -= len(chunk)
                self.carried += counts * len(chunk)
                await writer.drain()

    async def close(self) -> None:
        """End all that it carries."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


@dataclass
class _Life:
    """What is left of one connection."""

    left: int
    ends: list[asyncio.StreamWriter]

    def end(self) -> None:
        """Hang up on both sides; what was written just before may still arrive."""
        for end in self.ends:
            end.close()


@contextlib.asynccontextmanager
async def proxying(
    target: str, lifetimes: Iterator[int] | None = None
) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before an address, and its own address."""
    proxy = Proxy(target) if lifetimes is None else Proxy(target, lifetimes)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield proxy, f"{host}:{port}"
    finally:
        server.close()
        await proxy.close()
        await server.wait_closed()
