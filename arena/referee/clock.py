"""Time as the referee sees it: monotonic microseconds, real or moved by hand."""

from __future__ import annotations

import asyncio
import heapq
import time
from typing import Protocol, TypeAlias

Micros: TypeAlias = int
"""Microseconds: an instant of a clock, or a duration.

An alias and no type of its own: it is made many times a decision, and each making would be a call.
"""


class Clock(Protocol):
    """A source of time. Instants mean nothing outside one clock."""

    def now(self) -> Micros:
        """The present instant."""
        ...

    async def sleep(self, duration: Micros) -> None:
        """Return once ``duration`` has passed."""
        ...


class MonotonicClock:
    """The machine's monotonic clock."""

    def now(self) -> Micros:
        """The present instant."""
        return time.monotonic_ns() // 1000

    async def sleep(self, duration: Micros) -> None:
        """Return once ``duration`` has passed."""
        await asyncio.sleep(duration / 1e6)


class ManualClock:
    """A clock that stands still until it is moved; for tests."""

    def __init__(self) -> None:
        self._now = 0
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._count = 0

    def now(self) -> Micros:
        """The present instant."""
        return self._now

    async def sleep(self, duration: Micros) -> None:
        """Return once the clock has been moved by ``duration``."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (self._now + duration, self._count, future))
        await future

    async def advance(self, duration: Micros) -> None:
        """Move on, waking every sleeper on the way at its own instant."""
        end = self._now + duration
        await _some_turns()  # who is about to sleep does so at the instant before
        while self._sleepers and self._sleepers[0][0] <= end:
            due, _, future = heapq.heappop(self._sleepers)
            self._now = max(self._now, due)
            if not future.done():
                future.set_result(None)
            await _some_turns()  # what the sleeper does at once belongs to its instant
        self._now = end


async def _some_turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)
