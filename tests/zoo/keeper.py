"""The keeper: an arena, honest neighbours, and one bad bot after the other, or some at once."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena.hosting.command import BotCommand
from arena.ids import VersionId
from arena.referee.sets import SetPlan
from arena.rules.record import EndingKind, Entrant, Faults, GameRecord, SetOutcome, SetRecord
from arena.schedule.execution import SetOrder
from arena.server import executor
from arena.server.admission import Admission, Chair, Lane, Place, new_token, token_hash
from arena.server.app import Arena, running_arena
from tests.hosting.bots import until
from tests.referee.games import SEED, SHORT
from tests.server.serving import environment
from tests.zoo.kinds import Coming, Kind
from tests.zoo.neighbours import waits_of
from tests.zoo.traces import Traces, resident_bytes, running_with

ROOT = Path(__file__).resolve().parents[2]
ABSENT_SECONDS = 2.0
SAYS_SECONDS = 20.0
NEIGHBOURS = (VersionId(1), VersionId(2))
NAMES = ("ann", "bob")
NEIGHBOUR_SETS = 2
"""How many sets the neighbours play at a time."""


def program(module: str, *arguments: str) -> tuple[str, ...]:
    """The command line of a program of this room."""
    lines = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})",
        f"from tests.zoo.{module} import main",
        "main()",
    )
    return (sys.executable, "-c", "\n".join(lines), *arguments)


@dataclass(frozen=True, slots=True)
class Sighting:
    """What came of one bad bot.

    Attributes:
        kind: which.
        record: of its set; None for a visitor.
        entrant: which of the set's two it was.
        said: what it printed.
        worst_wait: the longest wait of a neighbour meanwhile, in seconds.
        growth: by how many bytes the server's memory grew meanwhile.
    """

    kind: Kind
    record: SetRecord | None
    entrant: int
    said: str
    worst_wait: float
    growth: int

    @property
    def half(self) -> GameRecord | None:
        """The half that decided the set."""
        if self.record is None:
            return None
        first, second = self.record.halves
        return second if first.ending.kind is EndingKind.STOPPED else first

    @property
    def owner(self) -> str:
        """Whose ending it is."""
        half = self.half
        if half is None or half.ending.seat is None:
            return "nobody"
        blamed = half.seats[half.ending.seat].entrant
        return "the bad bot" if blamed == self.entrant else "the other"

    @property
    def lost(self) -> bool:
        """Whether the bad bot's side lost the set."""
        loses = (SetOutcome.SECOND_WINS, SetOutcome.FIRST_WINS)
        return self.record is not None and self.record.verdict.outcome is loses[self.entrant]

    @property
    def others_faults(self) -> Faults:
        """The faults of the honest side."""
        return Faults() if self.record is None else self.record.faults_of(1 - self.entrant)


