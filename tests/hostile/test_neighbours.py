"""Bombs beside a match: its tables play on, and nobody there has a fault."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count, zip_longest

import pytest

from arena.hosting.command import find_command
from arena.hosting.containment import Containment
from arena.hosting.runner import Resources
from arena.ids import VersionId
from arena.referee.policy import Policy, TimeControl
from arena.referee.sets import SetPlan
from arena.rules.record import Entrant
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.runner import run_orders
from arena.server.app import Arena, running_arena
from tests.hostile.attacks import BOMBS
from tests.hostile.cages import Cage
from tests.hostile.machine import Machine
from tests.hostile.showing import Sighting, show
from tests.referee.games import SHORT

TABLES = 4
LEAST_SETS = 4
AT_ONCE = 4
POLICY = Policy(TimeControl(startup_ms=50_000))
BOTS = ("random", "first_legal")
ENTRANTS = (Entrant("random", "v1"), Entrant("first_legal", "v1"))
VERSIONS = (VersionId(1), VersionId(2))


@pytest.mark.timeout(120)
async def test_bombs_harm_no_other_table(cage: Cage, attacked: Machine) -> None:
    played: list[PlayedSet] = []
    over = asyncio.Event()

    def orders() -> Iterator[SetOrder]:
        for number in count(1):
            if over.is_set() and number > LEAST_SETS:
                return
            plan = SetPlan(f"r1-s{number}", SHORT, POLICY, ENTRANTS, bytes(32))
            yield SetOrder(plan, VERSIONS)

    async def keep(_: SetOrder, one: PlayedSet) -> None:
        played.append(one)

    address = f"unix:{attacked.folder}/{cage.arena[-8:]}"
    async with running_arena(address, tables=TABLES) as arena:
        await _seat(arena, cage)
        async with asyncio.TaskGroup() as group:
            group.create_task(run_orders(orders(), arena.executor, keep, sets_at_once=TABLES // 2))
            sightings = await _bomb(cage, attacked)
            over.set()
    assert [sighting.complaints for sighting in sightings] == [()] * len(sightings)
    assert len(played) >= LEAST_SETS
    assert all(_is_whole(one) for one in played)


async def _seat(arena: Arena, cage: Cage) -> None:
    """Two bots, contained as the bombs are where the cage holds what they need."""
    containment = Containment(cage.runner, Resources(), cage.arena, "") if cage.plays else None
    for version, name in zip(VERSIONS, BOTS, strict=True):
        arena.host(version, find_command(name), "v1", containment)
    await asyncio.gather(*(arena.executor.require(version, POLICY) for version in VERSIONS))


async def _bomb(cage: Cage, attacked: Machine) -> list[Sighting]:
    """All that the cage bounds, a few at once."""
    bombs = [attack for attack in BOMBS if attack.needs(cage)]
    seen: list[Sighting] = []
    for few in zip_longest(*[iter(bombs)] * AT_ONCE):
        seen += await asyncio.gather(*(show(cage, one, attacked) for one in few if one))
    return seen


def _is_whole(one: PlayedSet) -> bool:
    faults = sum(one.record.faults_of(entrant).total for entrant in range(2))
    return faults == 0 and not one.incidents
