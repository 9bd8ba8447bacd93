"""Locks between processes: a file that one process at a time holds, and that says who does.

Beside the lock of the whole file, every number has one of its own in it (`held` and `is_held`):
whoever drives a tournament holds that of its id, and others can ask without taking it.

The kernel lets go of it when the process ends, however it ends: nothing is ever left to clean up.
The file stays, because removing it would let two processes hold two files of one name.
"""

import contextlib
import fcntl
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from arena.store.errors import Unusable

_PAUSE_SECONDS: Final = 0.02
_MAX_HOLDER: Final = 200


@contextmanager
def locked(path: Path, what: str, wait_seconds: float) -> Iterator[None]:
    """Hold the lock file `path` while the block runs; `what` names what it protects.

    Raises:
        Unusable: another process held it for all of `wait_seconds`, or the file cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unusable(f"cannot write {path}, which guards {what}: {error.strerror}") from error
    try:
        _acquire(descriptor, what, time.monotonic() + wait_seconds)
        _sign(descriptor)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, what: str, deadline: float) -> None:
    while not _try(descriptor):
        if time.monotonic() >= deadline:
            raise Unusable(f"{what} is in use by {_holder(descriptor)}: wait for it or end it")
        time.sleep(_PAUSE_SECONDS)


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(descriptor: int) -> None:
    since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = f"process {os.getpid()} on {socket.gethostname()} since {since}"
    # Always as long, since what is overwritten needs no room: a full disk must not matter here.
    with contextlib.suppress(OSError):
        os.pwrite(descriptor, text.encode()[:_MAX_HOLDER].ljust(_MAX_HOLDER), 0)


def _holder(descriptor: int) -> str:
    text = os.pread(descriptor, _MAX_HOLDER, 0).decode("utf-8", "replace").rstrip()
    return text if text and text.isprintable() else "another process"


@contextmanager
def held(path: Path, number: int) -> Iterator[None]:
    """Hold the lock of a number in the lock file `path` while the block runs.

    Only for whoever holds the file itself: so nobody else has it.

    Raises:
        Unusable: the file cannot be opened.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unusable(f"cannot use the lock {path}: {error.strerror}") from error
    try:
        # A lock of the open file, not of the process: that would be lost with any other that
        # opens and closes the file.
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _byte(fcntl.F_WRLCK, number))
        yield
    finally:
        os.close(descriptor)


def is_held(path: Path, number: int) -> bool:
    """Whether a process holds the lock of a number. Takes nothing, so it is in nobody's way.

    Where it cannot be known, because the file may not be read, it is held.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, _byte(fcntl.F_RDLCK, number))
    finally:
        os.close(descriptor)
    return bool(_FLOCK.unpack(answer)[0] != fcntl.F_UNLCK)


_FLOCK: Final = struct.Struct("hhqqi0q")
"""The kernel's `struct flock`: type, whence, start, length, process."""


def _byte(kind: int, number: int) -> bytes:
    return _FLOCK.pack(kind, os.SEEK_SET, number, 1, 0)
