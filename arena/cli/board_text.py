"""A leaderboard as a table, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from arena.cli.layout import Column, counted, table_lines
from arena.cli.screen import Screen
from arena.ratings.leaderboard import Row
from arena.standings.board import Board, Standing
from arena.standings.figures import (
    faults_text,
    interval_data,
    points_data,
    points_text,
    rank_text,
    rate_text,
    rating_text,
    record_data,
    record_text,
)

CSV_FIELDS: Final = (
    *("leaderboard", "rank", "bot", "version", "rating", "mu", "sigma", "sets", "wins", "draws"),
    *("losses", "win_rate", "points_per_deal", "points_low", "points_high", "hands", "faults"),
    "provisional",
)


def board_lines(board: Board, screen: Screen) -> Iterator[str]:
    """The table, under its title."""
    yield screen.styled(screen.safe(f"{board.title} · {counted(board.sets, 'set')}"), "bold")
    if not board.standings:
        yield "no bot has played here"
        return
    yield from table_lines(_columns(board.standings), screen)
    if any(standing.row.provisional for standing in board.standings):
        yield "? too few sets to be sure"


def _columns(standings: Sequence[Standing]) -> list[Column]:
    rows = [standing.row for standing in standings]
    labels = [s.version.label for s in standings]
    ratings = [_rating_text(row) for row in rows]
    rates = [rate_text(row.win_rate, row.win_interval) for row in rows]
    return [
        Column("rank", [rank_text(row.rank) for row in rows], right=True, need=20),
        Column("bot", [standing.version.name for standing in standings]),
        Column("version", labels, need=3),
        Column("rating", ratings, right=True, need=19),
        Column("mu", [f"{row.skill.mu:.2f}" for row in rows], right=True, need=6),
        Column("sigma", [f"{row.skill.sigma:.2f}" for row in rows], right=True, need=5),
        Column("points a deal", [points_text(row.points) for row in rows], right=True, need=9),
        Column("W-D-L", [record_text(row.record) for row in rows], right=True, need=10),
        Column("win % (95 %)", rates, right=True, need=4),
        Column("faults", [faults_text(row.faults) for row in rows], right=True, need=8),
    ]


def _rating_text(row: Row) -> str:
    """The rating with the minus sign of all figures, and a mark of doubt."""
    return f"{rating_text(row.rating)}?" if row.provisional else rating_text(row.rating)


def board_data(board: Board) -> dict[str, Any]:
    """The leaderboard for programs."""
    return {
        "title": board.title,
        "variant_hash": board.variant_hash,
        "tournament": board.tournament,
        "sets": board.sets,
        "rows": [_row_data(standing) for standing in board.standings],
    }


def _row_data(standing: Standing) -> dict[str, Any]:
    row, version = standing.row, standing.version
    return {
        "rank": row.rank,
        "bot": version.name,
        "version": version.label,
        "rating": row.rating,
        "mu": row.skill.mu,
        "sigma": row.skill.sigma,
        "sets": row.sets,
        **record_data(row.record),
        "win_rate": {"value": row.win_rate, **interval_data(row.win_interval)},
        "points_per_deal": points_data(row.points),
        "hands": row.hands,
        "faults": asdict(row.faults),
        "provisional": row.provisional,
    }


def boards_csv(boards: Sequence[Board]) -> bytes:
    """Leaderboards as CSV in UTF-8: a heading, a line a row, lines ended by CR LF (RFC 4180)."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(CSV_FIELDS)
    for board in boards:
        writer.writerows(_csv_row(board, standing) for standing in board.standings)
    return text.getvalue().encode("utf-8")


def _csv_row(board: Board, standing: Standing) -> list[object]:
    row, version = standing.row, standing.version
    interval = None if row.points is None else row.points.interval
    texts = [_harmless(text) for text in (board.title, version.name, version.label)]
    return [
        *(texts[0], row.rank, texts[1], texts[2]),
        *(row.rating, row.skill.mu, row.skill.sigma, row.sets),
        *(row.record.wins, row.record.draws, row.record.losses, row.win_rate),
        None if row.points is None else row.points.mean,
        *((None, None) if interval is None else (interval.low, interval.high)),
        *(row.hands, row.faults.total, int(row.provisional)),
    ]


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
