"""The connection: one stream, one reader, one writer, and coming back after a break.

What is known of grpc.aio and shapes this file: the end of a stream without a Goodbye is a
disconnect, whatever its status; a call's writes must not run side by side and are never
cancelled; a deadline would cover the whole stream, so there is none.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

# The C-core reads this when it is loaded; without it, it tells the bot's author on standard
# error about every connection that closes.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc import aio

from arena.sdk.bot import Bot
from arena.sdk.conversation import OpenConversation
from arena.sdk.identity import Identity
from arena.sdk.options import Address, Options
from arena.sdk.session import Session
from arena.v1 import referee_pb2, referee_pb2_grpc

PROTOCOL_VERSION: Final = 1

_Call = aio.StreamStreamCall[referee_pb2.PlayRequest, referee_pb2.PlayResponse]

# Answers of one message go out in one message; but a bot that takes long over each decision
# would make the first ones wait for the last, so what is ready goes out after this time.
_SLICE_SECONDS: Final = 0.02

_GOODBYE_SECONDS: Final = 2.0
"""How long to wait for the arena's side of a Goodbye."""

_CANCEL_SECONDS: Final = 0.5
"""What a call that was cancelled has to end its read and write."""

_REFUSALS: Final = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)

_CHAIRS: Final = {
    referee_pb2.CHAIR_FIRST: "first chair",
    referee_pb2.CHAIR_SECOND: "second chair",
}
_LANES: Final = {referee_pb2.LANE_A: "lane A", referee_pb2.LANE_B: "lane B"}

_REMOTE: Final = (
    # Both must be set: the keepalive timeout alone has no effect in today's C-core.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
)
_LOCAL: Final = (("grpc.enable_http_proxy", 0),)
# The channel's own waits must not be longer than ours.
_RETRIES: Final = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


class Refused(Exception):
    """The arena does not want this bot; trying again would not help. One sentence."""


class Lost(Exception):
    """The arena cannot be reached, or not any more. One sentence."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try again: a growing wait between attempts, and an end.

    Attributes:
        first_seconds: the first wait; it doubles with each.
        most_seconds: the longest wait.
        total_seconds: after this time without the arena the bot gives up.
    """

    first_seconds: float = 0.1
    most_seconds: float = 2.0
    total_seconds: float = 30.0


def channel_options(address: Address) -> list[tuple[str, int]]:
    """The options of the channel: a local arena needs neither proxy nor keepalive."""
    return [*_RETRIES, *(_LOCAL if address.local else _REMOTE)]


def channel_credentials(identity: Identity) -> grpc.ChannelCredentials:
    """What TLS needs to know of a client."""
    return grpc.ssl_channel_credentials(identity.authorities, identity.key, identity.certificate)


def _channel(options: Options) -> aio.Channel:
    address = options.address
    if not address.tls:
        return aio.insecure_channel(address.target, options=channel_options(address))
    credentials = channel_credentials(options.identity)
    return aio.secure_channel(address.target, credentials, options=channel_options(address))


def _doubt(address: Address) -> str:
    if not address.tls:
        return "is it running there?"
    return "is it running there, and do ARENA_TLS_CA, _CERT and _KEY fit?"


def _retries(error: aio.AioRpcError) -> bool:
    """Whether the arena said when to try again: it is busy, not unwilling."""
    for key, value in error.trailing_metadata():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            details = status_pb2.Status.FromString(value).details
            return any(detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR) for detail in details)
    return False


