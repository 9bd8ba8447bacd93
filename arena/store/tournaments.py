"""Tournaments, their entries and their states within a transaction."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.ids import EntryNumber, TournamentId
from arena.rules import Variant, commitment, variant_hash
from arena.rules.house import variant_from_data, variant_to_data
from arena.store import bots
from arena.store.errors import Conflict, Rejected, Unknown
from arena.store.schema import BotRow, EntryRow, TournamentRow, VersionRow
from arena.store.values import Entry, Tournament, TournamentSpec, TournamentState, VersionState

_NEXT: Final[Mapping[TournamentState, frozenset[TournamentState]]] = {
    TournamentState.CREATED: frozenset({TournamentState.RUNNING, TournamentState.CANCELLED}),
    TournamentState.RUNNING: frozenset(
        {TournamentState.SUSPENDED, TournamentState.FINISHED, TournamentState.CANCELLED}
    ),
    TournamentState.SUSPENDED: frozenset({TournamentState.RUNNING, TournamentState.CANCELLED}),
    TournamentState.FINISHED: frozenset(),
    TournamentState.CANCELLED: frozenset(),
}


def create(session: Session, spec: TournamentSpec, now_us: int) -> TournamentId:
    """Store a tournament with its entries.

    Raises:
        Conflict: there is a tournament of that name.
        Unknown: a version is not registered.
        Rejected: there are fewer than two entries, or a version is entered twice or retired.
        arena.rules.DealError: the seed is not 32 bytes.
    """
    if session.scalar(sa.select(TournamentRow.id).where(TournamentRow.name == spec.name)):
        raise Conflict(f"there is a tournament {spec.name!r} already: resume it or choose a name")
    _check_entries(session, spec)
    row = _new_row(spec, now_us)
    session.add(row)
    session.flush()
    session.add_all(
        EntryRow(tournament_id=row.id, number=number, version_id=version)
        for number, version in enumerate(spec.entries, start=1)
    )
    return TournamentId(row.id)


def _check_entries(session: Session, spec: TournamentSpec) -> None:
    if len(spec.entries) < 2:
        raise Rejected(f"a tournament needs at least 2 bots, not {len(spec.entries)}")
    known = bots.versions(session, VersionRow.id.in_(spec.entries))
    for version, times in Counter(spec.entries).items():
        if version not in known:
            raise Unknown(f"there is no version {version}: register the bot first")
        name, label = known[version].name, known[version].label
        if known[version].state is VersionState.RETIRED:  # its content may have been removed
            raise Rejected(f"version {label!r} of bot {name!r} is retired and plays no more")
        if times > 1:
            raise Rejected(f"version {label!r} of bot {name!r} is entered twice: enter it once")


def _new_row(spec: TournamentSpec, now_us: int) -> TournamentRow:
    return TournamentRow(
        name=spec.name,
        variant_name=spec.variant.name,
        variant_hash=variant_hash(spec.variant),
        variant=json.dumps(variant_to_data(spec.variant), sort_keys=True),
        schedule=spec.schedule,
        format=spec.format,
        settings=json.dumps(spec.settings, sort_keys=True),
        seed=spec.seed,
        commitment=commitment(spec.seed),
        state=TournamentState.CREATED,
        created_us=now_us,
        finished_us=None,
    )


def row_of(session: Session, tournament: TournamentId) -> TournamentRow:
    """The row of a tournament. Raises Unknown when there is none."""
    row = session.get(TournamentRow, tournament)
    if row is None:
        raise Unknown(f"there is no tournament {tournament}")
    return row


def set_state(
    session: Session, tournament: TournamentId, state: TournamentState, now_us: int
) -> None:
    """Move a tournament to a state; to where it is, changes nothing.

    Raises:
        Unknown: there is no such tournament.
        Rejected: that state does not follow the present one.
    """
    row = row_of(session, tournament)
    if row.state is state:
        return
    if state not in _NEXT[row.state]:
        raise Rejected(
            f"tournament {row.name!r} is {row.state.value} and cannot become {state.value}"
        )
    row.state = state
    if state.is_over:
        row.finished_us = now_us


def tournaments(session: Session, *conditions: sa.ColumnElement[bool]) -> tuple[Tournament, ...]:
    """The tournaments that meet the conditions, in the order of creation."""
    query = sa.select(TournamentRow).where(*conditions).order_by(TournamentRow.id)
    rows = session.scalars(query).all()
    entries = _entries(session, *conditions)
    return tuple(_tournament(row, tuple(entries[row.id])) for row in rows)


def states(session: Session) -> tuple[tuple[TournamentId, TournamentState], ...]:
    """The states of all tournaments, in the order of creation."""
    query = sa.select(TournamentRow.id, TournamentRow.state).order_by(TournamentRow.id)
    return tuple((TournamentId(number), state) for number, state in session.execute(query))


def _entries(session: Session, *conditions: sa.ColumnElement[bool]) -> dict[int, list[Entry]]:
    query = (
        sa.select(EntryRow, VersionRow, BotRow.name)
        .join(TournamentRow, TournamentRow.id == EntryRow.tournament_id)
        .join(VersionRow, VersionRow.id == EntryRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(*conditions)
        .order_by(EntryRow.tournament_id, EntryRow.number)
    )
    entries: defaultdict[int, list[Entry]] = defaultdict(list)
    for row, version, name in session.execute(query):
        entry = Entry(EntryNumber(row.number), bots.version_of(version, name))
        entries[row.tournament_id].append(entry)
    return entries


def _tournament(row: TournamentRow, entries: tuple[Entry, ...]) -> Tournament:
    return Tournament(
        id=TournamentId(row.id),
        name=row.name,
        variant=_variant(row.variant),
        variant_hash=row.variant_hash,
        schedule=row.schedule,
        format=row.format,
        settings=json.loads(row.settings),
        commitment=row.commitment,
        revealed_seed=row.seed if row.state.is_over else None,
        state=row.state,
        created_us=row.created_us,
        finished_us=row.finished_us,
        entries=entries,
    )


@lru_cache(maxsize=64)
def _variant(text: str) -> Variant:
    """The variant that a row holds; most tournaments have one of few."""
    return variant_from_data(json.loads(text))
