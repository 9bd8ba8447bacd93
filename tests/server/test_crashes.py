"""Versions that crash set after set are paused: submitted ones, and for nothing long ago."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from arena.ids import VersionId
from arena.referee.sets import lost_by_both, lost_unplayed
from arena.rules.record import EndingKind, SetRecord
from arena.server.crashes import MOST, NOTE, Pauses
from arena.store import Store, VersionKind, VersionState
from tests.referee.games import SHORT, plan_of, random_set
from tests.store.examples import new_version

PLAN = plan_of(SHORT)


def crash(loser: int = 0, kind: EndingKind = EndingKind.CRASH) -> SetRecord:
    """A set that one of its versions lost by a crash, or otherwise."""
    return lost_unplayed(PLAN, loser, kind, "it ended")


@dataclass(slots=True)
class Rests:
    """Who is to rest, and why."""

    told: dict[VersionId, str] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self, version: VersionId, sentence: str) -> None:
        self.told[version] = sentence
        self.news.set()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """With the submitted bots ann and bob, and the command carl."""
    with Store.open(tmp_path / "arena.db") as opened:
        for name in ("ann", "bob"):
            opened.register_version(replace(new_version(name), kind=VersionKind.SUBMITTED))
        opened.register_version(new_version("carl"))
        yield opened


ANN, BOB, CARL = VersionId(1), VersionId(2), VersionId(3)


async def settled(pauses: Pauses) -> None:
    """Wait until all that was begun is done."""
    while pauses.tasks:
        await asyncio.wait(pauses.tasks)


async def paused(store: Store, pauses: Pauses) -> list[str]:
    await settled(pauses)
    return [one.name for one in store.versions() if one.state is VersionState.PAUSED]


async def test_one_that_crashes_set_after_set_is_paused_with_a_note(store: Store) -> None:
    rests = Rests()
    pauses = Pauses(store, rests)
    for _ in range(MOST - 1):
        pauses.told((ANN, BOB), crash())
    assert await paused(store, pauses) == []
    pauses.told((ANN, BOB), crash())
    assert await paused(store, pauses) == ["ann"]
    assert store.version(ANN).note == NOTE
    assert rests.told == {ANN: "ann is paused"}


async def test_a_set_without_a_crash_begins_the_count_anew(store: Store) -> None:
    pauses = Pauses(store, Rests())
    for record in (crash(), crash(), await random_set(SHORT), crash(), crash()):
        pauses.told((ANN, BOB), record)
    for _ in range(MOST):
        pauses.told((ANN, BOB), crash(kind=EndingKind.TIMEOUT))
    assert await paused(store, pauses) == []


async def test_both_may_be_paused_and_others_have_nothing_of_it(store: Store) -> None:
    pauses = Pauses(store, Rests())
    both = lost_by_both(PLAN, (EndingKind.CRASH, "x"), (EndingKind.CRASH, "y"))
    for _ in range(MOST):
        pauses.told((ANN, BOB), both)
        pauses.told((ANN, CARL), crash(1))
    assert await paused(store, pauses) == ["bob"], "ann has played a set in between"


async def test_an_organisers_own_command_is_not_paused(store: Store) -> None:
    rests = Rests()
    pauses = Pauses(store, rests)
    for _ in range(MOST):
        pauses.told((CARL, BOB), crash())
    assert await paused(store, pauses) == []
    assert rests.told == {}


async def test_one_that_was_retired_meanwhile_rests_and_stays_retired(store: Store) -> None:
    rests = Rests()
    pauses = Pauses(store, rests)
    store.set_version_state(ANN, VersionState.RETIRED)
    for _ in range(MOST):
        pauses.told((ANN, BOB), crash())
    assert await paused(store, pauses) == []
    assert list(rests.told) == [ANN]
