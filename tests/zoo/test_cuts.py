"""Connections that are cut again and again: the same games, nothing repeated, nothing missed."""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from arena.ids import VersionId
from arena.referee.policy import Policy, TimeControl
from arena.referee.sets import SetPlan
from arena.rules.record import Entrant, Faults, Mover, SetRecord
from arena.rules.verify import verify
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.runner import run_orders
from arena.server.admission import Admission, token_hash
from arena.server.app import Arena, running_arena
from arena.wire.records import record_json
from tests.referee.games import SEED, SHORT
from tests.server.hall import token_of
from tests.server.serving import environment
from tests.zoo.keeper import program
from tests.zoo.proxy import proxying

SETS = 10
CLOCK = Policy(time=TimeControl(bank_ms=60_000, decision_ms=20_000))
BOTS = (VersionId(1), VersionId(2))
CHAIRS = ("first", "second")
LEAST_CUTS = 20


def order(number: int) -> SetOrder:
    entrants = (Entrant("ann", "v1"), Entrant("bob", "v1"))
    return SetOrder(SetPlan(f"r1:1-2:{number}", SHORT, CLOCK, entrants, SEED), BOTS)


def lifetimes() -> Iterator[int]:
    """Bytes after which connections are cut: some before the first game, all before the last."""
    chance = random.Random(3)
    while True:
        yield chance.randrange(2_000, 15_000)


def notes_of(folder: Path, version: VersionId) -> list[tuple[str, str]]:
    """What a bot was asked: chair, and table, hand and move."""
    return [
        (chair, line)
        for chair in CHAIRS
        for line in (folder / f"{version}-{chair}").read_text().splitlines()
    ]


@contextlib.asynccontextmanager
async def bots(folder: Path, address: str) -> AsyncIterator[None]:
    """Both bots, each with a process for each chair."""
    processes = []
    try:
        for version, place in zip(BOTS, ("0", "-1"), strict=True):
            for chair in CHAIRS:
                variables = {"ARENA_TOKEN": token_of(version), "ARENA_CHAIR": chair}
                process = await asyncio.create_subprocess_exec(
                    *program("steady", str(folder / f"{version}-{chair}"), place),
                    env=environment(ARENA_ADDR=address, **variables),
                )
                processes.append(process)
        yield
    finally:
        for process in processes:
            process.kill()
            await process.wait()


async def played(arena: Arena) -> list[SetRecord]:
    """A small tournament, in the order of its schedule."""
    records: dict[str, SetRecord] = {}

    async def keep(order: SetOrder, played: PlayedSet) -> None:
        records[order.plan.set_id] = played.record

    orders = [order(number) for number in range(1, SETS + 1)]
    await run_orders(iter(orders), arena.executor, keep, sets_at_once=3)
    return [records[order.plan.set_id] for order in orders]


async def tournament(folder: Path, cut: Iterator[int] | None) -> tuple[list[SetRecord], int]:
    """The records of a tournament through a proxy, and how often that cut a connection."""
    async with running_arena("127.0.0.1:0", tables=8) as arena:
        for version, name in zip(BOTS, ("ann", "bob"), strict=True):
            arena.lobby.tokens.add(token_hash(token_of(version)), Admission(version, name, "v1"))
        async with proxying(arena.addresses[0], cut) as (proxy, address), bots(folder, address):
            records = await played(arena)
            sessions = arena.lobby.sessions()
            # They came back by themselves, and to the same sessions.
            assert len(sessions) == len(BOTS) * len(CHAIRS)
            return records, proxy.cuts


def asked(records: list[SetRecord], entrant: int) -> int:
    """How many questions a bot has answered, by the records."""
    return sum(
        move.mover is Mover.BOT and game.seats[move.seat].entrant == entrant
        for record in records
        for game in record.halves
        for hand in game.hands
        for move in hand.moves
    )


@pytest.mark.timeout(120)
async def test_a_tournament_with_many_cuts_is_the_same_as_one_without() -> None:
    with tempfile.TemporaryDirectory(prefix="cuts") as name:
        calm, wild = Path(name) / "calm", Path(name) / "wild"
        calm.mkdir()
        wild.mkdir()
        expected, none = await tournament(calm, None)
        records, cuts = await tournament(wild, lifetimes())
        notes = [notes_of(wild, version) for version in BOTS]
    assert none == 0
    assert cuts >= LEAST_CUTS
    for record, same in zip(records, expected, strict=True):
        verify(record, SEED)
        assert record.faults_of(0) == record.faults_of(1) == Faults()
        assert record_json(record, timing=False) == record_json(same, timing=False)
    for entrant, questions in enumerate(notes):
        assert len(questions) == len(set(questions)), "a question was put to the bot twice"
        assert len(questions) == asked(records, entrant)
