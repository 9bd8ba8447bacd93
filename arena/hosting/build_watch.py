"""What a build takes of the disk while it runs: files, deleted ones too, and what is left free.

A file that is deleted and still held open takes room and stands in no folder.  Where it is known
which processes a build has, what they hold is counted; for all that cannot be seen (files of a
container, maps, files that are on their way through a socket) the free space of the disk is.
"""

from __future__ import annotations

import contextlib
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.hosting.leavings import LeavingsError, LeftLimits, refuse_too_much
from arena.hosting.shelf import Part
from arena.hosting.sizes import MEBIBYTE, size_of

MOST_DESCRIPTORS: Final = 20_000
"""Open files of all processes of a build: each is looked at every second."""

_PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class BuildWatch:
    """Looks at what a build takes.

    Attributes:
        part: what is built.
        left: what it may leave, or hold without a name.
        free_bytes: that must stay free on the disk.
        members: the processes of the running command; None where they are not known.
    """

    part: Part
    left: LeftLimits
    free_bytes: int
    members: Callable[[], Sequence[int]] | None = None

    def refuse_full(self) -> None:
        """Refuse to go on where the disk is nearly full, whoever has filled it.

        Raises:
            LeavingsError: it is.
        """
        if shutil.disk_usage(self.part.folder).free < self.free_bytes:
            raise LeavingsError(
                f"the arena's disk has less than {self.free_bytes // MEBIBYTE} MiB left, so the "
                "build was ended: let it write less, or tell the arena's organiser"
            )

    def refuse_too_much(self) -> None:
        """Refuse more than may be left.

        Raises:
            LeavingsError: there is too much, or something cannot be looked at.
        """
        for folder in (self.part.built, self.part.home):
            refuse_too_much(folder, self.left)
        if self.members is None:
            return
        held = held_bytes(self.members(), self.part.folder.stat().st_dev)
        if held > self.left.total_bytes:
            most = self.left.total_bytes // MEBIBYTE
            raise LeavingsError(f"the build holds more than {most} MiB in files that it deleted")


def held_bytes(processes: Sequence[int], device: int) -> int:
    """Bytes in files of a disk that have no name and that some processes hold open.

    Raises:
        LeavingsError: they have too many open to look at.
    """
    found: dict[int, int] = {}
    for count, path in enumerate(_descriptors(processes)):
        if count == MOST_DESCRIPTORS:
            raise LeavingsError(f"the build has more than {MOST_DESCRIPTORS} files open")
        with contextlib.suppress(OSError):  # it has just been closed
            held = path.stat()
            if stat.S_ISREG(held.st_mode) and held.st_nlink == 0 and held.st_dev == device:
                found[held.st_ino] = size_of(held)
    return sum(found.values())


def _descriptors(processes: Sequence[int]) -> Iterator[Path]:
    for process in processes:
        folder = _PROC / str(process) / "fd"
        with contextlib.suppress(OSError):  # it has ended, or nobody may look
            yield from folder.iterdir()
