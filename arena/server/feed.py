"""What happens to something, for whoever follows it; those who come later hear it all."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Final, Generic, TypeVar

MOST: Final = 4096
"""Events that are kept for who comes later, or reads slowly; older ones are lost to these."""

E = TypeVar("E")


class Feed(Generic[E]):
    """Events in order, until it is closed. Used within one event loop."""

    def __init__(self) -> None:
        self._events: deque[E] = deque(maxlen=MOST)
        self._count = 0
        self._closed = False
        self._news = asyncio.Event()

    def put(self, *events: E) -> None:
        """Something has happened; who follows is woken once."""
        self._events.extend(events)
        self._count += len(events)
        self._tell()

    def close(self) -> None:
        """Nothing more will."""
        self._closed = True
        self._tell()

    async def follow(self) -> AsyncIterator[list[E]]:
        """All that happens, from the start to the end, in batches of what is there."""
        heard = 0
        while True:
            news = self._news
            missed = min(self._count - heard, len(self._events))
            if missed:
                heard = self._count
                yield list(self._events)[-missed:]
            elif self._closed:
                return
            else:
                await news.wait()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
