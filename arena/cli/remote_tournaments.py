"""``arena tournament`` and ``arena leaderboard`` with ``--server``: those of a running arena."""

from __future__ import annotations

from typing import Any

from arena.cli.board_text import board_data, board_lines
from arena.cli.errors import CliError
from arena.cli.progress import SetProgress
from arena.cli.remote import Remote, failure, request_id
from arena.cli.remote_values import (
    board_of,
    settings_message,
    tournament_value,
    tournaments_of,
)
from arena.cli.screen import stdout_screen, tell, write, write_json
from arena.cli.tournament_files import ServerFile
from arena.cli.tournament_text import list_lines, status_lines, tournament_data
from arena.standings.board import Board
from arena.v1 import tournament_service_pb2 as pb
from arena.v1 import tournament_service_pb2_grpc
from arena.wire.variants import variant_message


def create(remote: Remote, file: ServerFile) -> pb.Tournament:
    """Create the tournament of a file.

    Raises:
        CliError: it is refused.
    """
    request = pb.CreateTournamentRequest(
        request_id=request_id(),
        display_name=file.name,
        variant=variant_message(file.variant),
        entrants=[pb.TournamentEntrant(bot=bot) for bot in file.bots],
        settings=settings_message(file.settings),
        seed="" if file.seed is None else file.seed.hex(),
    )
    return remote.write(_stub(remote).CreateTournament, request).tournament


def cancel(remote: Remote, name_or_id: str) -> pb.Tournament:
    """End a tournament for good.

    Raises:
        CliError: there is none, or it is finished.
    """
    request = pb.CancelTournamentRequest(name=find(remote, name_or_id).name)
    return remote.write(_stub(remote).CancelTournament, request).tournament


def find(remote: Remote, name_or_id: str | None) -> pb.Tournament:
    """The tournament of that name or number, or the newest.

    Raises:
        CliError: there is none.
    """
    if name_or_id is None:
        every = list(tournaments_of(remote))
        if not every:
            raise CliError("there is no tournament yet", hint="arena tournament create FILE")
        return every[-1]
    for found in tournaments_of(remote, name_or_id):
        return found
    if name_or_id.isascii() and name_or_id.isdigit() and len(name_or_id) < 10 and int(name_or_id):
        return _get(remote, f"tournaments/{int(name_or_id)}")
    raise CliError(
        f'there is no tournament "{name_or_id}"',
        hint=f"see: arena tournament list --server {remote.address}",
    )


def watch(remote: Remote, tournament: pb.Tournament) -> pb.Tournament:
    """Show the progress of a tournament until it is over; returns it as it is then.

    Raises:
        CliError: the arena stopped.
    """
    import grpc

    request = pb.WatchTournamentRequest(name=tournament.name)
    noted = ""
    with SetProgress(tournament.sets_planned, done=tournament.sets_done) as progress:
        done = tournament.sets_done
        try:
            watching = _stub(remote).WatchTournament(request, metadata=remote.reading())
            for situation in watching:
                for _ in range(situation.sets_done - done):
                    progress.advance()
                done = max(done, situation.sets_done)
                if situation.note and situation.note != noted:
                    tell(f"note    {situation.note}")
                noted = situation.note
        except grpc.RpcError as error:
            raise failure(error, remote.address) from error
    return _get(remote, tournament.name)


def print_status(remote: Remote, message: pb.Tournament, *, as_json: bool) -> Board:
    """Print how far a tournament is, and its leaderboard, which is returned."""
    tournament, done = tournament_value(message), message.sets_done
    state = tournament.state.value  # by whoever plays it
    board = board_of(remote, f"{message.name}/leaderboard")
    if as_json:
        document: dict[str, Any] = {
            "schema": "arena.tournament/1",
            "tournament": tournament_data(tournament, state, done) | {"note": message.note},
            "leaderboard": board_data(board),
        }
        write_json(document)
        return board
    screen = stdout_screen()
    write("\n".join(status_lines(tournament, state, done, screen)))
    if message.note:
        write(screen.safe(f"note        {message.note}"))
    if done:
        write("")
        write("\n".join(board_lines(board, screen)))
    return board


def print_list(remote: Remote, *, as_json: bool) -> None:
    """Print all tournaments, oldest first."""
    found = [(tournament_value(one), one.sets_done) for one in tournaments_of(remote)]
    rows = [(one, one.state.value, finished) for one, finished in found]
    if as_json:
        ones = [tournament_data(*row) for row in rows]
        write_json({"schema": "arena.tournaments/1", "tournaments": ones})
    else:
        write("\n".join(list_lines(rows, stdout_screen())))


def boards(remote: Remote, variant: str | None, tournament: str | None) -> list[Board]:
    """The leaderboards that were asked for; all that were played where none was.

    Raises:
        CliError: there is none.
    """
    if tournament is not None:
        return [board_of(remote, f"{find(remote, tournament).name}/leaderboard")]
    if variant is not None:
        return [board_of(remote, f"variants/{_ladder(variant)}/leaderboard")]
    played = dict.fromkeys(one.variant_hash for one in tournaments_of(remote))
    return [board_of(remote, f"variants/{ladder}/leaderboard") for ladder in played]


def _get(remote: Remote, name: str) -> pb.Tournament:
    request = pb.GetTournamentRequest(name=name)
    return remote.read(_stub(remote).GetTournament, request).tournament


def _ladder(text: str) -> str:
    """The hash of a variant's name or file; a hash is one already."""
    from arena.cli.variant_names import find_variant
    from arena.rules.house import variant_hash

    is_hash = len(text) == 64 and set(text) <= set("0123456789abcdef")
    return text if is_hash else variant_hash(find_variant(text))


def _stub(remote: Remote) -> tournament_service_pb2_grpc.TournamentServiceStub:
    return tournament_service_pb2_grpc.TournamentServiceStub(remote.channel)
