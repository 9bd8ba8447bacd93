"""The report of a match: a table, a sentence of conclusion, the seed; and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from arena.cli.layout import Column, table_lines
from arena.cli.match_forfeits import forfeit_lines, forfeits_data
from arena.cli.match_play import MatchPlan
from arena.cli.match_tally import Tally
from arena.cli.screen import Screen
from arena.ids import VersionId
from arena.ratings.distributions import UPPER
from arena.ratings.leaderboard import Meeting, Row, head_to_head, leaderboard
from arena.rules.deal import commitment
from arena.rules.house import variant_hash
from arena.standings.figures import (
    faults_text,
    interval_data,
    milliseconds_text,
    points_data,
    points_text,
    rate_text,
    record_data,
    record_text,
    superiority_text,
)


@dataclass(frozen=True, slots=True)
class Report:
    """A match that is over, or as far as it came.

    Attributes:
        plan: what was to be played.
        tally: what was.
        out: where the records are.
    """

    plan: MatchPlan
    tally: Tally
    out: Path | None

    @property
    def rows(self) -> tuple[Row, ...]:
        """A row for each bot, best first."""
        return leaderboard(self.tally.results, map(VersionId, self.plan.entries))

    def name(self, version: VersionId) -> str:
        """The bot of a version."""
        return self.plan.bots[version - 1].name

    @property
    def last_words(self) -> dict[str, str]:
        """What bots whose processes ended last wrote to standard error; only those that did."""
        told = {self.name(row.version): self.tally.last_words(row.version) for row in self.rows}
        return {name: words for name, words in told.items() if words}

    @property
    def complete(self) -> bool:
        """Whether all sets were played."""
        return len(self.tally.results) == self.plan.total


def report_lines(report: Report, screen: Screen) -> Iterator[str]:
    """The report for people."""
    played = len(report.tally.results)
    if not report.complete:
        yield f"interrupted after {played} of {report.plan.total} sets"
    if played:
        yield from table_lines(_columns(report), screen)
    meetings = head_to_head(report.tally.results)
    for one, other in combinations((row.version for row in report.rows), 2):
        if (one, other) in meetings:  # the better first
            yield from _pair_lines(report, (one, other), meetings[one, other], screen)
    yield from forfeit_lines(report.tally.forfeits, screen)
    yield f"seed       {report.plan.seed.hex()}"


def _columns(report: Report) -> list[Column]:
    rows, tally = report.rows, report.tally
    times = [milliseconds_text(tally.median_us(row.version)) for row in rows]
    return [
        Column("bot", [report.name(row.version) for row in rows]),
        Column("points a deal", [points_text(row.points) for row in rows], right=True, need=9),
        Column("W-D-L", [record_text(row.record) for row in rows], right=True, need=10),
        Column("games", [record_text(tally.games(r.version)) for r in rows], right=True, need=5),
        Column(
            "win % (95 %)",
            [rate_text(row.win_rate, row.win_interval) for row in rows],
            right=True,
            need=6,
        ),
        Column("faults", [faults_text(row.faults) for row in rows], right=True, need=8),
        Column("ms (median)", times, right=True, need=4),
    ]


def _pair_lines(
    report: Report, pair: tuple[VersionId, VersionId], meeting: Meeting, screen: Screen
) -> Iterator[str]:
    first, second = report.name(pair[0]), report.name(pair[1])
    yield screen.styled(screen.safe(_conclusion(first, second, meeting)), "bold")
    told = [
        f"points a deal {points_text(meeting.points)}",
        f"W-D-L {record_text(meeting.record)}",
        f"likelihood of superiority {superiority_text(meeting.superiority)}",
    ]
    yield screen.safe("  " + " · ".join(told))
    points_sets = 0 if meeting.points is None else meeting.points.sets
    forfeits = meeting.record.sets - points_sets
    if forfeits:
        was, they, count = ("was", "it", "counts") if forfeits == 1 else ("were", "they", "count")
        yield f"  {forfeits} of these sets {was} forfeited: {they} {count} in W-D-L, not in points"


def _conclusion(first: str, second: str, meeting: Meeting) -> str:
    likelihood, sets = meeting.superiority, meeting.record.sets
    if likelihood is None or 1 - UPPER < likelihood < UPPER:
        return f"{first} against {second}: not decided"
    better, worse = (first, second) if likelihood > 0.5 else (second, first)
    if meeting.provisional:
        return f"{better} leads {worse}, but {sets} sets are too few to be sure"
    return f"{better} beats {worse}"


def report_data(report: Report) -> dict[str, Any]:
    """The report for programs."""
    plan = report.plan
    return {
        "schema": "arena.match/1",
        "variant": plan.variant.name,
        "variant_hash": variant_hash(plan.variant),
        "commitment": commitment(plan.seed),
        "seed": plan.seed.hex(),
        "sets": plan.sets,
        "total": plan.total,
        "finished": len(report.tally.results),
        "complete": report.complete,
        "policy": _policy_data(plan),
        "bots": [_row_data(report, row) for row in report.rows],
        "pairs": [
            _meeting_data(report, pair, meeting)
            for pair, meeting in head_to_head(report.tally.results).items()
            if pair[0] < pair[1]
        ],
        "forfeits": forfeits_data(report.tally.forfeits),
        "records": None if report.out is None else str(report.out),
    }


def _policy_data(plan: MatchPlan) -> dict[str, Any]:
    policy = plan.policy
    return {
        **asdict(policy.time),
        "max_faults": policy.max_faults,
        "on_forfeit": policy.on_forfeit.value,
        "reveal_names": policy.reveal_names,
    }


def _row_data(report: Report, row: Row) -> dict[str, Any]:
    tally, version = report.tally, row.version
    return {
        "name": report.name(version),
        "version": report.plan.entrant(report.plan.entries[version - 1]).version,
        "sets": row.sets,
        **record_data(row.record),
        "games": record_data(tally.games(version)),
        "hands": row.hands,
        "points_per_deal": points_data(row.points),
        "win_rate": {"value": row.win_rate, **interval_data(row.win_interval)},
        "faults": asdict(row.faults),
        "stderr": tally.last_words(version),
        "decisions": tally.decisions(version),
        "decision_median_us": tally.median_us(version),
    }


def _meeting_data(
    report: Report, pair: tuple[VersionId, VersionId], meeting: Meeting
) -> dict[str, Any]:
    return {
        "first": report.name(pair[0]),
        "second": report.name(pair[1]),
        **record_data(meeting.record),
        "points_per_deal": points_data(meeting.points),
        "likelihood_of_superiority": meeting.superiority,
    }
