"""``scripts/bench memory``: what a server still holds after sessions and decisions are over.

One server; in each round 1,000 sessions come and go, and two bots play 100,000 decisions at 64
tables and leave.  After each the server is weighed: memory that it shares with no other process,
tasks, open files and sessions.  The first round fills caches and pools; what later rounds add is
a leak.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import gc
import resource
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from wire_arena import Bench, places_of
from wire_idle import private_kilobytes
from wire_processes import peers

from arena.ids import VersionId
from arena.server.admission import Admission, Chair, Lane, Place, new_token, token_hash
from arena.server.app import Arena, running_arena

TABLES = 64
SETTLE_SECONDS = 3.0


@dataclass(frozen=True)
class Weight:
    """What a server holds.

    Attributes:
        kilobytes: memory that it shares with no other process.
        tasks: of its event loop.
        files: open ones, sockets included.
        sessions: of its lobby.
    """

    kilobytes: int
    tasks: int
    files: int
    sessions: int


def weigh(arena: Arena) -> Weight:
    """Weigh the server, with everything freed that is free."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return Weight(
        private_kilobytes(),
        len(asyncio.all_tasks()),
        sum(1 for _ in Path("/proc/self/fd").iterdir()),
        len(arena.lobby.sessions()),
    )


@contextlib.asynccontextmanager
async def admitted(arena: Arena, places: list[Place]) -> AsyncIterator[dict[Place, str]]:
    """A token for each place, known while the block runs."""
    tokens = {place: new_token() for place in places}
    for place, token in tokens.items():
        admission = Admission(place.version, "bot", "1", chair=place.chair, lane=place.lane)
        arena.lobby.tokens.add(token_hash(token), admission)
    yield tokens
    for token in tokens.values():
        arena.lobby.tokens.remove(token_hash(token))


async def come_and_go(arena: Arena, count: int, first: int) -> None:
    """That many sessions dial in, each on a connection of its own, and are cut."""
    places = [Place(VersionId(first + n), Chair.FIRST, Lane.A) for n in range(count)]
    async with admitted(arena, places) as tokens:
        arguments = [["--client", arena.addresses[0], *tokens.values()]]
        async with peers("wire_idle.py", arguments):
            for place in places:
                assert await arena.lobby.wait_for(place, 120.0), "an idle session did not come"
        await gone(arena, places)


async def play(arena: Arena, decisions: int) -> int:
    """Two bots play so many decisions and leave; how many it were."""
    places = places_of("pairs")
    bench = Bench(arena)
    begun = arena.lobby.tally.decisions
    tokens = bench.admit(places)
    groups = [[tokens[place] for place in places if place.version == bot] for bot in (0, 1)]
    async with peers("wire_bot.py", [[arena.addresses[0], *group] for group in groups]):
        await bench.gather(places)
        tasks = [asyncio.create_task(bench.keep_table(number)) for number in range(TABLES)]
        while arena.lobby.tally.decisions - begun < decisions:
            await asyncio.sleep(0.1)
            bench.latencies.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await gone(arena, places)
    for token in tokens.values():
        arena.lobby.tokens.remove(token_hash(token))
    return arena.lobby.tally.decisions - begun


async def gone(arena: Arena, places: list[Place]) -> None:
    """Wait until no stream of these places is left, and let their sessions go."""
    while any(arena.lobby.find(place) for place in places):  # noqa: ASYNC110 (nothing tells)
        await asyncio.sleep(0.05)
    for place in places:
        arena.lobby.crashed(place, "the measurement is over")


async def measure(rounds: int, sessions: int, decisions: int) -> None:
    """Print a line for each weighing."""
    print(f"{'':44}{'MB':>8}{'tasks':>8}{'files':>8}{'sessions':>10}")
    async with running_arena("127.0.0.1:0", tables=TABLES) as arena:
        tell("at the start", weigh(arena))
        for number in range(1, rounds + 1):
            await come_and_go(arena, sessions, first=1000 * number)
            await asyncio.sleep(SETTLE_SECONDS)
            tell(f"round {number}: after {sessions:,} sessions", weigh(arena))
            played = await play(arena, decisions)
            await asyncio.sleep(SETTLE_SECONDS)
            tell(f"round {number}: after {played:,} decisions", weigh(arena))


def tell(when: str, weight: Weight) -> None:
    """Print a weighing."""
    megabytes = f"{weight.kilobytes / 1024:.1f}"
    print(
        f"{when:44}{megabytes:>8}{weight.tasks:>8}{weight.files:>8}{weight.sessions:>10}",
        flush=True,
    )


def main(arguments: list[str]) -> int:
    """Measure; 0."""
    parser = argparse.ArgumentParser(prog="scripts/bench memory", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--decisions", type=int, default=100_000)
    given = parser.parse_args(arguments)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 8192), hard), hard))
    asyncio.run(measure(given.rounds, given.sessions, given.decisions))
    return 0
