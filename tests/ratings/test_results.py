"""Set results: what is refused, the canonical order, and the mirror image (design 7)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.results import FaultCounts, SetResult, in_order, order_key
from tests.ratings.sets import ANN, BOB, CYD, DAN, DRAW, LOSS, WIN, a_set, fields_of, mirrored


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        pytest.param({"second": ANN}, "two different versions, both are version 101", id="version"),
        pytest.param({"second_entry": 1}, "two different entries, both are entry 1", id="entry"),
        pytest.param({"hands": -1}, "hands of a set must be at least 0, not -1", id="hands"),
        pytest.param({"tournament": -1}, "tournament of a set must be at least 0", id="tournament"),
        pytest.param({"round": -1}, "round of a set must be at least 0", id="round"),
        pytest.param({"first_entry": -1}, "first_entry of a set must be", id="first entry"),
        pytest.param({"second_entry": -2}, "second_entry of a set must be", id="second entry"),
        pytest.param({"repeat": -1}, "repeat of a set must be at least 0", id="repeat"),
        pytest.param(
            {"hands": 0},
            "set r1:1-2:0 of tournament 1 counts points but has no hands",
            id="points without a hand",
        ),
    ],
)
def test_a_set_that_cannot_have_been_played_is_refused(
    changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        replace(a_set(), **changes)


def test_a_forfeit_before_the_first_hand_is_a_set() -> None:
    assert a_set(hands=0, points=0, forfeit=True).hands == 0


@pytest.mark.parametrize("kind", ["illegal", "timeout", "disconnect", "crash", "protocol"])
def test_a_negative_number_of_faults_is_refused_by_kind(kind: str) -> None:
    with pytest.raises(ValueError, match=f"faults of kind '{kind}' must be at least 0, not -1"):
        FaultCounts(**{kind: -1})


def test_faults_add_up_kind_by_kind() -> None:
    both = FaultCounts(1, 2, 3, 4, 5) + FaultCounts(10, 20, 30, 40, 50)
    assert both == FaultCounts(11, 22, 33, 44, 55)
    assert both.total == 165


def test_the_mirror_image_tells_the_set_from_the_other_side() -> None:
    ours, theirs = FaultCounts(illegal=1), FaultCounts(crash=2)
    told = a_set(ANN, BOB, WIN, 6, 20, repeat=3, faults=ours, other_faults=theirs).mirrored()
    assert told == a_set(BOB, ANN, LOSS, -6, 20, repeat=3, faults=theirs, other_faults=ours)


@given(fields_of(4))
def test_two_mirrors_are_none(results: list[SetResult]) -> None:
    assert mirrored(mirrored(results)) == results


def test_a_mirrored_draw_is_a_draw() -> None:
    assert a_set(outcome=DRAW).mirrored().outcome is DRAW


IN_ORDER = [
    a_set(CYD, DAN, tournament=1, round_number=1, repeat=9),
    a_set(ANN, DAN, tournament=1, round_number=2, repeat=0),
    a_set(ANN, DAN, tournament=1, round_number=2, repeat=1),
    a_set(CYD, BOB, tournament=1, round_number=2, repeat=0),  # entries 3-2: before 2-4
    a_set(BOB, DAN, tournament=1, round_number=2, repeat=0),
    a_set(ANN, BOB, tournament=2, round_number=1, repeat=0),
    a_set(BOB, ANN, tournament=2, round_number=1, repeat=0),
]


@given(st.permutations(IN_ORDER))
def test_the_order_is_tournament_round_entries_repeat(given_order: list[SetResult]) -> None:
    assert list(in_order(given_order)) == IN_ORDER


def test_entries_order_sets_and_versions_do_not() -> None:
    late, early = a_set(ANN, BOB), replace(a_set(CYD, DAN), round=0)
    assert in_order([late, early]) == (early, late)
    renamed = replace(late, first=DAN, second=CYD)
    assert order_key(renamed) == order_key(late)


@given(fields_of(4))
def test_a_mirrored_set_keeps_its_place(results: list[SetResult]) -> None:
    assert list(in_order(mirrored(results))) == mirrored(list(in_order(results)))


def test_a_set_that_is_there_twice_is_refused() -> None:
    twice = [a_set(outcome=WIN), a_set(repeat=1), a_set(outcome=LOSS)]
    with pytest.raises(ValueError, match="set r1:1-2:0 of tournament 1 is there twice"):
        in_order(twice)
