"""What Alembic runs: it is handed an open transaction and leaves committing to the caller."""

from alembic import context

from arena.store.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
context.run_migrations()
