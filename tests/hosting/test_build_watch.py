"""What a build takes of the disk and leaves in its folder: nothing of it can be hidden."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting import build_watch
from arena.hosting.build_watch import held_bytes
from arena.hosting.leavings import LeavingsError, LeftLimits, look_over, refuse_too_much

SMALL = LeftLimits(total_bytes=2 * 1024 * 1024, entries=40, depth=5)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds which file")
def test_files_that_were_deleted_count_as_long_as_they_are_held(tmp_path: Path) -> None:
    device = tmp_path.stat().st_dev
    with (tmp_path / "gone").open("wb") as gone, (tmp_path / "there").open("wb") as there:
        for file in (gone, there):
            file.write(bytes(1_000_000))
            file.flush()
        (tmp_path / "gone").unlink()
        with os.fdopen(os.dup(gone.fileno()), "wb"):
            held = held_bytes([os.getpid()], device)
        assert 1_000_000 <= held < 1_500_000, "once, however often it is open"
        assert held_bytes([os.getpid()], device + 1) == 0
    assert held_bytes([os.getpid()], device) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds which file")
def test_more_open_files_than_can_be_looked_at_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_watch, "MOST_DESCRIPTORS", 2)
    with pytest.raises(LeavingsError, match="more than 2 files open"):
        held_bytes([os.getpid()], 0)


def test_a_folder_that_hides_what_is_in_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir

    def may_not_read(place: Path) -> os._ScandirIterator[str]:
        if place.name == "shut":
            raise PermissionError(13, "no right to read it")
        return scan(str(place))

    (tmp_path / "shut").mkdir()
    monkeypatch.setattr(os, "scandir", may_not_read)
    with pytest.raises(LeavingsError, match="'shut', a folder that cannot be looked into"):
        refuse_too_much(tmp_path, SMALL)


def test_a_path_that_the_system_does_not_take_is_refused(tmp_path: Path) -> None:
    place = os.open(tmp_path, os.O_RDONLY)
    for name in ("a" * 255 for _ in range(20)):
        os.mkdir(name, dir_fd=place)
        place, above = os.open(name, os.O_RDONLY, dir_fd=place), place
        os.close(above)
    os.close(place)
    for look in (refuse_too_much, look_over):
        with pytest.raises(LeavingsError, match="a path of more than 2048 bytes"):
            look(tmp_path, replace(SMALL, depth=64))


def test_a_file_that_is_gone_hides_none_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "big").write_bytes(bytes(3_000_000))
    (tmp_path / "aaa").touch()
    scan = os.scandir

    @contextlib.contextmanager
    def loses(place: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        with scan(str(place)) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        (tmp_path / "aaa").unlink()
        yield iter(found)

    monkeypatch.setattr(os, "scandir", loses)
    with pytest.raises(LeavingsError, match="wrote more than 2 MiB"):
        refuse_too_much(tmp_path, SMALL)


def test_links_within_and_unreadable_folders_are_looked_over(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o000)
    (tmp_path / "main.c").touch()
    (tmp_path / "link").symlink_to("main.c")
    look_over(tmp_path, SMALL)
    assert oct((tmp_path / "shut").stat().st_mode) == "0o40755"
    with pytest.raises(LeavingsError):
        look_over(tmp_path, replace(SMALL, entries=2))
