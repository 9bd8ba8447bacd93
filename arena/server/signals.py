"""What the system asks of a server: the first signal to drain, the second to end at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from typing import Final

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""All mean the same. One that is ignored already, as `nohup` does with SIGHUP, stays ignored."""

_KILLED: Final = 128


class Signals:
    """What was asked for.

    Attributes:
        stop: set by the first signal.
        last_words: called before the process ends at once, to take with it what it has started.
    """

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.last_words: Callable[[], None] = lambda: None

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """Handle signals while the block runs."""
        loop = asyncio.get_running_loop()
        taken = [one for one in SIGNALS if signal.getsignal(one) is not signal.SIG_IGN]
        for one in taken:
            loop.add_signal_handler(one, self._signalled, one)
        try:
            yield
        finally:
            for one in taken:
                loop.remove_signal_handler(one)

    def _signalled(self, number: signal.Signals) -> None:
        if self.stop.is_set():
            self.last_words()
            os._exit(_KILLED + number)
        self.stop.set()
