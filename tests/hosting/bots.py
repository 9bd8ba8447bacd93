"""Small programs as bots, written in sh, which starts a hundred times faster than Python."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from arena.hosting.command import BotCommand

DEADLINE_SECONDS = 20.0

FOREVER = "exec sleep 100"


def command(line: str, name: str = "bot") -> BotCommand:
    """A bot that runs a line of sh."""
    return BotCommand(name, ("/bin/sh", "-c", line), identity="")


async def until(condition: Callable[[], object]) -> None:
    """Wait for something that a real process does; fails after a while."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        # The one place where tests look again: no event tells of another process's deeds.
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def is_running(pid: int) -> bool:
    """Whether there is such a process that has not ended; a zombie has."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


async def until_ended(*groups: int) -> None:
    """Wait until no process of these groups runs: what was killed may take a moment to go."""
    await until(lambda: not any(group_members(group) for group in groups))


def group_members(group: int) -> list[int]:
    """The processes of a group that still run."""
    members = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or not is_running(int(entry.name)):
            continue
        with contextlib.suppress(ProcessLookupError):
            if os.getpgid(int(entry.name)) == group:
                members.append(int(entry.name))
    return members
