"""Figures as people read them and as programs do: one way of writing each, everywhere."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from arena.ratings.distributions import Interval
from arena.ratings.leaderboard import SHOWN_DECIMALS
from arena.ratings.points import Points
from arena.ratings.proportions import Record
from arena.ratings.results import FaultCounts

NOTHING = "-"
"""What stands for a figure that cannot be known."""


def points_text(points: Points | None) -> str:
    """``+0.41 ± 0.13``; ``+0.41 ± –`` where so few sets give no interval."""
    if points is None:
        return NOTHING
    reach = "–" if points.reach is None else f"{points.reach:.2f}"
    return f"{signed_text(points.mean)} ± {reach}"


def rank_text(rank: int | None) -> str:
    """``3``; a dash for a bot without a set."""
    return NOTHING if rank is None else str(rank)


def rating_text(rating: float) -> str:
    """``29.31``: the rating as it is ranked, so that what looks equal has one rank."""
    return f"{rating:.{SHOWN_DECIMALS}f}".replace("-", "−")


def decimal_text(value: float) -> str:
    """``31.90``: mu or sigma."""
    return f"{value:.2f}"


def signed_text(value: float) -> str:
    """``+0.41``, ``−0.41``."""
    rounded = round(value, 2) + 0.0  # no "-0.00"
    return f"{rounded:+.2f}".replace("-", "−")


def record_text(record: Record) -> str:
    """``71-9-46``: won, drawn, lost."""
    return f"{record.wins}-{record.draws}-{record.losses}"


def rate_text(rate: float | None, interval: Interval | None) -> str:
    """``60.0 (53.1–66.5)`` in percent."""
    if rate is None or interval is None:
        return NOTHING
    return f"{100 * rate:.1f} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def faults_text(faults: FaultCounts) -> str:
    """``4 (3 timeout, 1 crash)``; ``4 crash`` where all are of one kind; ``0``."""
    kinds = [f"{count} {kind}" for kind, count in asdict(faults).items() if count]
    if len(kinds) <= 1:
        return kinds[0] if kinds else "0"
    return f"{faults.total} ({', '.join(kinds)})"


def milliseconds_text(micros: int | None) -> str:
    """``1.2``."""
    return NOTHING if micros is None else f"{micros / 1000:.1f}"


def superiority_text(likelihood: float | None) -> str:
    """``0.9987``; never a certainty: no number of sets gives one."""
    if likelihood is None:
        return "unknown"
    if likelihood > 0.9999:
        return "> 0.9999"
    return "< 0.0001" if likelihood < 0.0001 else f"{likelihood:.4f}"


def points_data(points: Points | None) -> dict[str, Any] | None:
    """Points per deal for programs."""
    if points is None:
        return None
    return {
        "sets": points.sets,
        "mean": points.mean,
        "standard_error": points.standard_error,
        **interval_data(points.interval),
    }


def interval_data(interval: Interval | None) -> dict[str, float | None]:
    """The ends of a 95 % interval for programs."""
    if interval is None:
        return {"low": None, "high": None}
    return {"low": interval.low, "high": interval.high}


def record_data(record: Record) -> dict[str, int]:
    """Won, drawn, lost for programs."""
    return {"wins": record.wins, "draws": record.draws, "losses": record.losses}
