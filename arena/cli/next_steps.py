"""What a person may want to run next, as a line that can be copied."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli.data_folder import data_words
from arena.cli.screen import tell

if TYPE_CHECKING:
    from arena.standings.board import Board
    from arena.store import Tournament

MOST_BOTS: Final = 3
"""Bots whose faults are pointed to, of one tournament."""


def tell_next(words: str) -> None:
    """Say what to run next: the words after ``arena``."""
    tell(f"next:   {_program()} {words}")


def tell_how_to_go_on(tournament: Tournament, data: Path | None) -> None:
    """Say how a tournament goes on: bots that dial in can be played by an arena that serves."""
    from arena.cli.tournament_setup import remote_names

    if remote_names(tournament):
        tell_next(f"serve{data_words(data)}")
    else:
        tell_next(f"tournament resume {tournament.id}{data_words(data)}")


def tell_faults(board: Board, where: str) -> None:
    """Say where the faults of a tournament's bots are explained, those with the most first.

    Args:
        board: of the tournament.
        where: what the command needs to find the same arena, such as ``data_words``.
    """
    for name in _at_fault(board)[:MOST_BOTS]:
        tell_next(f"bot logs {shlex.quote(name)}{where}")


def _at_fault(board: Board) -> list[str]:
    faulty = [one for one in board.standings if one.row.faults.total]
    faulty.sort(key=lambda one: -one.row.faults.total)
    return list(dict.fromkeys(one.version.name for one in faulty))


def _program() -> str:
    """``arena``, or the way to it where it is not on the path."""
    path = Path(sys.argv[0])
    if path.name != "arena" or shutil.which("arena") is not None:
        return "arena"
    absolute = path.absolute()
    here = Path(os.curdir).absolute()
    shown = absolute.relative_to(here) if absolute.is_relative_to(here) else absolute
    return shlex.quote(str(shown))
