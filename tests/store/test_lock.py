"""The lock of a number in a lock file: asked about without being taken, gone with its process."""

import os
from pathlib import Path

import pytest

from arena.store import Store
from arena.store.lock import held, is_held, locked
from tests.store.examples import tournament
from tests.store.processes import process, told


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def test_a_number_is_held_while_its_block_runs_and_no_other_is(lock: Path) -> None:
    assert not is_held(lock, 3), "without a file nothing is held"
    with held(lock, 3):
        assert [number for number in range(6) if is_held(lock, number)] == [3]
        with held(lock, 5):
            assert [number for number in range(6) if is_held(lock, number)] == [3, 5]
        assert is_held(lock, 3), "another that was closed has not taken it along"
    assert not is_held(lock, 3)


def test_asking_is_in_nobodys_way(lock: Path) -> None:
    with locked(lock, "it", 0.0):
        assert not is_held(lock, 1)
    assert not is_held(lock, 1)
    with locked(lock, "it", 0.0), held(lock, 1):
        assert is_held(lock, 1)


def test_what_may_not_be_read_counts_as_held(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", refuse)
    assert is_held(lock, 1)


def test_who_signs_a_lock_writes_over_who_held_it_before(lock: Path) -> None:
    lock.write_text("process 12345 on a host with a name that is very long indeed" * 3)
    with locked(lock, "it", 0.0):
        assert lock.read_text().startswith(f"process {os.getpid()} on ")
        assert "12345" not in lock.read_text()


def test_a_tournament_is_driven_until_its_process_is_killed(store: Store, path: Path) -> None:
    number = tournament(store)
    with process("drive", str(path), str(number)) as child:
        assert told(child) == "driving"
        assert store.is_driven(number)
        child.kill()
        child.wait()
    assert not store.is_driven(number)
