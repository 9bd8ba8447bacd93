"""What becomes of a set and its two games, as events and counts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from arena.events import Event, event_log
from arena.rules.record import EndingKind, GameRecord, SetRecord, entrant_at
from arena.schedule.execution import SetOrder
from arena.server.counts import Counts

log = event_log(__name__)


class SetTold:
    """Tells of one set while it is played.

    Args:
        order: the set.
        counts: takes the numbers.
    """

    def __init__(self, order: SetOrder, counts: Counts) -> None:
        self._order = order
        self._counts = counts
        self._ids: dict[str, Any] = {"set": order.plan.set_id}
        if order.tournament is not None:
            self._ids["tournament"] = order.tournament

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """The set is played while the block runs."""
        first, second = (entrant.name for entrant in self._order.plan.entrants)
        log.debug(Event.SET_BEGUN, first=first, second=second, **self._ids)
        self._counts.sets_running += 1
        try:
            yield
        finally:
            self._counts.sets_running -= 1

    def again(self) -> None:
        """It is begun anew."""
        self._counts.sets_replayed += 1
        log.warning(Event.SET_REPLAYED, **self._ids)

    def over(self, record: SetRecord) -> None:
        """It is over, or has failed and is to be played again."""
        for half in record.halves:
            self._counts.game(half)
            self._ended(half)

    def _ended(self, game: GameRecord) -> None:
        kind, seat, reason = game.ending
        if kind is EndingKind.ILLEGAL:
            reason = "illegal answers"  # which they were, names cards: that is for the record
        fields = {"half": game.half, "reason": reason, **self._ids}
        if kind is EndingKind.ARENA_FAULT:
            log.error(Event.ARENA_FAULT, **fields)
        elif kind.is_forfeit:
            assert seat is not None, "a forfeit has a seat at fault"
            entrant = entrant_at(game.half, seat)
            fields |= {"kind": kind.value, "seat": seat, "version": self._order.versions[entrant]}
            log.info(Event.GAME_FORFEITED, bot=self._order.plan.entrants[entrant].name, **fields)
