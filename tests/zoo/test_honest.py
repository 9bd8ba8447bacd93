"""Honest bots lose no game on time, at full concurrency and whoever else wants the processor."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator

import pytest

from arena.hosting.command import find_command
from arena.ids import VersionId
from arena.referee.policy import Policy, TimeControl
from arena.referee.sets import SetPlan
from arena.rules.record import EndingKind, Entrant, Faults, SetRecord
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.runner import run_orders
from arena.server.app import Arena, running_arena
from tests.referee.games import SEED, SHORT

pytestmark = pytest.mark.alone

TABLES = 64
DECISIONS = 10_000
SETS = 120
BOTS = ("random", "first_legal")
TIGHT = Policy(
    time=TimeControl(startup_ms=60_000, bank_ms=5_000, increment_ms=20, decision_ms=1_000)
)
BUSY = "import time\nend = time.monotonic() + 100\nwhile time.monotonic() < end: pass"


@contextlib.asynccontextmanager
async def busy_processes(count: int) -> AsyncIterator[None]:
    """So many processes that take all the time they get."""
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", BUSY) for _ in range(count)
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            await process.wait()


def order(number: int) -> SetOrder:
    plan = SetPlan(
        set_id=f"r1:1-2:{number}",
        variant=SHORT,
        policy=TIGHT,
        entrants=(Entrant(BOTS[0], "v1"), Entrant(BOTS[1], "v1")),
        seed=SEED,
    )
    return SetOrder(plan, (VersionId(1), VersionId(2)))


async def played(arena: Arena) -> list[SetRecord]:
    """The records of many sets, played at all tables at once."""
    records: list[SetRecord] = []

    async def keep(_: SetOrder, played: PlayedSet) -> None:
        records.append(played.record)

    for version, name in enumerate(BOTS, 1):
        arena.host(VersionId(version), find_command(name), "v1")
    orders = iter([order(number) for number in range(1, SETS + 1)])
    await run_orders(orders, arena.executor, keep, sets_at_once=TABLES // 2)
    return records


@pytest.mark.timeout(180)
@pytest.mark.parametrize("hogs", [0, 2], ids=["alone", "beside two busy processes"])
async def test_honest_bots_lose_nothing_on_time_in_ten_thousand_decisions(hogs: int) -> None:
    with tempfile.TemporaryDirectory(prefix="honest") as folder:
        async with (
            running_arena(f"unix:{folder}/s", tables=TABLES) as arena,
            busy_processes(hogs),
        ):
            records = await played(arena)
            asked = arena.lobby.tally.decisions
    assert asked >= DECISIONS
    assert len(records) == SETS
    for record in records:
        assert [half.ending.kind for half in record.halves] == [EndingKind.COMPLETED] * 2
        assert record.faults_of(0) == record.faults_of(1) == Faults()
