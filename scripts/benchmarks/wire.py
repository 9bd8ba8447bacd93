"""``scripts/bench wire``: decisions through the whole arena against bare gRPC echoes, in one run.

The parts take turns, ``--rounds`` times, each in processes of its own; figures are medians.  Only
ratios mean anything on another machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
DOWN, UP = 230, 14
"""Bytes of one decision and of one answer, about."""

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Part:
    """One measurement: a script of this folder and its arguments."""

    name: str
    script: str
    arguments: tuple[str, ...]

    def run(self, seconds: float) -> Figures:
        """Measure once."""
        command = [sys.executable, str(HERE / self.script), *self.arguments]
        if self.script != "wire_idle.py":
            command += ["--seconds", str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self.name} failed: {done.stderr.strip().splitlines()[-1:]}")
        figures: Figures = json.loads(done.stdout.splitlines()[-1])
        return figures


def _echo(name: str, *, mode: str, streams: int, processes: int, batch: int = 1) -> Part:
    arguments = {
        "--mode": mode,
        "--streams": str(streams),
        "--processes": str(processes),
        "--down": str(DOWN * batch),
        "--up": str(UP * batch),
    }
    return Part(name, "wire_echo.py", tuple(word for pair in arguments.items() for word in pair))


def _arena(tables: int, layout: str = "pairs") -> Part:
    name = f"arena, {tables} tables" + (", one process a seat" if layout == "seats" else "")
    return Part(name, "wire_arena.py", ("--tables", str(tables), "--layout", layout))


PING = _echo("echo, ping-pong, 1 stream", mode="free", streams=1, processes=1)
RING = _echo("echo, a token round 4 streams", mode="ring", streams=4, processes=2)
ONE, SOME, MANY = _arena(1), _arena(64), _arena(256)
SEATS_SOME, SEATS_MANY = _arena(64, "seats"), _arena(256, "seats")
# About the batches that 64 and 256 tables over four sessions reach.
SOME_BYTES = _echo("echo, bytes of 12 decisions", mode="free", streams=4, processes=2, batch=12)
MANY_BYTES = _echo("echo, bytes of 50 decisions", mode="free", streams=4, processes=2, batch=50)
IDLE = Part("1,000 idle sessions", "wire_idle.py", ())
TURNS = (PING, ONE, SOME, MANY, RING, SOME_BYTES, MANY_BYTES, SEATS_SOME, SEATS_MANY)

Results = dict[Part, Figures]


def measure(rounds: int, seconds: float) -> Results:
    """Medians of all parts, taken in turns; progress goes to standard error."""
    runs: dict[Part, list[Figures]] = {part: [] for part in TURNS}
    for turn in range(rounds):
        for part in TURNS:
            print(f"round {turn + 1} of {rounds}: {part.name}", file=sys.stderr)
            runs[part].append(part.run(seconds))
    results = {
        part: {key: statistics.median(run[key] for run in taken) for key in taken[0]}
        for part, taken in runs.items()
    }
    print(IDLE.name, file=sys.stderr)
    results[IDLE] = IDLE.run(seconds)
    return results


def rate(figures: Figures) -> float:
    """Messages or decisions a second, by wall clock."""
    return figures.get("decisions", figures.get("messages", 0.0)) / figures["seconds"]


def cpu(figures: Figures) -> float:
    """CPU microseconds of both ends for one message or decision."""
    return figures["server_us"] + figures.get("bots_us", figures.get("clients_us", 0.0))


def wanted(results: Results) -> list[tuple[str, float, float]]:
    """What is promised: a sentence, the figure, the least that it should be."""
    one, some, many = results[ONE], results[SOME], results[MANY]
    ping = rate(results[PING])

    def same_bytes(echo: Part, arena: Figures, batch: int) -> float:
        return cpu(results[echo]) / batch / cpu(arena)

    return [
        ("1 table, by CPU, against an echo round 4 streams", cpu(results[RING]) / cpu(one), 0.7),
        ("64 tables, by wall, against the ping-pong echo", rate(some) / ping, 8.0),
        ("256 tables, by wall, against the ping-pong echo", rate(many) / ping, 12.0),
        ("64 tables, by CPU, against an echo of its bytes", same_bytes(SOME_BYTES, some, 12), 0.35),
        (
            "256 tables, by CPU, against an echo of its bytes",
            same_bytes(MANY_BYTES, many, 50),
            0.18,
        ),
        ("1,000 idle sessions: 60 MB over their memory", 60_000 / results[IDLE]["kilobytes"], 1.0),
    ]


def report(results: Results, rounds: int, seconds: float) -> str:
    """The tables for people."""
    python = ".".join(map(str, sys.version_info[:3]))
    lines = [
        f"Python {python}, grpcio {version('grpcio')}, protobuf {version('protobuf')}; "
        f"{rounds} rounds of {seconds:g} s each, medians; classic, random bots, loopback TCP.",
        "Arena: one half, 2 bot processes with 2 sessions each, every finished game written as",
        "a record and compressed; 'one process a seat': both lanes, 8 processes, 8 sessions.",
        "",
        f"{'':38}{'a second':>10}{'server us':>11}{'bots us':>9}{'batch':>7}"
        f"{'p50 ms':>8}{'p99 ms':>8}",
    ]
    for part in TURNS:
        figures = results[part]
        line = f"{part.name:38}{rate(figures):10,.0f}{figures['server_us']:11.1f}"
        line += f"{cpu(figures) - figures['server_us']:9.1f}"
        if "batch" in figures:
            line += f"{figures['batch']:7.1f}{figures['p50_us'] / 1000:8.2f}"
            line += f"{figures['p99_us'] / 1000:8.2f}"
        lines.append(line)
    kilobytes = results[IDLE]["kilobytes"]
    lines += [f"{IDLE.name:38}{kilobytes / 1000:10.1f} MB", ""]
    for sentence, figure, least in wanted(results):
        verdict = "met" if figure >= least else "NOT MET"
        lines.append(f"{sentence:52}{figure:7.2f}   wanted {least:5.2f}   {verdict}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 1 where a part failed."""
    parser = argparse.ArgumentParser(prog="scripts/bench wire", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each part runs")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each run takes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    try:
        results = measure(given.rounds, given.seconds)
    except RuntimeError as error:
        print(f"scripts/bench wire: {error}", file=sys.stderr)
        return 1
    if given.json:
        print(json.dumps({part.name: figures for part, figures in results.items()}))
    else:
        print(report(results, given.rounds, given.seconds))
    return 0
