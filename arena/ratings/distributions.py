"""The normal and the Student t distribution as far as intervals need them, and the interval itself.

The standard library has the normal; Student's t is computed here through the incomplete beta
function, because one distribution does not justify a numerical library.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95
"""Of every interval shown."""

UPPER = (1.0 + CONFIDENCE) / 2.0
"""The probability below the upper end of a two-sided interval: 0.975."""

NORMAL_QUANTILE = NormalDist().inv_cdf(UPPER)
"""1.95996..., half the width of a normal interval in standard errors."""

_RELATIVE_WIDTH = 1e-13
_FRACTION_TOLERANCE = 1e-15
_GREATEST_T = 1e100
"""Beyond it every tail is as good as none, and its square would soon be no number any more."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval of finite numbers; raises ValueError for any other."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """An interval that cannot be known is None, never NaN."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise ValueError(f"not an interval: from {self.low} to {self.high}")


def normal_cdf(z: float) -> float:
    """The standard normal distribution function; erfc keeps the digits of both tails."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


@lru_cache(maxsize=4096)
def student_t_quantile(probability: float, degrees: int) -> float:
    """The t below which Student's t with `degrees` of freedom lies with `probability`.

    To a relative 1e-9. Two-sided tail P(|T| > t) = I_x(degrees/2, 1/2) with x = degrees / (degrees
    + t^2) (Abramowitz and Stegun 26.7.1, 26.5.27), inverted by bisection. Raises ValueError unless
    0.5 < probability < 1 and degrees >= 1.
    """
    if not 0.5 < probability < 1.0:
        raise ValueError(f"probability must be above 0.5 and below 1, not {probability}")
    if degrees < 1:
        raise ValueError(f"Student's t needs at least 1 degree of freedom, not {degrees}")
    tail = 2.0 * (1.0 - probability)
    low, high = 0.0, 1.0
    while _two_sided_tail(high, degrees) > tail:
        low, high = high, 2.0 * high
    while high - low > _RELATIVE_WIDTH * high:
        middle = (low + high) / 2.0
        if _two_sided_tail(middle, degrees) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def student_t_cdf(t: float, degrees: int) -> float:
    """The probability that Student's t with `degrees` of freedom lies below t; half a tail.

    P(T < -t) = I_x(degrees/2, 1/2) / 2 for t > 0 with x = degrees / (degrees + t^2) (Abramowitz and
    Stegun 26.7.1, 26.5.27). Raises ValueError unless degrees >= 1.
    """
    if degrees < 1:
        raise ValueError(f"Student's t needs at least 1 degree of freedom, not {degrees}")
    if t * t == 0.0:
        return 0.5
    tail = _two_sided_tail(min(abs(t), _GREATEST_T), degrees) / 2.0
    return tail if t < 0.0 else 1.0 - tail


def _two_sided_tail(t: float, degrees: int) -> float:
    whole = degrees + t * t
    return _incomplete_beta(degrees / whole, t * t / whole, degrees / 2.0, 0.5)


def _incomplete_beta(x: float, y: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b).

    y is 1 - x, handed over because subtracting loses digits. DLMF 8.17.22, on the side of the
    symmetry I_x(a, b) = 1 - I_y(b, a) where the fraction converges fast.
    """
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _incomplete_beta(y, x, b, a)
    logarithm = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(y)
    )
    return math.exp(logarithm) * _beta_fraction(x, a, b) / a


def _beta_fraction(x: float, a: float, b: float) -> float:
    """1 / (1 + d1 / (1 + d2 / (1 + ...))) of DLMF 8.17.22 and 8.17.23, by Lentz's method."""
    numerator, denominator = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    value, change, m = denominator, math.inf, 0
    while abs(change - 1.0) > _FRACTION_TOLERANCE:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for coefficient in (even, odd):
            numerator = 1.0 + coefficient / numerator
            denominator = 1.0 / (1.0 + coefficient * denominator)
            change = numerator * denominator
            value *= change
    return value
