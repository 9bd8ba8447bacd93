"""Folders of sockets: gone with their owner, or at the next start; those of others never."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.server.short_folders import NAME_LENGTH, remove_left, short_folder

KILLED = """
import os, signal, sys
from arena.server.short_folders import short_folder
with short_folder(sys.argv[1]) as folder:
    (folder / "s").write_text("")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A folder whose owner was killed."""
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    (folder,) = tmp_path.iterdir()
    assert {file.name for file in folder.iterdir()} == {"owner.lock", "s"}
    return folder


def test_a_folder_is_for_its_owner_and_gone_after_its_block(tmp_path: Path) -> None:
    with short_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
        assert len(folder.name) == NAME_LENGTH
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_arena_left_is_gone_at_the_next_start(tmp_path: Path, left: Path) -> None:
    with short_folder(tmp_path) as folder:
        assert list(tmp_path.iterdir()) == [folder]
        with short_folder(tmp_path) as other:
            assert sorted(tmp_path.iterdir()) == sorted([folder, other]), "its owner is alive"


def readable_by_others(folder: Path) -> None:
    folder.chmod(0o755)


def without_a_mark(folder: Path) -> None:
    (folder / "owner.lock").unlink()


def with_a_mark_elsewhere(folder: Path) -> None:
    mark = folder / "owner.lock"
    mark.rename(folder.parent.parent / "elsewhere")
    mark.symlink_to(folder.parent.parent / "elsewhere")


def under_another_name(folder: Path) -> None:
    folder.rename(folder.with_name("arena-of-somebody"))


def behind_a_link(folder: Path) -> None:
    real = folder.parent.parent / "real"
    folder.rename(real)
    folder.symlink_to(real)


@pytest.mark.parametrize(
    "change",
    [
        readable_by_others,
        without_a_mark,
        with_a_mark_elsewhere,
        under_another_name,
        behind_a_link,
    ],
    ids=lambda change: change.__name__.replace("_", " "),
)
def test_what_is_not_surely_ours_stays(
    tmp_path: Path, left: Path, change: Callable[[Path], None]
) -> None:
    parent = tmp_path / "inner"
    parent.mkdir()
    moved = left.rename(parent / left.name)
    change(moved)
    before = sorted(parent.rglob("*"))
    remove_left(parent)
    assert sorted(parent.rglob("*")) == before


def test_a_parent_that_cannot_be_read_is_no_failure(tmp_path: Path) -> None:
    remove_left(tmp_path / "nowhere")
