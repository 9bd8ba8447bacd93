"""How far a long command is, on standard error: a bar on a terminal, a line now and then elsewhere.

A stream that goes away (a closed terminal, a reader that had enough) ends the showing, never the
work.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from arena.cli.screen import silence, stderr_screen, tell

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

LINE_SECONDS: Final = 10.0
REDRAW_SECONDS: Final = 0.1


class SetProgress:
    """Counts finished sets while its block runs.

    Args:
        total: sets in all.
        done: of them, finished before.
        unit: what is counted, where it is no sets.
        clock: seconds, for tests.
    """

    def __init__(
        self,
        total: int,
        *,
        done: int = 0,
        unit: str = "sets",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._unit = unit
        self._total = total
        self._done = self._before = done
        self._clock = clock
        self._began = self._told = clock()
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        """Begin to show."""
        if stderr_screen().terminal:
            self._bar = _bar(self._total, self._done, self._unit)
            self._guarded(self._bar.start)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._guarded(self._bar.stop)

    def advance(self, note: str = "") -> None:
        """One more set is finished; ``note`` says how it stands."""
        self._done += 1
        now = self._clock()
        if self._bar is not None:
            if now - self._told >= REDRAW_SECONDS or self._done == self._total:
                self._told = now
                self._guarded(lambda: self._redraw(f"{self._pace()}  {note}"))
        elif now - self._told >= LINE_SECONDS:
            self._told = now
            tell(f"{self._done}/{self._total} {self._unit}  {self._pace()}  {note}".rstrip())

    def _pace(self) -> str:
        """Sets a minute, and how long the rest will take at that pace."""
        seconds = self._clock() - self._began
        fresh = self._done - self._before
        if seconds <= 0 or fresh == 0:
            return ""
        left = (self._total - self._done) * seconds / fresh
        return f"{60 * fresh / seconds:.0f} {self._unit}/min, {_duration(left)} left"

    def _redraw(self, note: str) -> None:
        assert self._bar is not None, "there is a bar"
        task = self._bar.task_ids[0]
        self._bar.update(task, completed=self._done, note=stderr_screen().safe(note), refresh=True)

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError:
            self._bar = None
            silence(sys.stderr)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _bar(total: int, done: int, unit: str) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    # Without a thread of its own: it could meet a closed terminal where nobody catches the error.
    bar = Progress(
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn(unit + "  {task.fields[note]}", markup=False),
        console=_console(),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task("", total=total, completed=done, note="")
    return bar


def _console() -> Console:
    from rich.console import Console

    class BarConsole(Console):
        """Rich would end the program when its stream is gone."""

        def on_broken_pipe(self) -> None:
            raise OSError("the terminal is gone")

    screen = stderr_screen()
    return BarConsole(
        file=sys.stderr, force_terminal=True, force_interactive=True, no_color=not screen.color
    )
