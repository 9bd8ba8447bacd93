"""The arena's settings of a match that are no rules of the game: clocks and faults."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

MAX_MILLISECONDS: Final = 24 * 3600 * 1000


class PolicyError(ValueError):
    """A setting out of its bounds; the sentence begins with its name."""


class OnForfeit(Enum):
    """What happens to a seat at its last fault."""

    LOSE = "lose"
    """The game, and with it the set, is lost."""
    STAND_IN = "stand-in"
    """The stand-in plays on, and the set counts."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time a seat has, in milliseconds.

    Attributes:
        bank_ms: per seat and game.
        increment_ms: added to the bank after each decision.
        decision_ms: the most one decision may take.
        startup_ms: from a process's start to its Hello.
    """

    bank_ms: int = 60_000
    increment_ms: int = 100
    decision_ms: int = 10_000
    startup_ms: int = 10_000

    def __post_init__(self) -> None:
        for name, least in (
            ("bank_ms", 1),
            ("increment_ms", 0),
            ("decision_ms", 1),
            ("startup_ms", 1),
        ):
            value = getattr(self, name)
            if not least <= value <= MAX_MILLISECONDS:
                raise PolicyError(f"{name} must be from {least} to {MAX_MILLISECONDS}, not {value}")


@dataclass(frozen=True, slots=True)
class Policy:
    """Clocks and faults of a match.

    Attributes:
        time: the clocks.
        max_faults: faults of one seat in one game that forfeit it.
        on_forfeit: what happens then.
        reveal_names: whether bots are told whom they play.
    """

    time: TimeControl = TimeControl()
    max_faults: int = 3
    on_forfeit: OnForfeit = OnForfeit.LOSE
    reveal_names: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.max_faults <= 1000:
            raise PolicyError(f"max_faults must be from 1 to 1000, not {self.max_faults}")
