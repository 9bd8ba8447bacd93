"""Folders with short paths for sockets, which a killed arena leaves and the next one takes away.

A folder is ours when its name, owner and mode are as we make them and it holds our mark; it is
somebody's for as long as a process holds the lock of that mark. The kernel lets go of the lock when
the process ends, so a mark without a holder is a folder without an owner.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PREFIX: Final = "arena-"
NAME_LENGTH: Final = len(PREFIX) + 8
"""Characters of a folder's name."""

_MARK: Final = "owner.lock"
_NAME: Final = re.compile(re.escape(PREFIX) + r"[a-z0-9_]{8}")


@contextlib.contextmanager
def short_folder(parent: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder of mode 0700 in `parent` that is gone after the block; those left by others too.

    Raises:
        OSError: it cannot be made.
    """
    remove_left(Path(parent))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        descriptor = _marked(folder)
        try:
            yield folder
        finally:
            os.close(descriptor)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_left(parent: Path) -> None:
    """Take away the folders whose owners have ended without doing so. What fails is left."""
    with contextlib.suppress(OSError):
        for folder in parent.iterdir():
            if _NAME.fullmatch(folder.name) and _is_as_we_make_them(folder):
                _remove_if_left(folder)


def _marked(folder: Path) -> int:
    """Mark a folder as ours; the descriptor that holds the mark's lock."""
    # Locked before it has its name, so nobody ever sees the mark of a living owner unlocked.
    part = folder / f"{_MARK}.part"
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.rename(folder / _MARK)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _is_as_we_make_them(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode)
        and stat.S_IMODE(status.st_mode) == 0o700
        and status.st_uid == os.geteuid()
    )


def _remove_if_left(folder: Path) -> None:
    try:
        mark = os.open(folder / _MARK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return  # not ours, or one that is just being made
    try:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        pass  # its owner is alive
    finally:
        os.close(mark)