@dataclass(slots=True)
class Zoo:
    """What was seen of all.

    Attributes:
        sightings: by kind.
        neighbours: the sets that the honest bots played meanwhile.
        before: what was open before the arena was.
        after: what was left open once it had closed.
        running: command lines of processes that were left.
        folders: what was left in the arena's folder.
        growth: by how many bytes the server's process grew from its start to its end.
        loud: what was logged as an error.
    """

    sightings: dict[Kind, Sighting] = field(default_factory=dict)
    neighbours: list[SetRecord] = field(default_factory=list)
    before: Traces | None = None
    after: Traces | None = None
    running: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    growth: int = 0
    loud: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Caged:
    """A process of a bad bot that is not the arena's."""

    process: asyncio.subprocess.Process
    said: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> None:
        """Take in what it prints, until it has ended."""
        assert self.process.stdout is not None
        while chunk := await self.process.stdout.read(65536):
            self.said += chunk.decode(errors="replace")
            self.changed.set()
        self.changed.set()

    async def says(self, pattern: str) -> None:
        """Wait until it has said something; whether it has is for the test to see."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SAYS_SECONDS):
                while not re.search(pattern, self.said) and not self._at_end:
                    self.changed.clear()
                    await self.changed.wait()

    @property
    def _at_end(self) -> bool:
        assert self.process.stdout is not None
        return self.process.stdout.at_eof()


class Keeper:
    """Shows bad bots to an arena."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self._arena = arena
        self._folder = folder
        self._versions = len(NEIGHBOURS)
        self._sets = 0
        self._stop = asyncio.Event()
        self.records: list[SetRecord] = []

    # Neighbours.

    @contextlib.asynccontextmanager
    async def neighbours(self) -> AsyncIterator[None]:
        """Have two honest bots play each other while the block runs."""
        tokens = [
            self._admit(version, name) for version, name in zip(NEIGHBOURS, NAMES, strict=True)
        ]
        names = [word for pair in zip(NAMES, tokens, strict=True) for word in pair]
        command = program("neighbours", str(self._folder), *names)
        variables = {"ARENA_ADDR": self._arena.addresses[0]}
        async with self._running(command, **variables), asyncio.TaskGroup() as group:
            for _ in range(NEIGHBOUR_SETS):
                group.create_task(self._play_on())
            try:
                yield
            finally:
                self._stop.set()

    async def _play_on(self) -> None:
        while not self._stop.is_set():
            order = self._order(NEIGHBOURS, NAMES, Kind("", None))
            played = await self._arena.executor.play(order)
            self.records.append(played.record)

    # Bad bots.

    async def show(self, kind: Kind) -> Sighting:
        """Show one bad bot, and take it away again."""
        self._versions += 1
        version = VersionId(self._versions)
        memory, started = resident_bytes(), time.monotonic()
        record: SetRecord | None = None
        match kind.coming:
            case Coming.HOSTED:
                record, said = await self._show_hosted(kind, version)
            case Coming.DIALS_IN:
                record, said = await self._show_remote(kind, version)
            case Coming.TCP_VISITOR | Coming.UNIX_VISITOR:
                said = await self._show_visitor(kind)
        ended = time.monotonic()
        waits = [
            wait
            for instant, wait in waits_of(self._folder)
            if started <= instant and instant - wait <= ended
        ]
        growth = resident_bytes() - memory
        return Sighting(kind, record, _place_of(version), said, max(waits, default=0.0), growth)

    async def _show_hosted(self, kind: Kind, version: VersionId) -> tuple[SetRecord, str]:
        command = BotCommand(kind.program, program("beast", kind.program, str(self._folder)), "")
        self._arena.host(version, command, "v1")
        return await self._play(kind, version), ""

    async def _show_remote(self, kind: Kind, version: VersionId) -> tuple[SetRecord, str]:
        token = self._admit(version, kind.program)
        async with self._beast(kind, ARENA_TOKEN=token, ZOO_REMOTE="1") as caged:
            await caged.says("ready")
            record = await self._play(kind, version)
            await caged.says(kind.said)
        return record, caged.said

    async def _show_visitor(self, kind: Kind) -> str:
        async with self._beast(kind) as caged:
            await caged.says("ready")
            # The neighbours go on meanwhile: both of their sets end, and one that began.
            count = len(self.records) + NEIGHBOUR_SETS + 1
            await until(lambda: len(self.records) >= count)
        return caged.said

    async def _play(self, kind: Kind, version: VersionId) -> SetRecord:
        bad, good = (version, kind.program), (NEIGHBOURS[1], NAMES[1])
        pair = (bad, good) if _place_of(version) == 0 else (good, bad)
        order = self._order((pair[0][0], pair[1][0]), (pair[0][1], pair[1][1]), kind)
        return (await self._arena.executor.play(order)).record

    def _order(
        self, versions: tuple[VersionId, VersionId], names: tuple[str, str], kind: Kind
    ) -> SetOrder:
        self._sets += 1
        plan = SetPlan(
            set_id=f"r1:{versions[0]}-{versions[1]}:{self._sets}",
            variant=SHORT,
            policy=kind.policy,
            entrants=(Entrant(names[0], "v1"), Entrant(names[1], "v1")),
            seed=SEED,
        )
        return SetOrder(plan, versions)

    def _admit(self, version: VersionId, name: str) -> str:
        token = new_token()
        self._arena.lobby.tokens.add(token_hash(token), Admission(version, name, "v1"))
        return token

    # Processes.

    @contextlib.asynccontextmanager
    async def _beast(self, kind: Kind, **variables: str) -> AsyncIterator[Caged]:
        address = self._arena.addresses[0 if kind.coming is Coming.UNIX_VISITOR else 1]
        session = self._arena.lobby.find(Place(NEIGHBOURS[0], Chair.FIRST, Lane.A))
        assert session is not None, "the neighbours are here"
        command = program("beast", kind.program, str(self._folder))
        variables |= {"ARENA_ADDR": address, "ZOO_LOOT": session.token}
        async with self._running(command, **variables) as caged:
            yield caged

    @contextlib.asynccontextmanager
    async def _running(self, command: tuple[str, ...], **variables: str) -> AsyncIterator[Caged]:
        with (self._folder / "errors").open("ab") as errors:
            process = await asyncio.create_subprocess_exec(
                *command,
                env=environment(**variables),
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        caged = Caged(process)
        listening = asyncio.create_task(caged.listen())
        try:
            yield caged
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            await listening


def _place_of(version: VersionId) -> int:
    """Which of its set's two a bad bot is: each side has its turn."""
    return version % 2


class _Loud(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


async def visit(kinds: Iterable[Kind], *, at_once: int) -> Zoo:
    """Show all these kinds to one arena, so many at once, and see what is left behind."""
    zoo, loud = Zoo(), _Loud()
    for name in ("asyncio", "arena"):
        logging.getLogger(name).addHandler(loud)
    with tempfile.TemporaryDirectory(prefix="zoo") as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(executor, "ABSENT_SECONDS", ABSENT_SECONDS)
        own, folder = Path(name) / "arena", Path(name) / "zoo"
        own.mkdir()
        folder.mkdir()
        addresses = (f"unix:{own}/s", "127.0.0.1:0")
        async with running_arena(*addresses, tables=1):
            pass  # gRPC keeps some descriptors from here on
        zoo.before, memory = Traces.now(), resident_bytes()
        async with running_arena(*addresses, tables=64) as arena:
            await _show_all(Keeper(arena, folder), kinds, at_once, zoo)
        zoo.growth = resident_bytes() - memory
        zoo.after = await _settled(zoo.before)
        zoo.running = running_with(name)
        zoo.folders = [path.name for path in own.iterdir()]
    zoo.loud = loud.lines
    for name in ("asyncio", "arena"):
        logging.getLogger(name).removeHandler(loud)
    return zoo


async def _show_all(keeper: Keeper, kinds: Iterable[Kind], at_once: int, zoo: Zoo) -> None:
    cages = asyncio.Semaphore(at_once)

    async def show(kind: Kind) -> None:
        async with cages:
            zoo.sightings[kind] = await keeper.show(kind)

    async with keeper.neighbours():
        await until(lambda: keeper.records)
        await asyncio.gather(*map(show, kinds))
    zoo.neighbours = keeper.records


async def _settled(before: Traces) -> Traces:
    """What is left once it changes no more: connections are closed in the background."""
    with contextlib.suppress(TimeoutError):
        await until(lambda: Traces.now() == before)
    return Traces.now()
