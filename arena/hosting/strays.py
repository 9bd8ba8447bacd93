"""Processes that have left the group of the program that started them, ended all the same.

``setsid`` takes a process out of its group, where no signal for the group reaches it.  Linux lets
a process be the next parent of all orphans among its descendants (``PR_SET_CHILD_SUBREAPER``), so
that none gets out of sight.  On other systems nothing of this is done.

Only children of this process are ended, and only those that it had not before or that carry the
token of a bot that has ended: nobody else's.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

TOKEN: Final = "ARENA_TOKEN"
"""The variable by which a bot's processes are known."""
JOB: Final = "ARENA_JOB"
"""The same for those of other commands, such as builds."""

_SET_SUBREAPER: Final = 36
_GET_SUBREAPER: Final = 37
_ROUNDS: Final = 100
"""Each ends a generation: the children of those that were ended are ours in the next one."""

_PROC: Final = Path("/proc")
_SWEEP_SECONDS: Final = 5.0

_ENDING: Final = threading.Lock()
"""Held from a look at the children to their end: none may be reaped, and its number given to
another program, in between."""


class _Child(NamedTuple):
    pid: int
    born: str
    is_ended: bool


@contextmanager
def ending_strays() -> Iterator[None]:
    """Adopt orphans while the block runs; at its end, end and reap whoever it has left."""
    if sys.platform != "linux":
        yield
        return
    before = {(child.pid, child.born) for child in _children()}
    was = _is_subreaper()
    _set_subreaper(to=True)
    try:
        yield
    finally:
        _end(lambda child: (child.pid, child.born) not in before)
        _set_subreaper(to=was)


def end_strays_of(value: str, variable: str = TOKEN) -> None:
    """End and reap the orphans of a program, which must have ended, by a variable that they carry.

    What has thrown its environment away is not known again; it ends with the block of
    ``ending_strays``.
    """
    if sys.platform == "linux" and _is_subreaper():
        word = f"{variable}={value}".encode()
        _end(lambda child: word in _environment(child.pid))


class Sweeper:
    """Reaps orphans that ended by themselves: a process that runs for days would collect them.

    Whoever started a process waits for it at once, so one that has still not been waited for at
    the next look is an orphan.
    """

    def __init__(self) -> None:
        self._ended: frozenset[_Child] = frozenset()

    def sweep(self) -> None:
        """Look once; to be called every few seconds."""
        if sys.platform != "linux" or not _is_subreaper():
            return
        with _ENDING:
            ended = frozenset(child for child in _children() if child.is_ended)
            for child in ended & self._ended:
                with suppress(ChildProcessError):
                    os.waitpid(child.pid, os.WNOHANG)
        self._ended = ended


@asynccontextmanager
async def sweeping() -> AsyncIterator[None]:
    """Sweep every few seconds while the block runs."""
    task = asyncio.create_task(_sweep())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _sweep() -> None:
    sweeper = Sweeper()
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        await asyncio.to_thread(sweeper.sweep)


def _end(is_meant: Callable[[_Child], bool]) -> None:
    kept: set[int] = set()  # what we may not end, such as a program of the superuser's
    for _ in range(_ROUNDS):
        with _ENDING:
            meant = [one.pid for one in _children() if one.pid not in kept and is_meant(one)]
            kept.update(pid for pid in meant if not _end_one(pid))
        if not meant:
            return


def _end_one(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except PermissionError:
        return False
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
    return True


def _children() -> Iterator[_Child]:
    """The children of this process, adopted ones included."""
    own = str(os.getpid())
    for folder in _PROC.iterdir():
        if not folder.name.isdigit():
            continue
        with suppress(OSError):
            # Behind the name, which may hold anything: state, parent, ..., the moment of birth.
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].decode().split()
            if fields[1] == own:
                yield _Child(int(folder.name), fields[19], is_ended=fields[0] in "ZX")


def _environment(pid: int) -> list[bytes]:
    with suppress(OSError):
        return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return []


def _is_subreaper() -> bool:
    answer = ctypes.c_int()
    done = ctypes.CDLL(None).prctl(_GET_SUBREAPER, ctypes.byref(answer), 0, 0, 0)
    return bool(done == 0 and answer.value)


def _set_subreaper(*, to: bool) -> None:
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, int(to), 0, 0, 0)
