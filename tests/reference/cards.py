"""Seats, decks, effective suits and orders: C1, C3.1 to C3.3, C5, D1, D2, S4."""

from tests.reference.tables import COPIES, ORDER_WITHOUT_TRUMP, RANKS

SUITS = ["C", "D", "H", "S"]
MATE = {"C": "S", "S": "C", "D": "H", "H": "D"}  # C1.5


def side_of(seat: int) -> int:
    """C1.1: side 0 is seats 0 and 2, side 1 is seats 1 and 3."""
    return {0: 0, 1: 1, 2: 0, 3: 1}[seat]


def partner_of(seat: int) -> int:
    """C1.1: partners sit across."""
    return {0: 2, 1: 3, 2: 0, 3: 1}[seat]


def left_of(seat: int) -> int:
    """C1.1: the next seat clockwise."""
    return {0: 1, 1: 2, 2: 3, 3: 0}[seat]


def deck(variant: str) -> list[str]:
    """The whole deck in the order of S4: suit by suit, rank by rank, copy by copy."""
    cards: list[str] = []
    for suit in SUITS:
        for rank in RANKS[variant]:
            cards += [rank + suit] * COPIES[variant]
    return cards


def has_trump(call: str) -> bool:
    """The calls C, D, H, S name a trump suit; the others have none (C3.3, C5)."""
    return call in SUITS


def suit_from_the_top(variant: str, call: str, suit: str) -> list[str]:
    """The cards that belong to `suit` under `call`, from high to low, a twin once."""
    if not has_trump(call):  # C3.3, C5
        cards = [rank + suit for rank in ORDER_WITHOUT_TRUMP[call]]
    elif suit == call:  # C3.1, C3.2: right bower, left bower, A, K, Q, T, 9
        cards = ["J" + suit, "J" + MATE[suit]]
        cards += [rank + suit for rank in ["A", "K", "Q", "T", "9"]]
    elif suit == MATE[call]:  # C3.2: its jack has left
        cards = [rank + suit for rank in ["A", "K", "Q", "T", "9"]]
    else:
        cards = [rank + suit for rank in ["A", "K", "Q", "J", "T", "9"]]
    # C3.2, C5: ranks that the deck lacks are skipped.
    return [card for card in cards if card[0] in RANKS[variant]]


def effective_suit(variant: str, call: str, card: str) -> str:
    """The suit among whose cards this one is (C3.1, C3.3)."""
    for suit in SUITS:
        if card in suit_from_the_top(variant, call, suit):
            return suit
    raise AssertionError(f"{card} belongs to no suit")


def by_code_point(texts: list[str]) -> list[str]:
    """Sorted, a twin once."""
    return sorted(set(texts))
