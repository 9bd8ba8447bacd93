"""Disks that get full: a small file system in memory, made by the superuser."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import IN_CI

_FILLER: Final = "filler"


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of so many kilobytes at a folder, which is made.

    Who is not the superuser cannot make one: there the test is skipped, and with CI=true it fails.
    """
    folder.mkdir()
    mount = shutil.which("mount")
    words = [str(mount), "-t", "tmpfs", "-o", f"size={kilobytes}k", "arena-test", str(folder)]
    if mount is None or subprocess.run(words, capture_output=True, check=False).returncode:
        why = "needs a small file system of its own, which only the superuser can mount"
        if IN_CI:
            pytest.fail(why, pytrace=False)
        pytest.skip(why)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, *, but: int = 0) -> None:
    """Take all the space that is left, but for so many kilobytes."""
    left = os.statvfs(folder)
    size = left.f_bavail * left.f_bsize - but * 1024
    with suppress(OSError), (folder / _FILLER).open("ab") as file:  # it may be a page less
        file.write(bytes(size))


def make_room(folder: Path, kilobytes: int) -> None:
    """Free what was taken, and let the disk have so many kilobytes."""
    (folder / _FILLER).unlink()
    resize(folder, kilobytes)


def resize(folder: Path, kilobytes: int) -> None:
    """Give a disk another size."""
    words = ["mount", "-o", f"remount,size={kilobytes}k", str(folder)]
    subprocess.run(words, check=True)


def make_read_only(folder: Path) -> None:
    """Let nobody write to the file system at a folder."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)


def make_writable(folder: Path) -> None:
    """Let it be written to again."""
    subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
