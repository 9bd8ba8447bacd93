"""The seam between a schedule and whoever plays its sets: in this process, or elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.ids import VersionId
from arena.referee.sets import SetPlan
from arena.rules.record import SetRecord


@dataclass(frozen=True, slots=True)
class SetOrder:
    """One set to be played.

    Attributes:
        plan: what is played.
        versions: the two bots' versions, first and second.
    """

    plan: SetPlan
    versions: tuple[VersionId, VersionId]


class MatchExecutor(Protocol):
    """Plays sets."""

    async def play(self, order: SetOrder) -> SetRecord:
        """The finished record; never one without an outcome.

        Raises:
            ArenaFault: the set cannot be played, whatever the bots do.
        """
        ...
