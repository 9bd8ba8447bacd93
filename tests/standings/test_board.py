"""Boards: whose results they are computed from, and whom they show (design 7)."""

from dataclasses import replace

import pytest

from arena.ids import TournamentId
from arena.ratings.leaderboard import leaderboard
from arena.rules import CLASSIC, DOUBLE, TOKEN, Variant, variant_hash
from arena.standings.board import find_ladder, ladder_board, ladders, tournament_board
from arena.standings.figures import rating_text
from arena.store import Store, TournamentState, Unknown
from tests.store.examples import finished, new_version, spec

HOUSE = replace(CLASSIC, name="house", target=12)
LADDER = variant_hash(CLASSIC)


def cup(
    store: Store, name: str, *bots: tuple[str, int], variant: Variant = CLASSIC, sets: int = 1
) -> TournamentId:
    """A running tournament of versions of bots, in which the first entry beat the second."""
    entries = tuple(store.register_version(new_version(*bot)).id for bot in bots)
    made = store.create_tournament(spec(entries, name, variant))
    store.set_state(made, TournamentState.RUNNING)
    store.add_sets(made, [finished(f"r1:1-2:{k}") for k in range(1, sets + 1)])
    return made


def named(board_rows: object) -> list[tuple[str, str]]:
    return [(one.version.name, one.version.label) for one in board_rows]  # type: ignore[attr-defined]


def test_a_ladder_is_all_tournaments_of_one_variant(store: Store) -> None:
    cup(store, "one", ("ann", 1), ("bob", 1), sets=2)
    cup(store, "two", ("ann", 1), ("cy", 1), sets=3)
    cup(store, "other", ("ann", 1), ("bob", 1), variant=TOKEN, sets=7)
    board = ladder_board(store, LADDER)
    assert (board.title, board.sets, board.tournament) == ("classic", 5, None)
    versions = {v.name: v.id for v in store.versions()}
    expected = leaderboard(store.results(ladder=LADDER), versions.values())
    assert tuple(one.row for one in board.standings) == expected
    assert {name for name, _ in named(board.standings)} == {"ann", "bob", "cy"}


def test_a_ladder_shows_the_newest_version_that_was_entered(store: Store) -> None:
    cup(store, "one", ("ann", 1), ("bob", 1), sets=2)
    assert ("ann", "1") in named(ladder_board(store, LADDER).standings)
    store.register_version(new_version("ann", 2))  # not entered yet
    assert ("ann", "1") in named(ladder_board(store, LADDER).standings)
    cup(store, "two", ("ann", 2), ("bob", 1))
    board = ladder_board(store, LADDER)
    assert sorted(named(board.standings)) == [("ann", "2"), ("bob", "1")]
    bob = next(one.row for one in board.standings if one.version.name == "bob")
    assert bob.record.losses == 3, "sets against the old version count all the same"


def test_a_tournament_shows_all_its_entries(store: Store) -> None:
    made = cup(store, "one", ("ann", 1), ("ann", 2), ("bob", 1))
    cup(store, "two", ("bob", 1), ("ann", 2), sets=5)
    board = tournament_board(store, made)
    assert (board.title, board.sets, board.tournament) == ("one", 1, made)
    assert sorted(named(board.standings)) == [("ann", "1"), ("ann", "2"), ("bob", "1")]


def test_what_was_never_played_nor_ships_is_unknown(store: Store) -> None:
    assert ladder_board(store, variant_hash(DOUBLE)).standings == ()
    with pytest.raises(Unknown, match="there is no variant"):
        ladder_board(store, variant_hash(HOUSE))
    with pytest.raises(Unknown, match="there is no tournament 7"):
        tournament_board(store, TournamentId(7))


def test_variants_are_known_once_by_their_rules_and_by_their_first_name(store: Store) -> None:
    cup(store, "one", ("ann", 1), ("bob", 1), variant=HOUSE)
    cup(store, "two", ("ann", 1), ("bob", 1), variant=replace(HOUSE, name="renamed"))
    cup(store, "three", ("ann", 1), ("bob", 1), variant=replace(CLASSIC, name="renamed"))
    known = ladders(store.tournaments())
    assert [variant.name for variant in known.values()] == ["classic", "token", "double", "house"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(variant_hash(HOUSE), variant_hash(HOUSE), id="a hash"),
        pytest.param("classic", LADDER, id="the name of a variant that ships"),
        pytest.param("house", variant_hash(HOUSE), id="the name of one other"),
        pytest.param("twice", None, id="a name of two others"),
        pytest.param("none", None, id="a name of none"),
    ],
)
def test_a_ladder_is_found_by_hash_or_name(store: Store, text: str, found: str | None) -> None:
    twice = [replace(CLASSIC, name="twice", target=target) for target in (20, 24)]
    for number, variant in enumerate([HOUSE, *twice]):
        cup(store, f"cup {number}", ("ann", 1), ("bob", 1), variant=variant)
    assert find_ladder(store.tournaments(), text) == found


@pytest.mark.parametrize(
    ("rating", "text"), [(29.31, "29.31"), (-0.8, "−0.80"), (0.0, "0.00"), (7.0, "7.00")]
)
def test_a_rating_is_written_with_the_decimals_it_is_ranked_by(rating: float, text: str) -> None:
    assert rating_text(rating) == text
