"""``arena tournament``: stored round robins that survive anything and go on where they were."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.actor import local_user
from arena.cli.data_folder import (
    SERVER,
    DataOption,
    claimed,
    data_words,
    has_store,
    open_store,
)
from arena.cli.errors import INTERRUPTED, CliError
from arena.cli.logs import log_in_lines
from arena.cli.next_steps import tell_faults, tell_how_to_go_on, tell_next
from arena.cli.remote import ServerOption, connected
from arena.cli.screen import reader_may_be_gone, stdout_screen, tell, write, write_json

if TYPE_CHECKING:
    from arena.cli.tournament_files import TournamentFile
    from arena.standings.board import Board
    from arena.store import Store, Tournament

app = typer.Typer(help="Run tournaments that can be resumed.", rich_markup_mode=None)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A tournament file (TOML).")]
Name = Annotated[str | None, typer.Argument(metavar="[NAME|ID]", help="Which one.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Tables = Annotated[int, typer.Option(min=1, max=1024, help="Halves of sets played at once.")]


@app.command("run")
def run(file: File, data: DataOption = None, as_json: AsJson = False) -> None:
    """Create and play the tournament of a file.

    Or go on with it, where it is there already.
    """
    log_in_lines()
    from arena.cli.tournament_files import read_tournament_file

    read = read_tournament_file(file)
    instead = f"it plays what is created: arena tournament create FILE{data_words(data)}"
    tried = _tried_before_a_store(read, data)
    with open_store(data, make=True) as store, claimed(store, data, instead):
        tournament = _stored(store, read, tried=tried)
        _play(store, tournament, data, tables=read.tables, as_json=as_json)


@app.command("create")
def create(
    file: File, data: DataOption = None, server: ServerOption = None, as_json: AsJson = False
) -> None:
    """Create the tournament of a file, to be played later.

    By an arena that serves, or by resume.
    """
    log_in_lines()
    if server is not None:
        from arena.cli import remote_tournaments
        from arena.cli.tournament_files import read_server_file

        wanted = read_server_file(file)
        with connected(server, data) as arena:
            made = remote_tournaments.create(arena, wanted)
            remote_tournaments.print_status(arena, made, as_json=as_json)
        tell_next(f"tournament watch {made.name.split('/')[1]} --server {shlex.quote(server)}")
        return
    from arena.cli.tournament_files import read_tournament_file

    read = read_tournament_file(file)
    tried = _tried_before_a_store(read, data)
    with open_store(data, make=True) as store:
        tournament = _stored(store, read, tried=tried)
        _print_status(store, tournament, as_json=as_json)
        tell_how_to_go_on(tournament, data)


@app.command("resume")
def resume(
    tournament: Name = None,
    data: DataOption = None,
    tables: Tables = 16,
    damaged: Annotated[
        bool, typer.Option("--damaged", help="Instead, play sets again whose records are damaged.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Go on with a tournament where it was.

    The one that is unfinished if none is named.
    """
    log_in_lines()
    from arena.cli.tournament_setup import find_tournament, unfinished

    instead = f"it plays by itself: arena tournament watch --server {SERVER}"
    with open_store(data) as store, claimed(store, data, instead):
        if damaged:
            _play_again(store, tournament, tables=tables)
            return
        found = unfinished(store) if tournament is None else find_tournament(store, tournament)
        _play(store, found, data, tables=tables, as_json=as_json)


@app.command("list")
def list_tournaments(
    data: DataOption = None, server: ServerOption = None, as_json: AsJson = False
) -> None:
    """List all tournaments, oldest first."""
    if server is not None:
        from arena.cli import remote_tournaments

        with connected(server, data) as arena:
            remote_tournaments.print_list(arena, as_json=as_json)
        return
    from arena.cli.tournament_text import list_lines, state_word, tournament_data

    with open_store(data) as store:
        rows = [
            (one, state_word(store, one), store.finished_count(one.id))
            for one in store.tournaments()
        ]
    if as_json:
        ones = [tournament_data(*row) for row in rows]
        write_json({"schema": "arena.tournaments/1", "tournaments": ones})
    else:
        write("\n".join(list_lines(rows, stdout_screen())))


@app.command("status")
def status(
    tournament: Name = None,
    data: DataOption = None,
    server: ServerOption = None,
    as_json: AsJson = False,
) -> None:
    """Say how far a tournament is.

    The newest if none is named.
    """
    if server is not None:
        from arena.cli import remote_tournaments

        with connected(server, data) as arena:
            told = remote_tournaments.find(arena, tournament)
            board = remote_tournaments.print_status(arena, told, as_json=as_json)
        tell_faults(board, f" --server {shlex.quote(server)}")
        return
    from arena.cli.tournament_setup import find_tournament, remote_names
    from arena.cli.tournament_text import CUT_OFF, NEWEST, damage_sentence

    with open_store(data) as store:
        if tournament is not None:
            found = find_tournament(store, tournament)
        elif not (all_of_them := store.tournaments()):
            raise CliError("there is no tournament yet", hint="arena tournament run FILE")
        else:
            found = all_of_them[-1]
        state, board = _print_status(store, found, as_json=as_json)
        if damaged := store.damaged(found.id, newest=NEWEST):
            tell(damage_sentence(damaged))
            if not remote_names(found):  # whose sets cannot be played again
                tell_next(f"tournament resume {found.id} --damaged{data_words(data)}")
        elif state == CUT_OFF:
            tell_how_to_go_on(found, data)
        tell_faults(board, data_words(data))


