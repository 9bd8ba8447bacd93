"""A finished set of no tournament as the ratings see it."""

from __future__ import annotations

from typing import Final

from arena.ids import VersionId
from arena.ratings.results import FaultCounts, Outcome, SetResult
from arena.rules.record import SetOutcome, SetRecord
from arena.schedule.pairings import Job

_OUTCOMES: Final = {
    SetOutcome.FIRST_WINS: Outcome.FIRST_WINS,
    SetOutcome.SECOND_WINS: Outcome.SECOND_WINS,
    SetOutcome.DRAW: Outcome.DRAW,
}


def result_of_set(job: Job, record: SetRecord) -> SetResult:
    """The result of a set; its entry numbers stand for the versions."""
    return SetResult(
        tournament=0,
        round=job.round,
        first=VersionId(job.first),
        second=VersionId(job.second),
        first_entry=job.first,
        second_entry=job.second,
        repeat=job.repeat,
        outcome=_OUTCOMES[record.verdict.outcome],
        points=record.verdict.points,
        hands=record.verdict.hands,
        counts_points=record.verdict.counts_points,
        faults_first=FaultCounts(*record.faults_of(0)),
        faults_second=FaultCounts(*record.faults_of(1)),
    )
