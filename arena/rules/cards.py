"""Suits, ranks and cards.

A card is the integer ``suit * 6 + rank`` in every variant, whatever ranks its deck lacks, so
that the wire enum, the notation and the engine's tables are the same for all.  Sets of cards
are 24-bit masks (bit ``card`` set); they stay below 2**30, one digit of a CPython int.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NewType

from arena.rules.errors import NotationError

Card = NewType("Card", int)
"""``suit * 6 + rank``, 0..23 (rules C1.4, S4)."""

Seat = NewType("Seat", int)
"""0..3, clockwise (rules C1.1)."""

Side = NewType("Side", int)
"""0 = seats 0 and 2, 1 = seats 1 and 3 (rules C1.1)."""


class Suit(IntEnum):
    """The four suits in deal-v1 order (rules C1.4)."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def mate(self) -> Suit:
        """The other suit of the same colour (rules C1.5)."""
        return Suit(3 - self)


class Rank(IntEnum):
    """The six ranks in deal-v1 order, low to high (rules S4)."""

    NINE = 0
    TEN = 1
    JACK = 2
    QUEEN = 3
    KING = 4
    ACE = 5


RANKS: Final = len(Rank)
CARDS: Final = len(Suit) * RANKS
SEATS: Final = 4

SUIT_TEXTS: Final = "CDHS"
RANK_TEXTS: Final = "9TJQKA"

CARD_TEXTS: Final = tuple(rank + suit for suit in SUIT_TEXTS for rank in RANK_TEXTS)
_CARDS_BY_TEXT: Final = {text: Card(index) for index, text in enumerate(CARD_TEXTS)}


def card_of(suit: Suit, rank: Rank) -> Card:
    """The card of that suit and rank."""
    return Card(suit * RANKS + rank)


def suit_of(card: Card) -> Suit:
    """The printed suit; the effective suit depends on the call (rules C3.1)."""
    return Suit(card // RANKS)


def rank_of(card: Card) -> Rank:
    """The rank of a card."""
    return Rank(card % RANKS)


def card_text(card: Card) -> str:
    """``JH``, ``9C``, ``TD`` (rules C1.4)."""
    return CARD_TEXTS[card]


def parse_card(text: str) -> Card:
    """The card that ``text`` names.

    Raises:
        NotationError: it names none.
    """
    card = _CARDS_BY_TEXT.get(text)
    if card is None:
        raise NotationError(
            f"{text!r} is no card: a card is a rank of {RANK_TEXTS} and a suit of {SUIT_TEXTS}"
        )
    return card


# By seat: where every nanosecond counts, an index costs a sixth of a call.
SIDE: Final = (Side(0), Side(1), Side(0), Side(1))
PARTNER: Final = (Seat(2), Seat(3), Seat(0), Seat(1))
LEFT: Final = (Seat(1), Seat(2), Seat(3), Seat(0))


def side_of(seat: Seat) -> Side:
    """The side a seat belongs to (rules C1.1)."""
    return SIDE[seat]


def partner_of(seat: Seat) -> Seat:
    """The seat across (rules C1.1)."""
    return PARTNER[seat]


def left_of(seat: Seat) -> Seat:
    """The next seat clockwise."""
    return LEFT[seat]
