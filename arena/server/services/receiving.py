"""An archive that comes in pieces: within its bounds, and in time.

Who sends nothing, or a byte now and then, holds a place that others wait for.  So the header has to
come at once, each piece soon after the last, and all of them at a lowest rate.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Final, TypeVar

import grpc

from arena.hosting.archive import LIMITS
from arena.hosting.shelf import Part
from arena.referee.clock import Clock, Micros
from arena.server.services.errors import CallError, invalid
from arena.v1 import bot_service_pb2 as pb

T = TypeVar("T")

MAX_CHUNK: Final = 32 * 1024
PATIENCE_SECONDS: Final = 10
"""To the header, and from one piece to the next."""
LEAST_RATE: Final = 64 * 1024
"""Bytes a second, of the whole after the first `PATIENCE_SECONDS`: the slowest line that is waited
for, nine minutes for the largest archive."""
_FEW_PIECES: Final = 64
_SMALL_CHUNK: Final = 1024
"""Above a few pieces, an archive has one for so many bytes at most: each costs the arena time."""

_SECOND: Final = 1_000_000
_HEX: Final = frozenset("0123456789abcdef")


class Incoming:
    """What somebody sends.

    Args:
        pieces: that come.
        clock: the server's.
    """

    def __init__(self, pieces: AsyncIterator[pb.SubmitBotRequest], clock: Clock) -> None:
        self._pieces = pieces
        self._clock = clock
        self._due: Micros = 0
        self._end: Micros | None = None

    async def header(self) -> pb.SubmitBotHeader:
        """The first piece, within its bounds.

        Raises:
            CallError: it is something else, or does not come in time.
        """
        return await self._in_time(self._header())

    async def archive(self, header: pb.SubmitBotHeader, part: Part) -> None:
        """Write down the archive, which must be what the header says.

        Raises:
            CallError: it is another, or does not come in time.
            OSError: it cannot be written.
        """
        seconds = PATIENCE_SECONDS + header.size / LEAST_RATE
        self._end = self._clock.now() + int(seconds * _SECOND)
        await self._in_time(self._archive(header, part))

    async def _header(self) -> pb.SubmitBotHeader:
        async for piece in self._pieces:
            if piece.WhichOneof("piece") != "header":
                break
            header = piece.header
            if not 1 <= header.size <= LIMITS.packed_bytes:
                raise invalid("header.size", f"it must be 1 to {LIMITS.packed_bytes} bytes")
            if len(header.sha256) != 64 or not _HEX.issuperset(header.sha256):
                raise invalid("header.sha256", "it must be 64 hexadecimal digits in lower case")
            return header
        raise invalid("header", "the first request must hold it")

    async def _archive(self, header: pb.SubmitBotHeader, part: Part) -> None:
        digest, size, count = hashlib.sha256(), 0, 0
        with part.archive.open("wb") as file:
            async for piece in self._pieces:
                self._wait_on()
                size, count = size + len(piece.chunk), count + 1
                _check(piece, header, size, count)
                digest.update(piece.chunk)
                file.write(piece.chunk)
                if size == header.size:
                    break
        if size < header.size:
            raise invalid("chunk", f"the archive has {size} bytes, the header says {header.size}")
        if not hmac.compare_digest(digest.hexdigest(), header.sha256):
            raise invalid(
                "header.sha256", "the archive has another: it changed on the way, or before"
            )

    # Time.

    def _wait_on(self) -> None:
        due = self._clock.now() + PATIENCE_SECONDS * _SECOND
        self._due = due if self._end is None else min(due, self._end)

    async def _in_time(self, coming: Coroutine[Any, Any, T]) -> T:
        self._wait_on()
        reading = asyncio.ensure_future(coming)
        watching = asyncio.ensure_future(self._until_due())
        try:
            await asyncio.wait((reading, watching), return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                return reading.result()
        finally:
            for task in (reading, watching):
                task.cancel()
            await asyncio.wait((reading, watching))
        raise CallError(
            grpc.StatusCode.DEADLINE_EXCEEDED,
            f"the archive comes too slowly: each piece within {PATIENCE_SECONDS} s, "
            f"{LEAST_RATE // 1024} KiB a second in all; send it again",
            reason="TIMEOUT",
        )

    async def _until_due(self) -> None:
        while (left := self._due - self._clock.now()) > 0:
            await self._clock.sleep(left)


def _check(piece: pb.SubmitBotRequest, header: pb.SubmitBotHeader, size: int, count: int) -> None:
    """Refuse a piece, with which there are so many bytes and pieces."""
    if piece.WhichOneof("piece") != "chunk" or not 1 <= len(piece.chunk) <= MAX_CHUNK:
        raise invalid("chunk", f"it must have 1 to {MAX_CHUNK} bytes, and no header again")
    if size > header.size:
        raise invalid("chunk", f"the archive has more than the {header.size} bytes said")
    if count > _FEW_PIECES + header.size // _SMALL_CHUNK:
        raise invalid("chunk", f"the pieces are too small: send {MAX_CHUNK} bytes in each")
