"""Two honest bots as one program, which notes how long they were kept waiting.

``python -c ... FOLDER NAME TOKEN NAME TOKEN`` with ``ARENA_ADDR`` set.  Each bot has a session for
each of its chairs.  A *wait* is the time from an answer to the next item of its table.  It is taken
at tables where the two play each other: there it holds at most three other answers of this very
program.  Each line of ``FOLDER/waits`` is an instant (seconds of the monotonic clock, which all
processes of a machine share) and the longest wait that ended since the line before (in seconds).
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from arena.v1 import referee_pb2
from tests.server.client import Client

THINKING_SECONDS = 0.002
"""Keeps the neighbours from taking the whole machine."""
LINE_SECONDS = 0.02
TABLES = 64
WAITS = "waits"


class Waits:
    """How long it waited."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._worst = 0.0
        self._written = time.monotonic()

    def note(self, seconds: float) -> None:
        """One wait has ended now."""
        self._worst = max(self._worst, seconds)
        now = time.monotonic()
        if now - self._written > LINE_SECONDS:
            self._file.write(f"{now} {self._worst}\n")
            self._file.flush()
            self._worst, self._written = 0.0, now


class Honest:
    """One session of an honest bot."""

    def __init__(self, client: Client, waits: Waits, names: tuple[str, ...]) -> None:
        self._client = client
        self._waits = waits
        self._names = names
        self._watched: set[int] = set()
        self._tables: set[int] = set()
        self._since: dict[int, float] = {}

    async def play(self) -> None:
        """Answer all that comes until the stream ends."""
        while isinstance(response := await self._client.call.read(), referee_pb2.PlayResponse):
            decisions = [d for item in response.items.items if (d := self._take(item)) is not None]
            if decisions:
                await asyncio.sleep(THINKING_SECONDS)
                now = time.monotonic()
                self._since |= {due.table_id: now for due in decisions}
                await self._client.first(*decisions)

    def _take(self, item: referee_pb2.Item) -> referee_pb2.Decision | None:
        match item.WhichOneof("item"):
            case "match_start" if item.match_start.opponent in self._names:
                self._watched.add(item.match_start.match_id)
            case "game_start" if item.game_start.match_id in self._watched:
                self._tables.add(item.game_start.table_id)
            case "game_finished":
                self._came(item.game_finished.table_id)
                self._tables.discard(item.game_finished.table_id)
            case "decision":
                self._came(item.decision.table_id)
                return item.decision
            case _:
                pass
        return None

    def _came(self, table_id: int) -> None:
        since = self._since.pop(table_id, None)
        if since is not None and table_id in self._tables:
            self._waits.note(time.monotonic() - since)


async def run(folder: str, bots: dict[str, str]) -> None:
    """Play with both chairs of each bot."""
    with (Path(folder) / WAITS).open("w") as file:
        waits = Waits(file)
        sessions: list[Any] = []
        for token in bots.values():
            for chair in (referee_pb2.CHAIR_FIRST, referee_pb2.CHAIR_SECOND):
                client = Client(os.environ["ARENA_ADDR"])
                await client.hello(token, chair=chair, tables=TABLES)
                sessions.append(Honest(client, waits, tuple(bots)).play())
        await asyncio.gather(*sessions)


def main() -> None:
    """The program."""
    folder, first, first_token, second, second_token = sys.argv[1:]
    asyncio.run(run(folder, {first: first_token, second: second_token}))


def waits_of(folder: Path) -> list[tuple[float, float]]:
    """What the program has noted: instants and waits, in seconds."""
    lines = (folder / WAITS).read_text().splitlines()
    pairs = [line.split() for line in lines]
    return [(float(pair[0]), float(pair[1])) for pair in pairs if len(pair) == 2]
