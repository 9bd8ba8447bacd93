"""The scheduler: what stops a tournament stops it alone, and is told without secrets."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.ids import TournamentId, VersionId
from arena.referee.sets import lost_unplayed
from arena.rules import CLASSIC
from arena.rules.record import EndingKind
from arena.schedule.settings import Settings
from arena.server import scheduler
from arena.server.admission import Place
from arena.server.crashes import MOST
from arena.server.situations import Situation
from arena.server.tournaments import Progress
from arena.store import (
    Temporary,
    Tournament,
    TournamentSpec,
    TournamentState,
    Unusable,
    VersionKind,
)
from tests.hosting.bots import until
from tests.referee.games import SHORT, plan_of, random_set
from tests.server.services.house import House, open_house
from tests.store.examples import SEED, new_version

SECRET = "secret of /etc/arena"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "arena.db") as opened:
        yield opened


def stored(house: House, name: str = "cup", kind: VersionKind = VersionKind.COMMAND) -> Tournament:
    """A tournament of two commands whose files are not there."""
    bots = [replace(new_version(bot), kind=kind) for bot in ("ann", "bob")]
    entries = tuple(house.store.register_version(bot).id for bot in bots)
    settings = Settings(sets=1).to_data()
    spec = TournamentSpec(name=name, variant=CLASSIC, seed=SEED, entries=entries, settings=settings)
    return house.store.tournament(house.store.create_tournament(spec))


async def stopped(house: House, tournament: Tournament) -> Situation:
    """How a tournament stands once it has stopped."""
    async with asyncio.timeout(10):
        async for situation in house.situations.follow(tournament):
            if situation.note.startswith("stopped"):
                return situation
    raise AssertionError("it did not stop")


async def test_bots_that_have_changed_since_they_were_entered_are_not_played(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    cup = stored(house)
    with caplog.at_level(logging.CRITICAL):
        await house.scheduler.add(cup)
        situation = await stopped(house, cup)
    assert situation.state is TournamentState.CREATED
    assert situation.note.endswith(": bot 'ann' has changed since it was entered")


async def test_a_bug_stops_one_tournament_and_says_nothing_of_itself(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    played: list[int] = []

    async def run(_: object, __: object, number: int, **___: object) -> TournamentState:
        played.append(number)
        if number == 1:
            raise ExceptionGroup("of a task group", [ValueError(SECRET)])
        house.store.set_state(second.id, TournamentState.RUNNING)
        house.store.set_state(second.id, TournamentState.FINISHED)
        return TournamentState.FINISHED

    monkeypatch.setattr(scheduler, "run_tournament", run)
    monkeypatch.setattr(scheduler, "refuse_changed", lambda _: None)
    first, second = stored(house, "first"), stored(house, "second")
    with caplog.at_level(logging.ERROR):
        await house.scheduler.resume()
        situation = await stopped(house, first)
    assert SECRET not in situation.note
    assert SECRET in caplog.text
    async with asyncio.timeout(10):
        states = [one.state async for one in house.situations.follow(second)]
    assert states[-1] is TournamentState.FINISHED
    await house.scheduler.resume()  # as the look-out does every few seconds
    assert sorted(played) == [1, 2], "one that stopped waits for the next start"


async def test_a_database_that_fails_is_told_in_words_and_ends_ready(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def run(*_: object, **__: object) -> TournamentState:
        raise ExceptionGroup("of a task group", [Unusable("the disk is full")])

    monkeypatch.setattr(scheduler, "run_tournament", run)
    monkeypatch.setattr(scheduler, "refuse_changed", lambda _: None)
    cup = stored(house)
    assert "journal" not in house.scheduler.vitals.unready()
    with caplog.at_level(logging.ERROR):
        await house.scheduler.add(cup)
        await stopped(house, cup)
    assert "journal" in house.scheduler.vitals.unready()
    assert caplog.messages == ["the disk is full", "tournament cup stopped: the disk is full"]
    assert [record.exc_info for record in caplog.records] == [None, None]


async def test_a_set_that_is_written_makes_ready_again_and_is_counted(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    record = await random_set(SHORT)

    async def run(*_: object, on_progress: Callable[[Progress], None], **__: object) -> object:
        on_progress(Progress(0, 1))
        assert not house.scheduler.vitals.written
        on_progress(Progress(1, 1, record))
        return TournamentState.FINISHED

    monkeypatch.setattr(scheduler, "run_tournament", run)
    monkeypatch.setattr(scheduler, "refuse_changed", lambda _: None)
    house.scheduler.vitals.written = False
    cup = stored(house)
    with caplog.at_level(logging.DEBUG, "arena"):
        await house.scheduler.add(cup)
        await until(lambda: house.scheduler.vitals.written)
    assert house.arena.executor.counts.sets_finished == 1
    (told,) = [one for one in caplog.records if getattr(one, "event", "") == "set_finished"]
    assert told.fields == {  # type: ignore[attr-defined]
        "set": record.set_id,
        "outcome": record.verdict.outcome.value,
        "tournament": cup.id,
        "name": "cup",
    }


async def test_one_that_stopped_can_be_cancelled(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    cup = stored(house)
    with caplog.at_level(logging.CRITICAL):
        await house.scheduler.add(cup)
        await stopped(house, cup)
    await house.scheduler.cancel(cup.id)
    assert house.store.tournament(cup.id).state is TournamentState.CANCELLED
    assert (await house.situations.of(cup)).note == ""


async def test_one_that_is_cancelled_while_it_waits_waits_no_more(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.001)
    cup = house.store.tournament(waiting_cup(house))
    with caplog.at_level(logging.INFO, "arena"):
        await house.scheduler.add(cup)
        async with asyncio.timeout(10):
            async for situation in house.situations.follow(cup):
                if situation.note:
                    break
        assert situation.note == "waits for ann, bob to dial in"
        await house.scheduler.cancel(cup.id)
    waiting = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}  # type: ignore[union-attr]
    assert not {name for name in waiting if "_until_" in name}
    assert house.situations.note(cup.id) == ""
    assert caplog.messages.count("tournament cup waits for ann, bob to dial in") == 1
    ended = [text for text in caplog.messages if text.startswith("tournament cup is ")]
    assert ended == ["tournament cup is cancelled, 0 of 1 sets played"]


async def test_one_that_was_killed_and_waits_is_suspended_when_the_arena_stops(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    cup = house.store.tournament(waiting_cup(house))
    house.store.set_state(cup.id, TournamentState.RUNNING)
    with caplog.at_level(logging.INFO, "arena"):
        await house.scheduler.add(house.store.tournament(cup.id))
        await house.scheduler.drain(10)
    assert house.store.tournament(cup.id).state is TournamentState.SUSPENDED
    assert "tournament cup is suspended, 0 of 1 sets played" in caplog.messages


def waiting_cup(house: House) -> TournamentId:
    """A tournament of two bots that do not dial in."""
    far = [
        house.store.register_version(
            replace(new_version(name), kind=VersionKind.REMOTE, command=(), token_hash=digit * 64)
        ).id
        for name, digit in (("ann", "a"), ("bob", "b"))
    ]
    settings = Settings(sets=1).to_data()
    spec = TournamentSpec(
        name="cup", variant=CLASSIC, seed=SEED, entries=tuple(far), settings=settings
    )
    return house.store.create_tournament(spec)


async def test_while_it_drains_nothing_begins(house: House) -> None:
    cup = stored(house)
    await house.scheduler.drain(0)
    await house.scheduler.add(cup)
    assert (await house.situations.of(cup)).state is TournamentState.CREATED
    assert house.situations.note(cup.id) == ""


# A database that cannot be written.


@pytest.fixture
def failing(house: House, monkeypatch: pytest.MonkeyPatch) -> list[BaseException | None]:
    """How the next attempts to play a tournament end; None for well. Bots are not looked at."""
    endings: list[BaseException | None] = []

    async def run(_: object, __: object, number: TournamentId, **___: object) -> TournamentState:
        ending = endings.pop(0)
        if ending is not None:
            raise ending
        house.store.set_state(number, TournamentState.RUNNING)
        house.store.set_state(number, TournamentState.FINISHED)
        return TournamentState.FINISHED

    monkeypatch.setattr(scheduler, "run_tournament", run)
    monkeypatch.setattr(scheduler, "refuse_changed", lambda _: None)
    return endings


async def test_a_database_that_cannot_be_written_for_a_while_is_outlasted(
    house: House,
    failing: list[BaseException | None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(scheduler, "RETRY_SECONDS", (0.0,))
    full = Temporary(f"the database {SECRET} is on a disk that is full")
    failing += [full, ExceptionGroup("of a task group", [full]), None]
    cup = stored(house)
    with caplog.at_level(logging.WARNING):
        await house.scheduler.add(cup)
        async with asyncio.timeout(10):
            seen = [one async for one in house.situations.follow(cup)]
    assert seen[-1].state is TournamentState.FINISHED
    assert failing == []
    assert caplog.messages == [str(full)] * 2
    assert house.scheduler.vitals.written
    assert scheduler.WRITES_NOTHING in {one.note for one in seen}
    assert not any(SECRET in one.note for one in seen)


async def test_a_server_that_drains_outlasts_nothing(
    house: House, failing: list[BaseException | None], caplog: pytest.LogCaptureFixture
) -> None:
    failing.append(Temporary("the database is on a disk that is full"))
    cup = stored(house)
    with caplog.at_level(logging.CRITICAL):
        await house.scheduler.add(cup)
        async with asyncio.timeout(10):
            async for situation in house.situations.follow(cup):
                if situation.note == scheduler.WRITES_NOTHING:
                    break
            await house.scheduler.drain(1000)  # it does not wait for its pause
    assert failing == []
    assert house.store.tournament(cup.id).state is TournamentState.CREATED


async def test_a_damaged_database_stops_the_tournament(
    house: House, failing: list[BaseException | None], caplog: pytest.LogCaptureFixture
) -> None:
    failing.append(Unusable("the database is damaged"))
    cup = stored(house)
    with caplog.at_level(logging.CRITICAL):
        await house.scheduler.add(cup)
        await stopped(house, cup)
    assert failing == []


async def test_a_cancel_that_cannot_be_written_lets_the_tournament_play_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []

    async def run(_: object, __: object, number: int, **___: object) -> TournamentState:
        played.append(number)
        await asyncio.Event().wait()
        raise AssertionError("it is cancelled before")

    def full(*_: object, **__: object) -> None:
        raise Temporary("the disk is full")

    monkeypatch.setattr(scheduler, "run_tournament", run)
    monkeypatch.setattr(scheduler, "refuse_changed", lambda _: None)
    cup = stored(house)
    await house.scheduler.add(cup)
    await until(lambda: played == [1])
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "cancel_tournament", full)
        with pytest.raises(Temporary):
            await house.scheduler.cancel(cup.id)
    await until(lambda: played == [1, 1])
    house.scheduler.vitals.written = False
    await house.scheduler.cancel(cup.id)
    assert house.scheduler.vitals.written
    assert house.store.tournament(cup.id).state is TournamentState.CANCELLED


async def test_processes_end_with_the_last_tournament_that_wants_them(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = {1: asyncio.Event(), 2: asyncio.Event()}
    ended: list[set[int]] = []

    played: list[int] = []

    async def run(_: object, __: object, number: int, **___: object) -> TournamentState:
        played.append(number)
        await ends[number].wait()
        return TournamentState.FINISHED

    async def restart(places: Iterable[Place]) -> None:
        ended.append({place.version for place in places})

    monkeypatch.setattr(scheduler, "run_tournament", run)
    monkeypatch.setattr(scheduler, "refuse_changed", lambda _: None)
    monkeypatch.setattr(house.arena.fleet, "restart", restart)
    first, second = stored(house, "first"), stored(house, "second")
    for cup in (first, second):
        await house.scheduler.add(cup)
    await until(lambda: sorted(played) == [1, 2])
    ends[1].set()
    await until(lambda: len(ended) == 1)
    ends[2].set()
    await until(lambda: len(ended) == 2)
    assert ended == [set(), {1, 2}]


async def test_who_follows_is_told_of_a_version_that_was_paused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = asyncio.Event()
    crash = lost_unplayed(plan_of(SHORT), 0, EndingKind.CRASH, "it ended")

    async def run(
        *_: object, on_progress: Callable[[Progress], None], **__: object
    ) -> TournamentState:
        for number in range(MOST):
            on_progress(Progress(number + 1, 9, crash, (VersionId(1), VersionId(2))))
        await over.wait()
        house.store.set_state(cup.id, TournamentState.RUNNING)
        house.store.set_state(cup.id, TournamentState.FINISHED)
        return TournamentState.FINISHED

    monkeypatch.setattr(scheduler, "run_tournament", run)
    monkeypatch.setattr(scheduler, "refuse_changed", lambda _: None)
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 3600.0)  # it is told at once
    cup = stored(house, kind=VersionKind.SUBMITTED)
    label = cup.entries[0].version.label
    note = f"ann {label} was paused after crashes: what was left to play is lost"
    await house.scheduler.add(cup)
    async with asyncio.timeout(20):
        notes = [one.note async for one in _noted(house, cup, note, over)]
    assert notes == [note, note], "while it plays, and when it is over"


async def _noted(
    house: House, cup: Tournament, note: str, over: asyncio.Event
) -> AsyncIterator[Situation]:
    """How it stands when it first has the note, and when it is over."""
    async for situation in house.situations.follow(cup):
        if situation.state.is_over or (situation.note == note and not over.is_set()):
            over.set()
            yield situation
