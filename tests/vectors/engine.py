"""What the runner asks of an engine: the arena's own, or the oracle of tests/reference."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from tests.vectors.files import Given

Facts = Mapping[str, object]
"""Named values as JSON has them: lists (not tuples), dicts, texts, numbers, booleans, None."""


class Refused(Exception):
    """The engine refused an action; the text says why."""


class Position(Protocol):
    """One dealt hand, which is scored after its last card."""

    def facts(self) -> Facts:
        """Everything that a case may expect: `legal`, `to_act`, `contract`, `scores`, ..."""
        ...

    def fingerprint(self) -> object:
        """All there is to know, hidden cards too; equal before and after a refused action."""
        ...

    def apply(self, seat: int, text: str) -> None:
        """Do it, or raise `Refused`."""
        ...


class GamePosition(Protocol):
    """A whole game over the deals of a seed."""

    def legal(self) -> tuple[int | None, Sequence[str]]:
        """The seat to act and its legal actions."""
        ...

    def apply(self, seat: int, text: str) -> None:
        """Do it, or raise `Refused`."""
        ...

    def dealt(self) -> list[list[str]]:
        """The four hands of the current deal as they were dealt."""
        ...

    def scored(self) -> Sequence[Facts]:
        """The scored state after each finished hand."""
        ...

    def final(self) -> Facts:
        """Scores, winner and how the game ended; `over` is false while it goes on."""
        ...


class Engine(Protocol):
    """Makes positions."""

    def hand(self, variant: str, given: Given) -> Position:
        """A hand from a given position."""
        ...

    def game(self, variant: str, seed: bytes, set_id: str, first_board: int) -> GamePosition:
        """A game from 0-0."""
        ...
