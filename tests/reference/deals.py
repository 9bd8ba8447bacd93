"""`deal-v1`, step by step: S1 to S5."""

import hashlib
import hmac

from tests.reference.cards import deck
from tests.reference.tables import HAND_SIZE


def commitment(seed: bytes) -> str:
    """S1: what is published before the first deal."""
    return hashlib.sha256(b"deal-v1/commit" + b"\x0a" + seed).hexdigest()


class Stream:
    """S2, S3: the numbers that belong to a seed, a set and a board, read one by one."""

    def __init__(self, seed: bytes, set_id: str, board: int) -> None:
        self.seed = seed
        self.set_id = set_id
        self.board = board
        self.position = 0

    def block(self, number: int) -> bytes:
        """S2: 32 bytes, that is eight numbers."""
        message = "deal-v1\n" + self.set_id + "\n" + str(self.board) + "\n" + str(number)
        return hmac.new(self.seed, message.encode("ascii"), hashlib.sha256).digest()

    def read(self) -> int:
        """S2: the next big-endian unsigned 32-bit number."""
        block = self.block(self.position // 8)
        start = 4 * (self.position % 8)
        self.position = self.position + 1
        return int.from_bytes(block[start : start + 4], "big")

    def uniform(self, n: int) -> int:
        """S3: a number from 0 to n - 1, each as likely as the others."""
        limit = 2**32 - (2**32 % n)
        number = self.read()
        while number >= limit:
            number = self.read()
        return number % n


def shuffled(seed: bytes, set_id: str, board: int, size: int) -> list[int]:
    """S4: the numbers 0 to size - 1 in the order of the deal."""
    stream = Stream(seed, set_id, board)
    numbers = list(range(size))
    for i in range(size - 1, -1, -1):
        j = stream.uniform(i + 1)
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return numbers


def deal(variant: str, seed: bytes, set_id: str, board: int) -> list[list[str]]:
    """S4: the four hands, seat by seat, as they were dealt."""
    cards = deck(variant)
    order = shuffled(seed, set_id, board, len(cards))
    size = HAND_SIZE[variant]
    return [
        [cards[number] for number in order[seat * size : seat * size + size]] for seat in range(4)
    ]
