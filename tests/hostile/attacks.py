"""The table of attacks: what is started, what it may use, what shows that it was contained."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from arena.hosting.runner import Resources
from arena.hosting.sizes import MEBIBYTE
from tests.hostile.cages import Cage

RESOURCES: Final = Resources(
    memory_bytes=192 * MEBIBYTE,
    processes=32,
    open_files=64,
    file_bytes=16 * MEBIBYTE,
    cpus=0.5,
)
_ROOMY: Final = Resources(
    memory_bytes=512 * MEBIBYTE, processes=32, open_files=64, file_bytes=16 * MEBIBYTE
)


class End(Enum):
    """How an attack comes to its end."""

    ITS_OWN = "by itself"
    STOPPED = "ended by the arena"
    """Once it stays: it must be ended."""
    TIMED = "ended by the arena after a while"


@dataclass(frozen=True, slots=True)
class Attack:
    """One program.

    Attributes:
        name: in the table.
        words: the module below `programs`, and its arguments.
        bar: what contains it, in words.
        wins: what it may do; attempts whose names begin so.
        end: how it comes to its end.
        may_be_killed: whether the kernel may end it.
        resources: that it may use.
        building: whether it is a build.
        needs: whether it can be shown in a cage.
    """

    name: str
    words: tuple[str, ...]
    bar: str
    wins: tuple[str, ...] = ()
    end: End = End.ITS_OWN
    may_be_killed: bool = False
    resources: Resources = RESOURCES
    building: bool = False
    needs: Callable[[Cage], bool] = lambda _: True


def _is_x86_64(_: Cage) -> bool:
    return platform.machine() == "x86_64"


def _bomb(name: str, what: str, bar: str, **more: object) -> Attack:
    return Attack(name, ("bombs", what), bar, **more)  # type: ignore[arg-type]


ATTACKS: Final = (
    Attack("reads secrets", ("reads",), "name space of mounts"),
    Attack("reaches for processes", ("processes",), "name space of processes, filter"),
    Attack("opens sockets", ("network",), "name spaces of network and mounts, filter"),
    Attack("writes everywhere", ("writes",), "read-only mounts, own user"),
    Attack("escapes", ("escapes",), "filter, no capability, no new privileges", needs=_is_x86_64),
    Attack(
        "calls as another processor",
        ("processor",),
        "filter",
        may_be_killed=True,
        needs=_is_x86_64,
    ),
    Attack("builds out of its folder", ("build",), "as above", building=True),
    _bomb("fork bomb", "fork", "bound on processes"),
    _bomb("thread bomb", "threads", "bound on processes"),
    _bomb("memory bomb", "memory", "bound on memory", may_be_killed=True),
    _bomb(
        "shared memory bomb",
        "shared-memory",
        "bound on memory",
        may_be_killed=True,
        needs=lambda cage: cage.counts_family,
    ),
    _bomb(
        "memory bomb of a family",
        "family-memory",
        "bound on memory",
        may_be_killed=True,
        needs=lambda cage: cage.counts_family,
    ),
    _bomb("file bomb", "files", "places in memory of 64 MiB", resources=_ROOMY),
    _bomb("endless file", "one-file", "bound on a file"),
    _bomb("open files", "open-files", "bound on open files"),
    _bomb(
        "busy processors",
        "processor",
        "control group",
        resources=replace(RESOURCES, cpus=0.2),
        needs=lambda cage: cage.counts_processors,
    ),
    _bomb("endless loop", "endless", "its end by the arena", end=End.TIMED),
    _bomb(
        "endless loop, bounded",
        "endless",
        "bound on processor time",
        may_be_killed=True,
        resources=replace(RESOURCES, cpu_seconds=1),
    ),
    _bomb("flood of output", "output", "drained, its end kept"),
    Attack("leaves a daemon", ("stays", "daemon"), "name space of processes"),
    Attack("leaves one without a name", ("stays", "nameless"), "name space of processes"),
    Attack("ignores signals", ("stays", "deaf"), "SIGKILL", end=End.STOPPED),
)
"""All but that of two seats, which takes two programs."""

TELL: Final = Attack("tells the other seat", ("seats", "tell"), "", end=End.STOPPED)
HEAR: Final = Attack(
    "talks to the other seat", ("seats", "hear"), "name spaces, own sockets, filter"
)
"""Two processes of one bot."""

BOMBS: Final = tuple(
    attack
    for attack in ATTACKS
    if attack.words[0] == "bombs" and attack.resources.cpu_seconds is None
)
"""Those that take from others, and soon: a second of a busy processor is long in coming."""
