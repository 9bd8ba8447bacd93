"""A lock between processes: a file that one process at a time holds, and that says who does.

The kernel lets go of it when the process ends, however it ends: nothing is ever left to clean up.
The file stays, because removing it would let two processes hold two files of one name.
"""

import fcntl
import os
import socket
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
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, text.encode()[:_MAX_HOLDER], 0)


def _holder(descriptor: int) -> str:
    text = os.pread(descriptor, _MAX_HOLDER, 0).decode("utf-8", "replace")
    return text if text and text.isprintable() else "another process"
