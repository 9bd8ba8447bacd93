"""The scripted referee's door: where bots dial in, and which stream is whose."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import grpc

from arena.conformance.streams import Context, Silence, Stream, StreamEnded
from arena.conformance.transcript import Transcript
from arena.conformance.verdicts import StepFailed
from arena.server.listening import listen
from arena.server.play import REFEREE_SERVICE
from arena.v1 import referee_pb2

HELLO_SECONDS: Final = 10.0
"""What the contract gives a stream for its Hello."""
WITHHOLD_SECONDS: Final = 1.5
"""How long the first stream is kept without response headers, to see who waits for them."""
_TURNS: Final = 3
"""Turns of the loop in which what grpc.aio has around a call ends after it."""
_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),
    # Larger than the contract's bound: what is too large should be seen and told.
    ("grpc.max_receive_message_length", 8 * 1024 * 1024),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
)


@dataclass(frozen=True, slots=True)
class Coming:
    """A stream and what came first on it.

    Attributes:
        stream: the stream, its response headers sent.
        hello: the request that opened it.
        at: the loop's time when it came.
    """

    stream: Stream
    hello: referee_pb2.PlayRequest
    at: float


class Listener:
    """Listens at one address; may stop listening and begin again.

    Attributes:
        withhold: whether the next stream gets its headers late.
        strays: what was wrong with streams that said no Hello.
    """

    def __init__(
        self, address: str, transcript: Transcript, tls: grpc.ServerCredentials | None = None
    ) -> None:
        self._wanted = address
        self._tls = tls
        self._transcript = transcript
        self._server: grpc.aio.Server | None = None
        self._calls: set[asyncio.Task[object]] = set()
        self._queues: defaultdict[str, asyncio.Queue[Coming]] = defaultdict(asyncio.Queue)
        self._expected: set[str] = set()
        self._retired: set[str] = set()
        self._last = ""
        self.address = ""
        self.withhold = False
        self.strays: list[StepFailed] = []

    async def start(self) -> None:
        """Begin to listen, again at the same address.

        Raises:
            ListenError: it cannot be listened on.
        """
        self._server = grpc.aio.server(options=_OPTIONS)
        # Bytes both ways: what is no message should be seen and told too.
        handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play
        )
        generic = grpc.method_handlers_generic_handler(REFEREE_SERVICE, {"Play": handler})
        self._server.add_generic_rpc_handlers((generic,))
        self.address = listen(self._server, self._wanted, self._tls)
        # The same port again, when it begins anew.
        self._wanted = self.address.removeprefix("tls:")
        await self._server.start()

    async def stop(self) -> None:
        """Listen no more; streams end."""
        if self._server is not None:
            server, self._server = self._server, None
            await server.stop(None)
            await self._settle()

    async def _settle(self) -> None:
        """Wait until the calls are over: one that the end of the loop cancels, grpc.aio tells as
        an error, with a traceback."""
        if self._calls:
            await asyncio.wait(self._calls)
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    def expect(self, token: str) -> None:
        """A bot will come with this token; whoever comes with none that is known is taken for it,
        so that what is wrong about its Hello can be told."""
        self._expected.add(token)
        self._last = token

    def forget(self, token: str) -> None:
        """Nobody is to come with this token any more."""
        self._expected.discard(token)
        self._retired.add(token)
        self._queues.pop(token, None)

    async def coming(self, token: str, seconds: float) -> Coming | None:
        """The next stream of a token; None where none comes in time."""
        try:
            async with asyncio.timeout(seconds):
                return await self._queues[token].get()
        except TimeoutError:
            return None

    async def _play(self, _requests: object, context: Context) -> None:
        self._note_call()
        stream = Stream(context, self._transcript)
        greeting = asyncio.create_task(self._greet(stream))
        try:
            await stream.serve()
        finally:
            greeting.cancel()

    def _note_call(self) -> None:
        call = asyncio.current_task()
        assert call is not None, "a call runs in a task"
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _greet(self, stream: Stream) -> None:
        withhold, self.withhold = self.withhold, False
        try:
            await stream.send_headers(withhold_seconds=WITHHOLD_SECONDS if withhold else 0.0)
            request = await stream.next(HELLO_SECONDS)
        except StepFailed as failed:
            self.strays.append(failed)
            stream.end(grpc.StatusCode.INVALID_ARGUMENT, failed.seen)
        except Silence:
            self.strays.append(_no_hello("nothing came on a stream for 10 seconds"))
            stream.end(grpc.StatusCode.INVALID_ARGUMENT, "no Hello came in time")
        except StreamEnded:
            self.strays.append(_no_hello("a stream was opened and ended without a message"))
            stream.end()
        else:
            self._arrive(Coming(stream, request, asyncio.get_running_loop().time()))

    def _arrive(self, coming: Coming) -> None:
        token = coming.hello.hello.token
        if token in self._expected:
            self._queues[token].put_nowait(coming)
        elif token not in self._retired and self._last in self._expected:
            self._queues[self._last].put_nowait(coming)
        else:
            coming.stream.end(grpc.StatusCode.UNAUTHENTICATED, "the token is not known")


def _no_hello(seen: str) -> StepFailed:
    return StepFailed(seen, expected="the first request of a stream is Hello, sent unasked")
