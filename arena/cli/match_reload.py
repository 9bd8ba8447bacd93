"""``arena match --reload``: the match again whenever a bot's file changes, and what it changed.

The files are looked at a few times a second. A dozen of them cost nothing to look at, and that
works on every disk, network folders and containers included.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from arena.cli.errors import CliError, explain
from arena.cli.layout import counted
from arena.cli.match_report import Report
from arena.cli.screen import stdout_screen, tell, write
from arena.ids import VersionId
from arena.standings.figures import points_text, record_text, signed_text

SECONDS: Final = 0.3

Stamp = dict[Path, tuple[int, int]]
"""For each file when it was changed, in nanoseconds, and its size."""


def play_again_and_again(
    play: Callable[[], Report], files: Iterable[Path], pause: Callable[[float], None] = time.sleep
) -> None:
    """Play, wait for a change beside one of ``files``, play again; until ctrl-C or an interrupt.

    A match that fails, for a typing error for one, is told and waited for like one that does not.
    """
    folders = sorted({file.parent for file in files})
    last: Report | None = None
    while True:
        before = stamp_of(folders)
        report = _played(play)
        if report is not None:
            if not report.complete:
                return
            for line in difference_lines(last, report):
                write(stdout_screen().safe(line))
            last = report
        try:
            changed = wait_for_change(folders, before, pause)
        except KeyboardInterrupt:
            return
        tell(f"changed {', '.join(path.name for path in changed)}")


def _played(play: Callable[[], Report]) -> Report | None:
    try:
        return play()
    # Bots that run as processes are started together, and fail in a group.
    except (CliError, OSError, ExceptionGroup) as error:
        failure = explain(error)
        if failure is None:
            raise
        tell(f"error: {failure.sentence}")
        for line in failure.output:
            tell(line)
        return None


def stamp_of(folders: Iterable[Path]) -> Stamp:
    """The state of the Python files in some folders.

    One that cannot be looked at has a state too: its size is minus the number of the reason.
    """
    stamp: Stamp = {}
    for folder in folders:
        for file in folder.glob("*.py"):
            try:
                status = file.stat()
            except FileNotFoundError:  # an editor is just replacing it
                continue
            except OSError as error:  # links that go round, for one
                stamp[file] = (0, -(error.errno or 1))
                continue
            stamp[file] = (status.st_mtime_ns, status.st_size)
    return stamp


def wait_for_change(
    folders: list[Path], before: Stamp, pause: Callable[[float], None]
) -> list[Path]:
    """Wait until files differ from ``before``; which ones."""
    for file, (_, size) in before.items():
        if size < 0:
            tell(f"{file} cannot be looked at: {os.strerror(-size)}")
    tell(f"waiting for {counted(len(before), 'Python file')} to change; ctrl-C ends")
    while True:
        now = stamp_of(folders)
        changed = sorted(path for path in before | now if before.get(path) != now.get(path))
        if changed:
            return changed
        pause(SECONDS)


def difference_lines(last: Report | None, report: Report) -> list[str]:
    """For each bot what it had in the match before, and has now; nothing after the first."""
    if last is None:
        return []
    before = {last.name(row.version): row for row in last.rows}
    lines = []
    for version in map(VersionId, report.plan.entries):
        row = next(row for row in report.rows if row.version == version)
        name = report.name(version)
        old = before.get(name)
        if old is None or old.points is None or row.points is None:
            continue
        gained = row.points.mean - old.points.mean
        lines.append(
            f"{name}: points a deal {points_text(old.points)} → {points_text(row.points)} "
            f"({signed_text(gained)}), W-D-L {record_text(old.record)} → {record_text(row.record)}"
        )
    return lines
