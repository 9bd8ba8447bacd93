"""The journal writer: nothing is announced before its commit; kill -9 loses nothing (design 7)."""

import asyncio
import random
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.ids import TournamentId
from arena.ratings.leaderboard import leaderboard
from arena.ratings.results import SetResult
from arena.store import (
    Added,
    FinishedSet,
    JournalWriter,
    Retry,
    SetConflict,
    Store,
    Temporary,
    Unknown,
    Unusable,
)
from tests.store import examples
from tests.store.examples import finished, schedule
from tests.store.processes import SETS, process, told

NEW, ALREADY = Added


class Gate:
    """Stands in the way of `Store.add_sets`: counts commits, and holds them when told to."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.open.set()
        self.begun = threading.Event()
        self.commits: list[list[str]] = []
        self.threads: set[str] = set()
        self.error: Exception | None = None
        self._add = store.add_sets
        monkeypatch.setattr(store, "add_sets", self.add_sets)

    def add_sets(self, tournament: TournamentId, sets: Sequence[FinishedSet]) -> tuple[Added, ...]:
        self.commits.append([one.job.key for one in sets])
        self.threads.add(threading.current_thread().name)
        self.begun.set()
        self.open.wait()
        if self.error is not None:
            raise self.error
        return self._add(tournament, sets)


@pytest.fixture
def gate(store: Store, monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(store, monkeypatch)


async def until_committing(gate: Gate) -> None:
    """Return once the writing thread has begun a commit."""
    await asyncio.to_thread(gate.begun.wait)


async def test_a_set_is_stored_when_add_returns(store: Store, tournament: TournamentId) -> None:
    async with JournalWriter(store) as journal:
        assert await journal.add(tournament, finished("r1:1-2:1")) is NEW
        assert store.finished_keys(tournament) == {"r1:1-2:1"}
        assert await journal.add(tournament, finished("r1:1-2:1")) is ALREADY


async def test_nothing_is_announced_before_the_commit(
    store: Store, tournament: TournamentId, gate: Gate
) -> None:
    gate.open.clear()
    async with JournalWriter(store) as journal:
        adding = asyncio.create_task(journal.add(tournament, finished("r1:1-2:1")))
        await until_committing(gate)
        assert not adding.done()
        gate.open.set()
        assert await adding is NEW


async def test_what_waits_during_a_commit_shares_the_next(
    store: Store, tournament: TournamentId, gate: Gate
) -> None:
    keys = [job.key for job in schedule(4)]
    gate.open.clear()
    async with JournalWriter(store) as journal, asyncio.TaskGroup() as adding:
        adding.create_task(journal.add(tournament, finished(keys[0])))
        await until_committing(gate)
        for key in keys[1:]:
            adding.create_task(journal.add(tournament, finished(key)))
        await asyncio.sleep(0)
        gate.open.set()
    assert gate.commits == [keys[:1], keys[1:]]
    assert store.finished_keys(tournament) == set(keys)


async def test_one_thread_writes_for_all_tournaments(store: Store, gate: Gate) -> None:
    one, other = (examples.tournament(store, name=name) for name in "ab")
    async with JournalWriter(store) as journal, asyncio.TaskGroup() as adding:
        for job in schedule(4):
            for tournament in (one, other):
                adding.create_task(journal.add(tournament, finished(job.key)))
    assert len(gate.threads) == 1
    assert store.finished_count(one) == store.finished_count(other) == 6


async def test_a_rejected_set_does_not_hurt_those_of_its_commit(
    store: Store, tournament: TournamentId
) -> None:
    store.add_sets(tournament, [finished("r1:1-2:1")])
    sets = [
        finished("r1:3-4:1"),
        finished("r1:1-2:1", moves="play 9C"),
        finished("r1:1-9:1"),
        finished("r1:1-3:1"),
    ]
    async with JournalWriter(store) as journal:
        answers = await asyncio.gather(
            *(journal.add(tournament, one) for one in sets), return_exceptions=True
        )
    assert [type(answer) for answer in answers] == [Added, SetConflict, Unknown, Added]
    assert store.finished_keys(tournament) == {"r1:1-2:1", "r1:3-4:1", "r1:1-3:1"}


@pytest.mark.parametrize(
    "error", [Unusable("the disk is full"), RuntimeError("a bug")], ids=["database", "bug"]
)
async def test_a_failed_commit_is_told_to_all_who_wait_for_it(
    store: Store, tournament: TournamentId, gate: Gate, error: Exception
) -> None:
    gate.error = error
    async with JournalWriter(store) as journal:
        answers = await asyncio.gather(
            *(journal.add(tournament, finished(job.key)) for job in schedule(4)),
            return_exceptions=True,
        )
        assert answers == [error] * 6
        gate.error = None
        assert await journal.add(tournament, finished("r1:1-2:1")) is NEW


async def test_closing_commits_what_waits_and_takes_nothing_more(
    store: Store, tournament: TournamentId, gate: Gate
) -> None:
    gate.open.clear()
    journal = JournalWriter(store)
    adding = [
        asyncio.create_task(journal.add(tournament, finished(job.key))) for job in schedule(4)
    ]
    await until_committing(gate)
    closing = asyncio.create_task(journal.close())
    await asyncio.sleep(0)
    with pytest.raises(Unusable, match="the journal is closed and takes no further sets"):
        await journal.add(tournament, finished("r2:1-2:1"))
    gate.open.set()
    await closing
    assert [await one for one in adding] == [NEW] * 6
    assert store.finished_count(tournament) == 6
    await journal.close()
    assert not any(thread.name.startswith("journal") for thread in threading.enumerate())


async def test_a_caller_that_gives_up_does_not_stop_the_commit(
    store: Store, tournament: TournamentId, gate: Gate
) -> None:
    gate.open.clear()
    async with JournalWriter(store) as journal:
        leaving, staying = (
            asyncio.create_task(journal.add(tournament, finished(key)))
            for key in ("r1:1-2:1", "r1:3-4:1")
        )
        await until_committing(gate)
        leaving.cancel()
        gate.open.set()
        assert await staying is NEW
    assert leaving.cancelled()
    assert store.finished_keys(tournament) == {"r1:1-2:1", "r1:3-4:1"}


FULL = Temporary("the disk is full")


async def test_a_full_disk_is_outlasted_and_what_comes_meanwhile_waits(
    store: Store, tournament: TournamentId, gate: Gate
) -> None:
    gate.error = FULL
    told: list[Temporary] = []
    keys = [job.key for job in schedule(4)]

    def hear(error: Temporary) -> None:
        told.append(error)
        if len(told) == 3:
            gate.error = None

    async with JournalWriter(store, Retry(hear, (0.0,))) as journal:
        answers = await asyncio.gather(*(journal.add(tournament, finished(key)) for key in keys))
    assert answers == [NEW] * 6
    assert told == [FULL] * 3
    assert store.finished_keys(tournament) == set(keys)


async def test_without_being_told_to_no_writer_outlasts_anything(
    store: Store, tournament: TournamentId, gate: Gate
) -> None:
    gate.error = FULL
    async with JournalWriter(store) as journal:
        with pytest.raises(Temporary):
            await journal.add(tournament, finished("r1:1-2:1"))
    assert len(gate.commits) == 1


async def test_a_writer_that_closes_tries_once_more_and_gives_up(
    store: Store, tournament: TournamentId, gate: Gate
) -> None:
    gate.error = FULL
    waits = asyncio.Event()
    journal = JournalWriter(store, Retry(lambda _: waits.set(), (1000.0,)))
    adding = asyncio.create_task(journal.add(tournament, finished("r1:1-2:1")))
    async with asyncio.timeout(10):
        await waits.wait()
        await journal.close()
    with pytest.raises(Temporary):
        await adding
    assert len(gate.commits) == 2


def test_pauses_grow_and_then_stay_as_they_are() -> None:
    rounds = Retry(lambda _: None, (1.0, 2.0)).rounds()
    assert [next(rounds) for _ in range(5)] == [1.0, 2.0, 2.0, 2.0, 2.0]


async def test_an_unused_journal_closes(store: Store) -> None:
    async with JournalWriter(store):
        pass


@pytest.mark.timeout(180)  # eleven processes start, one after the other
def test_ten_kills_lose_nothing_that_was_announced(path: Path) -> None:
    """As design 7 asks: 0 lost, 0 duplicated, the same final table."""
    chance = random.Random(1)
    with Store.open(path) as store:
        tournament = examples.tournament(store)
        announced: list[str] = []
        for _ in range(10):
            with process("write", str(path), "cup") as child:
                announced += [told(child) for _ in range(chance.randrange(1, 30))]
                child.kill()
                assert child.stdout is not None
                announced += [line.strip() for line in child.stdout if line.endswith("\n")]
            stored = store.finished_keys(tournament)
            assert set(announced) <= stored, "lost"
            assert store.finished_count(tournament) == len(stored), "duplicated"
        assert len(stored) < len(schedule(4, sets=SETS)), "the last kill came too late"
        with process("write", str(path), "cup") as child:
            rest, stderr = child.communicate()
        assert stderr == ""
        announced += rest.split()
        assert len(announced) == len(set(announced)), "played again after it was announced"
        entrants = [entry.version.id for entry in store.tournament(tournament).entries]
        interrupted = leaderboard(store.results(tournament=tournament), entrants)
    assert interrupted == leaderboard(uninterrupted(path.with_name("other.sqlite3")), entrants)


def uninterrupted(path: Path) -> tuple[SetResult, ...]:
    """The results of the same tournament in one go."""
    with Store.open(path) as store:
        tournament = examples.tournament(store)
        store.add_sets(tournament, [finished(job.key) for job in schedule(4, sets=SETS)])
        return store.results(tournament=tournament)
