"""``scripts/bench sandbox``: what it costs to contain bots, against bare processes in one run.

Starts are measured in turns within one process; matches take turns, ``--rounds`` times, each in a
process of its own.  Figures are medians.  Only ratios mean anything on another machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from wire_processes import ROOT

from arena.hosting.command import CommandError, find_command

SCRIPT = Path(__file__).with_name("sandbox_arena.py")
BARE = "process"
RUNNERS = (BARE, "bubblewrap")
"""Measured unless others are named; the first is what the others are compared with."""
BOTS = ("random", "go/starter")
"""Likewise: one of Python, and one that is compiled, which is passed over until it is built."""
TABLES = (1, 64)

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Settings:
    """What is measured, and how often."""

    runners: tuple[str, ...]
    bots: tuple[str, ...]
    tables: tuple[int, ...]
    starts: int
    rounds: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """A figure by each runner.

    Attributes:
        bot: of which.
        what: it is, with its unit.
        figures: by runner.
    """

    bot: str
    what: str
    figures: Figures

    def ratios(self) -> Figures:
        """Of what contains, against the bare process."""
        bare = self.figures[BARE]
        return {
            runner: figure / bare if bare else 0.0
            for runner, figure in self.figures.items()
            if runner != BARE
        }


def run(bot: str, runners: Sequence[str], *options: object) -> Any:
    """Measure once.

    Raises:
        RuntimeError: it cannot be; the last line of why.
    """
    words = ("--bot", bot, "--runner", *runners, *map(str, options))
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["it failed"])[-1])
    return json.loads(done.stdout.splitlines()[-1])


def starts_of(bot: str, settings: Settings) -> Row:
    """From launch to the first accepted Hello."""
    tell(f"starts of {bot}")
    taken = run(bot, settings.runners, "--starts", settings.starts)
    medians = {runner: statistics.median(times) for runner, times in taken.items()}
    return Row(bot, "start, ms", medians)


def matches_of(bot: str, tables: int, settings: Settings) -> Iterator[Row]:
    """A match of a bot against itself."""
    runs: dict[str, list[Figures]] = {runner: [] for runner in settings.runners}
    for turn in range(settings.rounds):
        for runner in settings.runners:
            tell(f"{bot}, {tables_text(tables)}, round {turn + 1} of {settings.rounds}: {runner}")
            options = ("--tables", tables, "--seconds", settings.seconds)
            runs[runner].append(run(bot, [runner], *options))
    for what, key in (
        ("decisions a second", "rate"),
        ("server us a decision", "server_us"),
        ("bots us a decision", "bots_us"),
        ("CPU us a decision", "cpu_us"),
    ):
        medians = {
            runner: statistics.median(figures_of(one)[key] for one in taken)
            for runner, taken in runs.items()
        }
        yield Row(bot, f"{tables_text(tables)}: {what}", medians)


def figures_of(one: Figures) -> Figures:
    """What one match gives, with what follows from it."""
    rate = one["decisions"] / one["seconds"]
    return {**one, "rate": rate, "cpu_us": one["server_us"] + one["bots_us"]}


def tables_text(tables: int) -> str:
    """``1 table``, ``64 tables``."""
    return f"{tables} table{'' if tables == 1 else 's'}"


def tell(progress: str) -> None:
    """Say how far it is; standard output is for the figures."""
    print(progress, file=sys.stderr)


def measure(settings: Settings) -> tuple[Row, ...]:
    """All rows of all bots.

    Raises:
        RuntimeError: a measurement failed.
    """
    rows = []
    for bot in settings.bots:
        rows.append(starts_of(bot, settings))
        for tables in settings.tables:
            rows += matches_of(bot, tables, settings)
    return tuple(rows)


def built_bots() -> tuple[str, ...]:
    """The bots that are measured unless others are named."""
    found = []
    for bot in BOTS:
        try:
            find_command(bot)
        except CommandError as error:
            tell(f"{bot} is passed over: {error}")
        else:
            found.append(bot)
    return tuple(found)


def report(rows: Sequence[Row], settings: Settings, loads: Sequence[float]) -> str:
    """The table for people."""
    contained = [runner for runner in settings.runners if runner != BARE]
    python = ".".join(map(str, sys.version_info[:3]))
    lines = [
        f"Python {python}, grpcio {version('grpcio')}, {os.cpu_count()} processors, load average "
        f"{loads[0]:.1f} before and {loads[1]:.1f} after.",
        f"Medians of {settings.starts} starts, and of {settings.rounds} matches of "
        f"{settings.seconds:g} s (classic, one process a seat and lane, Unix sockets).",
    ]
    for bot in settings.bots:
        heads = "".join(f"{name:>13}{'ratio':>8}" for name in contained)
        lines += ["", f"{bot:34}{BARE:>12}{heads}"]
        lines += [line_of(row, contained) for row in rows if row.bot == bot]
    return "\n".join(lines)


def line_of(row: Row, contained: Sequence[str]) -> str:
    """A row of the table."""
    ratios = row.ratios()
    cells = "".join(f"{row.figures[name]:13,.0f}{ratios[name]:8.2f}" for name in contained)
    return f"{row.what:34}{row.figures[BARE]:12,.0f}{cells}"


def data(rows: Sequence[Row], settings: Settings, loads: Sequence[float]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "processors": os.cpu_count(),
        "load": {"before": loads[0], "after": loads[1]},
        "starts": settings.starts,
        "rounds": settings.rounds,
        "seconds": settings.seconds,
        "rows": [
            {"bot": row.bot, "what": row.what, "figures": row.figures, "ratios": row.ratios()}
            for row in rows
        ],
    }


def settings_of(arguments: Sequence[str]) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="scripts/bench sandbox", description=__doc__)
    parser.add_argument("--bot", action="append", help=f"which (default: {', '.join(BOTS)})")
    parser.add_argument(
        "--runner", action="append", choices=RUNNERS[1:], help="what contains (default: all)"
    )
    parser.add_argument("--tables", action="append", type=int, help="(default: 1, 64)")
    parser.add_argument("--starts", type=int, default=10, help="of each bot by each runner")
    parser.add_argument("--rounds", type=int, default=3, help="how often each match runs")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each match takes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    tables = given.tables = tuple(dict.fromkeys(given.tables or TABLES))
    if min(given.starts, given.rounds, *tables) < 1 or given.seconds <= 0:
        parser.error("--starts, --rounds and --tables must be at least 1, --seconds above 0")
    return given


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 1 where a measurement failed."""
    given = settings_of(arguments)
    runners = (BARE, *dict.fromkeys(given.runner or RUNNERS[1:]))
    bots = tuple(dict.fromkeys(given.bot or built_bots()))
    settings = Settings(runners, bots, given.tables, given.starts, given.rounds, given.seconds)
    before = os.getloadavg()[0]
    try:
        rows = measure(settings)
    except RuntimeError as error:
        print(f"scripts/bench sandbox: {error}", file=sys.stderr)
        return 1
    loads = (before, os.getloadavg()[0])
    if given.json:
        print(json.dumps(data(rows, settings, loads)))
    else:
        print(report(rows, settings, loads))
    return 0
