"""What a build has left in a bot's folder: looked over before it is kept, as an archive is."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.hosting.entries import shown
from arena.hosting.sizes import MEBIBYTE, size_of

_SPECIAL_BITS: Final = 0o7000
_EXECUTABLE: Final = 0o111


class LeavingsError(Exception):
    """A folder that is not kept; the sentence names what is wrong in it."""


@dataclass(frozen=True, slots=True)
class LeftLimits:
    """What a build may leave.

    Attributes:
        total_bytes: of all files together.
        entries: files, folders and links.
        path_bytes: of a path within; the system takes no path of more than 4096.
        depth: folders within folders.
    """

    total_bytes: int = 1024 * MEBIBYTE
    entries: int = 50_000
    path_bytes: int = 2048
    depth: int = 64


def look_over(folder: Path, limits: LeftLimits) -> None:
    """Refuse what nobody should meet later, and let everybody read what is left.

    Files and folders are taken, and links that lead to something within.

    Raises:
        LeavingsError: there is something else, or too much.
        OSError: it cannot be read.
    """
    root = Path(os.path.realpath(folder))
    for path, found in _entries(folder, limits, clean=True):
        name = shown(str(path.relative_to(folder)))
        if stat.S_ISLNK(found.st_mode):
            target = Path(os.path.realpath(path))
            if target != root and root not in target.parents:
                raise LeavingsError(f"the build left {name}, a link that leads out of the folder")
        elif not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            raise LeavingsError(f"the build left {name}, which is neither a file nor a folder")
        elif stat.S_ISREG(found.st_mode):
            if found.st_mode & _SPECIAL_BITS:
                raise LeavingsError(
                    f"the build left {name} with a set-user, set-group or sticky bit"
                )
            path.chmod(0o755 if found.st_mode & _EXECUTABLE else 0o644)


def refuse_too_much(folder: Path, limits: LeftLimits) -> None:
    """Refuse more than may be left; for while the build still runs.

    Raises:
        LeavingsError: there is too much.
    """
    for _ in _entries(folder, limits, clean=False):
        pass


def _entries(
    folder: Path, limits: LeftLimits, *, clean: bool
) -> Iterator[tuple[Path, os.stat_result]]:
    """What is in a folder and how it is; no link is followed.

    Args:
        folder: where.
        limits: how much there may be.
        clean: let everybody enter each folder before it is looked into; then nothing writes there
            any more, and what cannot be read is an error.
    """
    waiting, count, total = [(folder, 0)], 0, 0
    while waiting:
        place, depth = waiting.pop()
        if depth > limits.depth:
            raise LeavingsError(f"the build made folders more than {limits.depth} deep")
        if clean:
            place.chmod(0o755)
        for path, found in _scanned(folder, place, strict=clean):
            count, total = count + 1, total + size_of(found)
            if len(os.fsencode(path.relative_to(folder))) > limits.path_bytes:
                raise LeavingsError(f"the build made a path of more than {limits.path_bytes} bytes")
            if count > limits.entries:
                raise LeavingsError(f"the build made more than {limits.entries} files")
            if total > limits.total_bytes:
                most = limits.total_bytes // MEBIBYTE
                raise LeavingsError(f"the build wrote more than {most} MiB")
            if stat.S_ISDIR(found.st_mode):
                waiting.append((path, depth + 1))
            yield path, found


def _scanned(folder: Path, place: Path, *, strict: bool) -> Iterator[tuple[Path, os.stat_result]]:
    """What is in one folder; while something writes there, what is seen may be gone a moment later.

    Raises:
        LeavingsError: it cannot be looked into: it would hide whatever is in it.
    """
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                with contextlib.suppress(*(() if strict else (FileNotFoundError,))):
                    yield Path(entry.path), entry.stat(follow_symlinks=False)
    except OSError as error:
        if strict:
            raise
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            name = shown(str(place.relative_to(folder)))
            raise LeavingsError(
                f"the build made {name}, a folder that cannot be looked into"
            ) from error
