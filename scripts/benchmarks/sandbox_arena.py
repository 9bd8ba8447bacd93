"""One measurement of what contains bots, in a process of its own.

``--starts N``: a process of the bot is started and ended so often, one after the other, the runners
in turn; prints for each the milliseconds from launch to session (the first accepted Hello).

``--tables N``: a match of the bot against itself (classic), one process a seat and lane, as hosted
bots are run; the tables never stop.  Prints decisions, seconds, server_us and bots_us (CPU a
decision; that of bots is of all that their processes have started).

Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import tempfile
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from wire_arena import Bench, places_of
from wire_processes import cpu_us

from arena.hosting.command import CommandError, find_command
from arena.hosting.containment import (
    Containment,
    RunnerError,
    check_containable,
    contain_by_bubblewrap,
    new_arena_id,
)
from arena.hosting.runner import Resources, RunnerKind
from arena.ids import VersionId
from arena.server.admission import Chair, Lane, Place
from arena.server.app import Arena, running_arena

DIAL_IN_SECONDS = 60.0

Figures = dict[str, float]
Starts = dict[str, list[float]]


def containment_by(runner: str) -> Containment | None:
    """What contains bots; None for nothing.

    Raises:
        RunnerError: it cannot be had here.
    """
    match RunnerKind(runner):
        case RunnerKind.PROCESS:
            return None
        case RunnerKind.BUBBLEWRAP:
            return contain_by_bubblewrap(new_arena_id(), Resources())
        case RunnerKind.CONTAINER:
            raise RunnerError("this arena runs no containers")


def family(pids: list[int]) -> list[int]:
    """These processes and all that they have started and that still run."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it has just ended
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found = list(pids)
    for pid in found:  # grows meanwhile
        found += children.get(pid, [])
    return found


async def session_ms(arena: Arena, place: Place) -> float:
    """Start the process of a place; the milliseconds until its session is there."""
    begun = time.perf_counter()
    await arena.fleet.ensure(arena.commands[place.version], place)
    process = arena.fleet.process(place)
    assert process is not None, "a process was started"
    session = await arena.lobby.wait_for(
        place, DIAL_IN_SECONDS, hopeless=lambda: not process.running
    )
    taken = time.perf_counter() - begun
    if session is None:
        raise RunnerError(f"the bot does not dial in{process.last_words()}")
    return taken * 1000


async def measure_starts(bot: str, runners: list[str], starts: int) -> Starts:
    """Start and end a process so often by each runner, and once before, which fills caches."""
    taken: Starts = {runner: [] for runner in runners}
    async with hosting(bot, runners, tables=1) as arena:
        for _ in range(starts + 1):
            for number, runner in enumerate(runners):
                place = Place(VersionId(number), Chair.FIRST, Lane.A)
                taken[runner].append(await session_ms(arena, place))
                await arena.fleet.restart([place])
    return {runner: all_of_them[1:] for runner, all_of_them in taken.items()}


async def measure_tables(arena: Arena, tables: int, warm: float, seconds: float) -> Figures:
    """Play at so many tables, of which none is free in between."""
    places = places_of("seats")
    bench = Bench(arena)
    await asyncio.gather(*(session_ms(arena, place) for place in places))
    await bench.gather(places)
    tasks = [asyncio.create_task(bench.keep_table(number)) for number in range(tables)]
    await asyncio.sleep(warm)
    processes = [arena.fleet.process(place) for place in places]
    bots = family([process.pid for process in processes if process is not None])
    begun = (bench.decisions, sum(map(cpu_us, bots)))
    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    decisions = bench.decisions - begun[0]
    bots_us = sum(map(cpu_us, bots)) - begun[1]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "decisions": decisions,
        "seconds": wall,
        "server_us": cpu * 1e6 / max(1, decisions),
        "bots_us": bots_us / max(1, decisions),
    }


@contextlib.asynccontextmanager
async def hosting(bot: str, runners: Iterable[str], *, tables: int) -> AsyncIterator[Arena]:
    """An arena on a Unix socket that hosts a bot, as one version for each of ``runners``.

    Raises:
        CommandError: there is no such bot.
        RunnerError: it cannot be contained.
    """
    command = find_command(bot)
    containments = [containment_by(runner) for runner in runners]
    if any(containments):
        check_containable(command)
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        async with running_arena(f"unix:{folder}/s", tables=tables) as arena:
            for number, containment in enumerate(containments):
                arena.host(VersionId(number), command, "1", containment)
            yield arena


async def measure(given: argparse.Namespace) -> Figures | Starts:
    """Run and measure."""
    if given.starts:
        return await measure_starts(given.bot, given.runner, given.starts)
    async with hosting(given.bot, given.runner[:1] * 2, tables=given.tables) as arena:
        return await measure_tables(arena, given.tables, given.warm, given.seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--runner", choices=tuple(RunnerKind), nargs="+", required=True)
    parser.add_argument("--bot", required=True)
    parser.add_argument("--starts", type=int, default=0)
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--warm", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=2.0)
    try:
        print(json.dumps(asyncio.run(measure(parser.parse_args()))))
    except (CommandError, RunnerError) as error:
        raise SystemExit(str(error)) from error
