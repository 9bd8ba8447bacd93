"""Normal and Student t: tables, closed forms, and a second formula as the judge."""

import math

import pytest

from arena.ratings.distributions import (
    NORMAL_QUANTILE,
    UPPER,
    Interval,
    normal_cdf,
    student_t_cdf,
    student_t_quantile,
)


@pytest.mark.parametrize(
    ("probability", "degrees", "expected"),
    [
        # NIST/SEMATECH e-Handbook 1.3.6.7.2, three decimals
        (0.90, 1, 3.078),
        (0.95, 1, 6.314),
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 3, 3.182),
        (0.975, 5, 2.571),
        (0.975, 10, 2.228),
        (0.99, 15, 2.602),
        (0.975, 30, 2.042),
        (0.995, 30, 2.750),
        (0.999, 60, 3.232),
        (0.975, 100, 1.984),
    ],
)
def test_quantiles_are_those_of_the_printed_table(
    probability: float, degrees: int, expected: float
) -> None:
    assert student_t_quantile(probability, degrees) == pytest.approx(expected, rel=0, abs=5.1e-4)


@pytest.mark.parametrize("probability", [0.5001, 0.6, 0.9, 0.975, 0.9995, 1 - 1e-9])
def test_quantiles_with_a_closed_form(probability: float) -> None:
    spread = 4 * probability * (1 - probability)
    one = 1 / math.tan(math.pi * (1 - probability))
    two = 2 * (probability - 0.5) * math.sqrt(2 / spread)
    angle = math.cos(math.acos(math.sqrt(spread)) / 3) / math.sqrt(spread)
    four = 2 * math.sqrt(angle - 1)
    exact = pytest.approx([one, two, four], rel=1e-9)
    assert [student_t_quantile(probability, degrees) for degrees in (1, 2, 4)] == exact


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 7, 10, 31, 64, 199, 1_000, 10_001])
@pytest.mark.parametrize("probability", [0.6, UPPER, 0.9999])
def test_quantiles_agree_with_the_finite_series(probability: float, degrees: int) -> None:
    t = student_t_quantile(probability, degrees)
    assert (1 + _two_sided_series(t, degrees)) / 2 == pytest.approx(probability, rel=0, abs=1e-11)


def _two_sided_series(t: float, degrees: int) -> float:
    """P(|T| < t), Abramowitz and Stegun 26.7.3 (odd) and 26.7.4 (even)."""
    angle = math.atan(t / math.sqrt(degrees))
    odd = degrees % 2
    term = math.cos(angle) if odd else 1.0
    terms = [] if degrees == 1 else [term]
    for k in range(2 + odd, degrees - 1, 2):
        term *= (k - 1) / k * math.cos(angle) ** 2
        terms.append(term)
    series = math.sin(angle) * math.fsum(terms)
    return 2 / math.pi * (angle + series) if odd else series


def test_many_degrees_of_freedom_approach_the_normal() -> None:
    z = NORMAL_QUANTILE
    first_term = z + (z**3 + z) / (4 * 1e6)  # Abramowitz and Stegun 26.7.5
    assert student_t_quantile(UPPER, 1_000_000) == pytest.approx(first_term, rel=1e-9)


@pytest.mark.parametrize("probability", [0.5, 0.3, 1.0, 1.5, math.nan])
def test_a_probability_without_a_positive_quantile_is_refused(probability: float) -> None:
    with pytest.raises(ValueError, match=r"probability must be above 0\.5 and below 1, not"):
        student_t_quantile(probability, 5)


def test_no_degree_of_freedom_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 degree of freedom, not 0"):
        student_t_quantile(UPPER, 0)


@pytest.mark.parametrize("t", [-1e200, -40.0, -1.0, -1e-9, -1e-200, 0.0, 1e-3, 0.7, 12.7, 1e150])
def test_the_distribution_of_t_with_a_closed_form(t: float) -> None:
    one = math.atan2(1, -t) / math.pi
    two = (1 + t / math.hypot(t, math.sqrt(2))) / 2
    assert student_t_cdf(t, 1) == pytest.approx(one, rel=1e-9, abs=1e-90)
    assert student_t_cdf(t, 2) == pytest.approx(two, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("degrees", [1, 3, 4, 31, 1_000])
@pytest.mark.parametrize("probability", [0.6, UPPER, 0.9999])
def test_the_distribution_of_t_undoes_its_quantile(probability: float, degrees: int) -> None:
    t = student_t_quantile(probability, degrees)
    assert student_t_cdf(t, degrees) == pytest.approx(probability, rel=1e-11)
    assert student_t_cdf(-t, degrees) == pytest.approx(1 - probability, rel=1e-8)


def test_the_distribution_of_t_needs_a_degree_of_freedom() -> None:
    with pytest.raises(ValueError, match="at least 1 degree of freedom, not 0"):
        student_t_cdf(1.0, 0)


@pytest.mark.parametrize(
    ("z", "expected"),
    [
        (0.0, 0.5),
        (1.0, 0.8413447460685429),
        (1.959963984540054, 0.975),
        (-6.0, 9.865876450376946e-10),
        (-30.0, 4.906713927148187e-198),  # the tail keeps its digits
        (40.0, 1.0),
    ],
)
def test_the_normal_distribution_function(z: float, expected: float) -> None:
    assert normal_cdf(z) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("low", "high"),
    [(1.0, 0.0), (math.nan, 1.0), (0.0, math.nan), (0.0, math.inf), (-math.inf, 0.0)],
)
def test_what_is_no_interval_is_refused(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="not an interval"):
        Interval(low, high)


def test_an_interval_may_be_a_point() -> None:
    assert Interval(0.5, 0.5).low == 0.5