@app.command("watch")
def watch(
    server: Annotated[
        str, typer.Option("--server", metavar="ADDR", help="A running arena that plays it.")
    ],
    tournament: Name = None,
    data: DataOption = None,
    as_json: AsJson = False,
) -> None:
    """Follow a tournament of a running arena."""
    log_in_lines()
    from arena.cli import remote_tournaments

    with connected(server, data) as arena:
        found = remote_tournaments.find(arena, tournament)
        over = remote_tournaments.watch(arena, found)
        remote_tournaments.print_status(arena, over, as_json=as_json)


@app.command("cancel")
def cancel(
    tournament: Annotated[str, typer.Argument(metavar="NAME|ID", help="Which one.")],
    data: DataOption = None,
    server: ServerOption = None,
    as_json: AsJson = False,
) -> None:
    """End a tournament for good.

    Its finished sets stay and count.
    """
    if server is not None:
        from arena.cli import remote_tournaments

        with connected(server, data) as arena:
            told = remote_tournaments.cancel(arena, tournament)
            remote_tournaments.print_status(arena, told, as_json=as_json)
        return
    from arena.cli.tournament_setup import find_tournament

    instead = f"ask it: arena tournament cancel {shlex.quote(tournament)} --server {SERVER}"
    with open_store(data) as store, claimed(store, data, instead):
        found = find_tournament(store, tournament)
        store.cancel_tournament(found.id, by=local_user())
        _print_status(store, store.tournament(found.id), as_json=as_json)


def _tried_before_a_store(file: TournamentFile, data: Path | None) -> bool:
    """Try the bots where there is no store: none is made for bots that do not come up."""
    from arena.cli.tournament_setup import try_out

    if has_store(data):
        return False
    try_out(file.bots, file.settings.policy)
    return True


def _stored(store: Store, file: TournamentFile, *, tried: bool) -> Tournament:
    """The tournament of a file, found, or new of bots that come up."""
    from arena.cli.tournament_setup import create_tournament, named, refuse_other, try_out

    tournament = named(store, file.name)
    if tournament is not None:
        refuse_other(tournament, file)
        return tournament
    if not tried:
        try_out(file.bots, file.settings.policy)
    return create_tournament(store, file)


def _play(
    store: Store, tournament: Tournament, data: Path | None, *, tables: int, as_json: bool
) -> None:
    from arena.cli.tournament_run import play_on
    from arena.cli.tournament_setup import refuse_changed_bots, refuse_remote_bots
    from arena.store import TournamentState

    if not tournament.state.is_over:
        refuse_remote_bots(tournament)
        refuse_changed_bots(tournament)
        _announce(tournament)
        tournament = play_on(store, tournament, tables=tables)
    with nullcontext() if tournament.state.is_over else reader_may_be_gone():
        _, board = _print_status(store, tournament, as_json=as_json)
        tell_faults(board, data_words(data))
    if not tournament.state.is_over:
        tell_how_to_go_on(tournament, data)
        raise typer.Exit(INTERRUPTED)
    if tournament.state is TournamentState.FINISHED:
        tell_next(f"record export {tournament.id} --out DIR{data_words(data)}")


def _play_again(store: Store, name: str | None, *, tables: int) -> None:
    from arena.cli.tournament_damage import play_again
    from arena.cli.tournament_setup import find_tournament, refuse_changed_bots, refuse_remote_bots

    if name is None:
        raise CliError("--damaged needs a tournament", hint="see: arena tournament list")
    tournament = find_tournament(store, name)
    refuse_remote_bots(tournament)
    refuse_changed_bots(tournament)
    play_again(store, tournament, tables=tables)


def _announce(tournament: Tournament) -> None:
    bots = ", ".join(entry.version.name for entry in tournament.entries)
    tell(f"tournament  {tournament.name} · {tournament.variant.name} · {bots}")
    tell(f"commitment  {tournament.commitment}  (the seed is shown at the end)")


def _print_status(store: Store, tournament: Tournament, *, as_json: bool) -> tuple[str, Board]:
    """Print all about a tournament; its state in a word, and its leaderboard."""
    from arena.cli.board_text import board_data, board_lines
    from arena.cli.tournament_text import state_word, status_lines, tournament_data
    from arena.standings.board import tournament_board

    state = state_word(store, tournament)
    finished = store.finished_count(tournament.id)
    board = tournament_board(store, tournament.id)
    if as_json:
        document: dict[str, Any] = {
            "schema": "arena.tournament/1",
            "tournament": tournament_data(tournament, state, finished),
            "leaderboard": board_data(board),
        }
        write_json(document)
        return state, board
    screen = stdout_screen()
    write("\n".join(status_lines(tournament, state, finished, screen)))
    if finished:
        write("")
        write("\n".join(board_lines(board, screen)))
    return state, board
