"""How far tournaments are."""

from __future__ import annotations

from arena.schedule.pairings import total
from arena.schedule.settings import Settings
from arena.store import Tournament


def planned_sets(tournament: Tournament) -> int:
    """All sets of a tournament's schedule.

    Raises:
        PolicyError: another version of this program wrote its settings.
    """
    settings = Settings.from_data(tournament.settings)
    numbers = [entry.number for entry in tournament.entries]
    return total(numbers, settings.rounds, settings.sets)
