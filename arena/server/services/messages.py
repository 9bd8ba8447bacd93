"""What the store holds, as messages of the unary services."""

from __future__ import annotations

from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from arena.ids import JobKey
from arena.ratings.distributions import Interval
from arena.ratings.points import Points
from arena.ratings.results import FaultCounts, Outcome, SetResult
from arena.referee.policy import OnForfeit
from arena.rules.variant import Variant
from arena.schedule.pairings import Job
from arena.schedule.settings import Restart, Settings
from arena.server.services import names
from arena.server.situations import Situation
from arena.standings.board import Standing
from arena.store import (
    Entry,
    StoredIncident,
    Tournament,
    TournamentState,
    Version,
    VersionKind,
    VersionState,
)
from arena.v1 import (
    bot_service_pb2,
    leaderboard_service_pb2,
    record_pb2,
    record_service_pb2,
    tournament_service_pb2,
    variant_service_pb2,
)
from arena.wire.enums import ENDING_KINDS
from arena.wire.variants import variant_message

MOST: Final = 2**32 - 1
"""The highest number on the wire."""

_STATES: Final = {
    TournamentState.CREATED: tournament_service_pb2.TOURNAMENT_STATE_CREATED,
    TournamentState.RUNNING: tournament_service_pb2.TOURNAMENT_STATE_RUNNING,
    TournamentState.SUSPENDED: tournament_service_pb2.TOURNAMENT_STATE_SUSPENDED,
    TournamentState.FINISHED: tournament_service_pb2.TOURNAMENT_STATE_FINISHED,
    TournamentState.CANCELLED: tournament_service_pb2.TOURNAMENT_STATE_CANCELLED,
}
_KINDS: Final = {
    VersionKind.COMMAND: bot_service_pb2.VERSION_KIND_HOSTED,
    VersionKind.REMOTE: bot_service_pb2.VERSION_KIND_REMOTE,
    VersionKind.SUBMITTED: bot_service_pb2.VERSION_KIND_HOSTED,
}
_VERSION_STATES: Final = {
    VersionState.ACTIVE: bot_service_pb2.VERSION_STATE_ACTIVE,
    VersionState.PAUSED: bot_service_pb2.VERSION_STATE_PAUSED,
    VersionState.RETIRED: bot_service_pb2.VERSION_STATE_RETIRED,
}
_FORFEITS: Final = {
    OnForfeit.LOSE: tournament_service_pb2.FORFEIT_POLICY_LOSE,
    OnForfeit.STAND_IN: tournament_service_pb2.FORFEIT_POLICY_STAND_IN,
}
_RESTARTS: Final = {
    Restart.FAILURE: tournament_service_pb2.RESTART_POLICY_FAILURE,
    Restart.GAME: tournament_service_pb2.RESTART_POLICY_GAME,
}
_OUTCOMES: Final = {
    Outcome.FIRST_WINS: record_pb2.SET_OUTCOME_FIRST_WINS,
    Outcome.SECOND_WINS: record_pb2.SET_OUTCOME_SECOND_WINS,
    Outcome.DRAW: record_pb2.SET_OUTCOME_DRAW,
}


