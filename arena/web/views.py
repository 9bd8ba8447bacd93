"""What a page shows, as texts: figures come from `arena.standings.figures`, none is made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, assert_never

from arena.ratings.leaderboard import PROVISIONAL_BELOW
from arena.standings.board import SHIPPED, Board, Standing
from arena.standings.figures import (
    decimal_text,
    faults_text,
    points_text,
    rank_text,
    rate_text,
    rating_text,
    record_text,
)
from arena.standings.progress import planned_sets
from arena.store import Tournament, TournamentState, VersionKind

if TYPE_CHECKING:
    from arena.web.app import Source

ENOUGH: Final = PROVISIONAL_BELOW
"""Sets from which a row is no longer provisional."""


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a leaderboard."""

    rank: str
    bot: str
    label: str
    provisional: bool
    dials_in: bool
    rating: str
    mu: str
    sigma: str
    points: str
    record: str
    sets: int
    win_rate: str
    faults: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """A leaderboard."""

    title: str
    variant_hash: str
    sets: int
    enough: int
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True)
class LadderLink:
    """A ladder that was played and the address of its page."""

    ladder: str
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament."""

    path: str
    name: str
    variant: str
    variant_path: str
    state: str
    note: str
    done: int
    planned: int
    bots: tuple[str, ...]
    trusted: bool
    commitment: str
    seed: str
    created: str
    created_machine: str


def board_view(board: Board) -> BoardView:
    """A leaderboard as texts."""
    rows = tuple(map(_row_view, board.standings))
    return BoardView(board.title, board.variant_hash, board.sets, ENOUGH, rows)


def _row_view(standing: Standing) -> RowView:
    row, version = standing.row, standing.version
    return RowView(
        rank=rank_text(row.rank),
        bot=version.name,
        label=version.label,
        provisional=row.provisional,
        dials_in=version.kind is VersionKind.REMOTE,
        rating=rating_text(row.rating),
        mu=decimal_text(row.skill.mu),
        sigma=decimal_text(row.skill.sigma),
        points=points_text(row.points),
        record=record_text(row.record),
        sets=row.sets,
        win_rate=rate_text(row.win_rate, row.win_interval),
        faults=faults_text(row.faults),
    )


def ladder_links(tournaments: Iterable[Tournament]) -> list[LadderLink]:
    """The ladders that were played, each once: those that ship first, in their usual order."""
    played = {one.variant_hash: one.variant.name for one in reversed(tuple(tournaments))}
    shipped = [ladder for ladder in SHIPPED if ladder in played]
    others = [ladder for ladder in reversed(played) if ladder not in SHIPPED]
    return [
        LadderLink(
            ladder, SHIPPED[ladder].name if ladder in SHIPPED else played[ladder], path(ladder)
        )
        for ladder in (*shipped, *others)
    ]


def path(ladder: str) -> str:
    """The address of a ladder's page: by name where the variant ships, for names of others may
    stand for several.
    """
    return f"/leaderboard/{SHIPPED[ladder].name if ladder in SHIPPED else ladder}"


def tournament_views(source: Source, tournaments: Sequence[Tournament]) -> list[TournamentView]:
    """Tournaments as texts, in their order."""
    return [tournament_view(source, one) for one in tournaments]


def tournament_view(source: Source, tournament: Tournament) -> TournamentView:
    """A tournament as texts."""
    created = datetime.fromtimestamp(tournament.created_us // 1_000_000, UTC)
    seed = tournament.revealed_seed
    versions = [entry.version for entry in tournament.entries]
    return TournamentView(
        path=f"/tournaments/{tournament.id}",
        name=tournament.name,
        variant=tournament.variant.name,
        variant_path=path(tournament.variant_hash),
        state=_state_word(tournament.state),
        note=source.note(tournament.id),
        done=source.store.finished_count(tournament.id),
        planned=planned_sets(tournament),
        bots=tuple(f"{version.name} {version.label}" for version in versions),
        trusted=any(version.kind is VersionKind.REMOTE for version in versions),
        commitment=tournament.commitment,
        seed="" if seed is None else seed.hex(),
        created=created.strftime("%Y-%m-%d %H:%M UTC"),
        created_machine=created.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _state_word(state: TournamentState) -> str:
    match state:
        case TournamentState.CREATED:
            return "not begun"
        case TournamentState.RUNNING:
            return "running"
        case TournamentState.SUSPENDED:
            return "interrupted"
        case TournamentState.FINISHED:
            return "finished"
        case TournamentState.CANCELLED:
            return "cancelled"
        case _:
            assert_never(state)
