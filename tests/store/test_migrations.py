"""Migrations: models and revisions agree, and they come with the package (grpc notes 6)."""

import re
import shutil
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from arena.store import Role, Store, VersionState, sqlite
from arena.store.migrate import HEAD, MIGRATIONS, open_engine
from arena.store.migrations.__main__ import new_revision
from arena.store.schema import Base
from tests.store.databases import one_revision_old, shell


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return ScriptDirectory.from_config(config)


def tables(path: Path) -> dict[str, list[str]]:
    """The lines of every statement that made a table or index, in no order."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
            " AND name NOT IN ('alembic_version', 'sqlite_sequence')"
        )
        # A table that was renamed is quoted.
        return {
            name: sorted(line.strip().rstrip(",").strip() for line in sql.splitlines())
            for name, sql in ((name, sql.replace('"', "")) for name, sql in found)
        }


def test_head_is_the_newest_revision() -> None:
    assert scripts().get_heads() == [HEAD]


def test_alembic_finds_no_difference_between_models_and_revisions(path: Path) -> None:
    with open_engine(path).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_the_revisions_make_the_very_tables_of_the_models(tmp_path: Path) -> None:
    open_engine(tmp_path / "revisions").dispose()
    with sqlite.migration_engine_for(tmp_path / "models").begin() as connection:
        Base.metadata.create_all(connection)
    made = tables(tmp_path / "revisions")
    assert made == tables(tmp_path / "models")
    assert len(made) == 15  # eleven tables, two indices and two triggers


def test_every_constraint_has_a_name(path: Path) -> None:
    open_engine(path).dispose()
    lines = [line for table in tables(path).values() for line in table]
    constraints = [line for line in lines if re.search(r"\b(CHECK|UNIQUE|FOREIGN|REFER)", line)]
    assert len(constraints) > 15
    assert [line for line in constraints if not line.startswith("CONSTRAINT ")] == []


def test_a_migration_that_fails_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("half-way")

    monkeypatch.setattr("alembic.runtime.migration.HeadMaintainer.update_to_step", fails)
    with pytest.raises(RuntimeError, match="half-way"):
        open_engine(path)
    assert tables(path) == {}
    monkeypatch.undo()
    open_engine(path).dispose()
    assert "sets" in tables(path)


def test_what_an_older_database_holds_is_kept(path: Path) -> None:
    one_revision_old(path)
    with Store.open(path) as store:
        assert [(bot.name, bot.owner, bot.created_us) for bot in store.bots()] == [
            ("bot0", "zoe", 5)
        ]


def test_what_older_versions_and_tokens_hold_is_kept_where_tables_are_made_anew(path: Path) -> None:
    one_revision_old(path)
    shell(
        path,
        "INSERT INTO versions VALUES (7, 1, 'v', 'remote', 'i', '[]', NULL, 'hash', 6)",
        "INSERT INTO entries VALUES (1, 1, 7)",
        "INSERT INTO access_tokens VALUES (3, 'olga', 'onlooker', 'other', 7, NULL)",
    )
    with Store.open(path) as store:
        (version,) = store.versions()
        (token,) = store.access_tokens()
        assert (version.id, version.label, version.token_hash) == (7, "v", "hash")
        assert (version.state, version.note) == (VersionState.ACTIVE, "")
        assert (token.name, token.role) == ("olga", Role.ONLOOKER)
    assert shell(path, "SELECT version_id FROM entries") == [(7,)]


def test_the_migrations_are_part_of_the_package() -> None:
    folder = resources.files("arena.store").joinpath("migrations")
    assert folder.joinpath("env.py").is_file()
    assert folder.joinpath("script.py.mako").is_file()


def test_a_new_revision_is_written_beside_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "migrations"
    source = Path(scripts().dir)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    made = new_revision("add a thing", str(folder))
    assert made.parent == folder / "versions"
    assert made.name == f"v{int(HEAD) + 1:04}_add_a_thing.py"
    assert f"down_revision = '{HEAD}'" in made.read_text()
    body = made.read_text().partition("def upgrade() -> None:\n")[2]
    assert "    pass\n" in body, "models and revisions agree"
