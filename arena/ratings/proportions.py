"""Won, drawn, lost: the win rate with Wilson's interval, and the likelihood of superiority."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from arena.ratings.distributions import NORMAL_QUANTILE, Interval, normal_cdf, student_t_cdf
from arena.ratings.points import Points
from arena.ratings.results import Outcome, SetResult


@dataclass(frozen=True, slots=True)
class Record:
    """Sets won, drawn and lost. Raises ValueError for a negative number."""

    wins: int
    draws: int
    losses: int

    def __post_init__(self) -> None:
        """Counts are never negative."""
        if min(self.wins, self.draws, self.losses) < 0:
            raise ValueError(f"wins, draws and losses must be at least 0, not {self}")

    @property
    def sets(self) -> int:
        """All sets of the record."""
        return self.wins + self.draws + self.losses


def record_of(results: Iterable[SetResult]) -> Record:
    """The record of `first` in these sets."""
    outcomes = Counter(result.outcome for result in results)
    return Record(
        outcomes[Outcome.FIRST_WINS], outcomes[Outcome.DRAW], outcomes[Outcome.SECOND_WINS]
    )


def win_rate(record: Record) -> float | None:
    """Sets won, draws as half, from 0 to 1; None without a set."""
    return (record.wins + record.draws / 2) / record.sets if record.sets else None


def wilson(record: Record) -> Interval | None:
    """Wilson's 95 % score interval of the win rate, draws as half; None without a set.

    Wilson, JASA 22 (1927) 209: (s + z^2/2 +- z sqrt(s f / n + z^2/4)) / (n + z^2) with s won and f
    lost of n sets. With draws counted as half it describes rather than tests (a draw has less
    variance than the formula assumes).
    """
    if record.sets == 0:
        return None
    won, lost = record.wins + record.draws / 2, record.losses + record.draws / 2
    square = NORMAL_QUANTILE**2
    reach = NORMAL_QUANTILE * math.sqrt(won * lost / record.sets + square / 4)
    low = (won + square / 2 - reach) / (record.sets + square)
    high = (won + square / 2 + reach) / (record.sets + square)
    return Interval(
        low, high if lost else 1.0
    )  # low is exactly 0 when nothing is won; 1 gets rounded


def likelihood_of_superiority(mean: float, standard_error: float | None) -> float | None:
    """The probability that the true difference is above 0.

    Phi(mean / standard error), the normal approximation, for an error that is known well; for the
    few sets of a pairing see `superiority`. Of two independent estimates: their difference, and
    `math.hypot` of their standard errors. Exactly 1 or 0 when the error is 0; None
    when it cannot be known: no error (a single set), or no difference and no error (identical
    play).
    """
    if standard_error is None:
        return None
    if standard_error > 0.0:
        return normal_cdf(mean / standard_error)
    return None if mean == 0.0 else float(mean > 0.0)


def superiority(points: Points | None) -> float | None:
    """The likelihood of superiority from the differences of sets; None when it cannot be known.

    F(mean / standard error), F being Student's t distribution with sets - 1 degrees of freedom
    (Student, Biometrika 6 (1908) 1): the one of the interval of the points, so that it is above
    0.975 or below 0.025 exactly when that interval leaves 0 out. Without a spread (error 0) as
    `likelihood_of_superiority`.
    """
    if points is None:
        return None
    if not points.standard_error:
        return likelihood_of_superiority(points.mean, points.standard_error)
    return student_t_cdf(points.mean / points.standard_error, points.sets - 1)


def superiority_by_record(record: Record) -> float | None:
    """The likelihood of superiority from wins and losses alone.

    Phi((W - L) / sqrt(W + L)); draws say nothing. None without a decided set.
    """
    decided = record.wins + record.losses
    return normal_cdf((record.wins - record.losses) / math.sqrt(decided)) if decided else None
