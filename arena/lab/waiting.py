"""Waiting for bots whose ``act`` is ``async``, from code that is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from arena.rules import Action


class Waiter:
    """Waits in an event loop of its own, on a thread of its own.

    A notebook has a running loop already, inside which nothing else can be waited for.  The thread
    is made when the first answer has to be waited for.
    """

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._thread is not None:
            self._thread.submit(self._runner.close).result()
            self._thread.shutdown()

    def __call__(self, answer: Awaitable[Action]) -> Action:
        """The action that ``answer`` ends with."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="arena-lab")
        return self._thread.submit(self._runner.run, _awaited(answer)).result()


async def _awaited(answer: Awaitable[Action]) -> Action:
    return await answer
