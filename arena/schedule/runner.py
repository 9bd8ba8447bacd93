"""Keeps tables busy: takes orders one by one, has them played, hands the finished sets on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

from arena.schedule.execution import MatchExecutor, PlayedSet, SetOrder

Keep = Callable[[SetOrder, PlayedSet], Awaitable[None]]
"""Keeps a finished set; returns once it cannot be lost any more."""


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

    async def work() -> None:
        for order in orders:
            if draining is not None and draining.is_set():
                return
            await keep(order, await executor.play(order))

    async with asyncio.TaskGroup() as group:
        for _ in range(sets_at_once):
            group.create_task(work())
