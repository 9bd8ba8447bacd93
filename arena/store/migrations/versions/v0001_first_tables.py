"""The first tables: bots and their versions, tournaments and their entries, the journal of sets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them; what is referred to comes first."""
    _create_bots()
    _create_versions()
    _create_tournaments()
    _create_entries()
    _create_sets()
    _create_refused_sets()


def _number(name: str) -> sa.Column[int]:
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column(name, kind, nullable=False)


def _text(name: str, length: int = 64) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def _small(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=False)


def _time(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _choice(name: str, *values: str) -> sa.Column[str]:
    kind = sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)
    return sa.Column(name, kind, nullable=False)


def _create_bots() -> None:
    op.create_table(
        "bots",
        _number("id"),
        _text("name"),
        _text("owner"),
        _time("created_us"),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
        sa.UniqueConstraint("name", name="uq_bots_name"),
        sqlite_autoincrement=True,
    )


def _create_versions() -> None:
    op.create_table(
        "versions",
        _number("id"),
        _number("bot_id"),
        _text("label"),
        _choice("kind", "command", "remote"),
        _text("identity"),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("directory", sa.Text(), nullable=True),
        sa.Column("token_hash", sa.String(64), nullable=True),
        _time("created_us"),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_versions_bot_id_bots"),
        sa.UniqueConstraint("bot_id", "label", name="uq_versions_bot_id_label"),
        sa.UniqueConstraint("bot_id", "identity", name="uq_versions_bot_id_identity"),
        sqlite_autoincrement=True,
    )


def _create_tournaments() -> None:
    op.create_table(
        "tournaments",
        _number("id"),
        _text("name"),
        _text("variant_name"),
        _text("variant_hash"),
        sa.Column("variant", sa.Text(), nullable=False),
        _choice("schedule", "round-robin"),
        _choice("format", "games"),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        _text("commitment"),
        _choice("state", "created", "running", "suspended", "finished", "cancelled"),
        _time("created_us"),
        _time("finished_us", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournaments_variant_hash", "tournaments", ["variant_hash"])


def _create_entries() -> None:
    op.create_table(
        "entries",
        _number("tournament_id"),
        _small("number"),
        _number("version_id"),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entries"),
        _tournament_key("entries"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name="fk_entries_version_id_versions"
        ),
        sa.UniqueConstraint(
            "tournament_id", "version_id", name="uq_entries_tournament_id_version_id"
        ),
        sa.CheckConstraint("number >= 1", name="number"),
    )


def _create_sets() -> None:
    kinds = ("illegal", "timeout", "disconnect", "crash", "protocol")
    op.create_table(
        "sets",
        _number("sequence"),
        _number("tournament_id"),
        _text("job_key"),
        *map(_small, ("round", "first_entry", "second_entry", "repeat")),
        _choice("outcome", "first wins", "second wins", "draw"),
        *map(_small, ("points", "hands")),
        sa.Column(
            "counts_points",
            sa.Boolean(create_constraint=True, name="counts_points"),
            nullable=False,
        ),
        *(_small(f"first_{kind}") for kind in kinds),
        *(_small(f"second_{kind}") for kind in kinds),
        _time("finished_us"),
        _text("content_hash"),
        _text("record_hash"),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_sets"),
        _tournament_key("sets"),
        _entry_key("first_entry"),
        _entry_key("second_entry"),
        sa.UniqueConstraint("tournament_id", "job_key", name="uq_sets_tournament_id_job_key"),
        sqlite_autoincrement=True,
    )


def _create_refused_sets() -> None:
    op.create_table(
        "refused_sets",
        _number("id"),
        _number("tournament_id"),
        _text("job_key"),
        _text("content_hash"),
        _time("received_us"),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_refused_sets"),
        _tournament_key("refused_sets"),
        sa.UniqueConstraint(
            "tournament_id",
            "job_key",
            "content_hash",
            name="uq_refused_sets_tournament_id_job_key_content_hash",
        ),
        sqlite_autoincrement=True,
    )


def _tournament_key(table: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_tournament_id_tournaments"
    return sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=name)


def _entry_key(column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tournament_id", column],
        ["entries.tournament_id", "entries.number"],
        name=f"fk_sets_tournament_id_{column}_entries",
    )
