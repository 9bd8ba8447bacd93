"""Tables as plain lines: columns that line up, and on a narrow terminal fewer of them.

No boxes and no wrapping: a cell is never cut, since two names may share their beginning; what
does not fit loses whole columns, those that matter least first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.cli.screen import Screen

GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: its heading.
        cells: one for each row.
        right: whether its cells end at one line, as numbers should.
        need: the higher, the longer it stays on a narrow terminal; 0 stays always.
    """

    title: str
    cells: Sequence[str]
    right: bool = False
    need: int = 0


def table_lines(columns: Sequence[Column], screen: Screen) -> list[str]:
    """The lines of a table as the screen can show them, the heading first."""
    safe = [
        Column(screen.safe(c.title), [screen.safe(x) for x in c.cells], right=c.right, need=c.need)
        for c in columns
    ]
    kept = _fitting(safe, screen.width)
    rows = zip(*([column.title, *column.cells] for column in kept), strict=True)
    lines = [
        GAP.join(_padded(cell, column) for cell, column in zip(row, kept, strict=True)).rstrip()
        for row in rows
    ]
    return [screen.styled(lines[0], "bold"), *lines[1:]]


def _fitting(columns: list[Column], width: int | None) -> list[Column]:
    kept = list(columns)
    while width is not None and _total(kept) > width:
        least = min((c for c in kept if c.need), key=lambda c: c.need, default=None)
        if least is None:
            break
        kept.remove(least)
    return kept


def _total(columns: Sequence[Column]) -> int:
    return sum(map(_width, columns)) + len(GAP) * (len(columns) - 1)


def _width(column: Column) -> int:
    return max(cells(text) for text in (column.title, *column.cells))


def _padded(text: str, column: Column) -> str:
    space = " " * (_width(column) - cells(text))
    return space + text if column.right else text + space


def plural(number: int, noun: str) -> str:
    """The noun as it stands after that number."""
    return noun if abs(number) == 1 else f"{noun}s"


def counted(number: int, noun: str) -> str:
    """``1 set`` and ``2 sets``."""
    return f"{number} {plural(number, noun)}"


MOST_NAMES: Final = 3


def some(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; of more than three ``a, b, c and 2 more``."""
    shown = list(names)
    if len(shown) > MOST_NAMES:
        shown[MOST_NAMES:] = [f"{len(shown) - MOST_NAMES} more"]
    return " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)


def cells(text: str) -> int:
    """The columns that a text takes on a terminal: wide letters take two, marks none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
