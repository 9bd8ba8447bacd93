"""Transactions of a database, with what organisers and authors do in the audit log."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.store import audit, sqlite
from arena.store.errors import Rejected, Unusable


def epoch_us() -> int:
    """The wall clock in microseconds since 1970-01-01T00:00:00Z."""
    return time.time_ns() // 1000


class Transactions:
    """What every part of the store rests on.

    Args:
        engine: of the database.
        path: its file.
        now_us: the clock of all stored times.
    """

    def __init__(self, engine: sa.Engine, path: Path, now_us: Callable[[], int]) -> None:
        self.path = path
        self._identity = sqlite.identity(path)
        self._engine = engine
        self._writing_engine = sqlite.writing(engine)
        self._now_us = now_us

    @contextmanager
    def _acting(self, deed: audit.Deed) -> Iterator[Session]:
        """A writing transaction that ends with the deed in the audit log, refused or not."""
        try:
            with self._writing() as session:
                yield session
                self._log(session, deed)
        except Rejected as error:
            deed.outcome = f"refused: {error}"
            with self._writing() as session:
                self._log(session, deed)
            raise

    def _log(self, session: Session, deed: audit.Deed) -> None:
        if deed.who is not None:
            audit.append(session, deed, deed.who, self._now_us())

    def _reading(self) -> AbstractContextManager[Session]:
        return self._transaction(self._engine)

    def _writing(self) -> AbstractContextManager[Session]:
        return self._transaction(self._writing_engine)

    @contextmanager
    def _transaction(self, engine: sa.Engine) -> Iterator[Session]:
        """One transaction: committed at the end, undone by an error; database errors in words."""
        if sqlite.identity(self.path) != self._identity:
            # An open file goes on taking sets that nobody would ever find.
            raise Unusable(
                f"the database {self.path} was moved, removed or replaced while it was in use: put "
                "it back, and start again"
            )
        try:
            with Session(engine) as session, session.begin():
                yield session
        except DBAPIError as error:
            raise sqlite.explained(error, self.path) or error from error
