"""Leaderboards in CSV and as tables, with names that would do harm."""

from __future__ import annotations

import csv
import io

import pytest

from arena.cli.board_text import CSV_FIELDS, board_lines, boards_csv
from arena.cli.screen import Screen
from arena.ids import BotId, EntryNumber, VersionId
from arena.ratings.leaderboard import leaderboard
from arena.ratings.results import Outcome, SetResult
from arena.standings.board import Board, Standing
from arena.store import Version, VersionKind

RESULT = SetResult(
    tournament=1,
    round=1,
    first=VersionId(1),
    second=VersionId(2),
    first_entry=EntryNumber(1),
    second_entry=EntryNumber(2),
    repeat=1,
    outcome=Outcome.FIRST_WINS,
    points=8,
    hands=4,
    counts_points=True,
)


def board(*names: str, title: str = "double") -> Board:
    """A board of two bots of which the first has won a set."""
    versions = [
        Version(
            id=VersionId(number),
            bot=BotId(number),
            name=name,
            label="1",
            kind=VersionKind.COMMAND,
            identity="0" * 64,
            command=("x",),
            directory=None,
            token_hash=None,
            created_us=0,
        )
        for number, name in enumerate(names, start=1)
    ]
    rows = leaderboard([RESULT], [version.id for version in versions])
    standings = tuple(Standing(versions[row.version - 1], row) for row in rows)
    return Board(title, "0" * 64, None, 1, standings)


def read(*boards: Board) -> list[dict[str, str]]:
    """The rows of the CSV of boards."""
    return list(csv.DictReader(io.StringIO(boards_csv(boards).decode("utf-8"), newline="")))


@pytest.mark.parametrize("name", ["=1+2", "+1", "-rf", "@SUM(A1)"])
def test_a_name_is_no_formula(name: str) -> None:
    rows = read(board(name, "b", title=name))
    assert [row["bot"] for row in rows] == [f"'{name}", "b"]
    assert {row["leaderboard"] for row in rows} == {f"'{name}"}


def test_numbers_stay_numbers() -> None:
    first, second = read(board("a", "b"))
    assert (float(first["points_per_deal"]), float(second["points_per_deal"])) == (2.0, -2.0)
    assert (first["points_low"], first["wins"], second["losses"]) == ("", "1", "1")


@pytest.mark.parametrize("name", ['a"b', "a,b", "Žaba", "50%"])
def test_other_names_come_through(name: str) -> None:
    assert read(board(name, "b"))[0]["bot"] == name


def test_without_boards_there_is_a_heading() -> None:
    assert boards_csv([]).decode() == ",".join(CSV_FIELDS) + "\r\n"


def test_a_table_has_a_rank_for_each_and_escapes_names() -> None:
    lines = list(board_lines(board("a\u202eb", "c"), Screen()))
    assert lines[0] == "double · 1 set"
    assert [line.split()[:2] for line in lines[2:4]] == [["1", r"a\u202eb"], ["2", "c"]]
    assert lines[4] == "? too few sets to be sure"


def test_a_table_of_nobody_says_so() -> None:
    empty = Board("token", "0" * 64, None, 0, ())
    assert list(board_lines(empty, Screen())) == ["token · 0 sets", "no bot has played here"]
