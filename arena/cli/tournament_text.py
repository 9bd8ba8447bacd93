"""A tournament as lines and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from arena.cli.layout import Column, counted, table_lines
from arena.cli.screen import Screen
from arena.ids import JobKey
from arena.schedule.pairings import total
from arena.schedule.settings import Settings
from arena.store import Store, Tournament, TournamentState, Version, VersionState


def planned_sets(tournament: Tournament) -> int:
    """All sets of its schedule."""
    settings = Settings.from_data(tournament.settings)
    numbers = [entry.number for entry in tournament.entries]
    return total(numbers, settings.rounds, settings.sets)


NEWEST: Final = 100
"""How many records a glance looks at: a power cut or a bad copy damages what was written last."""

_NAMED: Final = 3

CUT_OFF: Final = "interrupted"


def state_word(store: Store, tournament: Tournament) -> str:
    """Its state: one that is running by the store, and that nobody plays, was interrupted."""
    if tournament.state is TournamentState.RUNNING and not store.is_driven(tournament.id):
        return CUT_OFF
    return tournament.state.value


def damage_sentence(keys: Sequence[JobKey]) -> str:
    """Which records are damaged, in a sentence."""
    names = ", ".join(keys[:_NAMED])
    if len(keys) > _NAMED:
        names += f" and {len(keys) - _NAMED} more"
    if len(keys) == 1:
        return f"the record of {names} is damaged; its result stands"
    return f"the records of {names} are damaged; their results stand"


def list_lines(tournaments: Sequence[tuple[Tournament, str, int]], screen: Screen) -> list[str]:
    """A table of tournaments with their states and numbers of finished sets."""
    ones = [tournament for tournament, _, _ in tournaments]
    done = [f"{finished}/{planned_sets(one)}" for one, _, finished in tournaments]
    columns = [
        Column("id", [str(one.id) for one in ones], right=True, need=9),
        Column("name", [one.name for one in ones]),
        Column("variant", [one.variant.name for one in ones], need=5),
        Column("bots", [str(len(one.entries)) for one in ones], right=True, need=4),
        Column("sets", done, right=True, need=8),
        Column("state", [state for _, state, _ in tournaments], need=10),
        Column("created (UTC)", [instant_text(one.created_us)[:16] for one in ones], need=3),
    ]
    return table_lines(columns, screen)


def status_lines(
    tournament: Tournament, state: str, finished: int, screen: Screen
) -> Iterator[str]:
    """All about one tournament but its leaderboard."""
    settings = Settings.from_data(tournament.settings)
    planned = planned_sets(tournament)
    yield screen.styled(screen.safe(f"tournament {tournament.id} · {tournament.name}"), "bold")
    yield screen.safe(f"state       {state}, {finished} of {planned} sets played")
    yield screen.safe(
        f"variant     {tournament.variant.name} · {counted(settings.rounds, 'round')} · "
        f"{counted(settings.sets, 'set')} of each pair in each"
    )
    bots = ", ".join(_bot(entry.version) for entry in tournament.entries)
    yield screen.safe(f"bots        {bots}")
    yield f"commitment  {tournament.commitment}"
    if tournament.revealed_seed is not None:
        yield f"seed        {tournament.revealed_seed.hex()}"


def _bot(version: Version) -> str:
    """A version, and whether it is still scheduled."""
    state = "" if version.state is VersionState.ACTIVE else f" ({version.state.value})"
    return f"{version.name} {version.label}{state}"


def tournament_data(tournament: Tournament, state: str, finished: int) -> dict[str, Any]:
    """A tournament for programs."""
    seed = tournament.revealed_seed
    ended = tournament.finished_us
    return {
        "id": tournament.id,
        "name": tournament.name,
        "state": state,
        "variant": tournament.variant.name,
        "variant_hash": tournament.variant_hash,
        "schedule": tournament.schedule.value,
        "format": tournament.format.value,
        "settings": dict(tournament.settings),
        "bots": [
            {"entry": e.number, "name": e.version.name, "version": e.version.label}
            for e in tournament.entries
        ],
        "sets": {"finished": finished, "planned": planned_sets(tournament)},
        "commitment": tournament.commitment,
        "seed": None if seed is None else seed.hex(),
        "created": instant_text(tournament.created_us),
        "finished": None if ended is None else instant_text(ended),
    }


def instant_text(micros: int) -> str:
    """An instant as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(micros // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
