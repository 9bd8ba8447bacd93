"""The settings of a tournament that a resume must find again, as values and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import Enum
from typing import Any, Final

from arena.referee.policy import OnForfeit, Policy, PolicyError, TimeControl

MAX_ROUNDS: Final = 1_000_000


class Restart(Enum):
    """When a hosted process is ended and another started in its place."""

    FAILURE = "failure"
    """Only after it has failed: it plays its lane of one set after the other."""
    GAME = "game"
    """After each game: no process meets a second one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a round robin is played. How many tables run at once is no part of it.

    Attributes:
        rounds: how often the whole schedule is played.
        sets: sets of each pair in each round.
        mirror: whether both halves of a set share their deals.
        policy: clocks and faults.
        restart: when hosted processes are started anew.
    """

    rounds: int = 1
    sets: int = 10
    mirror: bool = True
    policy: Policy = field(default_factory=Policy)
    restart: Restart = Restart.FAILURE

    def __post_init__(self) -> None:
        for name in ("rounds", "sets"):
            value = getattr(self, name)
            if not 1 <= value <= MAX_ROUNDS:
                raise PolicyError(f"{name} must be from 1 to {MAX_ROUNDS}, not {value}")

    def to_data(self) -> dict[str, Any]:
        """The settings as plain data."""
        policy = self.policy
        data: dict[str, Any] = {
            "rounds": self.rounds,
            "sets": self.sets,
            "mirror": self.mirror,
            "time": asdict(policy.time),
            "max_faults": policy.max_faults,
            "on_forfeit": policy.on_forfeit.value,
            "reveal_names": policy.reveal_names,
        }
        if self.restart is not Restart.FAILURE:  # else as it was stored before there was a choice
            data["restart"] = self.restart.value
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Settings:
        """The settings of plain data written by ``to_data``.

        Raises:
            PolicyError: a field is unknown, missing or out of its bounds: another version wrote it.
        """
        known = {"rounds", "sets", "mirror", "time", "max_faults", "on_forfeit", "reveal_names"}
        clocks = {clock.name for clock in fields(TimeControl)}
        ends = {end.value for end in OnForfeit}
        restarts = {restart.value for restart in Restart}
        restart = data.get("restart", Restart.FAILURE.value)
        same = set(data) - {"restart"} == known and set(data["time"]) == clocks
        if not same or data["on_forfeit"] not in ends or restart not in restarts:
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
            restart=Restart(restart),
        )
