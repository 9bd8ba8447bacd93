"""A stored tournament: played to its end, in one go or with a break, to the same journal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.ids import EntryNumber, JobKey, TournamentId
from arena.referee.seat import ArenaFault
from arena.rules.verify import verify
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.pairings import round_robin
from arena.schedule.settings import Restart, Settings
from arena.server.tournaments import Progress, run_tournament
from arena.store import NewVersion, Store, TournamentSpec, TournamentState, VersionKind
from arena.wire.record_files import read_record
from tests.referee.games import SEED, SHORT
from tests.server.puppets import Theatre

NAMES = ("ann", "bob", "carl")
KEYS = [job.key for job in round_robin([EntryNumber(n) for n in (1, 2, 3)], 1, 2)]
PLANNED = 3 * 2  # three pairs, two sets each


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.sqlite") as store:
        yield store


def created(
    store: Store, theatre: Theatre, name: str = "cup", restart: Restart = Restart.FAILURE
) -> TournamentId:
    """A tournament of three puppets."""
    versions = [
        store.register_version(
            NewVersion(
                name=bot,
                owner="zoe",
                kind=VersionKind.COMMAND,
                identity=f"{number:064x}",
                label="v1",
                command=("/bin/sh", "-c", theatre.line(bot)),
                directory="/",
            )
        ).id
        for number, bot in enumerate(NAMES)
    ]
    spec = TournamentSpec(
        name=name,
        variant=SHORT,
        seed=SEED,
        entries=tuple(versions),
        settings=Settings(sets=2, restart=restart).to_data(),
    )
    return store.create_tournament(spec)


def journal(store: Store, number: TournamentId) -> dict[JobKey, Any]:
    """What is journalled, but for the times."""
    kept = {}
    for key, text in store.records(number):
        verify(read_record(text), SEED)
        data = json.loads(text)
        data.pop("timing", None)
        kept[key] = data
    return kept


async def test_a_tournament_is_played_and_journalled_set_by_set(
    store: Store, theatre: Theatre
) -> None:
    number = created(store, theatre)
    seen: list[Progress] = []
    state = await run_tournament(store, theatre.arena, number, tables=4, on_progress=seen.append)
    assert state is TournamentState.FINISHED
    assert store.tournament(number).state is TournamentState.FINISHED
    assert [(p.done, p.planned) for p in seen] == [(n, PLANNED) for n in range(PLANNED + 1)]
    assert seen[0].record is None
    kept = journal(store, number)
    assert set(kept) == set(KEYS)
    for key, data in kept.items():
        pair = [int(entry) for entry in key.split(":")[1].split("-")]
        assert [entrant["name"] for entrant in data["entrants"]] == [NAMES[n - 1] for n in pair]
    points = [progress.record.verdict.points for progress in seen if progress.record is not None]
    assert sorted(result.points for result in store.results(tournament=number)) == sorted(points)


async def test_each_game_may_have_new_processes(store: Store, theatre: Theatre) -> None:
    number = created(store, theatre, restart=Restart.GAME)
    state = await run_tournament(store, theatre.arena, number, tables=4)
    assert state is TournamentState.FINISHED
    assert len(theatre.puppets) == 8 * PLANNED


async def test_a_break_changes_nothing_in_the_end(store: Store, theatre: Theatre) -> None:
    number = created(store, theatre)
    draining = asyncio.Event()

    def after_two(progress: Progress) -> None:
        if progress.done == 2:
            draining.set()

    async def run(**more: Any) -> TournamentState:
        return await run_tournament(store, theatre.arena, number, tables=2, **more)

    assert await run(draining=draining, on_progress=after_two) is TournamentState.SUSPENDED
    assert len(journal(store, number)) == 2
    seen: list[Progress] = []
    assert await run(on_progress=seen.append) is TournamentState.FINISHED
    assert seen[0].done == 2
    assert len(seen) == 1 + PLANNED - 2
    broken = journal(store, number)
    whole = created(store, theatre, "again")
    await run_tournament(store, theatre.arena, whole, tables=8)
    assert journal(store, whole) == broken


async def test_one_that_is_over_is_not_played_again(store: Store, theatre: Theatre) -> None:
    number = created(store, theatre)
    store.set_state(number, TournamentState.RUNNING)
    store.set_state(number, TournamentState.CANCELLED)
    state = await run_tournament(store, theatre.arena, number, tables=2)
    assert state is TournamentState.CANCELLED
    assert theatre.puppets == []


async def test_a_set_that_cannot_be_played_suspends_it(
    store: Store, theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = created(store, theatre)
    play = theatre.arena.executor.play

    async def third_fails(order: SetOrder) -> PlayedSet:
        if order.plan.set_id == KEYS[2]:
            raise ArenaFault("no memory")
        return await play(order)

    monkeypatch.setattr(theatre.arena.executor, "play", third_fails)
    with pytest.raises(ExceptionGroup) as failed:
        await run_tournament(store, theatre.arena, number, tables=2)
    assert failed.group_contains(ArenaFault)
    assert store.tournament(number).state is TournamentState.SUSPENDED
    assert KEYS[2] not in journal(store, number)
