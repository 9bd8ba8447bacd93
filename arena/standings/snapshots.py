"""Boards for those who ask often: computed once for each state of the journal.

A board of many sets costs seconds. While sets keep coming in, a board is therefore served until it
has been useful for some time, ``PATIENCE`` times as long as it took; when a tournament begins or
ends it is always computed anew.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.ids import TournamentId
from arena.standings.board import Board, ladder_board, tournament_board
from arena.store import Store

LEAST_SECONDS: Final = 1.0
PATIENCE: Final = 10.0
MOST_BOARDS: Final = 64

Key = str | TournamentId
State = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    board: Board
    revision: int
    states: State
    fresh_until: float


class Snapshots:
    """Boards of a store. Calls may come from any thread; one at a time computes.

    Args:
        store: where the results are.
        now: seconds that never jump.
    """

    def __init__(self, store: Store, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._lock = threading.Lock()
        self._kept: dict[Key, _Snapshot] = {}

    def ladder(self, ladder: str) -> Board:
        """The board of a ladder; see `ladder_board`."""
        return self._board(ladder, lambda: ladder_board(self._store, ladder))

    def tournament(self, tournament: TournamentId) -> Board:
        """The board of a tournament; see `tournament_board`."""
        return self._board(tournament, lambda: tournament_board(self._store, tournament))

    def _board(self, key: Key, read: Callable[[], Board]) -> Board:
        with self._lock:
            revision = self._store.revision()
            states = self._store.states()
            kept = self._kept.get(key)
            if kept is not None and self._serves(kept, revision, states):
                return kept.board
            began = self._now()
            board = read()
            ended = self._now()
            fresh_until = ended + max(LEAST_SECONDS, PATIENCE * (ended - began))
            self._keep(key, _Snapshot(board, revision, states, fresh_until))
            return board

    def _serves(self, kept: _Snapshot, revision: int, states: State) -> bool:
        return kept.states == states and (
            kept.revision == revision or self._now() < kept.fresh_until
        )

    def _keep(self, key: Key, snapshot: _Snapshot) -> None:
        self._kept.pop(key, None)
        if len(self._kept) >= MOST_BOARDS:
            del self._kept[next(iter(self._kept))]  # the one renewed longest ago
        self._kept[key] = snapshot
