"""A build that takes the disk: ``python -m ... WAY``. Each stops by itself at a bound."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_MEBIBYTE = 1024 * 1024
_MOST_MEBIBYTES = 96
_DEPTH = 1500
_FILES = 3000


def full() -> None:
    """Large files in its folder and its home."""
    for number in range(_MOST_MEBIBYTES // 4):
        for place in (Path("/bot"), Path.home()):
            (place / f"file-{number}").write_bytes(bytes(2 * _MEBIBYTE))


def many() -> None:
    """Empty files."""
    for number in range(_FILES):
        Path(f"/bot/file-{number}").touch()


def deep() -> None:
    """Folders within folders, until no path names the last one."""
    for _ in range(_DEPTH):
        Path("deep").mkdir()
        os.chdir("deep")


def long() -> None:
    """The same with long names, which go beyond what a path may be."""
    for _ in range(60):
        Path("d" * 200).mkdir()
        os.chdir("d" * 200)


WAYS = {"full": full, "many": many, "deep": deep, "long": long}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
