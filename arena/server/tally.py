"""What a server has done since its start, as numbers that only grow; metrics read them."""

from __future__ import annotations

from typing import Final

LATENCY_BUCKETS: Final = 40


class Tally:
    """The counts of one server, all sessions together, those that are over included.

    Attributes:
        latencies: accepted answers by the bit length of their latency in microseconds: entry n
            counts those below 2**n and not below 2**(n - 1).
        latency_sum: their latencies together, in microseconds.
        decisions: questions sent, each counted once.
        messages: messages written that hold items.
        rejected: answers that were rejected, by the number of the rejection code.
    """

    __slots__ = ("decisions", "latencies", "latency_sum", "messages", "rejected")

    def __init__(self) -> None:
        self.latencies = [0] * LATENCY_BUCKETS
        self.latency_sum = 0
        self.decisions = 0
        self.messages = 0
        self.rejected: dict[int, int] = {}

    def count(self, latency: int) -> None:
        """An answer was accepted after so many microseconds."""
        self.latencies[min(latency.bit_length(), LATENCY_BUCKETS - 1)] += 1
        self.latency_sum += latency

    def reject(self, code: int) -> None:
        """An answer was rejected with that code."""
        self.rejected[code] = self.rejected.get(code, 0) + 1
