"""How each tournament stands, for those who ask and those who follow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

from arena.ids import TournamentId
from arena.standings.progress import planned_sets
from arena.store import Store, Tournament, TournamentState


@dataclass(frozen=True, slots=True)
class Situation:
    """How a tournament stands.

    Attributes:
        state: its state.
        done: sets in the journal.
        planned: sets of the whole schedule.
        note: what it waits for or why it stopped, in a sentence; mostly empty.
    """

    state: TournamentState
    done: int
    planned: int
    note: str = ""


class Closed(Exception):
    """The server stops: nothing can be followed any more."""


class Situations:
    """The situations of a server's tournaments; one event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[TournamentId, Situation] = {}
        self._changed = asyncio.Event()
        self._closed = False

    def put(self, tournament: TournamentId, situation: Situation) -> None:
        """Let everybody know."""
        if self._known.get(tournament) != situation:
            self._known[tournament] = situation
            self._announce()

    def change(self, tournament: TournamentId, **changes: Any) -> None:
        """The same, for some of its attributes."""
        self.put(tournament, replace(self._known[tournament], **changes))

    def all(self) -> list[Situation]:
        """How all stand that were met since the start."""
        return list(self._known.values())

    def note(self, tournament: TournamentId) -> str:
        """The note of a tournament, empty where nobody left one."""
        known = self._known.get(tournament)
        return "" if known is None else known.note

    async def of(self, tournament: Tournament) -> Situation:
        """How a tournament stands; read from the store if nobody told."""
        known = self._known.get(tournament.id)
        if known is None:
            known = await asyncio.to_thread(read_situation, self._store, tournament)
            known = self._known.setdefault(tournament.id, known)
        return known

    async def follow(self, tournament: Tournament) -> AsyncIterator[Situation]:
        """How it stands now, then every change, until it is over.

        Who is slow gets the latest only.

        Raises:
            Closed: the server stops.
        """
        seen = None
        while True:
            changed = self._changed
            latest = await self.of(tournament)
            if latest != seen:
                seen = latest
                yield latest
            if latest.state.is_over:
                return
            if self._closed:
                raise Closed
            await changed.wait()

    def close(self) -> None:
        """End all following."""
        self._closed = True
        self._announce()

    def _announce(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def read_situation(store: Store, tournament: Tournament) -> Situation:
    """How a tournament stands by the store alone."""
    done = store.finished_count(tournament.id)
    return Situation(tournament.state, done, planned_sets(tournament))
