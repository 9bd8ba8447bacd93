"""Opening a database: it is created or brought to the newest revision, by one process at a time.

A revision is applied whole or not at all: the data definition of SQLite is part of the transaction.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from arena.store import sqlite
from arena.store.errors import Unusable
from arena.store.lock import locked

if TYPE_CHECKING:
    from alembic.config import Config

HEAD: Final = "0005"
"""The newest revision in `migrations/versions`; a test compares."""

OPEN_SECONDS: Final = 30.0
"""How long to wait for another process that is creating or migrating the same database."""

MIGRATIONS: Final = "arena.store:migrations"
"""Where they are, as Alembic names it."""


def open_engine(path: Path, wait_seconds: float = OPEN_SECONDS) -> sa.Engine:
    """An engine for the database at `path`, which is created or migrated if need be.

    Raises:
        Unusable: it is no database, or another program's, or newer than this program, or another
            process is migrating it for longer than `wait_seconds`, or it cannot be written.
    """
    with _in_words(path):
        if not _is_current(path):
            lock = path.with_name(path.name + ".lock")
            with locked(lock, f"the database {path}", wait_seconds):
                if not _is_current(path):  # another process may have done it meanwhile
                    _bring_up_to_date(path)
        engine = sqlite.engine_for(path)
        with engine.connect():  # what is wrong shows here and not later
            return engine


def upgrade(connection: sa.Connection) -> None:
    """Bring the database of an open transaction to HEAD."""
    # Here and not above: most openings need no migration, and Alembic takes a while to load.
    from alembic import command

    command.upgrade(_config(connection=connection), "head")


def _is_current(path: Path) -> bool:
    """Whether the database is there, in WAL mode and at HEAD. Raises Unusable for a foreign one."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    if not sqlite.looks_like_sqlite(path):
        raise Unusable(f"{path} is not a database: name another file")
    with closing(sqlite.look(path)) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()
        return _revision(connection, path) == HEAD and mode == ("wal",)


def _revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """The revision of the database, None before the first."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if "alembic_version" not in names:
        if names:
            raise Unusable(f"{path} is the database of another program: name another file")
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def _bring_up_to_date(path: Path) -> None:
    # Not for others to read: it holds seeds and the hashes of tokens.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    with closing(sqlite.look(path)) as connection:
        _check_known(_revision(connection, path), path)
        sqlite.use_write_ahead_log(connection)
    with sqlite.migration_engine_for(path).begin() as transaction:
        upgrade(transaction)


def _check_known(revision: str | None, path: Path) -> None:
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(_config())
    if revision not in {None, *(script.revision for script in scripts.walk_revisions())}:
        raise Unusable(
            f"the database {path} has revision {revision!r}, which this version does not know (its "
            f"own is {HEAD!r}): use the newer version of the arena that made it"
        )


def _config(**attributes: object) -> "Config":
    from alembic.config import Config

    config = Config(attributes=attributes)
    config.set_main_option("script_location", MIGRATIONS)
    return config


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Database errors and refused files as sentences."""
    try:
        yield
    except OSError as error:
        raise Unusable(f"cannot open the database {path}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise sqlite.in_words(error, path) or error from error
    except DBAPIError as error:
        raise sqlite.explained(error, path) or error from error
