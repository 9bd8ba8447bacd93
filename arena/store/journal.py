"""The journal for asynchronous callers: many finished sets, few commits, one writing thread.

Sets that arrive while a commit is under way share the next one. Nobody is told that a set is
stored before the commit that contains it. A writer may be told to outlast a full disk: then sets
wait, and so do those who bring them, until they can be stored.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, repeat
from types import TracebackType
from typing import Final, Self

from arena.ids import TournamentId
from arena.store.errors import Rejected, Temporary, Unusable
from arena.store.store import Store
from arena.store.values import Added, FinishedSet

RETRY_SECONDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses between attempts; the last again and again."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How to outlast a database that cannot be written for a while.

    Attributes:
        told: of the error, each time that an attempt has failed.
        pauses: seconds before the next attempts; the last again and again.
    """

    told: Callable[[Temporary], None]
    pauses: Sequence[float] = RETRY_SECONDS

    def rounds(self) -> Iterator[float]:
        """The pauses without end."""
        return chain(self.pauses, repeat(self.pauses[-1]))


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A set and whoever waits for its commit."""

    finished: FinishedSet
    answer: asyncio.Future[Added]


class JournalWriter:
    """Adds finished sets to a store from one event loop. Use it as an async context manager.

    The store stays open when the writer closes.
    """

    def __init__(self, store: Store, retry: Retry | None = None) -> None:
        """Begins without a thread or task; both come with the first set.

        Without `retry` an error that may pass is told to the callers as any other.
        """
        self._store = store
        self._retry = retry
        self._waiting: defaultdict[TournamentId, list[_Waiting]] = defaultdict(list)
        self._thread = ThreadPoolExecutor(1, "journal")
        self._writing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def add(self, tournament: TournamentId, finished: FinishedSet) -> Added:
        """Add a set; returns after the commit that contains it.

        A caller that is cancelled meanwhile does not know; the set may be stored or not.

        Raises:
            Unusable: the database failed, or the writer is closed.
            Rejected: this set cannot be stored; see `Store.add_sets`. Others are not affected.
        """
        if self._closing.is_set():
            raise Unusable("the journal is closed and takes no further sets")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(finished, loop.create_future())
        self._waiting[tournament].append(waiting)
        if self._writing is None:
            self._writing = loop.create_task(self._write_all())
        return await waiting.answer

    async def close(self) -> None:
        """Take no further sets, commit those that wait, and end the thread.

        Each is tried once more: a writer that closes outlasts nothing.
        """
        self._closing.set()
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
        answers: Sequence[Added | BaseException]
        try:
            answers = await self._committed(tournament, [one.finished for one in batch])
        except Exception as error:  # whoever waits for the set is told, whatever it is
            answers = [error] * len(batch)
        for one, answer in zip(batch, answers, strict=True):
            _tell(one.answer, answer)

    async def _committed(
        self, tournament: TournamentId, sets: Sequence[FinishedSet]
    ) -> Sequence[Added | Rejected]:
        for pause in (0.0,) if self._retry is None else self._retry.rounds():
            commit = self._thread.submit(_commit, self._store, tournament, sets)
            try:
                return await asyncio.wrap_future(commit)
            except Temporary as error:
                if self._retry is None or self._closing.is_set():
                    raise
                self._retry.told(error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._closing.wait()
        raise AssertionError("the rounds have no end")


def _commit(
    store: Store, tournament: TournamentId, sets: Sequence[FinishedSet]
) -> Sequence[Added | Rejected]:
    """One commit for all; if one of them is rejected, a commit for each."""
    try:
        return store.add_sets(tournament, sets)
    except Rejected:
        return [_commit_one(store, tournament, one) for one in sets]


def _commit_one(store: Store, tournament: TournamentId, one: FinishedSet) -> Added | Rejected:
    try:
        return store.add_sets(tournament, [one])[0]
    except Rejected as error:
        return error


def _tell(future: asyncio.Future[Added], answer: Added | BaseException) -> None:
    if future.cancelled():
        return
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)