class Connection:
    """Carries one conversation, over as many streams as it takes."""

    def __init__(
        self,
        open_conversation: OpenConversation,
        options: Options,
        *,
        say: Callable[[str], None],
        patience: Patience | None = None,
    ) -> None:
        self._options = options
        self._say = say
        self._patience = patience or Patience()
        self._wake = asyncio.Event()
        self._leave = asyncio.Event()
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._session = open_conversation(ready=self._wake.set, fail=self._fail)
        self._session_token = ""
        self._welcomed = False
        self._sending = False
        self._parted = False
        self._over = False
        self._alive_at = time.monotonic()
        self._waits = 0

    def leave(self) -> None:
        """Say goodbye and end; what is being decided is not answered any more."""
        self._leave.set()

    async def play(self) -> None:
        """Play until the arena or ``leave`` ends the session in order.

        Raises:
            Refused: the arena does not want the bot.
            Lost: it could not be reached for as long as patience lasts.
        """
        async with _channel(self._options) as channel:
            stub = referee_pb2_grpc.RefereeServiceStub(channel)
            self._alive_at = time.monotonic()
            while not self._ended:
                status = await self._converse(stub.Play())
                if not self._ended:
                    await self._wait_after(status)

    async def _converse(self, call: _Call) -> grpc.StatusCode:
        """One stream from its start to its end; its status."""
        self._welcomed = self._parted = False
        reader = asyncio.create_task(self._read(call))
        writer = asyncio.create_task(self._write(call))
        leave = asyncio.create_task(self._leave.wait())
        ends: tuple[asyncio.Future[Any], ...] = (reader, leave, self._failure)
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self._failure.done():
                self._failure.result()
            if not reader.done():
                self._wake.set()
                await asyncio.wait((reader,), timeout=_GOODBYE_SECONDS)
        finally:
            leave.cancel()
            # Ends a read or write that still waits; cancelling their tasks would leak.
            call.cancel()
            self._wake.set()
            _, stuck = await asyncio.wait((reader, writer), timeout=_CANCEL_SECONDS)
            # But a write waits for ever where the call was cancelled before it was under way.
            for task in stuck:
                task.cancel()
            await asyncio.wait((reader, writer))
        if self._welcomed:
            self._alive_at = time.monotonic()  # until now the arena was there, if it said nothing
        writer.result()
        return reader.result()

    @property
    def _ended(self) -> bool:
        return self._over or self._leave.is_set()

    def _fail(self, error: BaseException) -> None:
        if not self._failure.done():
            self._failure.set_exception(error)

    # Reading.

    async def _read(self, call: _Call) -> grpc.StatusCode:
        """Take in what comes until the stream ends; its status."""
        try:
            while isinstance(response := await call.read(), referee_pb2.PlayResponse):
                await self._take(response)
                await self._send(call)
                if self._over:
                    break
            return grpc.StatusCode.OK
        except aio.AioRpcError as error:
            return self._status(error)
        except asyncio.CancelledError:
            # The call was cancelled under its reader.
            return grpc.StatusCode.CANCELLED

    async def _take(self, response: referee_pb2.PlayResponse) -> None:
        match response.WhichOneof("message"):
            case "items":
                await self._take_items(response.items)
            case "welcome":
                self._welcome(response.welcome)
                self._session.tell(response)
            case "draining":
                self._say(f"the arena says: {response.draining.text or 'it will stop'}")
                self._session.tell(response)
            case "goodbye":
                self._over = True
                self._session.tell(response)
            case _:
                # A later version's message (the contract: ignore it).
                pass

    async def _take_items(self, items: referee_pb2.Items) -> None:
        session = self._session
        clock = time.monotonic
        self._alive_at = started = clock()
        self._waits = 0
        for item in items.items:
            session.take(item)
            if session.answers and clock() - started > _SLICE_SECONDS:
                self._wake.set()
                await asyncio.sleep(0)
                started = clock()

    def _welcome(self, welcome: referee_pb2.Welcome) -> None:
        self._session_token = welcome.session_token
        self._welcomed = True
        self._tell_welcome(welcome)
        if welcome.resumed:
            self._session.resume()
        else:
            self._session.begin()

    def _tell_welcome(self, welcome: referee_pb2.Welcome) -> None:
        """Say that it has worked; not where the arena itself has started the bot."""
        if self._options.address.target.startswith("unix:"):
            return
        chair = _CHAIRS.get(welcome.chair, "no chair")
        lane = _LANES.get(welcome.lane, "both lanes")
        how = "back" if welcome.resumed else "dialled in"
        self._say(f"{how} at {self._target}: {chair}, {lane}")

    def _status(self, error: aio.AioRpcError) -> grpc.StatusCode:
        """The status, unless it is final."""
        code = error.code()
        if code is grpc.StatusCode.FAILED_PRECONDITION and self._session_token:
            # The session is gone; perhaps the arena wants a new one.
            self._session_token = ""
            return code
        if code in _REFUSALS and not _retries(error):
            reason = (error.details() or code.name).rstrip(".")
            raise Refused(f"the arena at {self._target} refused the bot: {reason}") from None
        return code

    @property
    def _target(self) -> str:
        return str(self._options.address)

    # Writing.

    async def _write(self, call: _Call) -> None:
        """Send the Hello, then what is ready whenever something is, at the end a Goodbye."""
        try:
            await call.write(self._hello())
            while not call.done():
                await self._wake.wait()
                self._wake.clear()
                await self._send(call)
                if self._leave.is_set():
                    return
        except (aio.AioRpcError, asyncio.InvalidStateError, asyncio.CancelledError):
            # The stream has ended; its reader says why.
            return

    async def _send(self, call: _Call) -> None:
        """Send what is ready; the reader does it itself, which saves a turn of the event loop.

        A call takes one write at a time: whoever comes while one is under way leaves what it has
        to the one who writes.
        """
        if self._sending or self._parted:
            return
        self._sending = True
        try:
            # Before the Welcome nobody knows which session the answers would belong to.
            while self._welcomed and (request := self._session.request()) is not None:
                await call.write(request)
            if self._leave.is_set():
                self._parted = True
                await call.write(referee_pb2.PlayRequest(goodbye=referee_pb2.Goodbye()))
                await call.done_writing()
        except asyncio.InvalidStateError:
            # The stream ended while the bot was thinking; the next read says why.
            return
        finally:
            self._sending = False

    def _hello(self) -> referee_pb2.PlayRequest:
        options = self._options
        hello = referee_pb2.Hello(
            token=options.token,
            protocol_version=PROTOCOL_VERSION,
            bot_name=options.name,
            bot_version=options.version,
            chair=options.chair,
            lane=options.lane,
            tables=options.tables,
            session_token=self._session_token,
            hand_results=self._session.wants_hands,
        )
        resumed = self._session.acknowledged if self._session_token else 0
        return referee_pb2.PlayRequest(acknowledged=resumed, hello=hello)

    # Coming back.

    async def _wait_after(self, status: grpc.StatusCode) -> None:
        """Wait before the next attempt.

        Raises:
            Lost: patience is at its end.
        """
        patience = self._patience
        if time.monotonic() - self._alive_at >= patience.total_seconds:
            raise Lost(
                f"lost the arena at {self._target}: {status.name.lower().replace('_', ' ')} for "
                f"{patience.total_seconds:g} seconds; {_doubt(self._options.address)}"
            )
        seconds = min(patience.first_seconds * 2**self._waits, patience.most_seconds)
        self._waits += 1
        leave = asyncio.create_task(self._leave.wait())
        ends: tuple[asyncio.Future[Any], ...] = (leave, self._failure)
        await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        leave.cancel()


class Client(Connection):
    """Plays one session of a Python bot."""

    def __init__(
        self,
        bot: type[Bot],
        options: Options,
        *,
        say: Callable[[str], None],
        patience: Patience | None = None,
    ) -> None:
        super().__init__(partial(Session, bot, say=say), options, say=say, patience=patience)
