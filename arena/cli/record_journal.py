"""Checking the records of a stored tournament, and that its results are those of its records."""

from __future__ import annotations

from collections.abc import Iterator

from arena.cli.records import Check, check_record
from arena.ratings.results import SetResult
from arena.rules.errors import RulesError
from arena.rules.record import SetRecord
from arena.schedule.execution import PlayedSet
from arena.schedule.pairings import Job
from arena.server.tournaments import finished_set
from arena.store import Damaged, Store, Tournament
from arena.wire.record_files import read_record


def check_journal(store: Store, tournament: Tournament, seed: bytes | None) -> Iterator[Check]:
    """A check of each set in canonical order, named by its key.

    With the tournament's own seed, where that is public and none is given.

    Raises:
        StoreError: the database cannot be read.
    """
    seed = tournament.revealed_seed if seed is None else seed
    for result in store.results(tournament=tournament.id):
        yield _check(store, tournament, result, seed)


def _check(store: Store, tournament: Tournament, result: SetResult, seed: bytes | None) -> Check:
    job = Job(result.round, result.first_entry, result.second_entry, result.repeat)
    try:
        record = read_record(store.record(tournament.id, job.key))
    except Damaged:
        again = f"arena tournament resume {tournament.id} --damaged"
        return Check(job.key, f"its record is damaged; its result stands; to restore: {again}")
    except RulesError as error:
        return Check(job.key, str(error))
    if not _agree(result, job, record):
        return Check(job.key, "its record has another result than the journal")
    return check_record(job.key, record, seed)


def _agree(result: SetResult, job: Job, record: SetRecord) -> bool:
    told = finished_set(job, PlayedSet(record))
    return (
        result.outcome is told.outcome
        and (result.points, result.hands) == (told.points, told.hands)
        and result.counts_points == told.counts_points
        and (result.faults_first, result.faults_second) == (told.faults_first, told.faults_second)
    )
