"""``RefereeService.Play``: one stream, its reader and its writer."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

import grpc

import arena
from arena.events import Event, event_log, new_error_id
from arena.server.admission import Admission, Chair, Lane, Place
from arena.server.comings import Comings
from arena.server.door import Door
from arena.server.limits import peer_of
from arena.server.lobby import Lobby, PlaceTaken, TooManyStreams
from arena.server.refused import StreamRefused
from arena.server.sessions import MAX_TABLES, Session
from arena.v1 import referee_pb2

PROTOCOL_VERSION: Final = 1
MAX_REQUEST_BYTES: Final = 65_536
MAX_ANSWERS: Final = 1024
HELLO_SECONDS: Final = 10.0
GRACE_SECONDS: Final = 0.5
PARTING_SECONDS: Final = 1.0

REFEREE_SERVICE: Final = referee_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name

Context = grpc.aio.ServicerContext[referee_pb2.PlayRequest, referee_pb2.PlayResponse | bytes]

_UNKNOWN_ARM: Final = referee_pb2.Rejected(
    code=referee_pb2.REJECTION_CODE_UNKNOWN_ARM,
    text="this server does not know the message's arm, or it is not set",
)

log = event_log(__name__)


def _serialised(response: referee_pb2.PlayResponse | bytes) -> bytes:
    return response if isinstance(response, bytes) else response.SerializeToString()


class RefereeService:
    """Bots dial in here."""

    def __init__(self, lobby: Lobby, comings: Comings, door: Door) -> None:
        self._lobby = lobby
        self._comings = comings
        self._door = door

    def add_to(self, server: grpc.aio.Server) -> None:
        """Serve it: like the generated function, but batches come serialised already."""
        play = grpc.stream_stream_rpc_method_handler(
            self.play,
            request_deserializer=referee_pb2.PlayRequest.FromString,
            response_serializer=_serialised,
        )
        handler = grpc.method_handlers_generic_handler(REFEREE_SERVICE, {"Play": play})
        server.add_generic_rpc_handlers((handler,))

    async def play(self, _requests: object, context: Context) -> None:
        """One stream, from Hello to its end."""
        # Some clients wait for the headers before they send their first message.
        await context.send_initial_metadata(())
        with contextlib.ExitStack() as counted:
            try:
                await self._serve(context, counted)
            except StreamRefused as refused:
                why = refused
            else:
                return
            # This ends no sooner than the bot has read what came before, or the connection ends.
            await context.abort(why.status, why.sentence, why.trailing)

    async def _serve(self, context: Context, counted: contextlib.ExitStack) -> None:
        peer = peer_of(context.peer())
        with self._comings.admitting():
            with self._door.waiting(peer):
                request = await _first_message(context)
                await self._lobby.tokens.meet(request.hello.token)
            session, resumed = self._admit(request, peer, counted)
        stream = session.attach()
        if resumed:
            self._lobby.came_back()
        conversation = Conversation(self._lobby, session, context, stream)
        with self._comings.told(session, stream, resumed=resumed):
            await conversation.run(_welcome(session, resumed=resumed))
            self._door.still_admits(request.hello.token)

    def _admit(
        self, request: referee_pb2.PlayRequest, peer: str, counted: contextlib.ExitStack
    ) -> tuple[Session, bool]:
        hello = request.hello
        admission = self._door.knock(hello.token, peer)
        try:
            counted.enter_context(self._lobby.stream_of(admission))
        except TooManyStreams as refused:
            raise StreamRefused(grpc.StatusCode.RESOURCE_EXHAUSTED, str(refused)) from refused
        if hello.protocol_version != PROTOCOL_VERSION:
            raise StreamRefused(
                grpc.StatusCode.FAILED_PRECONDITION,
                f"the bot speaks protocol version {hello.protocol_version}, "
                f"this server speaks {PROTOCOL_VERSION}",
            )
        if hello.tables > MAX_TABLES:
            raise StreamRefused(
                grpc.StatusCode.INVALID_ARGUMENT,
                f"tables is {hello.tables} and may be at most {MAX_TABLES}",
            )
        if hello.session_token:
            return self._resume(request, admission), True
        if request.acknowledged:
            raise _never_sent(request.acknowledged)
        place = _place(admission, hello)
        return self._open(admission, place, hello), False

    def _open(self, admission: Admission, place: Place, hello: referee_pb2.Hello) -> Session:
        self._door.make_room(admission)
        if not self._lobby.tokens.spend(hello.token):
            raise StreamRefused(
                grpc.StatusCode.UNAUTHENTICATED, "the token has been used; it serves one session"
            )
        try:
            return self._lobby.open(
                admission, place, tables=max(1, hello.tables), hand_results=hello.hand_results
            )
        except PlaceTaken as taken:
            raise _place_taken() from taken

    def _resume(self, request: referee_pb2.PlayRequest, admission: Admission) -> Session:
        session = self._lobby.by_token(request.hello.session_token)
        known = session is not None and session.admission == admission and session.gone is None
        if session is None or not known or request.acknowledged < session.forgotten:
            raise StreamRefused(
                grpc.StatusCode.FAILED_PRECONDITION,
                "the session cannot be resumed; send a Hello without session_token",
            )
        try:
            self._lobby.check_return(session)
        except PlaceTaken as taken:
            raise _place_taken() from taken
        if not session.acknowledge(request.acknowledged):
            raise _never_sent(request.acknowledged)
        return session


def _place_taken() -> StreamRefused:
    return StreamRefused(
        grpc.StatusCode.FAILED_PRECONDITION,
        "this bot already has a live session for this chair and lane",
    )


def _never_sent(sequence: int) -> StreamRefused:
    return StreamRefused(grpc.StatusCode.INVALID_ARGUMENT, f"item {sequence} was never sent")


async def _next(context: Context) -> referee_pb2.PlayRequest | None:
    """The next message, None at the end of the stream (which grpc.aio gives as an object)."""
    request: object = await context.read()
    return request if isinstance(request, referee_pb2.PlayRequest) else None


async def _first_message(context: Context) -> referee_pb2.PlayRequest:
    # The read is not cancelled when the time is over (that leaks in grpc.aio): the abort that
    # follows ends it.
    reading = asyncio.ensure_future(_next(context))
    reading.add_done_callback(_look)  # the call may end while we wait
    done, _ = await asyncio.wait([reading], timeout=HELLO_SECONDS)
    if not done:
        # A Hello may lie ready although the time is over: as when the server itself was stopped.
        done, _ = await asyncio.wait([reading], timeout=GRACE_SECONDS)
    if not done:
        raise StreamRefused(grpc.StatusCode.INVALID_ARGUMENT, "no Hello came in time")
    request = reading.result()
    if request is None or not request.HasField("hello"):
        raise StreamRefused(
            grpc.StatusCode.INVALID_ARGUMENT, "the first message of a stream must be a Hello"
        )
    return request


def _place(admission: Admission, hello: referee_pb2.Hello) -> Place:
    chair = admission.chair
    if chair is None:
        if int(hello.chair) not in list(Chair):
            raise StreamRefused(
                grpc.StatusCode.FAILED_PRECONDITION,
                "the token fixes no chair, so Hello must say FIRST or SECOND",
            )
        chair = Chair(hello.chair)
    lane = admission.lane
    if lane is None and hello.lane != referee_pb2.LANE_UNSPECIFIED:
        if int(hello.lane) not in list(Lane):
            raise StreamRefused(
                grpc.StatusCode.INVALID_ARGUMENT, f"{hello.lane} is no lane: A, B or unspecified"
            )
        lane = Lane(hello.lane)
    return Place(admission.version, chair, lane, admission.game)


def _welcome(session: Session, *, resumed: bool) -> referee_pb2.PlayResponse:
    return referee_pb2.PlayResponse(
        welcome=referee_pb2.Welcome(
            session_token=session.token,
            resumed=resumed,
            protocol_version=PROTOCOL_VERSION,
            chair=int(session.place.chair),  # type: ignore[arg-type]
            lane=int(session.place.lane or 0),  # type: ignore[arg-type]
            tables=session.tables,
            max_request_bytes=MAX_REQUEST_BYTES,
            server_version=arena.__version__,
        )
    )


class Conversation:
    """A session on a stream: this task reads, another one writes."""

    def __init__(self, lobby: Lobby, session: Session, context: Context, stream: int) -> None:
        self._lobby = lobby
        self._session = session
        self._context = context
        self._stream = stream

    async def run(self, welcome: referee_pb2.PlayResponse) -> None:
        """Converse until one side ends it.

        Raises:
            StreamRefused: the bot broke the contract.
        """
        session = self._session
        over = asyncio.get_running_loop().create_future()
        session.over = over
        writing = asyncio.create_task(self._write(welcome))
        reading = asyncio.create_task(self._read())
        for task in (writing, reading):
            task.add_done_callback(_look)
        try:
            await asyncio.wait([writing, reading, over], return_when=asyncio.FIRST_COMPLETED)
            self._check_writer(writing, reading)
            if writing.done() and not reading.done() and session.cut is None:
                # Goodbye is said; give the bot a moment to close its side.
                await asyncio.wait([reading], timeout=PARTING_SECONDS)
        finally:
            session.detach(self._stream)
            await _finish(writing)
            # A reader that is still at it ends with the call.
        if reading.done() and not reading.cancelled():
            reading.result()
        if session.cut is not None:
            self._lobby.expel(session, session.cut)
            raise StreamRefused(grpc.StatusCode.RESOURCE_EXHAUSTED, session.cut)

    def _check_writer(self, writing: asyncio.Task[None], reading: asyncio.Task[None]) -> None:
        if writing.done() and not reading.done():
            error = writing.exception()
            if error is not None and not isinstance(error, grpc.aio.BaseError):
                # Loudly: a writer that dies in silence would stall the bot.
                log.error(Event.BUG, place="a writer", error_id=new_error_id(), exc_info=error)
                self._session.fail(f"a message could not be written: {error!r}")

    async def _read(self) -> None:
        """Read until the bot has said goodbye, or the stream has ended.

        Raises:
            StreamRefused: the bot broke the contract; its session is over.
        """
        while True:
            request = await _next(self._context)
            if request is None:
                return  # a disconnect
            try:
                goes_on = self._take(request)
            except StreamRefused as refused:
                self._lobby.expel(self._session, f"the bot broke the contract: {refused.sentence}")
                raise
            if not goes_on:
                return

    def _take(self, request: referee_pb2.PlayRequest) -> bool:
        """Take one message; False where it was the last."""
        session = self._session
        if not session.acknowledge(request.acknowledged):
            raise _never_sent(request.acknowledged)
        arm = request.WhichOneof("message")
        if arm == "answers":
            if len(request.answers.answers) > MAX_ANSWERS:
                raise StreamRefused(
                    grpc.StatusCode.RESOURCE_EXHAUSTED,
                    f"a message holds at most {MAX_ANSWERS} answers",
                )
            session.receive(request.answers)
        elif arm == "goodbye":
            self._lobby.left(session, "the bot said goodbye")
            return False
        elif arm == "hello":
            raise StreamRefused(
                grpc.StatusCode.INVALID_ARGUMENT, "a stream has one Hello, its first message"
            )
        else:
            session.reject(_UNKNOWN_ARM)
        return session.gone is None

    async def _write(self, welcome: referee_pb2.PlayResponse) -> None:
        session, context = self._session, self._context
        await context.write(welcome)
        while True:
            await session.wake.wait()
            if session.stream != self._stream:
                return  # and leave the wake to the writer of the stream that took over
            session.wake.clear()
            if session.gathers:
                # Tables answered in the same turn of the loop get their next question in.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            if session.stream != self._stream:
                return
            notice, session.notice = session.notice, None
            if notice is not None:
                await context.write(referee_pb2.PlayResponse(draining=notice))
            batch = session.take_batch()
            if batch is not None:
                await context.write(batch)
                session.written()
            if session.farewell is not None and not session.busy:
                goodbye = referee_pb2.Goodbye(text=session.farewell)
                await context.write(referee_pb2.PlayResponse(goodbye=goodbye))
                return
            if session.gone is not None:
                return


async def _finish(writing: asyncio.Task[None]) -> None:
    """Let the writer end; only one that hangs in a dead stream is cancelled."""
    if not writing.done():
        await asyncio.wait([writing], timeout=PARTING_SECONDS)
    if not writing.done():
        writing.cancel()
        await asyncio.wait([writing])


def _look(task: asyncio.Task[Any]) -> None:
    """Take note of a task's error, so that asyncio does not complain that nobody did.

    A write into a stream that has just broken fails, and so does a read when the call is over;
    whoever has to know asks the task.
    """
    if not task.cancelled():
        task.exception()
