"""Win rate, Wilson's interval and the likelihood of superiority, against reference values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.distributions import UPPER
from arena.ratings.points import Points, points_per_deal
from arena.ratings.proportions import (
    Record,
    likelihood_of_superiority,
    record_of,
    superiority,
    superiority_by_record,
    wilson,
    win_rate,
)
from tests.ratings.sets import DRAW, LOSS, WIN, a_set, repeated

records = st.builds(Record, *[st.integers(0, 5_000)] * 3)


@pytest.mark.parametrize(
    ("record", "low", "high"),
    [
        pytest.param(Record(0, 0, 10), 0, 0.277533, id="none of 10"),
        pytest.param(Record(7, 0, 3), 0.396778, 0.892209, id="7 of 10"),
        pytest.param(Record(15, 0, 5), 0.531299, 0.888138, id="15 of 20"),
        pytest.param(Record(60, 0, 40), 0.502003, 0.690599, id="60 of 100"),
        pytest.param(Record(100, 0, 0), 0.963007, 1, id="100 of 100"),
        pytest.param(Record(50, 20, 30), 0.502003, 0.690599, id="20 draws count as 10 of 100"),
    ],
)
def test_wilson_reference_values(record: Record, low: float, high: float) -> None:
    interval = wilson(record)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=0, abs=1e-6)


@pytest.mark.parametrize("sets", [1, 7, 10, 31, 100, 4_321])
def test_wilson_ends_exactly_at_0_and_1(sets: int) -> None:
    none, all_of_them = wilson(Record(0, 0, sets)), wilson(Record(sets, 0, 0))
    assert none is not None
    assert all_of_them is not None
    assert (none.low, all_of_them.high) == (0, 1)


@given(records)
def test_wilson_contains_the_win_rate_and_stays_within_0_and_1(record: Record) -> None:
    interval, rate = wilson(record), win_rate(record)
    if interval is None or rate is None:
        assert record.sets == 0
        return
    assert 0 <= interval.low <= rate <= interval.high <= 1
    assert (interval.low == 0) is (rate == 0)
    assert (interval.high == 1) is (rate == 1)


@given(records)
def test_the_other_side_has_the_mirrored_interval(record: Record) -> None:
    ours, theirs = wilson(record), wilson(Record(record.losses, record.draws, record.wins))
    assert (ours is None) is (theirs is None)
    if ours is not None and theirs is not None:
        assert theirs.low == pytest.approx(1 - ours.high, abs=1e-15)


@pytest.mark.parametrize(
    ("record", "expected"),
    [(Record(0, 0, 0), None), (Record(0, 3, 0), 0.5), (Record(2, 1, 1), 0.625)],
)
def test_the_win_rate_counts_draws_as_half(record: Record, expected: float | None) -> None:
    assert win_rate(record) == expected


def test_the_record_counts_each_outcome() -> None:
    assert record_of(repeated(WIN, WIN, DRAW, LOSS, LOSS, LOSS)) == Record(2, 1, 3)
    assert Record(2, 1, 3).sets == 6


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, -1, 0), (0, 0, -1)])
def test_a_negative_record_is_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="wins, draws and losses must be at least 0"):
        Record(*counts)


@pytest.mark.parametrize(
    ("difference", "errors", "expected"),
    [
        (1.0, (1.0, 1.0), 0.760250),
        (0.5, (0.4, 0.3), 0.841345),
        (3.0, (0.8, 0.8), 0.995995),
        (-3.0, (0.8, 0.8), 1 - 0.995995),
        (0.0, (0.1, 0.0), 0.5),
    ],
)
def test_superiority_reference_values(
    difference: float, errors: tuple[float, float], expected: float
) -> None:
    likelihood = likelihood_of_superiority(difference, math.hypot(*errors))
    assert likelihood == pytest.approx(expected, rel=0, abs=1e-6)


@pytest.mark.parametrize(
    ("mean", "standard_error", "expected"),
    [
        pytest.param(0.2, 0.0, 1.0, id="always the same lead is certain"),
        pytest.param(-0.2, 0.0, 0.0, id="always the same deficit is certain"),
        pytest.param(0.0, 0.0, None, id="identical play says nothing"),
        pytest.param(0.2, None, None, id="a single set says nothing"),
    ],
)
def test_superiority_without_an_error(
    mean: float, standard_error: float | None, expected: float | None
) -> None:
    assert likelihood_of_superiority(mean, standard_error) == expected


def test_superiority_of_points() -> None:
    assert superiority(None) is None
    assert superiority(Points(1, 0.5, None, None)) is None
    assert superiority(Points(2, 0.5, 0.5, None)) == pytest.approx(0.75)  # t = 1: 1/2 + atan(1)/pi
    assert superiority(Points(2, 0.5, 0.0, None)) == 1


@given(st.lists(st.integers(-400, 400), min_size=2, max_size=40))
def test_superiority_never_contradicts_the_interval(differences: list[int]) -> None:
    points = points_per_deal(
        a_set(points=difference, hands=20, repeat=number)
        for number, difference in enumerate(differences, 1)
    )
    assert points is not None
    assert points.interval is not None
    likelihood = superiority(points)
    if likelihood is not None and abs(likelihood - 0.5) != pytest.approx(UPPER - 0.5, abs=1e-9):
        leaves_out_0 = points.interval.low > 0 or points.interval.high < 0
        assert leaves_out_0 is (abs(likelihood - 0.5) > UPPER - 0.5)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        pytest.param(Record(0, 0, 0), None, id="nothing"),
        pytest.param(Record(0, 20, 0), None, id="draws only"),
        pytest.param(Record(4, 9, 4), 0.5, id="as many wins as losses"),
        pytest.param(Record(3, 0, 1), 0.8413447460685429, id="2 more in 4 is one deviation"),
        pytest.param(Record(3, 50, 1), 0.8413447460685429, id="draws say nothing"),
        pytest.param(Record(1, 0, 3), 0.15865525393145707, id="2 fewer in 4"),
    ],
)
def test_superiority_by_record(record: Record, expected: float | None) -> None:
    assert superiority_by_record(record) == (expected and pytest.approx(expected, rel=1e-12))
