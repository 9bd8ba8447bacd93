"""Submissions, what may be scheduled of a bot's versions, and authors among the bearers of tokens.

SQLite cannot change a check: the tables with the checks of kinds and roles are made anew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make two tables anew, and create one."""
    _anew("versions", _versions(), "'active', ''")
    _anew("access_tokens", _access_tokens())
    _create_submissions()


def _anew(name: str, columns: list[sa.schema.SchemaItem], further: str = "") -> None:
    """Make a table with what it holds anew; ``further`` are the values of columns at its end."""
    op.create_table(f"{name}_new", *columns, sqlite_autoincrement=True)
    more = f", {further}" if further else ""
    op.execute(f"INSERT INTO {name}_new SELECT *{more} FROM {name}")
    op.drop_table(name)
    op.rename_table(f"{name}_new", name)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column(name, kind, nullable=nullable)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(64), nullable=False)


def _time(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _choice(table: str, name: str, *values: str) -> sa.Column[str]:
    # Its full name: made from the table's, it would keep that which the table has for a moment.
    check = op.f(f"ck_{table}_{name}")
    kind = sa.Enum(*values, name=check, native_enum=False, create_constraint=True, length=32)
    return sa.Column(name, kind, nullable=False)


def _versions() -> list[sa.schema.SchemaItem]:
    return [
        _number("id"),
        _number("bot_id"),
        _text("label"),
        _choice("versions", "kind", "command", "remote", "submitted"),
        _text("identity"),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("directory", sa.Text(), nullable=True),
        sa.Column("token_hash", sa.String(64), nullable=True),
        _time("created_us"),
        _choice("versions", "state", "active", "paused", "retired"),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_versions_bot_id_bots"),
        sa.UniqueConstraint("bot_id", "label", name="uq_versions_bot_id_label"),
        sa.UniqueConstraint("bot_id", "identity", name="uq_versions_bot_id_identity"),
    ]


def _access_tokens() -> list[sa.schema.SchemaItem]:
    return [
        _number("id"),
        _text("name"),
        _choice("access_tokens", "role", "organiser", "author", "onlooker"),
        _text("token_hash"),
        _time("created_us"),
        _time("revoked_us", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_access_tokens"),
        sa.UniqueConstraint("name", name="uq_access_tokens_name"),
        sa.UniqueConstraint("token_hash", name="uq_access_tokens_token_hash"),
    ]


def _create_submissions() -> None:
    op.create_table(
        "submissions",
        _number("id"),
        _text("name"),
        _text("owner"),
        _text("content_hash"),
        _choice("submissions", "state", "received", "building", "checking", "ready", "failed"),
        sa.Column("reason", sa.Text(), nullable=False),
        _number("version_id", nullable=True),
        _time("created_us"),
        _time("changed_us"),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name="fk_submissions_version_id_versions"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_submissions_owner", "submissions", ["owner"])
