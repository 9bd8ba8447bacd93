"""Deals that anyone can check: ``deal-v1`` (rules S).

A deal is a function of seed, set, board and deck; nothing here keeps state or draws chance.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections.abc import Iterator
from typing import Final

from arena.rules.cards import SEATS, Card
from arena.rules.errors import DealError
from arena.rules.tables import tables_of
from arena.rules.variant import Variant

SEED_BYTES: Final = 32
_NUMBERS: Final = 2**32
_BLOCK: Final = struct.Struct(">8I")
_SET: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)


def commitment(seed: bytes) -> str:
    """The hex SHA-256 that is published before the first deal (rules S1)."""
    return hashlib.sha256(b"deal-v1/commit\n" + _checked(seed)).hexdigest()


def parse_seed(text: str) -> bytes:
    """A seed from 64 hexadecimal digits.

    Raises:
        DealError: it is something else.
    """
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text, re.ASCII):
        raise DealError(
            f"a seed is 64 hexadecimal digits (32 bytes); this one has {len(text)} characters"
            if len(text) != 2 * SEED_BYTES
            else "a seed is 64 hexadecimal digits (32 bytes); this one holds other characters"
        )
    return bytes.fromhex(text)


class Dealer:
    """Deals of one seed; the HMAC key is prepared once."""

    __slots__ = ("_cards", "_keyed", "_last")

    def __init__(self, seed: bytes) -> None:
        self._keyed = hmac.new(_checked(seed), digestmod=hashlib.sha256)
        self._last: Variant | None = None
        self._cards: tuple[Card, ...] = ()

    def stream(self, set_id: str, board: int) -> Iterator[int]:
        """Unsigned 32-bit numbers without end (rules S2).

        Raises:
            DealError: the set id or board is not one.
        """
        if not _SET.fullmatch(set_id):
            raise DealError(f"{set_id!r} is no set id: 1 to 64 of A-Z a-z 0-9 . _ : -")
        if board < 0:
            raise DealError(f"{board} is no board: boards count from 0")
        return self._numbers(f"deal-v1\n{set_id}\n{board}\n".encode("ascii"))

    def _numbers(self, prefix: bytes) -> Iterator[int]:
        block = 0
        while True:
            keyed = self._keyed.copy()
            keyed.update(prefix + b"%d" % block)
            yield from _BLOCK.unpack(keyed.digest())
            block += 1

    def shuffled(self, set_id: str, board: int, size: int) -> list[int]:
        """The numbers 0 to ``size`` - 1 in deal-v1's order (rules S4)."""
        numbers = self.stream(set_id, board)
        deck = list(range(size))
        for i in range(size - 1, 0, -1):
            j = uniform(numbers, i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck

    def deal(self, variant: Variant, set_id: str, board: int) -> tuple[tuple[Card, ...], ...]:
        """The hands of seats 0..3 in the order dealt (rules S4)."""
        deck = self._deck(variant)
        size = variant.hand_size
        cards = [deck[index] for index in self.shuffled(set_id, board, len(deck))]
        return tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(SEATS))

    def _deck(self, variant: Variant) -> tuple[Card, ...]:
        # Hashing a variant for the look-up costs as much as the shuffle: keep the last one.
        if variant is not self._last:
            self._last = variant
            self._cards = tables_of(variant).deck
        return self._cards


def uniform(numbers: Iterator[int], n: int) -> int:
    """A number from 0 to ``n`` - 1 without bias (rules S3)."""
    limit = _NUMBERS - _NUMBERS % n
    while (number := next(numbers)) >= limit:
        pass
    return number % n


def bot_seed(seed: bytes, set_id: str, half: str, game: int, seat: int) -> bytes:
    """Eight bytes that a bot may draw its chance from, so that play can be repeated."""
    message = f"bot-v1\n{set_id}\n{half}\n{game}\n{seat}".encode("ascii")
    return hmac.digest(_checked(seed), message, "sha256")[:8]


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise DealError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
    return seed
