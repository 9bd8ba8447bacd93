"""Units of memory and of files, and what a file takes."""

from __future__ import annotations

import os
import stat
from typing import Final

MEBIBYTE: Final = 1024 * 1024
"""Bytes; people are told and give sizes in it, as MiB."""


def size_of(found: os.stat_result) -> int:
    """What counts of an entry: what it says it has, or what it takes, whichever is more."""
    return max(found.st_size, found.st_blocks * 512) if stat.S_ISREG(found.st_mode) else 0
