"""Whom we examine: a command whose processes we start, or a bot that dials in by itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import grpc

from arena.conformance.listener import Coming, Listener
from arena.conformance.session import Session
from arena.conformance.transcript import Transcript
from arena.conformance.verdicts import StepFailed
from arena.hosting.process import BotProcess
from arena.server.play import PROTOCOL_VERSION
from arena.server.sessions import MAX_TABLES
from arena.v1 import referee_pb2

BACK_SECONDS: Final = 15.0
"""How long a bot may take to come back after its stream has ended."""

DYING_SECONDS: Final = 1.0
"""How soon after its stream a process ends that has failed."""


class Way(Enum):
    """How a bot reaches the arena."""

    UNIX = "unix"
    TCP = "tcp"
    TLS = "tls"


@dataclass(slots=True)
class Launch:
    """A process that we started.

    Attributes:
        process: the process.
        token: what it was given.
        started: the loop's time of its start.
    """

    process: BotProcess
    token: str
    started: float

    def died(self) -> str:
        """How it ended, empty while it runs."""
        return "" if self.process.running else self.process.ending() + self.process.last_words()

    async def ends(self, seconds: float) -> int | None:
        """Its exit code once it has ended; None where it does not end in time."""
        ending = asyncio.ensure_future(self.process.ended())
        await asyncio.wait([ending], timeout=seconds)
        ending.cancel()
        return self.process.code

    async def dying(self) -> str:
        """How it ended, where its stream has just done so; empty where it runs on."""
        await self.ends(DYING_SECONDS)
        return self.died()


class Examinee(Protocol):
    """The bot of a check.

    Attributes:
        transcript: what was said in the step.
        came_after: seconds from its first start to its first Hello; 0 where not known.
        waited_for_headers: whether its first stream brought nothing before the response headers.
    """

    transcript: Transcript
    came_after: float
    waited_for_headers: bool

    async def session(self, way: Way | None = None) -> Session:
        """A session to go on with: the present one, or a new one.

        Args:
            way: how the bot is to reach us; None for any.

        Raises:
            BotMissing: the bot does not come.
            NotTried: it cannot be had that way.
        """
        ...

    def fresh(self) -> None:
        """Have the next session be a new one."""
        ...

    async def back(self, session: Session) -> Coming:
        """The next stream of a session's bot.

        Raises:
            StepFailed: it does not come.
        """
        ...

    async def arrival(self, launch: Launch, seconds: float) -> Coming | None:
        """The next stream of a process; None where it ends before, or lets the time pass."""
        ...

    def listener(self) -> Listener:
        """Where the present session came in."""
        ...

    def address(self) -> Mapping[str, str | None]:
        """What a process is told to dial where the present session came in."""
        ...

    def launch(self) -> Launch:
        """The process of the present session. Raises NotTried where it is none of ours."""
        ...

    def starting(
        self, variables: Mapping[str, str | None], token: str | None = None
    ) -> contextlib.AbstractAsyncContextManager[Launch]:
        """A process besides, ended after the block; None takes a variable away.

        Raises:
            NotTried: its processes are none of ours.
        """
        ...

    def stderr(self) -> str:
        """The tail of the standard error of the process that the step was about."""
        ...


def check_hello(coming: Coming, token: str) -> None:
    """Look at the Hello of a new session.

    Raises:
        StepFailed: it will not do.
    """
    request = coming.hello
    if not request.HasField("hello"):
        raise StepFailed(
            "the first message was no Hello", expected="the first request is Hello", came=request
        )
    hello = request.hello
    chairs, lanes = referee_pb2.Chair.values(), referee_pb2.Lane.values()
    wrong = [
        sentence
        for is_wrong, sentence in (
            (hello.token != token, "token is not that of ARENA_TOKEN"),
            (
                hello.protocol_version != PROTOCOL_VERSION,
                f"protocol_version is {hello.protocol_version}, not {PROTOCOL_VERSION}",
            ),
            (hello.tables > MAX_TABLES, f"tables is {hello.tables}, above {MAX_TABLES}"),
            (
                hello.chair not in chairs,
                f"chair is {hello.chair}, which is none",
            ),
            (hello.lane not in lanes, f"lane is {hello.lane}, which is none"),
            (bool(hello.session_token), "session_token is set in a new session"),
            (request.acknowledged != 0, "acknowledged is not 0 in a new session"),
            (len(hello.bot_name) > 64, "bot_name has more than 64 characters"),
            (len(hello.bot_version) > 64, "bot_version has more than 64 characters"),
        )
        if is_wrong
    ]
    if wrong:
        raise StepFailed(
            "; ".join(wrong),
            expected=f"token from ARENA_TOKEN, protocol_version {PROTOCOL_VERSION}, a new session",
            came=request,
        )


def refuse(coming: Coming, failure: StepFailed) -> None:
    """Send a bot away whose Hello will not do."""
    coming.stream.end(grpc.StatusCode.INVALID_ARGUMENT, failure.seen)
