"""Keeps tables busy: takes orders one by one, has them played, hands the finished sets on."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

from arena.schedule.execution import MatchExecutor, PlayedSet, SetOrder

Keep = Callable[[SetOrder, PlayedSet], Awaitable[None]]
"""Keeps a finished set; returns once it cannot be lost any more."""


MOST_PUT_OFF: Final = 256
"""Orders that wait for absent bots while others are played."""


class _Queue:
    """Orders to be played, in their order as far as their bots are there.

    One bot that is away must not hold up those who are not: what waits for it is put off.
    """

    def __init__(self, orders: Iterator[SetOrder], executor: MatchExecutor) -> None:
        self._orders = orders
        self._ready = executor.ready
        self._put_off: deque[SetOrder] = deque()

    def next(self) -> SetOrder | None:
        """The first that is ready, else the first that was put off; None once all are taken."""
        for order in self._put_off:
            if self._ready(order):
                self._put_off.remove(order)
                return order
        while len(self._put_off) < MOST_PUT_OFF:
            fresh = next(self._orders, None)
            if fresh is None:
                break
            if self._ready(fresh):
                return fresh
            self._put_off.append(fresh)
        return self._put_off.popleft() if self._put_off else None


async def run_orders(
    orders: Iterator[SetOrder],
    executor: MatchExecutor,
    keep: Keep,
    *,
    sets_at_once: int,
    draining: asyncio.Event | None = None,
) -> None:
    """Play all orders, ``sets_at_once`` at a time.

    The orders are taken lazily, so a schedule of any length costs no memory.  Once ``draining``
    is set nothing new begins, and this returns when what runs is finished and kept.  An error of
    one set ends all: what is kept stays kept.
    """
    assert sets_at_once >= 1, "at least one set at a time"

    queue = _Queue(orders, executor)

    async def work() -> None:
        while draining is None or not draining.is_set():
            order = queue.next()
            if order is None:
                return
            await keep(order, await executor.play(order))

    async with asyncio.TaskGroup() as group:
        for _ in range(sets_at_once):
            group.create_task(work())
