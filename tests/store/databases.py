"""Database files as they may be found, made behind the store's back."""

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from arena.store.migrate import HEAD, MIGRATIONS
from arena.store.sqlite import migration_engine_for


def shell(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """What a person with an SQL shell would do; rows of the last statement."""
    rows: list[tuple[object, ...]] = []
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            rows = connection.execute(statement).fetchall()
    return rows


def one_revision_old(path: Path) -> None:
    """A database that the release before this revision left, with the bot `bot0` in it."""
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    previous = ScriptDirectory.from_config(config).get_revision(HEAD).down_revision
    assert isinstance(previous, str)
    with migration_engine_for(path).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, previous)
    shell(
        path,
        "PRAGMA journal_mode = WAL",
        "INSERT INTO bots (name, owner, created_us) VALUES ('bot0', 'zoe', 5)",
    )
