"""Playing a stored tournament: what is left of its schedule, journalled set by set.

Resuming is starting: the jobs whose keys are in the journal are left out, whatever came between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import assert_never

from arena.hosting.command import BotCommand
from arena.ids import JobKey, TournamentId, VersionId
from arena.ratings.results import FaultCounts, Outcome
from arena.referee.sets import SetPlan
from arena.rules.record import Entrant, Faults, SetOutcome, SetRecord
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.pairings import Job, remaining, round_robin, total
from arena.schedule.runner import run_orders
from arena.schedule.settings import Restart, Settings
from arena.server.app import Arena
from arena.store.journal import JournalWriter, Retry
from arena.store.store import Store
from arena.store.values import (
    FinishedSet,
    Tournament,
    TournamentState,
    Version,
    VersionKind,
    VersionState,
)
from arena.wire.records import record_json

_OUTCOMES = {
    SetOutcome.FIRST_WINS: Outcome.FIRST_WINS,
    SetOutcome.SECOND_WINS: Outcome.SECOND_WINS,
    SetOutcome.DRAW: Outcome.DRAW,
}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is.

    Attributes:
        done: sets in the journal.
        planned: sets in all.
        record: the set that was just journalled, None at the start.
        versions: that played it.
    """

    done: int
    planned: int
    record: SetRecord | None = None
    versions: tuple[VersionId, ...] = ()


