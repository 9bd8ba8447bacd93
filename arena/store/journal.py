"""The journal for asynchronous callers: many finished sets, few commits, one writing thread.

Sets that arrive while a commit is under way share the next one. Nobody is told that a set is
stored before the commit that contains it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from arena.ids import TournamentId
from arena.store.errors import Rejected, StoreError, Unusable
from arena.store.store import Store
from arena.store.values import Added, FinishedSet


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A set and whoever waits for its commit."""

    finished: FinishedSet
    answer: asyncio.Future[Added]


class JournalWriter:
    """Adds finished sets to a store from one event loop. Use it as an async context manager.

    The store stays open when the writer closes.
    """

    def __init__(self, store: Store) -> None:
        """Begins without a thread or task; both come with the first set."""
        self._store = store
        self._waiting: defaultdict[TournamentId, list[_Waiting]] = defaultdict(list)
        self._thread = ThreadPoolExecutor(1, "journal")
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def add(self, tournament: TournamentId, finished: FinishedSet) -> Added:
        """Add a set; returns after the commit that contains it.

        A caller that is cancelled meanwhile does not know; the set may be stored or not.

        Raises:
            Unusable: the database failed, or the writer is closed.
            Rejected: this set cannot be stored; see `Store.add_sets`. Others are not affected.
        """
        if self._closed:
            raise Unusable("the journal is closed and takes no further sets")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(finished, loop.create_future())
        self._waiting[tournament].append(waiting)
        if self._writing is None:
            self._writing = loop.create_task(self._write_all())
        return await waiting.answer

    async def close(self) -> None:
        """Take no further sets, commit those that wait, and end the thread."""
        self._closed = True
        if self._writing is not None:
            await asyncio.wait([self._writing])  # unlike a plain await, never cancels it
        self._thread.shutdown()

    async def __aenter__(self) -> Self:
        """The writer itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        await self.close()

    async def _write_all(self) -> None:
        while self._waiting:
            tournament = next(iter(self._waiting))
            await self._write(tournament, self._waiting.pop(tournament))
        self._writing = None

    async def _write(self, tournament: TournamentId, batch: Sequence[_Waiting]) -> None:
        sets = [one.finished for one in batch]
        commit = asyncio.wrap_future(self._thread.submit(_commit, self._store, tournament, sets))
        await asyncio.wait([commit])
        error = commit.exception()
        answers = [error] * len(batch) if error else commit.result()
        for one, answer in zip(batch, answers, strict=True):
            _tell(one.answer, answer)


def _commit(
    store: Store, tournament: TournamentId, sets: Sequence[FinishedSet]
) -> Sequence[Added | StoreError]:
    """One commit for all; if one of them is rejected, a commit for each."""
    try:
        return store.add_sets(tournament, sets)
    except Rejected:
        return [_commit_one(store, tournament, one) for one in sets]


def _commit_one(store: Store, tournament: TournamentId, one: FinishedSet) -> Added | StoreError:
    try:
        return store.add_sets(tournament, [one])[0]
    except StoreError as error:
        return error


def _tell(future: asyncio.Future[Added], answer: Added | BaseException) -> None:
    if future.cancelled():
        return
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)
