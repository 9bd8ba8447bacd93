"""The stamp of a build: what changed after it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.hosting.folder import STAMP, files_of
from arena.hosting.manifest import Manifest, read_manifest
from arena.hosting.stamp import changed_since_build, write_stamp

SOUND = """\
name = "ann"
language = "c"
build = [["make"]]
run = ["./bin/ann"]
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    """A bot that was built long ago."""
    for name, text in {"bot.toml": SOUND, ".gitignore": "/bin/", "a.c": "", "b.c": ""}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ann").touch()
    os.utime(tmp_path / "bin" / "ann", ns=(0, 0))
    write_stamp(tmp_path)
    return read_manifest(tmp_path)


def test_nothing_has_changed_right_after_a_build(manifest: Manifest) -> None:
    assert changed_since_build(manifest) == ()


def test_what_changed_came_or_went_is_named(manifest: Manifest) -> None:
    (manifest.folder / "a.c").write_text("int x;")
    (manifest.folder / "b.c").unlink()
    (manifest.folder / "c.c").touch()
    assert changed_since_build(manifest) == ("a.c", "b.c", "c.c")


def test_a_new_date_is_no_change(manifest: Manifest) -> None:
    os.utime(manifest.folder / "a.c")
    assert changed_since_build(manifest) == ()


def test_a_program_that_is_newer_was_built_by_hand(manifest: Manifest) -> None:
    (manifest.folder / "a.c").write_text("int x;")
    later = (manifest.folder / "a.c").stat().st_mtime_ns + 1
    os.utime(manifest.folder / "bin" / "ann", ns=(later, later))
    assert changed_since_build(manifest) == ()


@pytest.mark.parametrize("stamp", [None, "", "[1]", '{"a.c": 1}'])
def test_without_a_stamp_nothing_is_known(manifest: Manifest, stamp: str | None) -> None:
    (manifest.folder / "a.c").write_text("int x;")
    (manifest.folder / STAMP).unlink()
    if stamp is not None:
        (manifest.folder / STAMP).write_text(stamp)
    assert changed_since_build(manifest) == ()


def test_what_is_not_built_cannot_be_stale(manifest: Manifest) -> None:
    (manifest.folder / "bot.toml").write_text(SOUND.replace('build = [["make"]]', ""))
    assert changed_since_build(read_manifest(manifest.folder)) == ()


def test_the_stamp_is_no_part_of_the_bot(manifest: Manifest) -> None:
    assert STAMP not in {path.name for path in files_of(manifest.folder)}


def test_names_that_are_no_text_are_known_again(manifest: Manifest) -> None:
    (manifest.folder / os.fsdecode(b"x\xff\n")).touch()
    write_stamp(manifest.folder)
    assert changed_since_build(manifest) == ()
