"""Ctrl-C and its like: the first lets what runs come to its end, the second stops at once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final

from arena.cli.screen import tell

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """What a person or the system has asked for.

    Attributes:
        draining: set by the first signal while something runs: begin nothing new.
        stopped: whether the running task was cancelled.
    """

    def __init__(self) -> None:
        self.draining = asyncio.Event()
        self.stopped = False
        self._playing = False
        self._task: asyncio.Task[object] | None = None

    @property
    def asked(self) -> bool:
        """Whether anything was asked for."""
        return self.stopped or self.draining.is_set()

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """Handle signals while the block runs, for the task that runs it.

        A signal that is ignored already (as ``nohup`` does with SIGHUP) stays ignored.
        """
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        taken = [one for one in _SIGNALS if signal.getsignal(one) is not signal.SIG_IGN]
        for one in taken:
            loop.add_signal_handler(one, self._signalled)
        try:
            yield
        finally:
            for one in taken:
                loop.remove_signal_handler(one)

    @contextlib.contextmanager
    def playing(self) -> Iterator[None]:
        """Sets are under way while the block runs: the first signal lets them finish."""
        self._playing = True
        try:
            yield
        finally:
            self._playing = False

    def _signalled(self) -> None:
        if self._playing and not self.draining.is_set():
            self.draining.set()
            tell("finishing the sets that are being played; once more to stop at once")
            return
        self.stopped = True
        if self._task is not None:
            self._task.cancel()


def run_interruptible(work: Callable[[Interrupts], Coroutine[Any, Any, None]]) -> Interrupts:
    """Run work that can be interrupted, in an event loop of its own; tells whether it was."""
    interrupts = Interrupts()

    async def handled() -> None:
        with interrupts.handled():
            await work(interrupts)

    try:
        asyncio.run(handled())
    except asyncio.CancelledError:
        if not interrupts.stopped:
            raise
    return interrupts
