"""Two processes of one bot, as of partners: the first tells something, the second tries to hear.

``python -m ... tell`` goes on until it is ended; ``python -m ... hear`` says what it has heard.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import select
import socket
import struct
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.hostile.programs.attempts import NOTE, attempt, attempt_call, call, facts, say

_SECONDS = 60.0
_HEARING_SECONDS = 0.5
_FILE = Path(__file__)
_BYTES_FILE = _FILE.with_name("attempts.py")
"""Another one: to close the file would give up all locks of its bytes."""
_NAME = "hostile-partner"
_KEY = 0x686F7374
_PORT = 45_454

# The numbers of x86_64.
_SHMGET = 29
_SHMCTL = 31
_INOTIFY_INIT = 294
_INOTIFY_ADD_WATCH = 254
_MQ_OPEN = 240
_MINCORE = 27
_IO_SETUP = 206
_FADVISE = 221
_READAHEAD = 187
_PREADV2 = 327
_CACHESTAT = 451

_NOT_NEEDED = 4
_NO_WAIT = 8
_ADVICE = {"cold": 20, "out": 21, "collapse": 25}
_PRECACHE = 0x6612
_STATE = 0x40046629
_ANY_EVENT = 0x00000FFF
_NOTIFY = 1026
_ON_ACCESS = 0x80000001
_CREATE = 0o1000
_REMOVE = 0
_FOR_ALL = 0o666
"""Each seat may be a user of its own."""


def tell() -> None:
    """Leave signs wherever a partner might look."""
    held: list[object] = []
    for deed in (_lock, _lock_bytes, _abstract, _port, _file, _shared_memory, _queue):
        with contextlib.suppress(OSError):
            held.append(deed())
    say(NOTE, "telling", len(held))
    held_file = os.open(_FILE, os.O_RDONLY)
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            os.posix_fadvise(held_file, 0, 0, os.POSIX_FADV_DONTNEED)
        _FILE.read_bytes()
        time.sleep(0.02)


def hear() -> None:
    """Look there."""
    attempt("hear by a lock", _hear_lock)
    attempt("hear by a lock of bytes", _hear_bytes)
    attempt("hear by watching files (inotify)", _hear_inotify)
    attempt("hear by watching a folder (dnotify)", _hear_dnotify)
    attempt("hear by a lease", partial(_lease))
    attempt("hear by an abstract socket", partial(_dial, socket.AF_UNIX, f"\0{_NAME}"))
    attempt("hear by a port", partial(_dial, socket.AF_INET, ("127.0.0.1", _PORT)))
    for place in facts()["places"]:
        attempt(f"hear by a file in {place}", Path(place, _NAME).read_bytes)
    attempt("hear by shared memory", partial(call, _SHMGET, _KEY, 4096, _FOR_ALL))
    attempt("hear by a queue", partial(call, _MQ_OPEN, _NAME.encode(), os.O_RDONLY, 0o600, None))
    attempt("make a pipe in its folder", partial(os.mkfifo, "/bot/pipe"))
    for path in facts()["other"]:
        attempt(f"dial {path}", partial(_dial, socket.AF_UNIX, path))
    attempt("look for other sockets", _look)
    _hear_by_memory()


def _hear_by_memory() -> None:
    """By what the kernel holds of a file in memory, and how one has it dropped.

    Whatever the kernel answers shows it or does it, "not now" too.
    """
    file = os.open(_FILE, os.O_RDONLY)
    piece, answer = ctypes.create_string_buffer(1), ctypes.create_string_buffer(64)
    where = struct.pack("PN", ctypes.addressof(piece), 1)
    attempt_call("hear by a read that may not wait", _PREADV2, file, where, 1, 0, 0, _NO_WAIT)
    attempt_call("hear by a read that may not wait (AIO)", _IO_SETUP, 0, None)
    attempt("hear by cachestat", partial(call, _CACHESTAT, file, bytes(16), answer, 0))
    with mmap.mmap(file, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ) as pages:
        attempt_call("hear by mincore", _MINCORE, 0, 0, answer)
        for name, advice in _ADVICE.items():
            attempt(f"advise on pages ({name})", partial(pages.madvise, advice))
    attempt_call("have pages dropped", _FADVISE, file, 0, 0, _NOT_NEEDED)
    attempt_call("have pages read", _READAHEAD, file, 0, 1)
    attempt("have a file system look", partial(fcntl.ioctl, file, _PRECACHE))
    attempt("hear by a file system", partial(fcntl.ioctl, file, _STATE, bytes(4)))


def _look() -> list[str]:
    entries = [path.name for path in Path("/run/arena").iterdir()]
    if len(entries) <= 1:
        raise FileNotFoundError(errno.ENOENT, "its own alone")
    return entries


def _lock() -> int:
    descriptor = os.open(_FILE, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def _hear_lock() -> str:
    descriptor = os.open(_FILE, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return "it is held"
    raise FileNotFoundError(errno.ENOENT, "nobody holds it")


def _lock_bytes() -> int:
    descriptor = os.open(_BYTES_FILE, os.O_RDONLY)
    fcntl.fcntl(descriptor, fcntl.F_SETLK, _bytes(fcntl.F_RDLCK))
    return descriptor


def _hear_bytes() -> str:
    descriptor = os.open(_BYTES_FILE, os.O_RDONLY)
    # To ask for a lock that changes a file nobody needs a right to change it.
    found = fcntl.fcntl(descriptor, fcntl.F_GETLK, _bytes(fcntl.F_WRLCK))
    if struct.unpack_from("h", found)[0] == fcntl.F_UNLCK:
        raise FileNotFoundError(errno.ENOENT, "nobody holds them")
    return "they are held"


def _bytes(kind: int) -> bytes:
    """A ``struct flock`` of the first 7 bytes."""
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 7, 0)


def _abstract() -> socket.socket:
    return _listen(socket.AF_UNIX, f"\0{_NAME}")


def _port() -> socket.socket:
    return _listen(socket.AF_INET, ("127.0.0.1", _PORT))


def _listen(family: socket.AddressFamily, address: object) -> socket.socket:
    one = socket.socket(family)
    one.bind(address)  # type: ignore[arg-type]
    one.listen()
    return one


def _dial(family: socket.AddressFamily, address: object) -> str:
    with socket.socket(family) as one:
        one.settimeout(1.0)
        one.connect(address)  # type: ignore[arg-type]
        return "connected"


def _file() -> list[int]:
    return [Path(place, _NAME).write_bytes(b"x") for place in facts()["places"]]


def _shared_memory() -> int:
    return call(_SHMGET, _KEY, 4096, _CREATE | _FOR_ALL)


def forget_shared_memory() -> None:
    """Remove what was told where nothing kept it apart: it outlives who made it."""
    with contextlib.suppress(OSError):
        call(_SHMCTL, call(_SHMGET, _KEY, 4096, 0), _REMOVE, None)


def _queue() -> int:
    return call(_MQ_OPEN, _NAME.encode(), os.O_RDWR | os.O_CREAT, 0o600, None)


def _hear_inotify() -> str:
    descriptor = call(_INOTIFY_INIT, 0)
    call(_INOTIFY_ADD_WATCH, descriptor, os.fsencode(_FILE), _ANY_EVENT)
    return _hear(descriptor)


def _hear_dnotify() -> str:
    import signal

    heard: list[int] = []
    signal.signal(signal.SIGIO, lambda number, _: heard.append(number))
    descriptor = os.open(_FILE.parent, os.O_RDONLY)
    fcntl.fcntl(descriptor, _NOTIFY, _ON_ACCESS)
    time.sleep(_HEARING_SECONDS)
    if heard:
        return "it reads"
    raise FileNotFoundError(errno.ENOENT, "nothing is heard")


def _lease() -> str:
    descriptor = os.open(_FILE, os.O_RDONLY)
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "it is given"


def _hear(descriptor: int) -> str:
    ready, _, _ = select.select([descriptor], [], [], _HEARING_SECONDS)
    if not ready:
        raise FileNotFoundError(errno.ENOENT, "nothing is heard")
    event = struct.unpack_from("iI", os.read(descriptor, 4096))
    return f"events {event[1]:#x}"


ROLES: dict[str, Callable[[], None]] = {"tell": tell, "hear": hear}

if __name__ == "__main__":
    ROLES[sys.argv[1]]()
