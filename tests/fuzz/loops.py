"""An event loop whose time is a manual clock: no timer fires but when the test lets time pass."""

from __future__ import annotations

import asyncio

from tests.server.held import JumpingClock


class ManualLoop(asyncio.SelectorEventLoop):
    """Its timers go by the clock given."""

    def __init__(self, clock: JumpingClock) -> None:
        super().__init__()
        self._manual = clock

    def time(self) -> float:
        """The clock's instant, in seconds."""
        return self._manual.now() / 1e6
