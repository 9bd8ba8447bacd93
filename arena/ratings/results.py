"""What the ratings see of a finished mirrored set, and the canonical order of sets.

Nothing here knows how a set was played or stored; those rooms make these values.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import Enum
from itertools import pairwise
from typing import assert_never

from arena.ids import EntryNumber, VersionId


def _at_least(least: int, number: int, what: str) -> None:
    if number < least:
        raise ValueError(f"{what} must be at least {least}, not {number}")


class Outcome(Enum):
    """Who won a set; `first` and `second` are the entrants in the order of the job key."""

    FIRST_WINS = "first wins"
    SECOND_WINS = "second wins"
    DRAW = "draw"

    def mirrored(self) -> "Outcome":
        """The same outcome with the two entrants exchanged."""
        match self:
            case Outcome.FIRST_WINS:
                return Outcome.SECOND_WINS
            case Outcome.SECOND_WINS:
                return Outcome.FIRST_WINS
            case Outcome.DRAW:
                return Outcome.DRAW
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True)
class FaultCounts:
    """Faults of one entrant in one or more sets, by kind; each a count of at least 0."""

    illegal: int = 0
    timeout: int = 0
    disconnect: int = 0
    crash: int = 0
    protocol: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError for a negative count."""
        for field in fields(self):
            _at_least(0, getattr(self, field.name), f"faults of kind {field.name!r}")

    def __add__(self, other: "FaultCounts") -> "FaultCounts":
        """The faults of both, kind by kind."""
        return FaultCounts(
            illegal=self.illegal + other.illegal,
            timeout=self.timeout + other.timeout,
            disconnect=self.disconnect + other.disconnect,
            crash=self.crash + other.crash,
            protocol=self.protocol + other.protocol,
        )

    @property
    def total(self) -> int:
        """Faults of all kinds."""
        return self.illegal + self.timeout + self.disconnect + self.crash + self.protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class SetResult:
    """One finished mirrored set: the same deals played twice with the seats exchanged.

    `tournament` is the creation number of the tournament; `round`, the two entry numbers and
    `repeat` (k) are those of the job key. `points` is the summed point difference of both halves,
    first minus second; `hands` counts the hands of both halves together. A forfeited set has
    `counts_points` False: it counts in W-D-L and TrueSkill, never in points. A version that met
    itself says nothing about its strength and is not a SetResult.

    Raises ValueError for a set that cannot have been played.
    """

    tournament: int
    round: int
    first: VersionId
    second: VersionId
    first_entry: EntryNumber
    second_entry: EntryNumber
    repeat: int
    outcome: Outcome
    points: int
    hands: int
    counts_points: bool
    faults_first: FaultCounts = FaultCounts()
    faults_second: FaultCounts = FaultCounts()

    def __post_init__(self) -> None:
        """Raise ValueError, naming the field, for values that no played set has."""
        for name in ("tournament", "round", "first_entry", "second_entry", "repeat", "hands"):
            _at_least(0, getattr(self, name), f"{name} of a set")
        if self.first == self.second:
            raise ValueError(f"a set needs two different versions, both are version {self.first}")
        if self.first_entry == self.second_entry:
            raise ValueError(
                f"a set needs two different entries, both are entry {self.first_entry}"
            )
        if self.counts_points and self.hands == 0:
            raise ValueError(
                f"{self.label} counts points but has no hands: a set without hands is a forfeit"
            )

    @property
    def label(self) -> str:
        """The set in words, for messages."""
        key = f"r{self.round}:{self.first_entry}-{self.second_entry}:{self.repeat}"
        return f"set {key} of tournament {self.tournament}"

    def mirrored(self) -> "SetResult":
        """The same set as told by the other side: first and second exchanged, points negated."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            first_entry=self.second_entry,
            second_entry=self.first_entry,
            outcome=self.outcome.mirrored(),
            points=-self.points,
            faults_first=self.faults_second,
            faults_second=self.faults_first,
        )


def order_key(result: SetResult) -> tuple[int, int, int, int, int, int]:
    """Canonical order: tournament, round, entries, k.

    The lower entry number is compared first, whichever entrant is called first, so that a set and
    its mirror image have the same place. Only for two sets that differ in nothing else does it
    count who is called first.
    """
    low, high = sorted((result.first_entry, result.second_entry))
    return result.tournament, result.round, low, high, result.repeat, result.first_entry


def in_order(results: Iterable[SetResult]) -> tuple[SetResult, ...]:
    """The results in canonical order. Raises ValueError when one set is there twice."""
    ordered = tuple(sorted(results, key=order_key))
    for one, following in pairwise(ordered):
        if order_key(one) == order_key(following):
            raise ValueError(f"{one.label} is there twice: a set counts once")
    return ordered
