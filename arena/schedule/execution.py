"""The seam between a schedule and whoever plays its sets: in this process, or elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.ids import TournamentId, VersionId
from arena.referee.incident import Incident
from arena.referee.sets import SetPlan
from arena.rules.record import SetRecord


@dataclass(frozen=True, slots=True)
class SetOrder:
    """One set to be played.

    Attributes:
        plan: what is played.
        versions: the two bots' versions, first and second.
        tournament: what it belongs to, None for a match; only told.
        fresh: whether its hosted processes play nothing else, before or after.
    """

    plan: SetPlan
    versions: tuple[VersionId, VersionId]
    tournament: TournamentId | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """A finished set.

    Attributes:
        record: of the set; never one without an outcome.
        incidents: the faults of its bots, for their authors.
    """

    record: SetRecord
    incidents: tuple[Incident, ...] = ()


class MatchExecutor(Protocol):
    """Plays sets."""

    def ready(self, order: SetOrder) -> bool:
        """Whether a set could begin now; False where a bot has to be waited for."""
        ...

    async def play(self, order: SetOrder) -> PlayedSet:
        """Play a set to its end.

        Raises:
            ArenaFault: the set cannot be played, whatever the bots do.
        """
        ...
