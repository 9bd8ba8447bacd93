"""The leaderboard and the head-to-head matrix: rows, ranks, ties, symmetries."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ids import VersionId
from arena.ratings.leaderboard import PROVISIONAL_BELOW, Row, head_to_head, leaderboard
from arena.ratings.points import Points
from arena.ratings.proportions import Record, wilson
from arena.ratings.results import FaultCounts, SetResult
from arena.ratings.skill import DrawRefused, Skill, SkillSettings, rate
from tests.ratings.sets import (
    ANN,
    BOB,
    CYD,
    DAN,
    DRAW,
    LOSS,
    WIN,
    a_set,
    fields_of,
    luck_exchanged,
    mirrored,
    repeated,
)

ALL = (ANN, BOB, CYD, DAN)


def _places(rows: tuple[Row, ...]) -> list[tuple[int | None, VersionId]]:
    return [(row.rank, row.version) for row in rows]


def test_a_row_tells_everything_about_a_version() -> None:
    results = [
        a_set(ANN, BOB, WIN, 8, 16, faults=FaultCounts(illegal=1)),
        a_set(CYD, ANN, WIN, 4, 16, round_number=2, other_faults=FaultCounts(timeout=2)),
        a_set(ANN, BOB, LOSS, -3, 5, round_number=3, forfeit=True, faults=FaultCounts(crash=1)),
    ]
    row = next(row for row in leaderboard(results, ALL) if row.version == ANN)
    assert row == Row(
        rank=row.rank,
        version=ANN,
        skill=rate(results)[ANN],
        record=Record(1, 0, 2),
        win_rate=1 / 3,
        win_interval=wilson(Record(1, 0, 2)),
        points=row.points,
        hands=37,
        faults=FaultCounts(illegal=1, timeout=2, crash=1),
    )
    assert row.sets == 3
    assert row.points is not None
    assert (row.points.sets, row.points.mean) == (2, 0.125)


def test_an_entrant_without_a_set_is_there_without_a_rank() -> None:
    (row,) = leaderboard([], [ANN])
    assert row == Row(
        rank=None,
        version=ANN,
        skill=Skill(25, 25 / 3),
        record=Record(0, 0, 0),
        win_rate=None,
        win_interval=None,
        points=None,
        hands=0,
        faults=FaultCounts(),
    )
    assert row.provisional
    assert row.rating == 0


def test_nobody_makes_an_empty_leaderboard() -> None:
    assert leaderboard([], []) == ()


def test_a_single_set_shows_no_interval_of_points() -> None:
    winner, loser = leaderboard([a_set(points=6, hands=20)], [ANN, BOB])
    assert winner.points == Points(1, 0.3, None, None)
    assert loser.points == Points(1, -0.3, None, None)
    assert winner.provisional
    assert winner.win_interval is not None
    assert winner.win_interval.low == pytest.approx(0.206549, abs=1e-6)
    assert winner.win_interval.high == 1


@pytest.mark.parametrize(("sets", "provisional"), [(31, True), (32, False)])
def test_a_row_is_provisional_below_32_sets(sets: int, provisional: bool) -> None:
    results = repeated(*[WIN, LOSS] * 16)[:sets]
    assert PROVISIONAL_BELOW == 32
    assert all(row.provisional is provisional for row in leaderboard(results, [ANN, BOB]))
    assert head_to_head(results)[ANN, BOB].provisional is provisional


def test_the_best_comes_first_by_the_conservative_rating() -> None:
    beaten = [a_set(ANN, CYD, WIN), a_set(BOB, ANN, WIN, round_number=2)]
    rows = leaderboard(beaten, [CYD, BOB, ANN])
    assert _places(rows) == [(1, BOB), (2, ANN), (3, CYD)]
    assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)


# Ranks: 1, 1, 3 (traps: equal shown rating means equal rank, fixed order inside a tie).


def test_equal_ratings_share_a_rank_and_the_next_is_skipped() -> None:
    results = [a_set(ANN, BOB, DRAW, 0), a_set(CYD, DAN, WIN)]
    rows = leaderboard(results, ALL)
    assert _places(rows) == [(1, CYD), (2, ANN), (2, BOB), (4, DAN)]


def test_inside_a_tie_more_points_come_first_then_fewer_then_none_then_the_lower_version() -> None:
    drawn = [a_set(BOB, ANN, DRAW, 3), a_set(CYD, DAN, DRAW, 0)]
    assert _places(leaderboard(drawn, ALL)) == [(1, BOB), (1, CYD), (1, DAN), (1, ANN)]


def test_without_points_a_tied_version_comes_last() -> None:
    results = [a_set(CYD, DAN, DRAW, 1), a_set(ANN, BOB, DRAW, 0, forfeit=True)]
    assert _places(leaderboard(results, ALL)) == [(1, CYD), (1, DAN), (1, ANN), (1, BOB)]


def test_ratings_that_look_equal_are_ranked_equal() -> None:
    narrow = SkillSettings(sigma=0.01, beta=100.0)  # a win moves mu by millionths
    rows = leaderboard([a_set(ANN, BOB, WIN, -5)], [ANN, BOB], narrow)
    assert rows[1].skill.conservative > rows[0].skill.conservative
    assert _places(rows) == [(1, BOB), (1, ANN)]
    assert {row.rating for row in rows} == {24.97}


def test_a_rating_just_below_zero_is_shown_as_zero_without_a_sign() -> None:
    (row,) = leaderboard([], [ANN], SkillSettings(mu=24.999))
    assert row.skill.mu == 24.999
    assert str(row.rating) == "0.0"


# Who is shown.


def test_sets_against_versions_that_are_not_shown_still_count() -> None:
    results = [a_set(ANN, BOB, WIN), a_set(BOB, CYD, WIN, round_number=2)]
    rows = leaderboard(results, [CYD, BOB])
    full = {row.version: row for row in leaderboard(results, ALL)}
    assert [replace(row, rank=0) for row in rows] == [
        replace(full[BOB], rank=0),
        replace(full[CYD], rank=0),
    ]
    assert [row.rank for row in rows] == [1, 2]


def test_an_entrant_named_twice_has_one_row() -> None:
    assert _places(leaderboard([], [BOB, ANN, BOB])) == [(None, ANN), (None, BOB)]


def test_entrants_without_a_set_stand_below_those_who_lost_theirs() -> None:
    rows = leaderboard([a_set(BOB, CYD, LOSS, -8, 16)], ALL)
    assert _places(rows) == [(1, CYD), (2, BOB), (None, ANN), (None, DAN)]


def test_a_draw_that_cannot_be_is_refused_as_by_rate() -> None:
    with pytest.raises(DrawRefused, match="set r1:1-2:0 of tournament 1"):
        leaderboard([a_set(outcome=DRAW)], ALL, SkillSettings(draw_probability=0.0))


# Symmetries, to the last digit.


@given(fields_of(4), st.permutations(ALL), st.randoms(use_true_random=False))
def test_the_order_of_results_and_entrants_does_not_matter(
    results: list[SetResult], entrants: list[VersionId], chance: Random
) -> None:
    shuffled = list(results)
    chance.shuffle(shuffled)
    assert leaderboard(shuffled, entrants) == leaderboard(results, ALL)
    assert list(head_to_head(shuffled).items()) == list(head_to_head(results).items())


@given(fields_of(4))
def test_the_side_that_tells_a_set_does_not_matter(results: list[SetResult]) -> None:
    assert leaderboard(mirrored(results), ALL) == leaderboard(results, ALL)
    assert head_to_head(mirrored(results)) == head_to_head(results)


@given(fields_of(2))
def test_exchanged_luck_exchanges_the_rows_of_two(results: list[SetResult]) -> None:
    was = {row.version: row for row in leaderboard(results, [ANN, BOB])}
    now = {row.version: row for row in leaderboard(luck_exchanged(results), [ANN, BOB])}
    assert now[ANN] == replace(was[BOB], version=ANN)
    assert now[BOB] == replace(was[ANN], version=BOB)


@given(fields_of(4), st.permutations([7, 8, 9, 1]))
def test_names_matter_only_for_the_order_inside_a_tie(
    results: list[SetResult], names: list[int]
) -> None:
    name = {VersionId(101 + k): VersionId(number) for k, number in enumerate(names)}
    renamed = [replace(s, first=name[s.first], second=name[s.second]) for s in results]
    was = {name[row.version]: replace(row, version=name[row.version]) for row in _rows(results)}
    assert {row.version: row for row in leaderboard(renamed, name.values())} == was


def _rows(results: list[SetResult]) -> tuple[Row, ...]:
    return leaderboard(results, ALL)


@given(fields_of(4))
def test_the_table_adds_up(results: list[SetResult]) -> None:
    rows = leaderboard(results, ALL)
    assert sum(row.sets for row in rows) == 2 * len(results)
    assert sum(row.record.wins for row in rows) == sum(row.record.losses for row in rows)
    assert sum(row.hands for row in rows) == 2 * sum(result.hands for result in results)
    assert sum(row.faults.total for row in rows) == sum(
        result.faults_first.total + result.faults_second.total for result in results
    )
    ranked = [row for row in rows if row.sets]
    for row in ranked:
        assert row.rank == 1 + sum(other.rating > row.rating for other in ranked)
    assert all(row.rank is None for row in rows[len(ranked) :])


# Head to head.


def test_a_meeting_is_seen_from_both_sides() -> None:
    results = [
        *repeated(WIN, WIN, LOSS, DRAW, WIN),
        a_set(BOB, ANN, WIN, 9, 9, repeat=5, forfeit=True),
        a_set(CYD, BOB, DRAW, 0, 10),
    ]
    meetings = head_to_head(results)
    assert list(meetings) == [(ANN, BOB), (BOB, ANN), (BOB, CYD), (CYD, BOB)]
    ours, theirs = meetings[ANN, BOB], meetings[BOB, ANN]
    assert (ours.record, theirs.record) == (Record(3, 1, 2), Record(2, 1, 3))
    assert ours.points is not None
    assert theirs.points is not None
    assert ours.points.sets == 5
    assert ours.points.mean == -theirs.points.mean == pytest.approx(0.22)
    # t = .22 / sqrt(.167 / 5) = 1.203786; with 4 degrees of freedom, q = 1 + t^2 / 4:
    # F(t) = 1/2 + 3/8 t / sqrt(q) (1 - t^2 / (12 q)) = 0.852481
    assert ours.superiority == pytest.approx(0.852481, abs=1e-6)
    assert theirs.superiority == pytest.approx(1 - 0.852481, abs=1e-6)
    assert meetings[BOB, CYD].superiority is None


def test_a_set_that_is_there_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="is there twice"):
        head_to_head([a_set(), a_set()])
    with pytest.raises(ValueError, match="is there twice"):
        leaderboard([a_set(), a_set()], ALL)


@given(fields_of(4))
def test_the_matrix_adds_up_to_the_rows(results: list[SetResult]) -> None:
    meetings = head_to_head(results)
    for row in leaderboard(results, ALL):
        records = [meeting.record for (one, _), meeting in meetings.items() if one == row.version]
        assert sum(record.wins for record in records) == row.record.wins
        assert sum(record.draws for record in records) == row.record.draws
        assert sum(record.losses for record in records) == row.record.losses
