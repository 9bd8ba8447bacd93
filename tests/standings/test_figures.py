"""Figures as people read them."""

import pytest

from arena.ratings.distributions import Interval
from arena.ratings.points import Points
from arena.ratings.results import FaultCounts
from arena.standings.figures import faults_text, points_text, superiority_text


@pytest.mark.parametrize(
    ("faults", "text"),
    [
        pytest.param(FaultCounts(), "0", id="none"),
        pytest.param(FaultCounts(crash=4), "4 crash", id="one kind has one number"),
        pytest.param(FaultCounts(timeout=3, crash=1), "4 (3 timeout, 1 crash)", id="two kinds"),
    ],
)
def test_faults_are_told_by_kind(faults: FaultCounts, text: str) -> None:
    assert faults_text(faults) == text


@pytest.mark.parametrize(
    ("likelihood", "text"),
    [
        pytest.param(None, "unknown", id="what cannot be known is said so"),
        pytest.param(0.99874, "0.9987", id="four decimals"),
        pytest.param(0.99996, "> 0.9999", id="what would round to 1 is not printed as 1"),
        pytest.param(1.0, "> 0.9999", id="always the same lead is no certainty either"),
        pytest.param(0.00004, "< 0.0001", id="what would round to 0 is not printed as 0"),
        pytest.param(0.0, "< 0.0001", id="always the same deficit is no certainty either"),
    ],
)
def test_a_likelihood_is_never_printed_as_a_certainty(likelihood: float | None, text: str) -> None:
    assert superiority_text(likelihood) == text


@pytest.mark.parametrize(
    ("points", "text"),
    [
        pytest.param(None, "-", id="no set"),
        pytest.param(Points(1, 0.5, None, None), "+0.50 ± –", id="one"),
        pytest.param(Points(2, 0.5, 0.1, Interval(-0.7, 1.7)), "+0.50 ± –", id="two"),
        pytest.param(Points(3, -0.5, 0.1, Interval(-0.9, -0.1)), "−0.50 ± 0.40", id="three"),
        pytest.param(Points(31, 0.5, 0.0, Interval(0.5, 0.5)), "+0.50 ± –", id="few, all alike"),
        pytest.param(Points(32, 0.0, 0.0, Interval(0, 0)), "+0.00 ± 0.00", id="many, all alike"),
    ],
)
def test_points_have_an_interval_where_the_sets_give_one(points: Points | None, text: str) -> None:
    assert points_text(points) == text
