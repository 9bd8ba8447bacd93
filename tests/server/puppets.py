"""Hosted bots whose processes do nothing and whose sessions are played here, in the test.

A puppet is a process of sh, which starts a hundred times faster than one of Python: it writes its
token into a file and waits to be ended.  For every such file a client dials in with that token.
The process can be ended like any bot's, and the test sees and says everything its session does.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.hosting.command import BotCommand
from arena.ids import VersionId
from arena.referee.policy import Policy
from arena.referee.sets import SetPlan
from arena.rules import Variant
from arena.rules.record import EndingKind, Entrant, SetRecord
from arena.schedule.execution import SetOrder
from arena.server.app import Arena, running_arena
from arena.v1 import referee_pb2
from tests.referee.games import SEED, SHORT
from tests.server.client import Client

LOOK_SECONDS = 0.003
COMPLETED = [EndingKind.COMPLETED] * 2


def kinds(record: SetRecord) -> list[EndingKind]:
    """How the halves of a set ended."""
    return [half.ending.kind for half in record.halves]


@dataclass
class Puppet:
    """One process and its session."""

    name: str
    pid: int
    token: str
    client: Client
    played: list[referee_pb2.Decision] = field(default_factory=list)

    @property
    def place(self) -> tuple[int, int]:
        """Chair and lane."""
        return int(self.client.welcome.chair), int(self.client.welcome.lane)

    def kill(self) -> None:
        """End the process."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


Play = Callable[[Puppet, list[referee_pb2.Decision]], Awaitable[None]]
"""What a puppet does with the decisions of a message."""


async def first(puppet: Puppet, decisions: list[referee_pb2.Decision]) -> None:
    """Answers with the first legal action."""
    await puppet.client.first(*decisions)


class Theatre:
    """An arena and its puppets.

    Attributes:
        puppets: all that ever dialled in.
        plays: what the puppets of a name do.
        tables: how many tables their sessions announce.
    """

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena = arena
        self.puppets: list[Puppet] = []
        self.plays: dict[str, Play] = {}
        self.tables = 8
        self._folder = folder
        self._tasks: set[asyncio.Task[Any]] = set()
        self._entrants: dict[int, str] = {}

    def host(self, version: int, name: str, play: Play = first) -> None:
        """A puppet as a hosted bot."""
        self.host_command(version, name, self.line(name, play))

    def line(self, name: str, play: Play = first) -> str:
        """The line of sh that is a puppet's process."""
        self.plays[name] = play
        file = f"{self._folder}/{name}.$$"
        return f'printf %s "$ARENA_TOKEN" > {file}.new; mv {file}.new {file}; exec sleep 100'

    def host_command(self, version: int, name: str, line: str) -> None:
        """Any line of sh as a hosted bot."""
        self._entrants[version] = name
        command = BotCommand(name, ("/bin/sh", "-c", line), "")
        self.arena.host(VersionId(version), command, "v1")

    def order(
        self,
        first: int,
        second: int,
        number: int = 1,
        *,
        variant: Variant = SHORT,
        policy: Policy | None = None,
        fresh: bool = False,
    ) -> SetOrder:
        """A set of two versions."""
        plan = SetPlan(
            set_id=f"r1:{first}-{second}:{number}",
            variant=variant,
            policy=policy or Policy(),
            entrants=(self._entrant(first), self._entrant(second)),
            seed=SEED,
        )
        return SetOrder(plan, (VersionId(first), VersionId(second)), fresh=fresh)

    async def play(self, order: SetOrder) -> SetRecord:
        """The record of a set once it is played."""
        return (await self.arena.executor.play(order)).record

    def _entrant(self, version: int) -> Entrant:
        return Entrant(self._entrants.get(version, f"remote{version}"), "v1")

    def of(self, name: str) -> list[Puppet]:
        """The puppets of a name, in the order they came."""
        return [puppet for puppet in self.puppets if puppet.name == name]

    async def watch(self) -> None:
        """Dial in for every process that starts."""
        while True:
            for path in self._folder.iterdir():
                if not path.name.endswith(".new"):
                    token = path.read_text()
                    path.unlink()
                    name, _, pid = path.name.rpartition(".")
                    puppet = Puppet(name, int(pid), token, Client(self._address))
                    self._start(self._perform(puppet))
            await asyncio.sleep(LOOK_SECONDS)

    @property
    def _address(self) -> str:
        return self.arena.addresses[0]

    def _start(self, performance: Any) -> None:
        task = asyncio.create_task(performance)
        self._tasks.add(task)

    async def _perform(self, puppet: Puppet) -> None:
        client = puppet.client
        await client.hello(puppet.token, chair=0, tables=self.tables)
        self.puppets.append(puppet)
        play = self.plays[puppet.name]
        with contextlib.suppress(AssertionError, asyncio.CancelledError):
            while True:
                response = await client.receive_patiently()
                due = [item.decision for item in response.items.items if item.HasField("decision")]
                if due:
                    puppet.played += due
                    await play(puppet, due)

    async def close(self) -> None:
        """End all performances."""
        for puppet in self.puppets:
            await puppet.client.hang_up()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


@asynccontextmanager
async def open_theatre(*, tables: int = 8) -> AsyncIterator[Theatre]:
    """An arena whose hosted bots are puppets."""
    with tempfile.TemporaryDirectory(prefix="puppets") as name:
        folder = Path(name) / "tokens"
        folder.mkdir()
        async with running_arena(f"unix:{name}/s", tables=tables) as arena:
            theatre = Theatre(arena, folder)
            watching = asyncio.create_task(theatre.watch())
            try:
                yield theatre
            finally:
                watching.cancel()
                await asyncio.wait([watching])
                await theatre.close()
