"""``arena leaderboard``: who stands where, computed anew from the journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.data_folder import DataOption, open_store
from arena.cli.errors import CliError
from arena.cli.remote import ServerOption, connected
from arena.cli.screen import stdout_screen, write, write_bytes, write_json

if TYPE_CHECKING:
    from arena.standings.board import Board
    from arena.store import Store


def leaderboard(
    variant: Annotated[
        str | None, typer.Option(metavar="NAME|FILE|HASH", help="Of this variant's ladder only.")
    ] = None,
    tournament: Annotated[
        str | None, typer.Option(metavar="NAME|ID", help="Of this tournament only.")
    ] = None,
    data: DataOption = None,
    server: ServerOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV in UTF-8.")] = False,
) -> None:
    """Print the leaderboard of each variant played."""
    from arena.cli.board_text import board_data, board_lines, boards_csv

    if variant is not None and tournament is not None:
        raise CliError("--variant and --tournament exclude each other")
    if as_json and as_csv:
        raise CliError("--json and --csv exclude each other")
    boards = _boards_of(server, data, variant, tournament)
    if as_json:
        found = [board_data(board) for board in boards]
        write_json({"schema": "arena.leaderboards/1", "leaderboards": found})
    elif as_csv:
        write_bytes(boards_csv(boards))
    else:
        blocks = ["\n".join(board_lines(board, stdout_screen())) for board in boards]
        write("\n\n".join(blocks) if blocks else "no set has been played yet")


def _boards_of(
    server: str | None, data: Path | None, variant: str | None, tournament: str | None
) -> list[Board]:
    if server is not None:
        from arena.cli import remote_tournaments

        with connected(server, data) as arena:
            return remote_tournaments.boards(arena, variant, tournament)
    with open_store(data) as store:
        return _boards(store, variant, tournament)


def _boards(store: Store, variant: str | None, tournament: str | None) -> list[Board]:
    from arena.cli.tournament_setup import find_tournament
    from arena.standings.board import ladder_board, tournament_board

    if tournament is not None:
        return [tournament_board(store, find_tournament(store, tournament).id)]
    played = store.tournaments()
    if variant is not None:
        return [ladder_board(store, _ladder(store, variant))]
    return [ladder_board(store, ladder) for ladder in {one.variant_hash: 0 for one in played}]


def _ladder(store: Store, text: str) -> str:
    from arena.cli.variant_names import find_variant
    from arena.rules.house import variant_hash
    from arena.standings.board import find_ladder

    found = find_ladder(store.tournaments(), text)
    return variant_hash(find_variant(text)) if found is None else found
