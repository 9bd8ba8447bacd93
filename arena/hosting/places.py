"""Folders that the monitors of containers write in: one for each, and the process it belongs to.

They lie among the temporary files of the machine.  What an arena left that was killed is known by
the folder's name, which has its process and when that was born.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Final

from arena.hosting.orphans import birth

_PREFIX: Final = "arena-job-"
_NAME: Final = re.compile(re.escape(_PREFIX) + r"([0-9]+-[0-9]+)-[a-z0-9_]{8}")


def owner() -> str:
    """This process, as no other one ever is until the machine starts anew."""
    return f"{os.getpid()}-{birth(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Whether the process of that name still is."""
    pid, _, born = owner.partition("-")
    return pid.isdigit() and birth(int(pid)) == born


def make_place() -> Path:
    """A new folder of this process.

    Raises:
        OSError: it cannot be made.
    """
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{owner()}-"))


def remove_left_places() -> None:
    """Remove those of processes that have ended. What fails is left."""
    for place in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        named = _NAME.fullmatch(place.name)
        if named and not is_alive(named[1]) and _is_ours(place):
            shutil.rmtree(place, ignore_errors=True)


def _is_ours(place: Path) -> bool:
    try:
        status = place.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
