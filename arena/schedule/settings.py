"""The settings of a tournament that a resume must find again, as values and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from arena.referee.policy import OnForfeit, Policy, PolicyError, TimeControl

MAX_ROUNDS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How a round robin is played. How many tables run at once is no part of it.

    Attributes:
        rounds: how often the whole schedule is played.
        sets: sets of each pair in each round.
        mirror: whether both halves of a set share their deals.
        policy: clocks and faults.
    """

    rounds: int = 1
    sets: int = 10
    mirror: bool = True
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        for name in ("rounds", "sets"):
            value = getattr(self, name)
            if not 1 <= value <= MAX_ROUNDS:
                raise PolicyError(f"{name} must be from 1 to {MAX_ROUNDS}, not {value}")

    def to_data(self) -> dict[str, Any]:
        """The settings as plain data."""
        policy = self.policy
        return {
            "rounds": self.rounds,
            "sets": self.sets,
            "mirror": self.mirror,
            "time": asdict(policy.time),
            "max_faults": policy.max_faults,
            "on_forfeit": policy.on_forfeit.value,
            "reveal_names": policy.reveal_names,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Settings:
        """The settings of plain data written by ``to_data``.

        Raises:
            PolicyError: a field is unknown, missing or out of its bounds: another version wrote it.
        """
        known = {"rounds", "sets", "mirror", "time", "max_faults", "on_forfeit", "reveal_names"}
        clocks = {clock.name for clock in fields(TimeControl)}
        ends = {end.value for end in OnForfeit}
        same = set(data) == known and set(data["time"]) == clocks
        if not same or data["on_forfeit"] not in ends:
            raise PolicyError("settings were written by another version of this program")
        return cls(
            rounds=data["rounds"],
            sets=data["sets"],
            mirror=data["mirror"],
            policy=Policy(
                time=TimeControl(**data["time"]),
                max_faults=data["max_faults"],
                on_forfeit=OnForfeit(data["on_forfeit"]),
                reveal_names=data["reveal_names"],
            ),
        )
