"""Text made safe, and tables that fit."""

from __future__ import annotations

import pytest

from arena.cli.layout import Column, table_lines
from arena.cli.screen import Screen


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [
        ("utf-8", "plain text", "plain text"),
        ("utf-8", "Žaba ± −1", "Žaba ± −1"),
        ("ascii", "Žaba ± −1 → 2", r"\u017daba +- -1 -> 2"),
        ("iso-8859-1", "müßig Ž ±", r"müßig \u017d ±"),
        ("utf-8", "a\x1b[2J\rb\nc\td", r"a\x1b[2J\x0db\x0ac\x09d"),
        ("utf-8", "a\u202eb\u2066c\u200bd", r"a\u202eb\u2066c\u200bd"),
        ("utf-8", "\udcff\U000e0001", r"\udcff\U000e0001"),
    ],
    ids=[
        "plain",
        "letters and signs of the encoding",
        "ASCII",
        "Latin-1",
        "control characters",
        "direction and width",
        "surrogates and tags",
    ],
)
def test_a_text_is_made_safe(encoding: str, text: str, shown: str) -> None:
    assert Screen(encoding=encoding).safe(text) == shown


COLUMNS = [
    Column("bot", ["a-rather-long-name", "b"]),
    Column("points", ["+1.00", "−1.00"], right=True, need=2),
    Column("faults", ["0", "12"], right=True, need=1),
]


def test_columns_line_up() -> None:
    assert table_lines(COLUMNS, Screen()) == [
        "bot                 points  faults",
        "a-rather-long-name   +1.00       0",
        "b                    −1.00      12",
    ]


@pytest.mark.parametrize(
    ("width", "heading"),
    [(34, "bot                 points  faults"), (33, "bot                 points"), (5, "bot")],
)
def test_a_narrow_terminal_loses_columns_never_parts_of_names(width: int, heading: str) -> None:
    lines = table_lines(COLUMNS, Screen(width=width))
    assert lines[0] == heading
    assert lines[1].startswith("a-rather-long-name")


def test_wide_letters_take_two_columns() -> None:
    lines = table_lines([Column("n", ["日本", "abcd"]), Column("x", ["1", "2"])], Screen())
    assert lines == ["n     x", "日本  1", "abcd  2"]


def test_styles_need_colour() -> None:
    assert Screen().styled("x", "bold") == "x"
    assert Screen(color=True).styled("x", "bold", "red") == "\x1b[1;31mx\x1b[0m"
