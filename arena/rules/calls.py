"""The calls: what a contract is played in (rules B3, T1.2, D3)."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from arena.rules.cards import Suit


class Call(IntEnum):
    """A trump suit, or a way of playing without trump, in canonical order."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NO_TRUMP = 4
    HIGH = 5
    LOW = 6
    MID = 7

    @property
    def trump(self) -> Suit | None:
        """The trump suit, or None for a call without trump (rules C3.3)."""
        return Suit(self) if self < Call.NO_TRUMP else None

    @property
    def text(self) -> str:
        """The call in the notation: ``C D H S NT high low mid`` (rules N)."""
        return CALL_TEXTS[self]


CALL_TEXTS: Final = ("C", "D", "H", "S", "NT", "high", "low", "mid")
CALLS_BY_TEXT: Final = {text: Call(index) for index, text in enumerate(CALL_TEXTS)}
