"""Takes all there is of something: ``python -m ... WHAT``. Each stops by itself at a bound.

The bounds are a few times what a job may have, so that a machine that contains nothing survives.
"""

from __future__ import annotations

import mmap
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.hostile.programs.attempts import DONE, NOTE, REFUSED, facts, say

_MEBIBYTE = 1024 * 1024
_GENERATIONS = 8
"""Doublings: 256 processes at most."""
_HUNG_SECONDS = 20.0
_CHILDREN = 5
_ENDLESS_SECONDS = 6.0
"""Of processor time."""
_SPINNERS = 4
_SPIN_SECONDS = 1.5
_SLACK = 0.15
"""Of a processor: a period that has just begun may be used up, at either end."""
_FLOOD_BYTES = 64 * _MEBIBYTE


def fork() -> None:
    """Every process makes another, and so on; each that comes to be writes a byte."""
    reading, writing = os.pipe()
    first = os.getpid()
    for _ in range(_GENERATIONS):
        try:
            os.fork()
        except OSError:
            continue
    os.write(writing, b"x")
    if os.getpid() != first:
        time.sleep(_HUNG_SECONDS)
        os._exit(0)
    os.set_blocking(reading, False)
    time.sleep(0.5)
    _count("processes", len(os.read(reading, 65536)), facts()["most"]["processes"])


def threads() -> None:
    """Threads count as processes."""
    import threading

    end = threading.Event()
    started = 0
    most = facts()["most"]["processes"]
    try:
        while started < 4 * most:
            threading.Thread(target=end.wait, daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    _count("threads", started, most)
    end.set()


def memory() -> None:
    """Private memory, written to."""
    _grow("MiB of memory", lambda: mmap.mmap(-1, _MEBIBYTE, flags=mmap.MAP_PRIVATE))


def shared_memory() -> None:
    """Memory shared with nobody: some bounds do not count it."""
    _grow("MiB of shared memory", lambda: mmap.mmap(-1, _MEBIBYTE, flags=mmap.MAP_SHARED))


def family_memory() -> None:
    """Each of its children takes nearly all that one may have; how many hold it at once."""
    each = facts()["most"]["memory"] * 3 // 4
    full, filled = os.pipe()
    held, release = os.pipe()
    children = []
    for _ in range(_CHILDREN):
        child = os.fork()
        if child == 0:
            os.close(full)
            os.close(release)
            _hold(each, filled, held)
        children.append(child)
    os.close(filled)
    while os.read(full, 64):
        pass  # until each is full or has ended
    ended = sum(os.waitpid(child, os.WNOHANG)[0] != 0 for child in children)
    _count("children with nearly all memory", len(children) - ended, 1)
    os.close(release)


def _hold(size: int, filled: int, held: int) -> None:
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE)
    for start in range(0, size, mmap.PAGESIZE):
        memory[start] = 1
    os.close(filled)
    os.read(held, 1)
    os._exit(0)


def _grow(what: str, piece: Callable[[], mmap.mmap]) -> None:
    most = facts()["most"]["memory"] // _MEBIBYTE
    pieces: list[mmap.mmap] = []
    try:
        while len(pieces) < 4 * most:
            pieces.append(piece())
            for start in range(0, _MEBIBYTE, mmap.PAGESIZE):
                pieces[-1][start] = 1
            if len(pieces) % 32 == 0:
                say(NOTE, what, len(pieces))
    except (MemoryError, OSError):
        pass
    _count(what, len(pieces), 2 * most)


def files() -> None:
    """Fills every place that takes a file, with files as large as may be, then with empty ones."""
    for place in facts()["places"]:
        written, why = _fill(Path(place))
        say(NOTE, f"{place} ended with", why)
        _count(f"MiB in {place}", written // _MEBIBYTE, facts()["most"]["place"] // _MEBIBYTE)


def _fill(place: Path) -> tuple[int, str]:
    most = 2 * facts()["most"]["place"]
    block = bytes(_MEBIBYTE)
    written = number = 0
    why = "nothing"
    while written < most:
        number += 1
        before = written
        try:
            with (place / f"bomb-{number}").open("wb", buffering=0) as file:
                while written < most:
                    written += file.write(block)
        except OSError as error:
            why = error.strerror or ""
            if written == before:
                break
    for path in place.glob("bomb-*"):
        path.unlink()
    return written, why


def one_file() -> None:
    """One file without an end, where there is room for it."""
    most = facts()["most"]["file"]
    written = 0
    try:
        with Path("/tmp/bomb").open("wb", buffering=0) as file:
            while written < 3 * most:
                written += file.write(bytes(_MEBIBYTE))
    except OSError:
        pass
    _count("MiB in one file", written // _MEBIBYTE, most // _MEBIBYTE)


def open_files() -> None:
    """Opens files until none can be opened."""
    most = facts()["most"]["open_files"]
    held: list[int] = []
    try:
        while len(held) < 4 * most:
            held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass
    for descriptor in held:
        os.close(descriptor)
    _count("open files", len(held), most)


def processor() -> None:
    """Several that never rest; how many processors they have had on average."""
    began = time.monotonic()
    children = [_spin() for _ in range(_SPINNERS)]
    for child in children:
        os.waitpid(child, 0)
    spent = os.times()
    used = (spent.children_user + spent.children_system) / (time.monotonic() - began)
    most = facts()["most"]["cpus"]
    say(DONE if used > most + _SLACK else REFUSED, "processors", f"{used:.2f} of {most}")


def _spin() -> int:
    child = os.fork()
    if child == 0:
        end = time.monotonic() + _SPIN_SECONDS
        while time.monotonic() < end:
            pass
        os._exit(0)
    return child


def endless() -> None:
    """Spins until it is ended, or until it has had enough of a processor."""
    say(NOTE, "spinning")
    while time.process_time() < _ENDLESS_SECONDS:
        pass
    say(DONE, "spinning to the end")


def output() -> None:
    """Writes without an end to standard output and standard error."""
    line = b"x" * 65535 + b"\n"
    for _ in range(_FLOOD_BYTES // len(line)):
        os.write(1, line)
        os.write(2, line)
    say(REFUSED, "blocked by its output", "it is read, and its end kept")


def _count(what: str, found: int, most: int) -> None:
    say(DONE if found > most else REFUSED, what, f"{found}, {most} allowed")


BOMBS = {
    "fork": fork,
    "threads": threads,
    "memory": memory,
    "shared-memory": shared_memory,
    "family-memory": family_memory,
    "files": files,
    "one-file": one_file,
    "open-files": open_files,
    "processor": processor,
    "endless": endless,
    "output": output,
}

if __name__ == "__main__":
    BOMBS[sys.argv[1]]()
