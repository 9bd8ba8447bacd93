"""One measurement of the whole arena, in a process of its own.

Layout ``pairs``: one half (classic), four seats, two bot processes with two sessions each over
loopback TCP.  Layout ``seats``: both lanes, one process a seat and lane, as hosted bots are run.
The tables never stop.  Every finished game is written as the record's JSON and compressed, as the
journal would; the commit to disk is not in it.

Prints one JSON object: decisions, seconds, server_us and bots_us (CPU a decision), batch,
p50_us, p99_us (hand-over to arrival).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
import zlib

from wire_processes import cpu_us, peers

from arena.ids import VersionId
from arena.referee.course import Course
from arena.referee.policy import Policy, TimeControl
from arena.referee.table import Table
from arena.rules import CLASSIC, Dealer, bot_seed
from arena.rules.cards import SEATS
from arena.rules.record import GameRecord
from arena.server.admission import Admission, Chair, Lane, Place, new_token, token_hash
from arena.server.app import Arena, running_arena
from arena.server.remote import MatchTerms
from arena.server.seating import seat_all
from arena.server.sessions import Session
from arena.wire.records import game_json

SEED = bytes(32)
POLICY = Policy(TimeControl(bank_ms=600_000))


class Bench:
    """The tables of a measurement."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._terms = MatchTerms(CLASSIC, POLICY)
        self.sessions: list[Session] = []
        self.latencies: list[int] = []

    def admit(self, places: list[Place]) -> dict[Place, str]:
        """A token for each place."""
        tokens = {place: new_token() for place in places}
        for place, token in tokens.items():
            name = f"bot{place.version}"
            admission = Admission(place.version, name, "1", chair=place.chair, lane=place.lane)
            self._arena.lobby.tokens.add(token_hash(token), admission)
        return tokens

    async def gather(self, places: list[Place]) -> None:
        """Wait for the sessions of the places, four a lane."""
        for place in places:
            session = await self._arena.lobby.wait_for(place, 30.0)
            assert session is not None, "a bench bot did not come"
            self.sessions.append(session)

    async def keep_table(self, number: int) -> None:
        """Play game after game."""
        dealer = Dealer(SEED)
        game = 0
        while True:
            set_id = f"bench:{number}:{game}"
            seeds = [bot_seed(SEED, set_id, "a", 0, seat) for seat in range(SEATS)]
            course = Course(
                CLASSIC,
                POLICY,
                half="a",
                deal_set=set_id,
                deal=lambda board, set_id=set_id: dealer.deal(CLASSIC, set_id, board),
            )
            lane = number * SEATS % len(self.sessions)
            seats = seat_all(self.sessions[lane : lane + SEATS], [self._terms] * SEATS, seeds)
            self._keep(await Table(course, seats).play())
            game += 1

    def _keep(self, game: GameRecord) -> None:
        zlib.compress(game_json(game), 1)
        self.latencies += [us for hand in game.hands for us in hand.times_us if us]

    @property
    def decisions(self) -> int:
        """Decisions asked so far."""
        return sum(session.decisions for session in self.sessions)

    @property
    def messages(self) -> int:
        """Messages written so far."""
        return sum(session.messages for session in self.sessions)


def places_of(layout: str) -> list[Place]:
    """The places of seats 0..3, lane by lane: seat s belongs to bot s mod 2."""
    lanes = [None] if layout == "pairs" else list(Lane)
    chairs = tuple(Chair)
    return [Place(VersionId(s & 1), chairs[s >> 1], lane) for lane in lanes for s in range(SEATS)]


async def measure(layout: str, tables: int, warm: float, seconds: float) -> dict[str, float]:
    """Run and measure."""
    places = places_of(layout)
    async with running_arena("127.0.0.1:0", tables=tables) as arena:
        bench = Bench(arena)
        tokens = bench.admit(places)
        processes = [[tokens[place]] for place in places]
        if layout == "pairs":
            processes = [[tokens[p] for p in places if p.version == bot] for bot in (0, 1)]
        arguments = [[arena.addresses[0], *group] for group in processes]
        async with peers("wire_bot.py", arguments) as bots:
            await bench.gather(places)
            tasks = [asyncio.create_task(bench.keep_table(n)) for n in range(tables)]
            await asyncio.sleep(warm)
            pids = [bot.pid for bot in bots]
            begun = (bench.decisions, bench.messages, sum(map(cpu_us, pids)))
            bench.latencies.clear()
            cpu, wall = time.process_time(), time.perf_counter()
            await asyncio.sleep(seconds)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            decisions = bench.decisions - begun[0]
            messages = bench.messages - begun[1]
            bots_us = sum(map(cpu_us, pids)) - begun[2]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    latencies = sorted(bench.latencies) or [0]
    return {
        "tables": tables,
        "sessions": len(places),
        "decisions": decisions,
        "seconds": wall,
        "server_us": cpu * 1e6 / decisions,
        "bots_us": bots_us / decisions,
        "batch": decisions / messages,
        "p50_us": statistics.median(latencies),
        "p99_us": latencies[int(len(latencies) * 0.99)],
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--layout", choices=("pairs", "seats"), default="pairs")
    parser.add_argument("--warm", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    print(json.dumps(asyncio.run(measure(given.layout, given.tables, given.warm, given.seconds))))
