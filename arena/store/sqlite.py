"""SQLite as a journal: what counts as a target, pragmas, transactions, and errors in words.

A further database is a further module like this one, chosen by the URL in `arena.store.store`.
"""

import os
import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from arena.store.errors import StoreError, Temporary, Unusable

BUSY_SECONDS: Final = 5
"""How long one process waits for another's write."""

_DRIVER: Final = "sqlite+pysqlite"
_IMMEDIATE: Final = "arena_immediate"
_SQLITE_HEADER: Final = b"SQLite format 3\x00"

_WORDS: Final = {
    "BUSY": f"is busy: another process has been writing for {BUSY_SECONDS} seconds; try again",
    "LOCKED": f"is busy: another process has been writing for {BUSY_SECONDS} seconds; try again",
    "FULL": "is on a disk that is full: make room and start again; what was stored is intact",
    "READONLY": "is read-only: make the file and its folder writable for this user",
    "CANTOPEN": "cannot be opened: check that this user may write the file and its folder",
    "PERM": "cannot be opened: check that this user may write the file and its folder",
    "IOERR": "cannot be read or written: the disk reports an error",
    "CORRUPT": "is damaged: restore it from a backup",
    "NOTADB": "is not a database",
}

_LASTING: Final = ("CORRUPT", "NOTADB")
"""What no waiting mends."""


def database_path(target: str | os.PathLike[str]) -> Path:
    """The file that a path or a `sqlite+pysqlite:///` URL names, with symbolic links resolved.

    Raises:
        Unusable: it names another kind of database, or no place where a file could be.
    """
    named = Path(_path_of_url(target) if "://" in str(target) else target)
    try:
        path = named.resolve()
        _check_place(path)
    except (OSError, ValueError) as error:
        raise Unusable(f"cannot open the database {str(named)!a}: {error}") from error
    return path


def _check_place(path: Path) -> None:
    if not path.parent.is_dir():
        raise Unusable(f"the folder {path.parent} of the database does not exist: create it")
    if path.is_dir():
        raise Unusable(f"{path} is a folder: name a file in it for the database")
    if path.exists() and path.stat().st_nlink > 1:
        # The write-ahead log goes by the name: through two names it would be two databases.
        raise Unusable(f"the database {path} has several hard links: keep one, link symbolically")


def _path_of_url(target: str | os.PathLike[str]) -> str:
    try:
        url = sa.make_url(str(target))
    except ArgumentError as error:
        raise Unusable("the database URL cannot be read: give a path instead") from error
    if url.drivername not in (_DRIVER, "sqlite"):
        raise Unusable(f"{url.drivername!r} is no database of the arena: give a path, or {_DRIVER}")
    if url.database in (None, "", ":memory:") or url.query:
        raise Unusable(f"a journal needs a file: write {_DRIVER}:////folder/name.sqlite3")
    return str(url.database)


def identity(path: Path) -> tuple[int, int] | None:
    """Which file is at a path now; None where there is none, or nobody can tell."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def looks_like_sqlite(path: Path) -> bool:
    """Whether the file is empty or begins as SQLite files do."""
    with path.open("rb") as file:
        return file.read(len(_SQLITE_HEADER)) in (b"", _SQLITE_HEADER)


def engine_for(path: Path) -> sa.Engine:
    """An engine whose connections are in WAL mode, durable at each commit, with foreign keys on.

    Its errors hold no values: seeds and hashes of tokens are among them.

    Raises (when it connects):
        Unusable: the database is not in WAL mode; see `use_write_ahead_log`.
    """
    engine = sa.create_engine(_url(path), hide_parameters=True)
    sa.event.listen(engine, "connect", _prepare)
    sa.event.listen(engine, "connect", _make_durable)
    sa.event.listen(engine, "begin", _begin)
    return engine


def migration_engine_for(path: Path) -> sa.Engine:
    """An engine without foreign keys: recreating a table must not delete what refers to it.

    Its transactions write, and its connections are closed after use.
    """
    engine = sa.create_engine(_url(path), poolclass=NullPool, hide_parameters=True)
    sa.event.listen(engine, "connect", _prepare)
    sa.event.listen(engine, "begin", _begin)
    return writing(engine)


def writing(engine: sa.Engine) -> sa.Engine:
    """The same engine for transactions that write: they take the write lock when they begin.

    Otherwise a transaction that reads first and writes later fails at once, without waiting, when
    another process has written in between.
    """
    return engine.execution_options(**{_IMMEDIATE: True})


def look(path: Path) -> sqlite3.Connection:
    """A plain connection to a file that is there; it does not create one."""
    address = f"file:{quote(str(path))}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Put the database into WAL mode, in which it stays for all later connections.

    Only under the opening lock: two processes that do this at once do not wait for each other.
    Raises Unusable if the database cannot be in WAL mode.
    """
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    _check_mode(mode)


def explained(error: DBAPIError, path: Path) -> StoreError | None:
    """What a database error means for the user; None when it can only be a bug of ours."""
    return in_words(error.orig, path) if isinstance(error.orig, sqlite3.Error) else None


def in_words(error: sqlite3.Error, path: Path) -> StoreError | None:
    """The same for an error of the driver."""
    name = getattr(error, "sqlite_errorname", "")
    kind = name.removeprefix("SQLITE_").split("_")[0]
    words = _WORDS.get(kind)
    if words is None:
        return None
    sentence = f"the database {path} {words}"
    return Unusable(sentence) if kind in _LASTING else Temporary(sentence)


def _url(path: Path) -> sa.URL:
    return sa.URL.create(_DRIVER, database=str(path))


def _prepare(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    # None: the driver begins no transactions of its own accord, `_begin` does.
    connection.isolation_level = None
    _pragma(connection, f"busy_timeout = {BUSY_SECONDS * 1000}")


def _make_durable(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    _check_mode(_pragma(connection, "journal_mode"))
    _pragma(connection, "synchronous = FULL")
    _pragma(connection, "foreign_keys = ON")


def _begin(connection: sa.Connection) -> None:
    immediate = connection.get_execution_options().get(_IMMEDIATE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _pragma(connection: DBAPIConnection, text: str) -> object:
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA {text}")
        row = cursor.fetchone()
    finally:
        cursor.close()
    return row[0] if row else None


def _check_mode(mode: object) -> None:
    if mode != "wal":
        raise Unusable(
            f"the database cannot keep a write-ahead log (its journal mode is {mode}): "
            "put it on a local disk"
        )