def time_message(epoch_us: int | None) -> Timestamp | None:
    """An instant given in microseconds since 1970."""
    if epoch_us is None:
        return None
    return Timestamp(seconds=epoch_us // 1_000_000, nanos=epoch_us % 1_000_000 * 1000)


def version_message(version: Version, *, online: bool) -> bot_service_pb2.BotVersion:
    """A version of a bot, with what is for its owner alone; see `hide_own`."""
    submitted = version.kind is VersionKind.SUBMITTED
    return bot_service_pb2.BotVersion(
        name=names.version_name(version.bot, version.id),
        label=version.label,
        kind=_KINDS[version.kind],
        create_time=time_message(version.created_us),
        online=online,
        revoked=version.kind is VersionKind.REMOTE and version.token_hash is None,
        state=_VERSION_STATES[version.state],
        submitted=submitted,
        note=version.note,
        content_hash=version.identity if submitted else "",
    )


def hide_own(bot: bot_service_pb2.Bot) -> None:
    """Take away what is for the owner of a bot alone."""
    for version in bot.versions:
        version.note = version.content_hash = ""


def incident_message(stored: StoredIncident) -> bot_service_pb2.Incident:
    """A fault of a bot."""
    incident = stored.incident
    return bot_service_pb2.Incident(
        record=names.record_name(stored.tournament, stored.key),
        version_label=stored.label,
        create_time=time_message(stored.finished_us),
        kind=ENDING_KINDS.number(incident.kind.ending),
        sentence=incident.sentence,
        half=incident.half,
        board=incident.board,
        move=incident.move,
        seat=incident.seat,
        answer=incident.answer,
        took_ms=incident.took // 1000,
        charged_ms=incident.charged // 1000,
        bank_ms=incident.bank // 1000,
        stderr=incident.stderr,
    )


def state_number(state: TournamentState) -> tournament_service_pb2.TournamentState.ValueType:
    """A tournament's state."""
    return _STATES[state]


def settings_message(settings: Settings) -> tournament_service_pb2.TournamentSettings:
    """How a tournament is played; every field is there."""
    policy, time = settings.policy, settings.policy.time
    return tournament_service_pb2.TournamentSettings(
        rounds=settings.rounds,
        sets=settings.sets,
        mirror=settings.mirror,
        bank_ms=time.bank_ms,
        increment_ms=time.increment_ms,
        decision_ms=time.decision_ms,
        startup_ms=time.startup_ms,
        max_faults=policy.max_faults,
        on_forfeit=_FORFEITS[policy.on_forfeit],
        reveal_names=policy.reveal_names,
        restart=_RESTARTS[settings.restart],
    )


def tournament_message(
    tournament: Tournament, situation: Situation
) -> tournament_service_pb2.Tournament:
    """A tournament; its seed only once it is over."""
    seed = tournament.revealed_seed
    kinds = {entry.version.kind for entry in tournament.entries}
    return tournament_service_pb2.Tournament(
        name=names.tournament_name(tournament.id),
        display_name=tournament.name,
        state=state_number(situation.state),
        variant=variant_message(tournament.variant),
        variant_hash=tournament.variant_hash,
        settings=settings_message(Settings.from_data(tournament.settings)),
        entries=map(_entry_message, tournament.entries),
        commitment=tournament.commitment,
        seed="" if seed is None else seed.hex(),
        sets_done=min(situation.done, MOST),
        sets_planned=min(situation.planned, MOST),
        note=situation.note,
        trusted=VersionKind.REMOTE in kinds,
        create_time=time_message(tournament.created_us),
        finish_time=time_message(tournament.finished_us),
    )


def _entry_message(entry: Entry) -> tournament_service_pb2.TournamentEntry:
    return tournament_service_pb2.TournamentEntry(
        number=entry.number,
        version=names.version_name(entry.version.bot, entry.version.id),
        bot=entry.version.name,
        label=entry.version.label,
    )


def progress_message(situation: Situation) -> tournament_service_pb2.WatchTournamentResponse:
    """How a tournament stands."""
    return tournament_service_pb2.WatchTournamentResponse(
        state=state_number(situation.state),
        sets_done=min(situation.done, MOST),
        sets_planned=min(situation.planned, MOST),
        note=situation.note,
    )


def variant_entry(
    ladder: str, variant: Variant, *, shipped: bool
) -> variant_service_pb2.VariantEntry:
    """A variant and its ladder."""
    return variant_service_pb2.VariantEntry(
        name=names.variant_name(ladder), shipped=shipped, variant=variant_message(variant)
    )


def faults_message(faults: FaultCounts) -> record_pb2.Faults:
    """Faults by kind."""
    return record_pb2.Faults(
        illegal=faults.illegal,
        timeout=faults.timeout,
        disconnect=faults.disconnect,
        crash=faults.crash,
        protocol=faults.protocol,
    )


def summary_message(tournament: Tournament, result: SetResult) -> record_service_pb2.RecordSummary:
    """A finished set in short."""
    versions = {entry.version.id: entry.version for entry in tournament.entries}
    return record_service_pb2.RecordSummary(
        name=names.record_name(tournament.id, _key(result)),
        first=_entrant(versions[result.first]),
        second=_entrant(versions[result.second]),
        outcome=_OUTCOMES[result.outcome],
        points=result.points,
        hands=result.hands,
        counts_points=result.counts_points,
        faults_first=faults_message(result.faults_first),
        faults_second=faults_message(result.faults_second),
    )


def _key(result: SetResult) -> JobKey:
    return Job(result.round, result.first_entry, result.second_entry, result.repeat).key


def _entrant(version: Version) -> record_pb2.Entrant:
    return record_pb2.Entrant(name=version.name, version=version.label)


def row_message(standing: Standing) -> leaderboard_service_pb2.LeaderboardRow:
    """A version on a leaderboard."""
    row, version = standing.row, standing.version
    return leaderboard_service_pb2.LeaderboardRow(
        rank=row.rank or 0,
        version=names.version_name(version.bot, version.id),
        bot=version.name,
        label=version.label,
        rating=row.rating,
        mu=row.skill.mu,
        sigma=row.skill.sigma,
        sets=row.sets,
        wins=row.record.wins,
        draws=row.record.draws,
        losses=row.record.losses,
        win_rate=row.win_rate,
        win_interval=_interval(row.win_interval),
        points=_points(row.points),
        hands=row.hands,
        faults=faults_message(row.faults),
        provisional=row.provisional,
    )


def _points(points: Points | None) -> leaderboard_service_pb2.PointsPerDeal | None:
    if points is None:
        return None
    return leaderboard_service_pb2.PointsPerDeal(
        sets=points.sets,
        mean=points.mean,
        standard_error=points.standard_error,
        interval=_interval(points.interval),
    )


def _interval(interval: Interval | None) -> leaderboard_service_pb2.Interval | None:
    if interval is None:
        return None
    return leaderboard_service_pb2.Interval(low=interval.low, high=interval.high)
