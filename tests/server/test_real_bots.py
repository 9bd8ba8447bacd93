"""Real bots as real processes over a real socket: the same seed gives the same records."""

from __future__ import annotations

import tempfile
from dataclasses import replace

import pytest

from arena.hosting.command import find_command
from arena.ids import VersionId
from arena.referee.policy import Policy, TimeControl
from arena.referee.sets import SetPlan
from arena.rules import DOUBLE, Variant
from arena.rules.record import EndingKind, Entrant, Faults, SetRecord
from arena.rules.verify import verify
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.runner import run_orders
from arena.server.app import running_arena
from arena.server.executor import all_places
from arena.wire.records import record_json
from tests.hosting.bots import until_ended
from tests.referee.games import SEED

VARIANT = replace(DOUBLE, name="short-double", hands=3)
SETS = 6
PATIENT = Policy(time=TimeControl(startup_ms=60_000, decision_ms=60_000, bank_ms=600_000))


def order(number: int, variant: Variant) -> SetOrder:
    plan = SetPlan(
        set_id=f"r1:1-2:{number}",
        variant=variant,
        policy=PATIENT,
        entrants=(Entrant("first_legal", "v1"), Entrant("random", "v1")),
        seed=SEED,
    )
    return SetOrder(plan, (VersionId(1), VersionId(2)))


async def played(tables: int) -> list[SetRecord]:
    """The records of a small match, in the order of the schedule."""
    records: dict[str, SetRecord] = {}

    async def keep(order: SetOrder, played: PlayedSet) -> None:
        records[order.plan.set_id] = played.record

    with tempfile.TemporaryDirectory(prefix="real") as folder:
        async with running_arena(f"unix:{folder}/s", tables=tables) as arena:
            for version, name in ((1, "first_legal"), (2, "random")):
                arena.host(VersionId(version), find_command(name), "v1")
            orders = [order(number, VARIANT) for number in range(1, SETS + 1)]
            await run_orders(iter(orders), arena.executor, keep, sets_at_once=max(1, tables // 2))
            places = all_places([VersionId(1), VersionId(2)])
            processes = [arena.fleet.process(place) for place in places]
    assert len(processes) == 8
    for process in processes:
        assert process is not None
        assert not process.running
        await until_ended(process.pid)
    return [records[order.plan.set_id] for order in orders]


@pytest.mark.timeout(120)
async def test_the_same_seed_gives_the_same_bytes_at_one_table_and_at_sixteen() -> None:
    one = await played(1)
    sixteen = await played(16)
    for record in one:
        verify(record, SEED)
        assert [half.ending.kind for half in record.halves] == [EndingKind.COMPLETED] * 2
        assert record.faults_of(0) == record.faults_of(1) == Faults()
    assert [record_json(record, timing=False) for record in one] == [
        record_json(record, timing=False) for record in sixteen
    ]
    assert len({record_json(record, timing=False) for record in one}) == SETS
