"""The seam between what is to run and what contains it: a job, and how a runner launches it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from arena.hosting.command import search_path
from arena.hosting.strays import JOB, TOKEN, end_strays_of

SOCKET: Final = "s"
"""The name of the socket in a job's folder of sockets; short, for paths of sockets are bounded."""

_INHERITED: Final = ("HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "PYTHONHASHSEED")
"""What a bot inherits from the arena's environment; nothing else."""


class RunnerKind(StrEnum):
    """What contains a job."""

    PROCESS = "process"
    """Nothing: it runs with the arena's own rights."""
    BUBBLEWRAP = "bubblewrap"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True)
class Resources:
    """What a job may use; a runner that contains nothing does not bound it.

    Attributes:
        memory_bytes: of all its processes together.
        processes: and threads, at once.
        open_files: of each process.
        file_bytes: of one file that it writes, and of all that it writes in memory.
        cpus: how many at once.
        cpu_seconds: of one process, None for no bound.
    """

    memory_bytes: int = 512 * 1024 * 1024
    processes: int = 128
    open_files: int = 256
    file_bytes: int = 64 * 1024 * 1024
    cpus: float = 1.0
    cpu_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Something to run for a bot.

    Attributes:
        argv: the program and its arguments; paths are those of the machine, below `folder`. None
            where an image says what runs.
        label: names it among all jobs, so that what an arena left behind can be found.
        variables: of its environment, besides what the runner gives.
        folder: the bot's own, to be read; None for a command of the machine.
        writable: whether the folder may be written: to build.
        home: a folder to be its home, written by it; None for one in memory, or none of its own.
        network: whether it may reach one.
        sockets: the folder with the one socket that it dials; None where it dials none.
        resources: what it may use.
    """

    argv: tuple[str, ...]
    label: str
    variables: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    writable: bool = False
    home: Path | None = None
    network: bool = False
    sockets: Path | None = None
    resources: Resources = Resources()


@dataclass(frozen=True, slots=True)
class Launch:
    """A process to start.

    Attributes:
        argv: what to execute, the program as an absolute path.
        environment: all of it.
        folder: where it starts; None for the arena's own.
        descriptors: open files that it inherits; they may be closed once it has started.
        members: the processes that it has at this moment; None where they are not known. It may
            be called in a thread.
        cause: what it was ended for by what contains it, a sentence, empty for nothing that is
            known; called in a thread once the process has ended, before `clear`.
        clear: ends whatever of the job may be left and clears away what was made for it, None
            where nothing was; called in a thread once the process has ended, for it may wait.
    """

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path | None = None
    descriptors: tuple[int, ...] = ()
    members: Callable[[], Sequence[int]] | None = None
    cause: Callable[[], str] | None = None
    clear: Callable[[], None] | None = None


class Runner(Protocol):
    """Contains jobs, each in its own place.

    Attributes:
        kind: which it is.
    """

    kind: RunnerKind

    def launch(self, job: Job) -> Launch:
        """How a job is started.

        Raises:
            OSError: what contains it cannot be made.
        """

    def address(self, sockets: Path) -> str:
        """Where a job finds the socket of its folder of sockets, as ``ARENA_ADDR`` has it."""


class ProcessRunner:
    """Trusts the bot: a process like any other, in a short environment."""

    kind: RunnerKind = RunnerKind.PROCESS

    def launch(self, job: Job) -> Launch:
        """The command itself."""
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        environment["PATH"] = search_path()
        if job.home is not None:
            environment["HOME"] = str(job.home)
        environment |= job.variables
        known_by = TOKEN if environment.get(TOKEN) else JOB
        value = environment.setdefault(known_by, secrets.token_hex(16))
        clear = partial(end_strays_of, value, known_by)
        return Launch(job.argv, environment, _place(job), clear=clear)

    def address(self, sockets: Path) -> str:
        """The path itself."""
        return f"unix:{sockets / SOCKET}"


def _place(job: Job) -> Path | None:
    """A job that writes works in its folder; a bot starts where the arena runs."""
    return job.folder if job.writable else None
