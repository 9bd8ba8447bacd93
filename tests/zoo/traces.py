"""What a process leaves behind in its own process and on the machine."""

from __future__ import annotations

import asyncio
import gc
import os
from dataclasses import dataclass
from pathlib import Path


def resident_bytes() -> int:
    """The memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def running_with(word: str) -> list[str]:
    """The command lines that hold a word, of all processes of the machine but this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended meanwhile
        if word in line:
            found.append(line)
    return found


@dataclass(frozen=True, slots=True)
class Traces:
    """What is open now.

    Attributes:
        files: open descriptors, by what they are: socket, pipe, file.
        tasks: tasks of the event loop besides the one that looks.
        children: child processes, those that wait to be reaped included.
    """

    files: tuple[str, ...]
    tasks: int
    children: tuple[int, ...]

    @classmethod
    def now(cls) -> Traces:
        """Look."""
        gc.collect()
        return cls(tuple(sorted(_files())), len(asyncio.all_tasks()) - 1, tuple(_children()))


def _files() -> list[str]:
    kinds = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            target = str(entry.readlink())
        except OSError:
            continue  # the one with which this folder is read
        kinds.append(target.partition(":[")[0] if ":[" in target else target)
    # The folder that is being read itself.
    return [kind for kind in kinds if not kind.startswith("/proc/")]


def _children() -> list[int]:
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(word) for word in path.read_text().split()]
