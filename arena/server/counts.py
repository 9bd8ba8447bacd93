"""What a server has played and started, as numbers; metrics read them.

Counted once a game, set or process, never once a decision: those are in ``tally``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from arena.rules.record import EndingKind, GameRecord


@dataclass(slots=True)
class Counts:
    """The counts of one server.

    Attributes:
        tables: how many tables are played at once at most.
        tables_running: tables at which is played now.
        sets_running: sets that were begun and are not over.
        sets_finished: sets that went into the journal.
        sets_replayed: how often a set was begun anew after an arena fault.
        games: finished halves by how they ended, those of replayed sets included.
        faults: of bots in these games, by kind.
        streams_refused: streams of bots that were not admitted, by the status they got.
        processes_started: of hosted bots.
        processes_failed: of these, how many ended by themselves.
    """

    tables: int = 0
    tables_running: int = 0
    sets_running: int = 0
    sets_finished: int = 0
    sets_replayed: int = 0
    games: Counter[EndingKind] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    streams_refused: Counter[str] = field(default_factory=Counter)
    processes_started: int = 0
    processes_failed: int = 0

    def game(self, record: GameRecord) -> None:
        """Count a half that is over."""
        self.games[record.ending.kind] += 1
        for seat in record.seats:
            self.faults.update(seat.faults._asdict())
