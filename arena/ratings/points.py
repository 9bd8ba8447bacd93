"""Points per deal: how much better, in the unit of the game.

A set's value is its summed point difference divided by the hands of both halves; a version's is the
mean over its sets, with Student's t interval because there may be few. Forfeited sets have no
points.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.ratings.distributions import UPPER, Interval, student_t_quantile
from arena.ratings.results import SetResult

SHOWN_FROM = 3
"""Sets from which on an interval is shown."""

FEW_SETS = 32
"""Sets below which intervals promise too much (measured)."""


@dataclass(frozen=True, slots=True)
class Points:
    """Points per deal over `sets` >= 1 sets; error and 95 % interval are None for a single set."""

    sets: int
    mean: float
    standard_error: float | None
    interval: Interval | None

    @property
    def reach(self) -> float | None:
        """Half of the interval, where it is worth showing.

        None for fewer than `SHOWN_FROM` sets, and while few sets are all alike: their interval
        would promise what they cannot know.
        """
        if self.interval is None or self.sets < SHOWN_FROM:
            return None
        if self.standard_error == 0 and self.sets < FEW_SETS:
            return None
        return (self.interval.high - self.interval.low) / 2


def points_per_deal(results: Iterable[SetResult]) -> Points | None:
    """Points per deal of `first` in these sets; None when no set counts in points.

    Turn sets round with `SetResult.mirrored` so that the version asked for is `first` in all. The
    value does not depend on the order of the sets, and mirrored sets give exactly the negated mean.
    """
    values = [result.points / result.hands for result in results if result.counts_points]
    return _summary(values) if values else None


def _summary(values: Sequence[float]) -> Points:
    mean = _mean(values)
    if len(values) == 1:
        return Points(1, mean, None, None)
    error = _standard_error(values, mean)
    reach = student_t_quantile(UPPER, len(values) - 1) * error
    return Points(len(values), mean, error, Interval(mean - reach, mean + reach))


def _mean(values: Sequence[float]) -> float:
    """The mean; `fsum` is rounded once, so that neither order nor side changes a digit."""
    if min(values) == max(values):
        return values[0]  # n times a value, divided by n, need not be the value again
    return math.fsum(values) / len(values)


def _standard_error(values: Sequence[float], mean: float) -> float:
    """Standard error of the mean, from the unbiased variance; 0 if all values are equal."""
    squares = math.fsum((value - mean) ** 2 for value in values)
    return math.sqrt(squares / (len(values) - 1) / len(values))
