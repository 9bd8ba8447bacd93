"""A note beside the database of how far its journal was: so it shows when the database is older.

SQLite keeps new sets in a write-ahead log, a file of its own. Who removes that file, or puts an
older copy of the database in its place, takes sets away that were announced, and the database does
not show it. The note is a hint and no truth: it is written after each commit without waiting for
the disk, so it may be too low, and never too high.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from arena.store.errors import Unusable

_DIGITS: Final = 20


def note(path: Path, revision: int) -> None:
    """Note a revision that is committed. Without the note everything works, so nothing fails."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.pwrite(descriptor, b"%0*d\n" % (_DIGITS, revision), 0)
        finally:
            os.close(descriptor)


def refuse_older(path: Path, database: Path, revision: int) -> None:
    """Refuse a database whose revision is lower than what was noted.

    Raises:
        Unusable: it is; the sentence says what to do.
    """
    try:
        noted = int(path.read_bytes()[: _DIGITS + 1])
    except (OSError, ValueError):
        return
    if revision < noted:
        raise Unusable(
            f"the database {database} is older than what was announced from it (set {revision} "
            f"instead of {noted} is the last): its write-ahead log was removed or an older copy is "
            f"in its place; put the newer files back, or remove {path} to go on with what is there"
        )
