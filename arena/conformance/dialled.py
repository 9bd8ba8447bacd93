"""A bot that dials in by itself: its processes are its owner's business."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

import grpc

from arena.conformance.examinee import BACK_SECONDS, Launch, Way, check_hello, refuse
from arena.conformance.listener import Coming, Listener
from arena.conformance.session import Session
from arena.conformance.transcript import Transcript
from arena.conformance.verdicts import BotMissing, NotTried, StepFailed

_NOT_OURS: Final = "needs a process that the check starts itself"


class DialledIn:
    """A bot that dials in; see `Examinee`.

    Args:
        address: where to listen: HOST:PORT or unix:PATH.
        token: what it has to show.
        patience: seconds to wait for it the first time.
        again: seconds to wait for it whenever it has gone.
    """

    def __init__(
        self, address: str, token: str, patience: float, *, again: float = BACK_SECONDS
    ) -> None:
        self.transcript = Transcript()
        self._listener = Listener(address, self.transcript)
        self._way = Way.UNIX if address.startswith("unix:") else Way.TCP
        self._token = token
        self._patience = patience
        self._again = again
        self._session: Session | None = None
        self._gone = ""
        self.came_after = 0.0
        self.waited_for_headers = False
        self._ever = False

    async def __aenter__(self) -> Self:
        """Listen.

        Raises:
            ListenError: the address cannot be listened on.
        """
        await self._listener.start()
        self._listener.expect(self._token)
        self._listener.withhold = True
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Listen no more."""
        self._end_session()
        await self._listener.stop()

    async def session(self, way: Way | None = None) -> Session:
        """A session to go on with; see `Examinee`."""
        if way not in (None, self._way):
            raise NotTried(f"the check listens at {self._listener.address}")
        if self._session is not None and self._session.usable:
            return self._session
        self._end_session()
        if self._gone:
            raise NotTried(self._gone)
        return await self._open()

    def _end_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.drop()

    async def _open(self) -> Session:
        coming = await self._newcomer()
        try:
            _check(coming, self._token)
        except StepFailed as failed:
            refuse(coming, failed)
            if not self._ever:
                self._gone = "the bot's Hello will not do"
            raise BotMissing(failed) from failed
        if not self._ever:
            self._ever = True
            self.waited_for_headers = coming.stream.waited_for_headers
        self._session = Session(coming, _unknown)
        await self._session.welcome()
        return self._session

    async def _newcomer(self) -> Coming:
        """The next stream that begins a session; one that would resume is told that it cannot."""
        seconds = self._again if self._ever else self._patience
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (left := end - loop.time()) > 0:
            coming = await self._listener.coming(self._token, left)
            if coming is None:
                break
            if not coming.hello.hello.session_token:
                return coming
            # Perhaps again and again: then the time is over at some point.
            coming.stream.end(
                grpc.StatusCode.FAILED_PRECONDITION,
                "the session cannot be resumed; send a Hello without session_token",
            )
        raise self._missing(seconds)

    def _missing(self, seconds: float) -> Exception:
        """What to say where no stream came."""
        if self._listener.strays:
            self._gone = "the bot said no Hello"
            return BotMissing(self._listener.strays.pop())
        if self._ever:
            self._gone = "no bot dialled in again; start it in a loop to have all steps tried"
            return NotTried(self._gone)
        self._gone = "no bot dialled in"
        seen = f"no bot dialled in within {seconds:g} seconds"
        return BotMissing(StepFailed(seen, expected="it dials the address that was shown"))

    def fresh(self) -> None:
        """Have the next session be a new one."""
        if self._session is not None:
            self._session.usable = False

    async def back(self, session: Session) -> Coming:
        """The next stream of a session's bot; see `Examinee`."""
        seconds = self._again
        coming = await self._listener.coming(session.token, seconds)
        if coming is None:
            session.usable = False
            seen = f"the bot did not come back within {seconds:g} seconds"
            raise StepFailed(seen, expected="it dials again and sends Hello")
        session.stream = coming.stream  # to end with the session, whatever comes of it
        return coming

    async def arrival(self, launch: Launch, seconds: float) -> Coming | None:
        """Nothing is started here."""
        raise NotTried(_NOT_OURS)

    def listener(self) -> Listener:
        """Where it dials in."""
        return self._listener

    def address(self) -> Mapping[str, str | None]:
        """Nothing is started here."""
        raise NotTried(_NOT_OURS)

    def launch(self) -> Launch:
        """Nothing is started here."""
        raise NotTried(_NOT_OURS)

    def starting(
        self, variables: Mapping[str, str | None], token: str | None = None
    ) -> contextlib.AbstractAsyncContextManager[Launch]:
        """Nothing is started here."""
        raise NotTried(_NOT_OURS)

    def stderr(self) -> str:
        """Its owner has it."""
        return ""


def _check(coming: Coming, token: str) -> None:
    check_hello(coming, token)
    if not coming.hello.hello.chair:
        raise StepFailed(
            "chair is not set",
            expected="a bot that dials in names its chair, since its token fixes none",
            came=coming.hello,
        )


async def _unknown() -> str:
    """How its process ended: nobody knows here."""
    return ""
