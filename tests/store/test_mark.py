"""A database that is older than what was announced from it: refused to whoever would play on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.store import Store, Unusable
from tests.store.examples import finished, schedule, tournament
from tests.store.processes import process, told

KEYS = [job.key for job in schedule(4)]


def backed_up(path: Path) -> bytes:
    """The database with two sets, as a file; after that it has all."""
    with Store.open(path) as store:
        number = tournament(store)
        store.add_sets(number, [finished(key) for key in KEYS[:2]])
    before = path.read_bytes()
    with Store.open(path) as store:
        store.add_sets(number, [finished(key) for key in KEYS[2:]])
    return before


def killed(path: Path) -> None:
    """A database whose newest sets are in its write-ahead log alone."""
    with Store.open(path) as store:
        tournament(store)
    with process("write", str(path), "cup") as child:
        for _ in range(8):
            told(child)
        child.kill()
        child.wait()
    assert Path(f"{path}-wal").stat().st_size > 0


def without_its_log(path: Path) -> None:
    killed(path)
    Path(f"{path}-wal").unlink()


def without_its_log_and_index(path: Path) -> None:
    without_its_log(path)
    Path(f"{path}-shm").unlink()


def with_a_cut_log(path: Path) -> None:
    killed(path)
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[:1000])  # in its first page


def replaced_by_an_older_copy(path: Path) -> None:
    path.write_bytes(backed_up(path))


def emptied(path: Path) -> None:
    backed_up(path)
    path.write_bytes(b"")


@pytest.mark.parametrize(
    "change",
    [
        without_its_log,
        without_its_log_and_index,
        with_a_cut_log,
        replaced_by_an_older_copy,
        emptied,
    ],
    ids=lambda change: change.__name__.replace("_", " "),
)
def test_an_older_database_is_not_played_on(path: Path, change: Callable[[Path], None]) -> None:
    change(path)
    mark = Path(f"{path}.mark")
    with Store.open(path) as store:
        before = [store.finished_count(one.id) for one in store.tournaments()]
        for _ in range(2):
            with (
                pytest.raises(Unusable, match=r"is older than what was announced .* or remove"),
                store.claim(),
            ):
                pass
        assert [store.finished_count(one.id) for one in store.tournaments()] == before
        mark.unlink()
        with store.claim():
            pass


def test_a_log_that_is_torn_at_its_end_loses_what_was_never_committed(path: Path) -> None:
    killed(path)
    with Path(f"{path}-wal").open("ab") as log:
        log.write(bytes(range(256)) * 30)
    with Store.open(path) as store, store.claim():
        assert store.finished_count(store.tournament_named("cup").id) >= 8


@pytest.mark.parametrize("text", ["", "nonsense", "00000000000000000001\n", "-5"])
def test_a_note_that_says_nothing_or_less_is_no_obstacle(path: Path, text: str) -> None:
    with Store.open(path) as store:
        store.add_sets(tournament(store), [finished(key) for key in KEYS])
        Path(f"{path}.mark").write_text(text)
        with store.claim():
            pass


def test_a_note_that_cannot_be_written_is_no_obstacle(path: Path) -> None:
    Path(f"{path}.mark").mkdir()
    with Store.open(path) as store:
        store.add_sets(tournament(store), [finished(KEYS[0])])
        with store.claim():
            assert store.revision() == 1
