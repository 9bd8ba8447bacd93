"""What sandboxes have in common: for the superuser a user for each job, and where its files are."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
from itertools import count
from pathlib import Path
from typing import Final

from arena.hosting.runner import Job
from arena.hosting.sizes import MEBIBYTE

BOT: Final = Path("/bot")
SOCKETS: Final = Path("/run/arena")
HOME: Final = Path("/home/bot")
"""Where a job finds its folder, its socket and its home."""

TEMPORARY_BYTES: Final = 64 * MEBIBYTE
"""Of each place in memory that it may write."""

FIRST_USER: Final = 2_000_000_000
"""From here on no machine gives out numbers of users; each job takes the next one."""
_USERS: Final = 100_000

_users: Final = count(secrets.randbelow(_USERS))  # other arenas of this machine count too


def new_user() -> int:
    """The number of a user that no other job has."""
    return FIRST_USER + next(_users) % _USERS


def give(job: Job, user: int) -> None:
    """Have what a job writes belong to a user, without following links.

    Raises:
        OSError: something cannot be given away.
    """
    for place in filter(None, (job.folder if job.writable else None, job.home)):
        # The command of the system takes any depth of folders that a build has made.
        done = subprocess.run(
            ("chown", "-R", "-h", "-P", f"{user}:{user}", "--", str(place)),
            env={"PATH": os.defpath},
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            raise OSError(done.returncode, f"{place} cannot be given to user {user}")


def take_back(job: Job) -> None:
    """Have what a job has written belong to the superuser, as far as it can be."""
    with contextlib.suppress(OSError):
        give(job, 0)


def out_of_memory(job: Job) -> str:
    """For what the kernel has ended it."""
    return f"it used more than {job.resources.memory_bytes // MEBIBYTE} MiB of memory"


def within(word: str, folder: Path | None) -> str:
    """A word of a job's command as it is within.

    Args:
        word: may be a file of the bot, or ``NAME=FILE``.
        folder: the bot's, on the machine.
    """
    if folder is None:
        return word
    named, sign, text = word.rpartition("=")
    path = Path(text)
    if path.is_absolute() and folder in (path, *path.parents):
        return f"{named}{sign}{BOT / path.relative_to(folder)}"
    return word
