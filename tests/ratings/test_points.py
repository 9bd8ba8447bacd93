"""Points per deal: a set's difference over its hands, their mean and Student's interval."""

import itertools
import math
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.ratings.distributions import Interval
from arena.ratings.points import FEW_SETS, Points, points_per_deal
from arena.ratings.results import Outcome, SetResult
from tests.ratings.sets import DRAW, LOSS, WIN, a_set, fields_of, mirrored, repeated


def test_no_set_has_no_points() -> None:
    assert points_per_deal([]) is None


def test_forfeits_alone_have_no_points() -> None:
    assert points_per_deal([a_set(points=9, forfeit=True), a_set(repeat=1, forfeit=True)]) is None


def test_a_single_set_has_a_mean_and_no_interval() -> None:
    assert points_per_deal([a_set(points=-7, hands=28)]) == Points(1, -0.25, None, None)


def test_a_single_set_of_nothing_is_zero_and_not_unknown() -> None:
    assert points_per_deal([a_set(outcome=DRAW, points=0)]) == Points(1, 0.0, None, None)


def test_the_interval_is_student_s() -> None:
    # values .5, .5, -.4, 0, .5: mean .22, variance .167, and t(.975, 4) = 2.7764451051977987
    points = points_per_deal(repeated(WIN, WIN, LOSS, DRAW, WIN))
    assert points is not None
    assert points.sets == 5
    assert points.mean == pytest.approx(0.22, rel=1e-15)
    assert points.standard_error == pytest.approx(math.sqrt(0.167 / 5), rel=1e-14)
    assert points.interval is not None
    reach = 2.7764451051977987 * math.sqrt(0.167 / 5)
    assert points.interval.low == pytest.approx(0.22 - reach, rel=1e-9)
    assert points.interval.high == pytest.approx(0.22 + reach, rel=1e-9)


def test_the_reach_is_half_of_the_interval_from_three_sets_on() -> None:
    points = points_per_deal(repeated(WIN, WIN, LOSS))
    assert points is not None
    assert points.interval is not None
    assert points.reach == (points.interval.high - points.interval.low) / 2 > 0


@pytest.mark.parametrize("outcomes", [(WIN,), (WIN, LOSS)])
def test_one_or_two_sets_have_no_reach(outcomes: tuple[Outcome, ...]) -> None:
    points = points_per_deal(repeated(*outcomes))
    assert points is not None
    assert points.reach is None


def test_few_sets_that_are_all_alike_have_no_reach() -> None:
    assert FEW_SETS == 32
    few, many = (points_per_deal(repeated(*[WIN] * sets)) for sets in (31, 32))
    assert few is not None
    assert few.reach is None
    assert many is not None
    assert many.reach == 0


def test_each_set_weighs_the_same_however_many_hands_it_had() -> None:
    points = points_per_deal([a_set(points=10, hands=10), a_set(points=0, hands=90, repeat=1)])
    assert points is not None
    assert points.mean == 0.5


def test_a_forfeit_leaves_the_points_as_they_were() -> None:
    played = repeated(WIN, LOSS)
    forfeited = a_set(points=-40, hands=3, repeat=7, forfeit=True)
    assert points_per_deal([*played, forfeited]) == points_per_deal(played)


def test_a_win_and_a_loss_by_as_much_are_exactly_zero() -> None:
    points = points_per_deal([a_set(points=7, hands=30), a_set(points=-7, hands=30, repeat=1)])
    assert points is not None
    assert points.mean == 0
    assert points.interval is not None
    assert points.interval.low == -points.interval.high < 0


@given(st.integers(-40, 40), st.integers(1, 70), st.integers(2, 40))
@example(1, 5, 3)  # three times 0.2, divided by 3, is not 0.2
def test_equal_sets_have_exactly_no_error(points: int, hands: int, sets: int) -> None:
    value = points / hands
    told = points_per_deal([a_set(points=points, hands=hands, repeat=k) for k in range(sets)])
    assert told == Points(sets, value, 0.0, Interval(value, value))


@given(fields_of(2), st.randoms(use_true_random=False))
def test_order_does_not_change_a_digit(results: list[SetResult], chance: Random) -> None:
    shuffled = list(results)
    chance.shuffle(shuffled)
    assert points_per_deal(shuffled) == points_per_deal(results)


def test_order_does_not_change_a_digit_of_the_error() -> None:
    margins = [9, 13, -35, -7, 25]  # plain sums of the squares give two errors
    orders = itertools.permutations(a_set(points=n, hands=10 + n % 3) for n in margins)
    errors = {told.standard_error for order in orders if (told := points_per_deal(order))}
    assert len(errors) == 1


@given(fields_of(2))
def test_the_other_side_has_exactly_the_opposite(results: list[SetResult]) -> None:
    ours, theirs = points_per_deal(results), points_per_deal(mirrored(results))
    assert theirs == (ours and _opposite(ours))


def _opposite(points: Points) -> Points:
    turned = points.interval and Interval(-points.interval.high, -points.interval.low)
    return Points(points.sets, -points.mean, points.standard_error, turned)


@given(fields_of(2))
def test_no_number_is_ever_nan(results: list[SetResult]) -> None:
    points = points_per_deal(results)
    if points is not None and points.standard_error is not None:
        assert math.isfinite(points.mean)
        assert math.isfinite(points.standard_error)
