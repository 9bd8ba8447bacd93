"""Folders of containers' monitors: those of dead arenas go, all others stay."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.hosting import places
from arena.hosting.orphans import birth

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="knows processes by /proc")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def dead() -> str:
    """The owner that a process was which has ended."""
    with subprocess.Popen(["sleep", "100"]) as process:
        owner = f"{process.pid}-{birth(process.pid)}"
        process.kill()
    return owner


@pytest.fixture
def living() -> Iterator[str]:
    """Another process that lives."""
    with subprocess.Popen(["sleep", "100"]) as process:
        yield f"{process.pid}-{birth(process.pid)}"
        process.kill()


def test_what_a_dead_arena_left_is_removed_and_nothing_else(
    temporary: Path, dead: str, living: str
) -> None:
    own = places.make_place()
    names = (f"arena-job-{living}-abcd1234", "arena-job-abcd1234", f"arena-job-{dead}-x")
    others = [temporary / name for name in names]
    file, link = (temporary / f"arena-job-{dead}-{end}" for end in ("file0000", "link0000"))
    left = temporary / f"arena-job-{dead}-abcd1234"
    for folder in (*others, left):
        folder.mkdir()
    (left / "oom").touch()
    file.touch()
    link.symlink_to(own)
    places.remove_left_places()
    assert {*temporary.iterdir()} == {own, *others, file, link}


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives folders away")
def test_that_of_another_user_stays(temporary: Path, dead: str) -> None:
    left = temporary / f"arena-job-{dead}-abcd1234"
    left.mkdir()
    shutil.chown(left, 65534)
    places.remove_left_places()
    assert left.exists()
