"""Progress without a terminal: a line now and then; and a terminal that goes away."""

from __future__ import annotations

import io
import sys

import pytest

from arena.cli.progress import SetProgress
from arena.cli.screen import tell


class Hours:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        """The time now."""
        return self.seconds


def test_a_line_is_told_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Hours()
    with SetProgress(100, done=10, clock=clock) as progress:
        for _ in range(25):
            clock.seconds += 1
            progress.advance("a 1-0-0")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "20/100 sets  60 sets/min, 80 s left  a 1-0-0",
        "30/100 sets  60 sets/min, 70 s left  a 1-0-0",
    ]


def test_what_is_counted_may_be_other_than_sets(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Hours()
    with SetProgress(2, unit="bots tried", clock=clock) as progress:
        clock.seconds = 10
        progress.advance("ann")
    assert capsys.readouterr().err == "1/2 bots tried  6 bots tried/min, 10 s left  ann\n"


@pytest.mark.parametrize(
    ("total", "left"), [(2, "10 s left"), (41, "7 min left"), (1001, "2.8 h left")]
)
def test_what_is_left_is_told_in_fitting_units(
    capsys: pytest.CaptureFixture[str], total: int, left: str
) -> None:
    clock = Hours()
    with SetProgress(total, clock=clock) as progress:
        clock.seconds = 10
        progress.advance()
    assert left in capsys.readouterr().err


class Gone(io.StringIO):
    """A terminal that was closed."""

    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("no file")


def test_a_terminal_that_goes_away_does_not_end_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Gone())
    clock = Hours()
    with SetProgress(3, clock=clock) as progress:
        for _ in range(3):
            clock.seconds += 20
            progress.advance()
    tell("nobody hears")
