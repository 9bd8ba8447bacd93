"""How much of something a peer may do: a burst, refilled at a steady rate."""

from __future__ import annotations

from typing import Final

from arena.referee.clock import Micros

_SECOND: Final = 1_000_000


class Allowance:
    """What is left of a burst of ``burst``, of which ``per_second`` come back each second."""

    __slots__ = ("_burst", "_left", "_per_second", "_since")

    def __init__(self, burst: int, per_second: int, now: Micros) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left = float(burst)
        self._since = now

    def spend(self, now: Micros, amount: int = 1) -> bool:
        """Take ``amount`` of it; False where so much is not left, and nothing is taken."""
        back = (now - self._since) * self._per_second / _SECOND
        self._left = min(self._burst, self._left + back)
        self._since = now
        if amount > self._left:
            return False
        self._left -= amount
        return True
