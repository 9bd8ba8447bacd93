"""The folder of ``--out``: whole files or none, of one match, by one process."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from arena.cli.errors import CliError
from arena.cli.record_folder import MatchMark, file_name, record_folder
from arena.rules import CLASSIC
from arena.rules.record import Entrant

MARK = MatchMark("ab" * 32, CLASSIC, frozenset({Entrant("a", "1"), Entrant("b", "1")}))


def test_a_set_has_a_file_name_for_every_file_system() -> None:
    assert file_name("r1:1-2:3") == "r1_1-2_3.json"


def test_a_written_record_is_there_and_nothing_beside_it(tmp_path: Path) -> None:
    with record_folder(tmp_path / "new" / "out", MARK) as folder:
        folder.write("r1:1-2:1", b"old\n")
        folder.write("r1:1-2:1", b"new\n")
    files = {file.name: file.read_bytes() for file in folder.path.iterdir()}
    assert files == {"r1_1-2_1.json": b"new\n"}


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with record_folder(tmp_path, MARK) as folder:
        folder.write("r1:1-2:1", b"old\n")
        monkeypatch.setattr(os, call, full)
        with pytest.raises(CliError, match=r"r1_1-2_1\.json could not be written: No space"):
            folder.write("r1:1-2:1", b"new\n")
    files = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert files == {"r1_1-2_1.json": b"old\n"}


def test_a_link_in_the_way_is_replaced_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    inside = tmp_path / "out"
    inside.mkdir()
    (inside / ".r1_1-2_1.json.tmp").symlink_to(outside)
    with record_folder(inside, MARK) as folder:
        folder.write("r1:1-2:1", b"record\n")
    assert outside.read_bytes() == b"mine"
    assert (inside / "r1_1-2_1.json").read_bytes() == b"record\n"


def test_a_folder_made_for_nothing_goes_again(tmp_path: Path) -> None:
    with record_folder(tmp_path / "out", MARK):
        assert (tmp_path / "out").is_dir()
    assert not (tmp_path / "out").exists()


def test_one_match_at_a_time_writes_into_a_folder(tmp_path: Path) -> None:
    with record_folder(tmp_path, MARK), pytest.raises(CliError, match="another match"):
        record_folder(tmp_path, MARK).__enter__()


@pytest.mark.parametrize(
    ("name", "foreign"),
    [
        ("r1_1-2_1.json", True),
        ("r12_3-4_5.json", True),
        ("y.json", False),
        ("r1_1-1_1.json", False),
        ("-rf.json", False),
        ("r1_1-2_1.json.tmp", False),
    ],
)
def test_only_files_that_could_be_records_are_in_the_way(
    tmp_path: Path, name: str, foreign: bool
) -> None:
    (tmp_path / name).write_bytes(b"")
    if foreign:
        with pytest.raises(CliError, match="is not a record of this match"):
            record_folder(tmp_path, MARK).__enter__()
    else:
        with record_folder(tmp_path, MARK) as folder:
            assert folder.path == tmp_path
