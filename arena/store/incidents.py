"""What is kept of faults for the authors of bots, within a transaction: written with their set."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased

from arena.ids import BotId, JobKey, TournamentId
from arena.referee.incident import Incident
from arena.referee.seat import FaultKind
from arena.store.schema import EntryRow, IncidentRow, SetRow, TournamentRow, VersionRow
from arena.store.values import FinishedSet


@dataclass(frozen=True, slots=True)
class StoredIncident:
    """A fault of a bot in a finished set.

    Attributes:
        sequence: of its set in the journal.
        tournament: of the set.
        tournament_name: its name.
        key: of the set.
        label: the version that was at fault.
        finished_us: when the set was stored.
        incident: the fault.
    """

    sequence: int
    tournament: TournamentId
    tournament_name: str
    key: JobKey
    label: str
    finished_us: int
    incident: Incident


def add(session: Session, tournament: TournamentId, sets: Sequence[FinishedSet]) -> None:
    """Keep the incidents of sets that are new to the journal."""
    rows = [
        {"tournament_id": tournament, "job_key": one.job.key, "content": _text(one.incidents)}
        for one in sets
        if one.incidents
    ]
    if rows:
        session.execute(sa.insert(IncidentRow), rows)


def of_bot(
    session: Session, bot: BotId, *, before: int | None, most: int
) -> tuple[StoredIncident, ...]:
    """The faults of all versions of a bot in its newest ``most`` sets that have any, newest first.

    Args:
        before: only sets with a lower sequence number; None for all.
    """
    query = _sets_of(bot)
    if before is not None:
        query = query.where(SetRow.sequence < before)
    found: list[StoredIncident] = []
    sets = 0
    for content, sequence, key, finished, number, name, *of_entrants in session.execute(query):
        labels, is_ours = of_entrants[:2], of_entrants[2:]
        incidents = [one for one in _read(content) if is_ours[one.entrant]]
        found += [
            StoredIncident(
                sequence,
                TournamentId(number),
                name,
                JobKey(key),
                labels[one.entrant],
                finished,
                one,
            )
            for one in incidents
        ]
        sets += bool(incidents)
        if sets == most:
            break
    return tuple(found)


def _sets_of(bot: BotId) -> Any:
    """The incidents of sets in which a bot played, newest first: what was kept, the set, and for
    each entrant the label of its version and whether it is the bot's.
    """
    first, second = aliased(EntryRow), aliased(EntryRow)
    entrants = aliased(VersionRow), aliased(VersionRow)
    ours = [version.bot_id == bot for version in entrants]
    return (
        sa.select(
            IncidentRow.content,
            SetRow.sequence,
            SetRow.job_key,
            SetRow.finished_us,
            TournamentRow.id,
            TournamentRow.name,
            *(version.label for version in entrants),
            *ours,
        )
        .join(SetRow, _same_set())
        .join(TournamentRow, TournamentRow.id == SetRow.tournament_id)
        .join(first, _is_entry(first, SetRow.first_entry))
        .join(second, _is_entry(second, SetRow.second_entry))
        .join(entrants[0], entrants[0].id == first.version_id)
        .join(entrants[1], entrants[1].id == second.version_id)
        .where(sa.or_(*ours))
        .order_by(SetRow.sequence.desc())
    )


def _same_set() -> sa.ColumnElement[bool]:
    return sa.and_(
        SetRow.tournament_id == IncidentRow.tournament_id, SetRow.job_key == IncidentRow.job_key
    )


def _is_entry(entry: type[EntryRow], number: Any) -> sa.ColumnElement[bool]:
    return sa.and_(entry.tournament_id == SetRow.tournament_id, entry.number == number)


def _text(incidents: Sequence[Incident]) -> str:
    data = [{**one._asdict(), "kind": one.kind.value} for one in incidents]
    return json.dumps(data, separators=(",", ":"))


def _read(text: str) -> Iterator[Incident]:
    for data in json.loads(text):
        yield Incident(**{**data, "kind": FaultKind(data["kind"])})
