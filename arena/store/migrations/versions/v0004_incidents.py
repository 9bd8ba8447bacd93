"""What is kept of faults for the authors of bots."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "incidents",
        sa.Column("tournament_id", number, nullable=False),
        sa.Column("job_key", sa.String(64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "job_key", name="pk_incidents"),
        sa.ForeignKeyConstraint(
            ["tournament_id", "job_key"],
            ["sets.tournament_id", "sets.job_key"],
            name="fk_incidents_tournament_id_job_key_sets",
        ),
    )
