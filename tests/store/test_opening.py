"""Opening: one process creates, others wait; what is no database of ours is refused."""

import os
import sqlite3
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from arena.store import Store, StoreError, Unusable, sqlite
from arena.store.lock import locked
from arena.store.migrate import HEAD, open_engine
from arena.store.sqlite import look, use_write_ahead_log
from tests.store.databases import one_revision_old, shell
from tests.store.examples import finished, registered, schedule, spec, tournament
from tests.store.processes import end, process, told

NOBODY = 65534


def nothing(_: Path) -> None:
    """A new path."""


def an_empty_file(path: Path) -> None:
    path.touch()


def no_revision_yet(path: Path) -> None:
    shell(path, "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")


def another_journal_mode(path: Path) -> None:
    Store.open(path).close()
    shell(path, "PRAGMA journal_mode = DELETE")


STARTS = [nothing, an_empty_file, no_revision_yet, one_revision_old, another_journal_mode]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: str(start.__name__))
def test_a_path_becomes_a_database(path: Path, start: Callable[[Path], None]) -> None:
    start(path)
    with Store.open(path) as store:
        registered(store, 2)
        assert {bot.name for bot in store.bots()} >= {"bot1", "bot2"}
    assert shell(path, "SELECT version_num FROM alembic_version") == [(HEAD,)]
    assert shell(path, "PRAGMA journal_mode") == [("wal",)]
    assert shell(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("start", [nothing, one_revision_old], ids=["new", "old"])
def test_eight_processes_open_one_path_at_once(path: Path, start: Callable[[Path], None]) -> None:
    start(path)
    with ExitStack() as stack:
        children = [
            stack.enter_context(process("open", str(path), f"bot{number}")) for number in range(8)
        ]
        assert [told(child) for child in children] == ["ready"] * 8
        for child in children:
            assert child.stdin is not None
            child.stdin.write("go\n")
            child.stdin.flush()
        assert [end(child) for child in children] == [(0, "")] * 8
    with Store.open(path) as store:
        assert [bot.name for bot in store.bots()] == [f"bot{number}" for number in range(8)]
    assert shell(path, "SELECT version_num FROM alembic_version") == [(HEAD,)]


def test_connections_are_durable_and_check_references(store: Store) -> None:
    with store._engine.connect() as connection:
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in pragmas]
    assert values == ["wal", 2, 1, 5000]  # synchronous 2 is FULL


def test_a_database_that_cannot_keep_a_write_ahead_log_is_refused() -> None:
    with (
        closing(sqlite3.connect(":memory:")) as connection,
        pytest.raises(Unusable, match=r"\(its journal mode is memory\): put it on a local disk"),
    ):
        use_write_ahead_log(connection)


def test_a_look_creates_nothing(path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        look(path)
    assert not path.exists()


def test_a_path_and_a_url_name_the_same_database(path: Path) -> None:
    with Store.open(str(path)) as store:
        registered(store, 1)
    with Store.open(f"sqlite+pysqlite:///{path}") as store:
        assert len(store.bots()) == 1
        assert store.path == path


@pytest.mark.parametrize("name", ["a b", "50%", "a#b", "a?b", "mode=ro", "ä"])
def test_odd_file_names_are_names(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / name):
        assert sorted(file.name for file in tmp_path.iterdir())[:2] == sorted([name, f"{name}-shm"])
    Store.open(tmp_path / name).close()


def test_a_symbolic_link_leads_to_the_database(tmp_path: Path, path: Path) -> None:
    (tmp_path / "link").symlink_to(path)
    with Store.open(tmp_path / "link") as store:
        registered(store, 1)
        assert store.path == path
    with Store.open(path) as store:
        assert len(store.bots()) == 1


def test_a_hard_link_is_refused(tmp_path: Path, path: Path) -> None:
    Store.open(path).close()
    (tmp_path / "link").hardlink_to(path)
    for name in (path, tmp_path / "link"):
        with pytest.raises(Unusable, match="has several hard links: keep one"):
            Store.open(name)


def test_the_file_is_for_its_owner_only(store: Store, path: Path) -> None:
    registered(store, 1)
    files = [file for file in path.parent.iterdir() if file.is_file()]
    assert len(files) >= 3, "the database, its write-ahead log, its index, the lock"
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def newer(path: Path) -> None:
    Store.open(path).close()
    shell(path, "UPDATE alembic_version SET version_num = '9999'")


def of_another_program(path: Path) -> None:
    shell(path, "CREATE TABLE songs (title TEXT)")


def text(path: Path) -> None:
    path.write_text("variant = 'classic'\n" * 100)


def a_cut_database(path: Path) -> None:
    with Store.open(path) as store:
        registered(store, 3)
    path.write_bytes(path.read_bytes()[: 4096 * 2 + 100])


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        (newer, "has revision '9999', which this version does not know .* use the newer version"),
        (of_another_program, "is the database of another program: name another file"),
        (text, "is not a database: name another file"),
        (a_cut_database, "is damaged: restore it from a backup"),
    ],
    ids=lambda start: str(getattr(start, "__name__", "")),
)
def test_what_is_no_database_of_ours_is_refused_and_left_alone(
    path: Path, start: Callable[[Path], None], sentence: str
) -> None:
    start(path)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(Unusable, match=sentence):
            Store.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("{folder}/missing/x.sqlite3", "the folder .*/missing of the database does not exist"),
        ("{folder}", "is a folder: name a file in it"),
        ("{folder}/" + "x" * 300, "cannot open the database .* File name too long"),
        ("{folder}/a\0b", "cannot open the database .* null byte"),
        ("postgresql+psycopg://u:secret@h/d", r"'postgresql\+psycopg' is no database of the arena"),
        ("sqlite+pysqlite://", "a journal needs a file: write"),
        ("sqlite+pysqlite:///:memory:", "a journal needs a file: write"),
        ("sqlite+pysqlite:////tmp/x?mode=ro", "a journal needs a file: write"),
        ("://", "the database URL cannot be read: give a path instead"),
    ],
)
def test_what_cannot_be_a_database_is_refused(tmp_path: Path, target: str, sentence: str) -> None:
    with pytest.raises(Unusable, match=sentence) as caught:
        Store.open(target.format(folder=tmp_path))
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def readable_folder() -> Iterator[Path]:
    """A folder that every user may read and only its owner may write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def another_user(folder: Path) -> Iterator[None]:
    """Somebody who may not write `folder`; the superuser steps down for a while."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        yield
        folder.chmod(0o755)
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_that_is_not_writable_is_one_sentence(readable_folder: Path) -> None:
    path = readable_folder / "x.sqlite3"
    sentence = f"cannot write {path}.lock, which guards the database {path}: Permission denied"
    with another_user(readable_folder), pytest.raises(Unusable, match=sentence):
        Store.open(path)
    assert list(readable_folder.iterdir()) == []


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        pytest.param(0o000, "cannot open the database .*/x.sqlite3: Permission denied", id="none"),
        pytest.param(0o444, "the database .*/x.sqlite3 is read-only: make the file and", id="read"),
    ],
)
def test_a_database_of_another_user_is_one_sentence(
    readable_folder: Path, mode: int, sentence: str
) -> None:
    path = readable_folder / "x.sqlite3"
    Store.open(path).close()
    path.chmod(mode)
    with another_user(readable_folder), pytest.raises(Unusable, match=sentence):
        Store.open(path)


