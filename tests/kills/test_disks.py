"""Full and read-only disks: one sentence, nothing lost, and on it goes when there is room."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import TournamentState
from tests.kills.conftest import SETS
from tests.kills.cup import ANYWHERE, Cup, Outcome
from tests.kills.disks import fill, make_read_only, make_room, make_writable, resize, small_disk
from tests.kills.moments import Moment

KILOBYTES = 600
ROOM = 120  # for some sets, and not for all
PLENTY = 10_000
FULL = "arena.db is on a disk that is full: make room and start again; what was stored is intact"


def sentences(said: str) -> list[str]:
    """The errors that a command told."""
    assert "Traceback" not in said
    return [line for line in said.splitlines() if line.startswith("error: ")]


def words_until(child: subprocess.Popen[str], word: str) -> list[str]:
    """What a command says until a line has that word."""
    said = []
    assert child.stderr is not None
    for line in child.stderr:
        said.append(line)
        if word in line:
            return said
    raise AssertionError(f"it ended without {word!r}: {said}")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", KILOBYTES) as folder:
        yield folder


@pytest.fixture
def cup(tmp_path: Path, disk: Path) -> Cup:
    return Cup(tmp_path, sets=SETS, bots="house", data=disk / "data")


def test_a_run_on_a_disk_that_fills_up_ends_in_a_sentence_and_goes_on_with_room(
    cup: Cup, disk: Path, whole: Outcome
) -> None:
    assert cup.done("tournament", "create", str(cup.file))[0] == 0
    fill(disk, but=ROOM)
    for _ in range(2):  # the second finds no room from the start
        code, said = cup.done("tournament", "resume", "--tables", "4")
        assert code == 1
        assert [FULL in line for line in sentences(said)] == [True], said
        fill(disk)
    stored = cup.check()
    assert 0 < len(stored) < SETS
    assert cup.done("tournament", "status")[0] == 0, "looking needs no room"
    make_room(disk, PLENTY)
    assert cup.done("tournament", "resume")[0] == 0
    assert set(stored) < set(cup.check())
    assert cup.outcome() == whole


@pytest.mark.parametrize("command", [("tournament", "create"), ("tournament", "run")], ids=" ".join)
def test_where_there_is_no_room_at_all_nothing_is_left(
    cup: Cup, disk: Path, command: tuple[str, str]
) -> None:
    fill(disk)
    code, said = cup.done(*command, str(cup.file))
    assert code == 1
    assert len(sentences(said)) == 1
    assert FULL in said
    make_room(disk, PLENTY)
    assert cup.run() == 0


@pytest.mark.timeout(120)
def test_a_server_outlasts_a_full_disk_and_goes_on_by_itself(
    cup: Cup, disk: Path, whole: Outcome
) -> None:
    assert cup.done("tournament", "create", str(cup.file))[0] == 0
    fill(disk, but=ROOM)
    with cup.process("serve", *ANYWHERE) as server:
        said = words_until(server, "is on a disk that is full")
        assert said[-1].startswith("error: the database")
        stored = cup.check()
        assert 0 < len(stored) < SETS
        assert cup.status() == "running"
        words_until(server, "is on a disk that is full")  # it tried once more
        assert cup.check() == stored, "nothing was announced that is not stored"
        make_room(disk, PLENTY)
        words_until(server, f"is finished, {SETS} of {SETS} sets played")
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 0
    assert set(stored) < set(cup.check())
    assert cup.outcome() == whole


@pytest.mark.timeout(120)
def test_a_server_whose_disk_is_full_drains_within_its_bound(cup: Cup, disk: Path) -> None:
    assert cup.done("tournament", "create", str(cup.file))[0] == 0
    fill(disk, but=ROOM)
    with cup.process("serve", *ANYWHERE, "--drain-seconds", "0") as server:
        words_until(server, "is on a disk that is full")
        server.send_signal(signal.SIGTERM)
        words_until(server, "stopping")
        assert server.wait(timeout=30) == 0
    assert 0 < len(cup.check()) < SETS


def test_a_read_only_disk_is_a_sentence_and_changes_nothing(
    cup: Cup, disk: Path, whole: Outcome
) -> None:
    resize(disk, PLENTY)
    cup.done("tournament", "run", str(cup.file), moment=Moment.COMMITTED, nth=3)
    stored = cup.check()
    make_read_only(disk)
    for command in (("tournament", "resume"), ("serve", *ANYWHERE), ("bot", "register", "x")):
        words = ("--command", "random") if command[0] == "bot" else ()
        code, said = cup.done(*command, *words)
        assert code == 1
        assert len(sentences(said)) == 1, said
        assert "read-only" in said.lower()
    assert cup.done("tournament", "status")[0] == 0
    make_writable(disk)
    assert cup.check() == stored
    assert cup.run() == 0
    assert cup.outcome() == whole
    assert cup.outcome().state is TournamentState.FINISHED
