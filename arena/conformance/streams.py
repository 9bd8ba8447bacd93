"""The referee's end of one stream: read and written step by step, each wait with a bound."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

from arena.conformance.transcript import Transcript
from arena.conformance.verdicts import StepFailed
from arena.server.play import MAX_ANSWERS, MAX_REQUEST_BYTES
from arena.v1 import referee_pb2

WRITE_SECONDS: Final = 5.0
MOST_UNREAD: Final = 4096
"""Requests that wait here; a bot that sends more meanwhile is not read on."""

Context = aio.ServicerContext[bytes, bytes]
Trailing = tuple[tuple[str, str | bytes], ...]


class StreamEnded(Exception):
    """The bot's side of the stream has ended, or the stream is broken."""


class Silence(Exception):
    """Nothing came in time."""


class Stream:
    """One stream, as the referee has it.

    Attributes:
        waited_for_headers: whether the bot sent nothing before it had the response headers.
    """

    def __init__(self, context: Context, transcript: Transcript) -> None:
        self._context = context
        self._transcript = transcript
        self._requests: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_UNREAD)
        self._over = asyncio.Event()
        self._status: tuple[grpc.StatusCode, str, Trailing] | None = None
        self._first = asyncio.Event()
        self._writing: asyncio.Future[None] | None = None
        self.waited_for_headers = False

    # The handler's side.

    async def serve(self) -> None:
        """Read until the bot's side or ``end`` ends it; the handler of the call."""
        reading = asyncio.create_task(self._read())
        reading.add_done_callback(_look)
        await self._over.wait()
        if self._status is not None:
            await self._context.abort(*self._status)

    async def _read(self) -> None:
        try:
            while isinstance(request := await self._context.read(), bytes):
                await self._requests.put(request)
                self._first.set()
        finally:
            self._first.set()
            with contextlib.suppress(asyncio.QueueFull):
                self._requests.put_nowait(None)

    # The script's side.

    async def send_headers(self, *, withhold_seconds: float = 0.0) -> None:
        """Send the response headers, later than the bot's first message if that comes in time."""
        if withhold_seconds:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(withhold_seconds):
                    await self._first.wait()
            self.waited_for_headers = not self._first.is_set()
        await self._write(self._context.send_initial_metadata(()))

    async def send(self, response: referee_pb2.PlayResponse) -> None:
        """Send a message.

        Raises:
            StreamEnded: there is no stream any more.
            StepFailed: the bot does not read.
        """
        self._transcript.sent = response
        await self._write(self._context.write(response.SerializeToString()))

    async def _write(self, writing: Coroutine[Any, Any, None]) -> None:
        # Never cancelled (in grpc.aio a cancelled write leaks), and never two at a time: whoever
        # waited for the last one may have been cancelled.
        operation = asyncio.ensure_future(_after(self._writing, writing))
        self._writing = operation
        operation.add_done_callback(_look)
        await asyncio.wait([operation], timeout=WRITE_SECONDS)
        if not operation.done():
            raise StepFailed(
                f"the bot did not read for {WRITE_SECONDS:g} seconds",
                expected="it reads what it is sent",
            )
        if operation.cancelled() or operation.exception() is not None:
            raise StreamEnded

    async def next(self, seconds: float) -> referee_pb2.PlayRequest:
        """The next request.

        Raises:
            Silence: none came in time.
            StreamEnded: none will.
            StepFailed: it breaks a bound, or is no request at all.
        """
        try:
            async with asyncio.timeout(seconds):
                content = await self._requests.get()
        except TimeoutError as error:
            raise Silence from error
        if content is None:
            self._requests.put_nowait(None)  # for whoever asks again
            raise StreamEnded
        request = _parsed(content)
        self._transcript.came = request
        return request

    @property
    def waiting(self) -> int:
        """Requests that have come and were not taken yet."""
        return self._requests.qsize()

    def end(
        self, code: grpc.StatusCode | None = None, sentence: str = "", trailing: Trailing = ()
    ) -> None:
        """End the stream, with a status or with a bare end."""
        if not self._over.is_set():
            self._status = None if code is None else (code, sentence, trailing)
            self._over.set()


async def _after(before: asyncio.Future[None] | None, writing: Coroutine[Any, Any, None]) -> None:
    if before is not None and not before.done():
        await asyncio.wait([before])
    await writing


def _parsed(content: bytes) -> referee_pb2.PlayRequest:
    if len(content) > MAX_REQUEST_BYTES:
        raise StepFailed(
            f"the bot sent a message of {len(content)} bytes",
            expected=f"a request has at most {MAX_REQUEST_BYTES} bytes",
        )
    try:
        request = referee_pb2.PlayRequest.FromString(content)
    except DecodeError as error:
        raise StepFailed(
            f"the bot sent {len(content)} bytes that are no PlayRequest",
            expected="each message is a PlayRequest",
        ) from error
    if len(request.answers.answers) > MAX_ANSWERS:
        raise StepFailed(
            f"the bot sent {len(request.answers.answers)} answers in one message",
            expected=f"a message holds at most {MAX_ANSWERS} answers",
        )
    return request


def _look(task: asyncio.Future[None]) -> None:
    """Take note of an error, so that asyncio does not complain that nobody did."""
    if not task.cancelled():
        task.exception()
