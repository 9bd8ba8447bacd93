"""The journal within a transaction: finished sets in, results and records out.

The order of arrival never matters to a reader: everything comes out in canonical order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased

from arena.ids import EntryNumber, JobKey, TournamentId, VersionId
from arena.ratings.results import FaultCounts, SetResult, in_order
from arena.schedule.pairings import Job, parse_job_key
from arena.store import incidents
from arena.store.errors import Conflict, Damaged, Rejected, Unknown
from arena.store.records import Packed, packed, unpacked
from arena.store.schema import EntryRow, RefusedSetRow, SetRow, TournamentRow
from arena.store.tournaments import row_of
from arena.store.values import Added, FinishedSet

_FAULTS: Final = tuple(field.name for field in fields(FaultCounts))


@dataclass(frozen=True, slots=True)
class PackedSet:
    """A finished set with its packed record."""

    finished: FinishedSet
    record: Packed

    @property
    def key(self) -> JobKey:
        """The job key."""
        return self.finished.job.key


class SetConflict(Conflict):
    """Sets whose keys hold another content; `sets` is the evidence."""

    def __init__(self, tournament: TournamentId, sets: Sequence[PackedSet]) -> None:
        """Name the keys."""
        super().__init__(
            f"{', '.join(_label(tournament, one.key) for one in sets)} is stored with another "
            "content: the one that came first counts, the other is kept as evidence"
        )
        self.sets = tuple(sets)


def pack(tournament: TournamentId, sets: Sequence[FinishedSet]) -> tuple[PackedSet, ...]:
    """The sets with packed records; needs no transaction.

    Raises:
        Rejected: a record is not a JSON object.
    """
    return tuple(
        PackedSet(one, packed(one.record, _label(tournament, one.job.key))) for one in sets
    )


def add(
    session: Session, tournament: TournamentId, sets: Sequence[PackedSet], now_us: int
) -> tuple[Added, ...]:
    """Add what is new; an answer for each set, in their order.

    Raises:
        Unknown: there is no such tournament or entry.
        SetConflict: a key holds another content, in the journal or among `sets`.
        Rejected: the tournament is over, and a set is new to it.
    """
    row = row_of(session, tournament)
    contents = _stored_contents(session, tournament, sets)
    answers: list[Added] = []
    for one in sets:
        answers.append(Added.ALREADY if one.key in contents else Added.NEW)
        contents.setdefault(one.key, one.record.content_hash)
    conflicts = [one for one in sets if contents[one.key] != one.record.content_hash]
    if conflicts:
        raise SetConflict(tournament, conflicts)
    new = [one for one, answer in zip(sets, answers, strict=True) if answer is Added.NEW]
    if new:
        _check_welcome(session, row, new)
        session.execute(sa.insert(SetRow), [_row(tournament, one, now_us) for one in new])
        incidents.add(session, tournament, [one.finished for one in new])
    return tuple(answers)


def keep_evidence(
    session: Session, tournament: TournamentId, sets: Sequence[PackedSet], now_us: int
) -> None:
    """Keep sets that were in conflict, each content once."""
    query = sa.select(RefusedSetRow.job_key, RefusedSetRow.content_hash)
    found = session.execute(query.where(RefusedSetRow.tournament_id == tournament))
    known = {(key, content) for key, content in found}
    for one in sets:
        if (one.key, one.record.content_hash) not in known:
            known.add((one.key, one.record.content_hash))
            session.add(
                RefusedSetRow(
                    tournament_id=tournament,
                    job_key=one.key,
                    content_hash=one.record.content_hash,
                    received_us=now_us,
                    record=one.record.data,
                )
            )


def finished_keys(session: Session, tournament: TournamentId) -> set[JobKey]:
    """The keys of all stored sets of a tournament."""
    query = sa.select(SetRow.job_key).where(SetRow.tournament_id == tournament)
    return set(map(JobKey, session.scalars(query)))


def keys_in_order(session: Session, tournament: TournamentId) -> tuple[JobKey, ...]:
    """The same, in canonical order."""
    jobs = map(parse_job_key, finished_keys(session, tournament))
    return tuple(job.key for job in sorted(jobs, key=_canonical))


def finished_count(session: Session, tournament: TournamentId) -> int:
    """The number of stored sets of a tournament."""
    query = sa.select(sa.func.count()).where(SetRow.tournament_id == tournament)
    return session.scalar(query) or 0


def revision(session: Session) -> int:
    """The highest sequence number so far, 0 before the first set."""
    return session.scalar(sa.select(sa.func.max(SetRow.sequence))) or 0


def results(session: Session, *conditions: sa.ColumnElement[bool]) -> tuple[SetResult, ...]:
    """The results that meet the conditions, in canonical order."""
    first, second = aliased(EntryRow), aliased(EntryRow)
    query = (
        sa.select(*_COLUMNS, first.version_id.label("first"), second.version_id.label("second"))
        .join(TournamentRow, TournamentRow.id == SetRow.tournament_id)
        .join(first, _is_entry(first, SetRow.first_entry))
        .join(second, _is_entry(second, SetRow.second_entry))
        .where(*conditions)
    )
    return in_order(map(_result, session.execute(query)))


def record(session: Session, tournament: TournamentId, key: JobKey) -> bytes:
    """The record of a set, as it was handed over.

    Raises:
        Unknown: there is no such set.
        Damaged: it is not what was handed over.
    """
    query = sa.select(SetRow.record, SetRow.record_hash).where(
        SetRow.tournament_id == tournament, SetRow.job_key == key
    )
    found = session.execute(query).one_or_none()
    if found is None:
        raise Unknown(f"there is no {_label(tournament, key)}")
    data, record_hash = found
    return unpacked(data, record_hash, _label(tournament, key))


def damaged(session: Session, tournament: TournamentId, newest: int | None) -> tuple[JobKey, ...]:
    """The keys of sets whose records are damaged, in canonical order.

    Args:
        session: the transaction.
        tournament: whose.
        newest: how many are looked at, the latest; None for all.
    """
    query = (
        sa.select(SetRow.job_key, SetRow.record, SetRow.record_hash)
        .where(SetRow.tournament_id == tournament)
        .order_by(SetRow.sequence.desc())
        .limit(newest)
        .execution_options(yield_per=64)
    )
    found = []
    for key, data, record_hash in session.execute(query):
        try:
            unpacked(data, record_hash, key)
        except Damaged:
            found.append(parse_job_key(key))
    return tuple(job.key for job in sorted(found, key=_canonical))


def restore(session: Session, tournament: TournamentId, one: PackedSet) -> bool:
    """Put a record in the place of a damaged one; whether it is of the same content."""
    same = sa.update(SetRow).where(
        SetRow.tournament_id == tournament,
        SetRow.job_key == one.key,
        SetRow.content_hash == one.record.content_hash,
    )
    values = {"record": one.record.data, "record_hash": one.record.record_hash}
    changed = session.execute(same.values(values).returning(SetRow.sequence))
    return changed.one_or_none() is not None


_COLUMNS: Final = tuple(
    column
    for column in SetRow.__table__.columns
    if column.key not in ("record", "record_hash", "content_hash")
)


def _canonical(job: Job) -> tuple[int, int, int, int, int]:
    """The order of `arena.ratings.results.order_key` within a tournament."""
    low, high = sorted((job.first, job.second))
    return job.round, low, high, job.repeat, job.first


def _is_entry(entry: type[EntryRow], number: Any) -> sa.ColumnElement[bool]:
    return sa.and_(entry.tournament_id == SetRow.tournament_id, entry.number == number)


def _label(tournament: TournamentId, key: str) -> str:
    return f"set {key} of tournament {tournament}"


def _stored_contents(
    session: Session, tournament: TournamentId, sets: Sequence[PackedSet]
) -> dict[JobKey, str]:
    query = sa.select(SetRow.job_key, SetRow.content_hash).where(
        SetRow.tournament_id == tournament, SetRow.job_key.in_([one.key for one in sets])
    )
    return {JobKey(key): content for key, content in session.execute(query)}


def _check_welcome(session: Session, row: TournamentRow, new: Sequence[PackedSet]) -> None:
    if row.state.is_over:
        raise Rejected(f"tournament {row.name!r} is {row.state.value} and takes no further sets")
    wanted = {entry for one in new for entry in (one.finished.job.first, one.finished.job.second)}
    query = sa.select(EntryRow.number).where(
        EntryRow.tournament_id == row.id, EntryRow.number.in_(wanted)
    )
    missing = wanted.difference(map(EntryNumber, session.scalars(query)))
    if missing:
        raise Unknown(f"tournament {row.name!r} has no entry {min(missing)}")


def _row(tournament: TournamentId, one: PackedSet, now_us: int) -> dict[str, object]:
    finished, job = one.finished, one.finished.job
    return {
        "tournament_id": tournament,
        "job_key": job.key,
        "round": job.round,
        "first_entry": job.first,
        "second_entry": job.second,
        "repeat": job.repeat,
        "outcome": finished.outcome,
        "points": finished.points,
        "hands": finished.hands,
        "counts_points": finished.counts_points,
        **{f"first_{kind}": getattr(finished.faults_first, kind) for kind in _FAULTS},
        **{f"second_{kind}": getattr(finished.faults_second, kind) for kind in _FAULTS},
        "finished_us": now_us,
        "content_hash": one.record.content_hash,
        "record_hash": one.record.record_hash,
        "record": one.record.data,
    }


def _result(row: sa.Row[*tuple[Any, ...]]) -> SetResult:
    return SetResult(
        tournament=row.tournament_id,
        round=row.round,
        first=VersionId(row.first),
        second=VersionId(row.second),
        first_entry=EntryNumber(row.first_entry),
        second_entry=EntryNumber(row.second_entry),
        repeat=row.repeat,
        outcome=row.outcome,
        points=row.points,
        hands=row.hands,
        counts_points=row.counts_points,
        faults_first=FaultCounts(*(getattr(row, f"first_{kind}") for kind in _FAULTS)),
        faults_second=FaultCounts(*(getattr(row, f"second_{kind}") for kind in _FAULTS)),
    )
