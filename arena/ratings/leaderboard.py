"""The leaderboard and the head-to-head matrix: everything that is known, a row a version.

These are values, not text: how many digits are printed is the printer's business, except for the
one rating that decides ranks, because what looks equal must be ranked equal.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.ids import VersionId
from arena.ratings.distributions import Interval
from arena.ratings.points import FEW_SETS, Points, points_per_deal
from arena.ratings.proportions import Record, record_of, superiority, wilson, win_rate
from arena.ratings.results import FaultCounts, SetResult, in_order
from arena.ratings.skill import DEFAULT_SETTINGS, Skill, SkillSettings, rate, unrated

SHOWN_DECIMALS = 2
"""Decimals of the rating as shown; versions whose shown ratings are equal share a rank."""

PROVISIONAL_BELOW = FEW_SETS
"""Sets below which a row or pairing is provisional."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One version of the leaderboard. What cannot be known is None, never NaN.

    `rank` is None without a set. `win_rate` counts draws as half. `points` leaves forfeits out;
    `hands` counts all hands of all sets.
    """

    rank: int | None
    version: VersionId
    skill: Skill
    record: Record
    win_rate: float | None
    win_interval: Interval | None
    points: Points | None
    hands: int
    faults: FaultCounts

    @property
    def rating(self) -> float:
        """The rating as shown and ranked: mu - 3 sigma, rounded to SHOWN_DECIMALS."""
        return _shown(self.skill)

    @property
    def sets(self) -> int:
        """Sets played, forfeits included; always the sum of W-D-L."""
        return self.record.sets

    @property
    def provisional(self) -> bool:
        """Whether there are too few sets to claim anything."""
        return self.sets < PROVISIONAL_BELOW


@dataclass(frozen=True, slots=True)
class Meeting:
    """What happened between two versions, as seen by one of them.

    `superiority` is the likelihood that it is the stronger, from the points of the sets; None when
    unknown.
    """

    record: Record
    points: Points | None
    superiority: float | None

    @property
    def provisional(self) -> bool:
        """Whether the two met too seldom to claim anything."""
        return self.record.sets < PROVISIONAL_BELOW


def leaderboard(
    results: Iterable[SetResult],
    entrants: Iterable[VersionId],
    settings: SkillSettings = DEFAULT_SETTINGS,
) -> tuple[Row, ...]:
    """A row for each entrant, best first; the order of `results` and `entrants` does not matter.

    All results are rated, but only `entrants` are shown and ranked: so a leaderboard can show each
    bot's newest version among opponents that have been replaced since. Entrants without a set come
    last and have no rank: the rating that everyone begins with says nothing of them.

    Rank: by the shown rating; equal ones share the better rank and the next is skipped (1, 1, 3).
    Inside a tie: points per deal, better first (without points last), then the lower version id.
    Raises DrawRefused and ValueError as `rate` does.
    """
    ordered = in_order(results)
    skills, told = rate(ordered, settings), _by_version(ordered)
    shown = {version: skills.get(version, unrated(settings)) for version in entrants}
    ranks = _ranks(skill for version, skill in shown.items() if version in told)
    rows = [
        _row(
            version, ranks[_shown(skill)] if version in told else None, skill, told.get(version, ())
        )
        for version, skill in shown.items()
    ]
    return tuple(sorted(rows, key=_place))


def head_to_head(results: Iterable[SetResult]) -> dict[tuple[VersionId, VersionId], Meeting]:
    """The meetings of every pair that met: at [a, b] as seen by a, at [b, a] as seen by b.

    By ascending ids. Raises ValueError for a set that is there twice.
    """
    pairs: defaultdict[tuple[VersionId, VersionId], list[SetResult]] = defaultdict(list)
    for result in _both_ways(in_order(results)):
        pairs[result.first, result.second].append(result)
    return {pair: _meeting(pairs[pair]) for pair in sorted(pairs)}


def _both_ways(results: Iterable[SetResult]) -> Iterable[SetResult]:
    for result in results:
        yield result
        yield result.mirrored()


def _by_version(results: Iterable[SetResult]) -> Mapping[VersionId, Sequence[SetResult]]:
    """Each version's sets, turned so that it is `first`; empty for a version that did not play."""
    told: defaultdict[VersionId, list[SetResult]] = defaultdict(list)
    for result in _both_ways(results):
        told[result.first].append(result)
    return told


def _meeting(told: Sequence[SetResult]) -> Meeting:
    points = points_per_deal(told)
    return Meeting(record_of(told), points, superiority(points))


def _row(version: VersionId, rank: int | None, skill: Skill, told: Sequence[SetResult]) -> Row:
    record = record_of(told)
    return Row(
        rank=rank,
        version=version,
        skill=skill,
        record=record,
        win_rate=win_rate(record),
        win_interval=wilson(record),
        points=points_per_deal(told),
        hands=sum(result.hands for result in told),
        faults=sum((result.faults_first for result in told), FaultCounts()),
    )


def _shown(skill: Skill) -> float:
    rating = round(skill.conservative, SHOWN_DECIMALS)
    return rating + 0.0  # turns -0.0, which prints as "-0.00", into 0.0


def _ranks(skills: Iterable[Skill]) -> dict[float, int]:
    """The rank of each shown rating: 1 + the number of better ones."""
    ranks: dict[float, int] = {}
    for place, rating in enumerate(sorted(map(_shown, skills), reverse=True), start=1):
        ranks.setdefault(rating, place)
    return ranks


def _place(row: Row) -> tuple[float, float, VersionId]:
    """The sorting key of a row: rank, points per deal (better first, none last), version id."""
    rank = float("inf") if row.rank is None else row.rank
    return rank, float("inf") if row.points is None else -row.points.mean, row.version