def test_a_lock_that_another_process_holds_is_named_by_its_holder(path: Path) -> None:
    lock = path.with_name(path.name + ".lock")
    with (
        locked(lock, "it", 0.0),
        pytest.raises(Unusable, match=f"the database {path} is in use by process {os.getpid()} on"),
    ):
        open_engine(path, wait_seconds=0.03)
    assert not path.exists()
    Store.open(path).close()


def test_a_lock_whose_holder_says_nothing_is_another_process(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with locked(lock, "it", 0.0):
        os.truncate(lock, 0)
        with (
            pytest.raises(Unusable, match="it is in use by another process: wait for it or end"),
            locked(lock, "it", 0.0),
        ):
            pass


def test_one_process_at_a_time_has_the_claim(store: Store, path: Path) -> None:
    with process("hold", str(path)) as child:
        assert told(child) == "held"
        with (
            pytest.raises(StoreError, match=f"{path} is in use by process {child.pid} on .* since"),
            store.claim(),
        ):
            pass
        assert store.bots() == (), "others may read"
        child.kill()
        child.wait()
        with store.claim():
            pass


@pytest.mark.parametrize("zone", ["America/St_Johns", "Pacific/Chatham", "UTC"])
def test_times_are_utc_whatever_the_zone(
    path: Path, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        before = time.time_ns() // 1000
        with Store.open(path) as store:
            made = store.create_tournament(spec(registered(store, 2)))
            assert before <= store.tournament(made).created_us <= time.time_ns() // 1000
    finally:
        monkeypatch.undo()
        time.tzset()


def test_times_come_from_the_clock_of_the_store(store: Store) -> None:
    registered(store, 3)
    assert [bot.created_us for bot in store.bots()] == [1_000_000, 2_000_000, 3_000_000]


@pytest.mark.parametrize("engine_of", [sqlite.engine_for, sqlite.migration_engine_for])
def test_a_database_error_holds_no_values(
    path: Path, engine_of: Callable[[Path], sa.Engine]
) -> None:
    Store.open(path).close()
    engine = engine_of(path)
    with closing(engine.connect()) as connection, pytest.raises(DBAPIError) as caught:
        connection.execute(sa.text("SELECT :seed FROM nowhere"), {"seed": "a secret"})
    engine.dispose()
    assert "nowhere" in str(caught.value)
    assert "a secret" not in str(caught.value)


def test_garbage_in_the_middle_is_told_by_what_meets_it_and_not_made_worse(path: Path) -> None:
    with Store.open(path) as store:
        number = tournament(store)
        store.add_sets(number, [finished(job.key) for job in schedule(4, sets=100)])
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle:-4096] = bytes(range(256)) * ((len(content) - 4096 - middle) // 256)
    path.write_bytes(content)
    with Store.open(path) as store:
        for ask in (store.results, store.damaged):
            with pytest.raises(Unusable, match="is damaged: restore it from a backup"):
                ask(tournament=number)
        assert store.tournament(number).name == "cup"
    assert path.read_bytes() == content


def test_a_database_that_is_taken_away_while_it_is_in_use_takes_no_more_sets(
    tmp_path: Path,
) -> None:
    path = tmp_path / "arena.db"
    with Store.open(path) as store:
        number = tournament(store)
        away = tmp_path / "away"
        away.mkdir()
        for file in tmp_path.glob("arena.db*"):
            file.rename(away / file.name)
        for use in (store.revision, lambda: store.add_sets(number, [finished("r1:1-2:1")])):
            with pytest.raises(Unusable, match="was moved, removed or replaced while it was in"):
                use()
        for file in away.glob("arena.db*"):
            file.rename(tmp_path / file.name)
        store.add_sets(number, [finished("r1:1-2:1")])
        assert store.revision() == 1
