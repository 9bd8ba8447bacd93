"""Writes the next revision: what the models have and the newest revision lacks."""

import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from arena.store import sqlite
from arena.store.migrate import MIGRATIONS, upgrade


def new_revision(message: str, location: str = MIGRATIONS) -> Path:
    """Write the revision that makes the newest one agree with the models; returns its path.

    `location` is the folder of the migrations, as Alembic names it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "newest.sqlite3"
        with sqlite.migration_engine_for(path).begin() as connection:
            upgrade(connection)
            config = Config(attributes={"connection": connection})
            config.set_main_option("script_location", location)
            config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
            number = len(list(ScriptDirectory.from_config(config).walk_revisions())) + 1
            made = command.revision(config, message, autogenerate=True, rev_id=f"{number:04}")
    assert made is not None
    assert not isinstance(made, list)
    return Path(made.path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("write: python -m arena.store.migrations MESSAGE")
    new_revision(sys.argv[1])
