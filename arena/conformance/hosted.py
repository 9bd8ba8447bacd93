"""The bot of a command: its processes are started here, as the arena would."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arena.conformance.certificates import make_certificates
from arena.conformance.examinee import BACK_SECONDS, Launch, Way, check_hello
from arena.conformance.listener import Coming, Listener
from arena.conformance.session import Session
from arena.conformance.transcript import Transcript
from arena.conformance.verdicts import BotMissing, NotTried, StepFailed
from arena.hosting.command import BotCommand
from arena.hosting.guard import Guard
from arena.hosting.process import BotProcess
from arena.hosting.runner import SOCKET, Job, ProcessRunner, Resources, Runner
from arena.hosting.runner import Launch as Start
from arena.server.admission import new_token
from arena.server.tls import Certificates

MOST_FAILURES: Final = 2
"""Starts in a row without a session after which no other is tried."""
MAIN: Final = Way.TCP
"""How a bot dials in where a step does not care."""
_LOOK_SECONDS: Final = 0.05
_SOCKETS: Final = "d"


@dataclass(frozen=True, slots=True)
class Contained:
    """What contains the processes of a bot that is not trusted.

    Attributes:
        runner: starts them.
        folder: the bot's own; None for a program of the machine.
        label: of its jobs.
        resources: of each.
    """

    runner: Runner
    folder: Path | None
    label: str
    resources: Resources


class Hosted:
    """A command under examination; see `Examinee`.

    Args:
        command: what is started.
        folder: of mode 0700, for sockets and certificates.
        startup_seconds: what a process may take to its Hello.
        contained: how its processes are contained; None for a bot that is trusted. It then
            reaches a Unix socket and nothing else.
    """

    def __init__(
        self,
        command: BotCommand,
        folder: Path,
        startup_seconds: float,
        contained: Contained | None = None,
    ) -> None:
        self._command = command
        self._folder = folder
        self._contained = contained
        self._main = MAIN if contained is None else Way.UNIX
        self._number = 0
        self._startup = startup_seconds
        self._listeners: dict[Way, Listener] = {}
        self._way = self._main
        self._session: Session | None = None
        self._launch: Launch | None = None
        self._last: Launch | None = None
        self._guard = Guard()
        self._failures = 0
        self._ever = False
        self.transcript = Transcript()
        self.came_after = 0.0
        self.waited_for_headers = False

    async def __aenter__(self) -> Self:
        """Begin."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all processes and listen no more."""
        await self._retire()
        for listener in self._listeners.values():
            await listener.stop()
        await asyncio.to_thread(self._guard.close)

    # Sessions.

    async def session(self, way: Way | None = None) -> Session:
        """A session to go on with; see `Examinee`."""
        if self._session is not None and self._session.usable and way in (None, self._way):
            self._last = self._launch
            return self._session
        await self._retire()
        if self._failures >= MOST_FAILURES:
            raise NotTried("the bot did not come up")
        self._way = way or self._main
        return await self._open(counts=way is None)

    def fresh(self) -> None:
        """Have the next session be a new one."""
        if self._session is not None:
            self._session.usable = False

    async def _open(self, *, counts: bool) -> Session:
        """Start a process and have it say Hello; ``counts`` is whether all depends on that."""
        listener = await self._listening(self._way)
        listener.withhold = not self._ever
        listener.strays.clear()
        launch = await self._start(self.address(), new_token())
        self._launch = launch
        try:
            coming = await self._first(listener, launch)
            check_hello(coming, launch.token)
        except StepFailed as failed:
            if not self._ever:
                self._failures = MOST_FAILURES
            elif counts:
                self._failures += 1
            await self._retire()
            raise BotMissing(failed) from failed
        if not self._ever:
            self._ever = True
            self.came_after = coming.at - launch.started
            self.waited_for_headers = coming.stream.waited_for_headers
        self._failures = 0
        self._session = Session(coming, launch.dying)
        await self._session.welcome()
        return self._session

    async def _first(self, listener: Listener, launch: Launch) -> Coming:
        """The first stream of a process.

        Raises:
            StepFailed: it brings none.
        """
        coming = await self.arrival(launch, self._startup)
        if coming is None:
            if listener.strays:
                raise listener.strays[-1]
            seen = launch.died() or f"no Hello came within {self._startup:g} seconds of the start"
            raise StepFailed(seen, expected="the process dials ARENA_ADDR and sends Hello")
        return coming

    async def arrival(self, launch: Launch, seconds: float) -> Coming | None:
        """The next stream of a process; see `Examinee`."""
        listener, loop = self.listener(), asyncio.get_running_loop()
        end = loop.time() + seconds
        while loop.time() < end:
            coming = await listener.coming(launch.token, _LOOK_SECONDS)
            if coming is not None or listener.strays or not launch.process.running:
                return coming
        return None

    async def back(self, session: Session) -> Coming:
        """The next stream of a session's bot; see `Examinee`."""
        launch, seconds = self.launch(), BACK_SECONDS
        coming = await self.arrival(launch, seconds)
        if coming is None:
            session.usable = False
            seen = launch.died() or f"the bot did not come back within {seconds:g} seconds"
            raise StepFailed(seen, expected="it dials again and sends Hello")
        session.stream = coming.stream  # to end with the session, whatever comes of it
        return coming

    # Processes.

    def listener(self) -> Listener:
        """Where the present session came in."""
        return self._listeners[self._way]

    def launch(self) -> Launch:
        """The process of the present session."""
        if self._launch is None:
            raise NotTried("there is no process")
        return self._launch

    @contextlib.asynccontextmanager
    async def starting(
        self, variables: Mapping[str, str | None], token: str | None = None
    ) -> AsyncIterator[Launch]:
        """A process besides; see `Examinee`."""
        if self._failures >= MOST_FAILURES:
            raise NotTried("the bot did not come up")
        launch = await self._start(variables, token or new_token())
        try:
            yield launch
        finally:
            await self._end(launch)

    async def _start(self, variables: Mapping[str, str | None], token: str) -> Launch:
        all_variables = {"ARENA_TOKEN": token, **variables}
        given = {name: value for name, value in all_variables.items() if value is not None}
        started = asyncio.get_running_loop().time()
        try:
            start = await asyncio.to_thread(self._launch_of, given)
            process = await BotProcess.start(start, on_exit=lambda _: None)
        except OSError as error:
            failed = StepFailed(
                f"the command cannot be started: {error.strerror}", expected="it can be started"
            )
            self._failures = MOST_FAILURES
            raise BotMissing(failed) from error
        self._guard.watch(process.pid)
        launch = self._last = Launch(process, token, started)
        for listener in self._listeners.values():
            listener.expect(token)
        return launch

    def _launch_of(self, variables: Mapping[str, str]) -> Start:
        """How a process is started."""
        argv, contained = self._command.argv, self._contained
        if contained is None:
            return ProcessRunner().launch(Job(argv, self._command.name, variables))
        self._number += 1
        return contained.runner.launch(
            Job(
                argv,
                f"{contained.label}-{self._number}",
                variables,
                folder=contained.folder,
                sockets=self._sockets,
                resources=contained.resources,
            )
        )

    async def _end(self, launch: Launch) -> None:
        for listener in self._listeners.values():
            listener.forget(launch.token)
        launch.process.kill()
        await launch.process.ended()
        self._guard.release(launch.process.pid)

    async def _retire(self) -> None:
        """End the present session and its process."""
        session, self._session = self._session, None
        launch, self._launch = self._launch, None
        if launch is not None:
            await self._end(launch)
        if session is not None:
            session.stream.end()

    def stderr(self) -> str:
        """The tail of the standard error of the process that was last looked at."""
        return "" if self._last is None else self._last.process.stderr.text()

    # Addresses.

    def address(self) -> Mapping[str, str | None]:
        """What a process is told to dial where the present session came in."""
        told: dict[str, str | None] = {"ARENA_ADDR": self.listener().address}
        if self._contained is not None:
            told["ARENA_ADDR"] = self._contained.runner.address(self._sockets)
        if self._way is Way.TLS:
            told["ARENA_TLS_CA"] = str(self._folder / "ca.pem")
        return told

    async def _listening(self, way: Way) -> Listener:
        if way not in self._listeners:
            listener = await self._make(way)
            await listener.start()
            if self._contained is not None:
                (self._sockets / SOCKET).chmod(0o666)  # the processes are another user's
            self._listeners[way] = listener
        return self._listeners[way]

    @property
    def _sockets(self) -> Path:
        """The folder that contained processes see."""
        return self._folder / _SOCKETS

    async def _make(self, way: Way) -> Listener:
        if self._contained is not None:
            if way is not Way.UNIX:
                raise NotTried("a contained bot reaches a Unix socket alone")
            self._sockets.mkdir(mode=0o711)
            return Listener(f"unix:{self._sockets / SOCKET}", self.transcript)
        match way:
            case Way.UNIX:
                return Listener(f"unix:{self._folder / 'u'}", self.transcript)
            case Way.TCP:
                return Listener("127.0.0.1:0", self.transcript)
            case Way.TLS:
                files = await make_certificates(self._folder)
                tls = Certificates(files).credentials()
                return Listener("localhost:0", self.transcript, tls)
