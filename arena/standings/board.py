"""Reading a leaderboard: the results of a ladder or a tournament, rated, a row a version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from arena.ids import TournamentId, VersionId
from arena.ratings.leaderboard import Row, leaderboard
from arena.rules import Variant
from arena.rules.house import variant_hash
from arena.rules.variants import VARIANTS
from arena.store import Store, Tournament, Unknown, Version

SHIPPED: Final[Mapping[str, Variant]] = {variant_hash(v): v for v in VARIANTS.values()}
"""The variants that ship, by hash."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A version and how it stands."""

    version: Version
    row: Row


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard.

    Attributes:
        title: the name of its variant or tournament; any printable characters.
        variant_hash: the ladder.
        tournament: whose board it is, None for that of the ladder.
        sets: that it is computed from.
        standings: best first; see `arena.ratings.leaderboard.leaderboard` for the order.
    """

    title: str
    variant_hash: str
    tournament: TournamentId | None
    sets: int
    standings: tuple[Standing, ...]


def ladder_board(store: Store, ladder: str) -> Board:
    """The leaderboard of a ladder: the newest version of each bot among those ever entered.

    Raises:
        Unknown: no variant of that hash ships or was played.
    """
    tournaments = [one for one in store.tournaments() if one.variant_hash == ladder]
    if ladder not in SHIPPED and not tournaments:
        raise Unknown(f"there is no variant {ladder}")
    title = SHIPPED[ladder].name if ladder in SHIPPED else tournaments[0].variant.name
    results = store.results(ladder=ladder)
    rows = leaderboard(results, (v.id for v in _newest(entered(tournaments))))
    return _board(title, ladder, None, len(results), rows, entered(tournaments))


def tournament_board(store: Store, tournament: TournamentId) -> Board:
    """The leaderboard of a tournament: all its entries.

    Raises:
        Unknown: there is no such tournament.
    """
    found = store.tournament(tournament)
    results = store.results(tournament=tournament)
    versions = entered([found])
    rows = leaderboard(results, versions)
    return _board(found.name, found.variant_hash, tournament, len(results), rows, versions)


def entered(tournaments: Iterable[Tournament]) -> dict[VersionId, Version]:
    """All versions that were entered into these tournaments."""
    return {entry.version.id: entry.version for one in tournaments for entry in one.entries}


def ladders(tournaments: Iterable[Tournament]) -> dict[str, Variant]:
    """All variants by hash: those that ship first, then by their first tournament.

    A variant that ships has its shipped name, whatever a tournament called it.
    """
    known = dict(SHIPPED)
    for one in tournaments:
        known.setdefault(one.variant_hash, one.variant)
    return known


def find_ladder(tournaments: Iterable[Tournament], text: str) -> str | None:
    """The hash that a text names: a hash, the name of a variant that ships, or of exactly one
    other; None where it names none.
    """
    known = ladders(tournaments)
    if text in known:
        return text
    if text in VARIANTS:
        return variant_hash(VARIANTS[text])
    named = [ladder for ladder, variant in known.items() if variant.name == text]
    return named[0] if len(named) == 1 else None


def _newest(versions: Mapping[VersionId, Version]) -> Iterable[Version]:
    """The newest version of each bot; a higher id of the same bot is newer."""
    return {versions[number].bot: versions[number] for number in sorted(versions)}.values()


def _board(
    title: str,
    ladder: str,
    tournament: TournamentId | None,
    sets: int,
    rows: Iterable[Row],
    versions: Mapping[VersionId, Version],
) -> Board:
    standings = tuple(Standing(versions[row.version], row) for row in rows)
    return Board(title, ladder, tournament, sets, standings)