async def run_tournament(
    store: Store,
    arena: Arena,
    tournament_id: TournamentId,
    *,
    tables: int,
    draining: asyncio.Event | None = None,
    retry: Retry | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> TournamentState:
    """Play what is left of a tournament; its state afterwards.

    Args:
        store: where it is; its journal gets every finished set.
        arena: plays it.
        tournament_id: which.
        tables: how many tables run at once.
        draining: once set, nothing new begins and the tournament is suspended.
        retry: how to outlast a journal that cannot be written; without it that is an error.
        on_progress: told at the start and after every set.

    Raises:
        StoreError: the store cannot be read or written.
        ArenaFault: a set cannot be played whatever the bots do.
    """
    tournament = await asyncio.to_thread(store.tournament, tournament_id)
    if tournament.state.is_over:
        return tournament.state
    seed = await asyncio.to_thread(store.seed, tournament_id)
    finished = await asyncio.to_thread(store.finished_keys, tournament_id)
    run = _Run(tournament, seed, arena)
    await asyncio.to_thread(store.set_state, tournament_id, TournamentState.RUNNING)
    async with JournalWriter(store, retry) as journal:
        keeping = _Keeping(run, journal, len(finished), on_progress)
        try:
            await run_orders(
                run.orders(finished),
                arena.executor,
                keeping.keep,
                sets_at_once=max(1, tables // 2),
                draining=draining,
            )
        finally:
            state = keeping.state
            await asyncio.to_thread(store.set_state, tournament_id, state)
    return state


async def replay_damaged(
    store: Store,
    arena: Arena,
    tournament_id: TournamentId,
    keys: Collection[JobKey],
    *,
    tables: int,
    draining: asyncio.Event,
    on_set: Callable[[JobKey, bool], None],
) -> None:
    """Play sets again whose records are damaged, on the deals they had.

    Args:
        store: where they are; see `Store.restore_record`.
        arena: plays them.
        tournament_id: whose; in any state, which stays.
        keys: which.
        tables: how many tables run at once.
        draining: once set, nothing new begins.
        on_set: told of each, and whether its record is restored.

    Raises:
        StoreError: the store cannot be read or written.
        ArenaFault: a set cannot be played whatever the bots do.
    """
    tournament = await asyncio.to_thread(store.tournament, tournament_id)
    seed = await asyncio.to_thread(store.seed, tournament_id)
    run = _Run(tournament, seed, arena)

    async def keep(order: SetOrder, played: PlayedSet) -> None:
        finished = finished_set(run.job(order), played)
        restored = await asyncio.to_thread(store.restore_record, tournament_id, finished)
        on_set(finished.job.key, restored)

    every = await asyncio.to_thread(store.finished_keys, tournament_id)
    orders = (order for order in run.orders(every.difference(keys)) if order.plan.set_id in keys)
    at_once = max(1, tables // 2)
    await run_orders(orders, arena.executor, keep, sets_at_once=at_once, draining=draining)


class _Keeping:
    """Finished sets on their way into the journal, counted."""

    def __init__(
        self, run: _Run, journal: JournalWriter, done: int, tell: Callable[[Progress], None]
    ) -> None:
        self._run = run
        self._journal = journal
        self._done = done
        self._planned = total(run.numbers, run.settings.rounds, run.settings.sets)
        self._tell = tell
        tell(Progress(done, self._planned))

    @property
    def state(self) -> TournamentState:
        """Of the tournament, if nothing more is played now."""
        over = self._done == self._planned
        return TournamentState.FINISHED if over else TournamentState.SUSPENDED

    async def keep(self, order: SetOrder, played: PlayedSet) -> None:
        """Journal a set; returns once it cannot be lost any more."""
        finished = finished_set(self._run.job(order), played)
        await self._journal.add(self._run.tournament, finished)
        self._done += 1
        self._tell(Progress(self._done, self._planned, played.record, order.versions))


class _Run:
    """A tournament on its way from the store to the tables."""

    def __init__(self, tournament: Tournament, seed: bytes, arena: Arena) -> None:
        self.settings = Settings.from_data(tournament.settings)
        self.numbers = [entry.number for entry in tournament.entries]
        self._tournament = tournament
        self._seed = seed
        self._versions = {entry.number: entry.version for entry in tournament.entries}
        self._jobs: dict[str, Job] = {}
        for version in self._versions.values():
            host(arena, version)

    @property
    def tournament(self) -> TournamentId:
        """Which it is."""
        return self._tournament.id

    def orders(self, finished: set[JobKey]) -> Iterator[SetOrder]:
        """What is left to play, made one by one."""
        jobs = round_robin(self.numbers, self.settings.rounds, self.settings.sets)
        for job in remaining(jobs, finished):
            self._jobs[job.key] = job
            yield self._order(job)

    def job(self, order: SetOrder) -> Job:
        """The job of an order that was given out; asked once."""
        return self._jobs.pop(order.plan.set_id)

    def _order(self, job: Job) -> SetOrder:
        first, second = self._versions[job.first], self._versions[job.second]
        plan = SetPlan(
            set_id=job.set_id,
            variant=self._tournament.variant,
            policy=self.settings.policy,
            entrants=(Entrant(first.name, first.label), Entrant(second.name, second.label)),
            seed=self._seed,
            mirror=self.settings.mirror,
        )
        fresh = self.settings.restart is Restart.GAME
        return SetOrder(plan, (first.id, second.id), self._tournament.id, fresh)


def host(arena: Arena, version: Version) -> None:
    """Have the arena start the processes of a version, where it is one that it starts.

    Raises:
        NotLodged: it was submitted, and cannot be played here.
    """
    match version.kind:
        case VersionKind.COMMAND:
            arena.host(version.id, command_of(version), version.label)
        case VersionKind.SUBMITTED:
            command, containment = arena.lodge(version)
            arena.host(version.id, command, version.label, containment)
            if version.state is VersionState.PAUSED:
                arena.executor.rest(version.id, f"{version.name} is paused")
            else:
                arena.executor.wake(version.id)
        case VersionKind.REMOTE:
            pass
        case _:
            assert_never(version.kind)


def command_of(version: Version) -> BotCommand:
    """How the processes of a hosted version are started."""
    return BotCommand(version.name, version.command, version.identity)


def finished_set(job: Job, played: PlayedSet) -> FinishedSet:
    """The journal's form of a set."""
    record = played.record
    verdict = record.verdict
    return FinishedSet(
        job=job,
        outcome=_OUTCOMES[verdict.outcome],
        points=verdict.points,
        hands=verdict.hands,
        counts_points=verdict.counts_points,
        record=record_json(record),
        faults_first=_counts(record.faults_of(0)),
        faults_second=_counts(record.faults_of(1)),
        incidents=played.incidents,
    )


def _counts(faults: Faults) -> FaultCounts:
    return FaultCounts(**faults._asdict())
