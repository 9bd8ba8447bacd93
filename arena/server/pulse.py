"""How late the event loop is, so that no bot pays for it, and the sweep that ends overdue waits.

One task wakes every ``PERIOD``.  What it wakes late is the referee's own lag; answers that lay
ready meanwhile were not slow.  ``lag`` counts it up for ever, so the lag between two instants is
the difference of two readings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.referee.clock import Clock, Micros

PERIOD: Final = 50_000


class Pulse:
    """The beat of a server."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._due = clock.now() + PERIOD
        self._lag = 0
        self._sweeps: list[Callable[[], None]] = []

    def each_beat(self, sweep: Callable[[], None]) -> None:
        """Call ``sweep`` at every beat."""
        self._sweeps.append(sweep)

    def lag(self, now: Micros) -> Micros:
        """All lag so far; the beat that is overdue now included."""
        return self._lag + max(0, now - self._due)

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await self.clock.sleep(max(0, self._due - self.clock.now()))
            now = self.clock.now()
            self._lag += max(0, now - self._due)
            self._due = now + PERIOD
            for sweep in self._sweeps:
                sweep()
