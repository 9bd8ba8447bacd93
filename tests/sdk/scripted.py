"""An arena that follows a script: a real grpc.aio server on a Unix socket in a short folder.

Each stream that a client opens is handed to the next script.  A script that returns ends its
stream in order; one that raises ``Hangs up`` drops it as a crash would.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Any_
from google.rpc import error_details_pb2, status_pb2
from grpc import aio
from grpc_status import rpc_status

from arena.v1 import referee_pb2, referee_pb2_grpc

WAIT_SECONDS = 10.0


class Stream:
    """The arena's end of one stream."""

    def __init__(self, context: Any) -> None:
        self._context = context

    @property
    def deadline(self) -> float | None:
        """The seconds after which the client's library would end the call."""
        remaining: float | None = self._context.time_remaining()
        return remaining

    async def receive(self) -> referee_pb2.PlayRequest:
        """The next request; fails where the client has ended the stream."""
        request = await asyncio.wait_for(self._context.read(), WAIT_SECONDS)
        assert isinstance(request, referee_pb2.PlayRequest), "the client ended the stream"
        return request

    async def ended(self) -> bool:
        """Whether the client says no more."""
        return await asyncio.wait_for(self._context.read(), WAIT_SECONDS) is aio.EOF

    async def send(self, **arm: Any) -> None:
        """Send one response."""
        await self._context.write(referee_pb2.PlayResponse(**arm))

    async def send_items(self, items: Iterable[referee_pb2.Item]) -> None:
        """Send items in one message."""
        await self.send(items=referee_pb2.Items(items=items))

    async def send_bytes(self, data: bytes) -> None:
        """Send a response that a later version might send."""
        await self._context.write(referee_pb2.PlayResponse.FromString(data))

    async def welcome(self, *, resumed: bool = False, **places: Any) -> referee_pb2.PlayRequest:
        """Take the Hello, answer Welcome; returns the Hello's request."""
        request = await self.receive()
        assert request.WhichOneof("message") == "hello"
        welcome = referee_pb2.Welcome(session_token="secret", resumed=resumed, **places)
        await self.send(welcome=welcome)
        return request

    async def goodbye(self) -> None:
        """End the session in order."""
        await self.send(goodbye=referee_pb2.Goodbye(text="that was all"))

    async def put_off(self) -> None:
        """End the stream for now: a limit is reached."""
        retry = Any_()
        retry.Pack(error_details_pb2.RetryInfo())
        code: int = grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]
        status = status_pb2.Status(code=code, message="busy", details=[retry])
        await self._context.abort_with_status(rpc_status.to_status(status))

    async def refuse(self, code: grpc.StatusCode, sentence: str) -> None:
        """End the stream with a status."""
        await self._context.abort(code, sentence)


Script = Callable[[Stream], Awaitable[None]]


class ScriptedArena(referee_pb2_grpc.RefereeServiceServicer):
    """Hands each stream to the next script.

    Attributes:
        address: as ``ARENA_ADDR`` wants it.
        errors: what went wrong in scripts.
    """

    def __init__(self, address: str, scripts: Iterable[Script]) -> None:
        self.address = address
        self.errors: list[BaseException] = []
        self._scripts = list(scripts)

    async def Play(self, request_iterator: Any, context: Any) -> None:  # type: ignore[override]
        """One stream."""
        await context.send_initial_metadata(())
        if not self._scripts:
            self.errors.append(AssertionError("a stream more than the scripts know"))
            return
        try:
            await self._scripts.pop(0)(Stream(context))
        except (AssertionError, TimeoutError) as error:
            self.errors.append(error)


@asynccontextmanager
async def scripted_arena(*scripts: Script, tcp: bool = False) -> AsyncIterator[ScriptedArena]:
    """An arena with these scripts, one a stream; their failures fail the test."""
    # pytest's own folders are too long for the name of a socket.
    with tempfile.TemporaryDirectory(prefix="arena") as folder:
        arena = ScriptedArena(f"unix:{Path(folder) / 's'}", scripts)
        server = aio.server()
        referee_pb2_grpc.add_RefereeServiceServicer_to_server(arena, server)
        if tcp:
            arena.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        else:
            server.add_insecure_port(arena.address)
        await server.start()
        try:
            yield arena
        finally:
            await server.stop(0)
    for error in arena.errors:
        raise error
    assert not arena._scripts, "streams that the client never opened"
