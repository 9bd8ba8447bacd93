"""What a running arena tells, as the values that the commands print: so the figures are the same.

What it does not tell (how a hosted bot is started, hashes of tokens) is left empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.cli.remote import PAGE, Remote
from arena.ids import BotId, EntryNumber, TournamentId, VersionId
from arena.ratings.distributions import Interval
from arena.ratings.leaderboard import Row
from arena.ratings.points import Points
from arena.ratings.proportions import Record
from arena.ratings.results import FaultCounts
from arena.ratings.skill import Skill
from arena.referee.policy import OnForfeit, Policy, TimeControl
from arena.schedule.settings import Restart, Settings
from arena.standings.board import Board, Standing
from arena.store import (
    Entry,
    PlayFormat,
    ScheduleKind,
    Tournament,
    TournamentState,
    Version,
    VersionKind,
)
from arena.v1 import leaderboard_service_pb2 as boards
from arena.v1 import leaderboard_service_pb2_grpc, tournament_service_pb2_grpc
from arena.v1 import tournament_service_pb2 as tournaments
from arena.wire.variants import read_variant

STATES: Final = {
    tournaments.TOURNAMENT_STATE_CREATED: TournamentState.CREATED,
    tournaments.TOURNAMENT_STATE_RUNNING: TournamentState.RUNNING,
    tournaments.TOURNAMENT_STATE_SUSPENDED: TournamentState.SUSPENDED,
    tournaments.TOURNAMENT_STATE_FINISHED: TournamentState.FINISHED,
    tournaments.TOURNAMENT_STATE_CANCELLED: TournamentState.CANCELLED,
}
"""The states by their numbers on the wire."""

_FORFEITS: Final = {
    tournaments.FORFEIT_POLICY_LOSE: OnForfeit.LOSE,
    tournaments.FORFEIT_POLICY_STAND_IN: OnForfeit.STAND_IN,
}
_RESTARTS: Final = {
    # An arena of before there was a choice says nothing.
    tournaments.RESTART_POLICY_UNSPECIFIED: Restart.FAILURE,
    tournaments.RESTART_POLICY_FAILURE: Restart.FAILURE,
    tournaments.RESTART_POLICY_GAME: Restart.GAME,
}


def board_of(remote: Remote, name: str) -> Board:
    """A whole leaderboard.

    Raises:
        CliError: there is none of that name.
    """
    stub = leaderboard_service_pb2_grpc.LeaderboardServiceStub(remote.channel)
    request = boards.GetLeaderboardRequest(name=name, page_size=PAGE)
    rows: list[boards.LeaderboardRow] = []
    while True:
        page = remote.read(stub.GetLeaderboard, request)
        rows += page.rows
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    number = TournamentId(int(name.split("/")[1])) if name.startswith("tournaments/") else None
    standings = tuple(map(_standing, rows))
    return Board(page.display_name, page.variant_hash, number, page.sets, standings)


def _standing(row: boards.LeaderboardRow) -> Standing:
    version = _version(row.version, row.bot, row.label)
    known = row.HasField("win_interval")
    return Standing(
        version,
        Row(
            rank=row.rank or None,
            version=version.id,
            skill=Skill(row.mu, row.sigma),
            record=Record(row.wins, row.draws, row.losses),
            win_rate=row.win_rate if row.HasField("win_rate") else None,
            win_interval=_interval(row.win_interval) if known else None,
            points=_points(row.points) if row.HasField("points") else None,
            hands=row.hands,
            faults=FaultCounts(
                illegal=row.faults.illegal,
                timeout=row.faults.timeout,
                disconnect=row.faults.disconnect,
                crash=row.faults.crash,
                protocol=row.faults.protocol,
            ),
        ),
    )


def _points(points: boards.PointsPerDeal) -> Points:
    return Points(
        sets=points.sets,
        mean=points.mean,
        standard_error=points.standard_error if points.HasField("standard_error") else None,
        interval=_interval(points.interval) if points.HasField("interval") else None,
    )


def _interval(interval: boards.Interval) -> Interval:
    return Interval(interval.low, interval.high)


def tournaments_of(remote: Remote, name: str = "") -> Iterator[tournaments.Tournament]:
    """All tournaments in the order of creation, or only the one called ``name``."""
    stub = tournament_service_pb2_grpc.TournamentServiceStub(remote.channel)
    request = tournaments.ListTournamentsRequest(page_size=PAGE, display_name=name)
    while True:
        page = remote.read(stub.ListTournaments, request)
        yield from page.tournaments
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return


def tournament_value(message: tournaments.Tournament) -> Tournament:
    """A tournament as the store would tell it."""
    over = message.HasField("finish_time")
    return Tournament(
        id=TournamentId(int(message.name.split("/")[1])),
        name=message.display_name,
        variant=read_variant(message.variant),
        variant_hash=message.variant_hash,
        schedule=ScheduleKind.ROUND_ROBIN,
        format=PlayFormat.GAMES,
        settings=_settings(message.settings).to_data(),
        commitment=message.commitment,
        revealed_seed=bytes.fromhex(message.seed) if message.seed else None,
        state=STATES[message.state],
        created_us=message.create_time.ToMicroseconds(),
        finished_us=message.finish_time.ToMicroseconds() if over else None,
        entries=tuple(
            Entry(EntryNumber(entry.number), _version(entry.version, entry.bot, entry.label))
            for entry in message.entries
        ),
    )


def _settings(message: tournaments.TournamentSettings) -> Settings:
    time = TimeControl(
        message.bank_ms, message.increment_ms, message.decision_ms, message.startup_ms
    )
    forfeit = _FORFEITS[message.on_forfeit]
    policy = Policy(time, message.max_faults, forfeit, message.reveal_names)
    restart = _RESTARTS[message.restart]
    return Settings(message.rounds, message.sets, message.mirror, policy, restart)


def settings_message(settings: Settings) -> tournaments.TournamentSettings:
    """How a tournament is to be played."""
    policy, time = settings.policy, settings.policy.time
    forfeits = {policy: number for number, policy in _FORFEITS.items()}
    restarts = {restart: number for number, restart in _RESTARTS.items()}
    return tournaments.TournamentSettings(
        rounds=settings.rounds,
        sets=settings.sets,
        mirror=settings.mirror,
        bank_ms=time.bank_ms,
        increment_ms=time.increment_ms,
        decision_ms=time.decision_ms,
        startup_ms=time.startup_ms,
        max_faults=policy.max_faults,
        on_forfeit=forfeits[policy.on_forfeit],
        reveal_names=policy.reveal_names,
        restart=restarts[settings.restart],
    )


def _version(name: str, bot: str, label: str) -> Version:
    _, bot_number, _, number = name.split("/")
    return Version(
        id=VersionId(int(number)),
        bot=BotId(int(bot_number)),
        name=bot,
        label=label,
        kind=VersionKind.REMOTE,
        identity="",
        command=(),
        directory=None,
        token_hash=None,
        created_us=0,
    )
