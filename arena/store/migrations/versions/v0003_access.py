"""Access tokens of organisers and onlookers, and the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create their tables, and what keeps the log from being changed."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    role = sa.Enum(
        *("organiser", "onlooker"),
        name="role",
        native_enum=False,
        create_constraint=True,
        length=32,
    )
    op.create_table(
        "access_tokens",
        sa.Column("id", number, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("role", role, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("revoked_us", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_access_tokens"),
        sa.UniqueConstraint("name", name="uq_access_tokens_name"),
        sa.UniqueConstraint("token_hash", name="uq_access_tokens_token_hash"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "audit",
        sa.Column("sequence", number, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.String(96), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_audit"),
        sqlite_autoincrement=True,
    )
    for event in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_no_{event.lower()} BEFORE {event} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END"
        )
