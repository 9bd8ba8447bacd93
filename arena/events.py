"""What a running arena tells of itself: every event by name, with a sentence for people.

One line an event. Programs go by the name and the fields; people read the sentence, which is made
of the fields. Ids are fields: tournament, set, bot, version, chair, lane, session. No field ever
holds a token, a seed, a card or anything else that somebody at a table may not know.

Events go through the standard library's ``logging``, as what libraries have to say does; who wants
them as lines sets that up (``arena.cli.logs``).
"""

from __future__ import annotations

import logging
import secrets
from enum import StrEnum
from typing import Any, Final, cast

import structlog
from structlog.typing import EventDict, WrappedLogger


class Event(StrEnum):
    """What can happen. The names never change; docs/operating lists them."""

    SERVING = "serving"
    READY = "ready"
    NOT_READY = "not_ready"
    DRAIN_BEGUN = "drain_begun"
    DRAIN_ENDED = "drain_ended"
    STOPPED = "stopped"
    BOT_DIALLED_IN = "bot_dialled_in"
    BOT_RESUMED = "bot_resumed"
    BOT_DROPPED = "bot_dropped"
    BOT_LEFT = "bot_left"
    BOT_CUT_OFF = "bot_cut_off"
    STREAM_REFUSED = "stream_refused"
    TOKEN_REVOKED = "token_revoked"
    CERTIFICATE_READ = "certificate_read"
    CERTIFICATE_REFUSED = "certificate_refused"
    PROCESS_STARTED = "process_started"
    PROCESS_RESTARTED = "process_restarted"
    PROCESS_ENDED = "process_ended"
    TOURNAMENT_WAITS = "tournament_waits"
    TOURNAMENT_BEGUN = "tournament_begun"
    TOURNAMENT_ENDED = "tournament_ended"
    TOURNAMENT_STOPPED = "tournament_stopped"
    SET_BEGUN = "set_begun"
    SET_FINISHED = "set_finished"
    SET_REPLAYED = "set_replayed"
    GAME_FORFEITED = "game_forfeited"
    ARENA_FAULT = "arena_fault"
    SUBMISSION_TAKEN_UP = "submission_taken_up"
    SUBMISSION_BEGUN = "submission_begun"
    SUBMISSION_KNOWN = "submission_known"
    SUBMISSION_READY = "submission_ready"
    SUBMISSION_FAILED = "submission_failed"
    SUBMISSION_STOPPED = "submission_stopped"
    VERSION_PAUSED = "version_paused"
    NO_ROOM = "no_room"
    DATABASE_ERROR = "database_error"
    BUG = "bug"


SENTENCES: Final = {
    Event.SERVING: "serving bots at {bots}",
    Event.READY: "ready",
    Event.NOT_READY: "not ready: {reasons}",
    Event.DRAIN_BEGUN: "stopping: running sets may take {seconds:g} s; once more to stop at once",
    Event.DRAIN_ENDED: "drained; tournaments suspended: {suspended}",
    Event.STOPPED: "stopped",
    Event.BOT_DIALLED_IN: "bot {bot} {label} has dialled in ({chair}, lane {lane})",
    Event.BOT_RESUMED: "bot {bot} {label} has come back ({chair}, lane {lane})",
    Event.BOT_DROPPED: "bot {bot} {label} has lost its connection ({chair}, lane {lane})",
    Event.BOT_LEFT: "bot {bot} {label} has left ({chair}, lane {lane}): {reason}",
    Event.BOT_CUT_OFF: "bot {bot} {label} was cut off ({chair}, lane {lane}): {reason}",
    Event.STREAM_REFUSED: "a stream was refused: {reason}",
    Event.TOKEN_REVOKED: "the token of bot {bot} {label} has been revoked",
    Event.CERTIFICATE_READ: "the certificate has been read again, {until}",
    Event.CERTIFICATE_REFUSED: "the certificate stays as it was: {reason}",
    Event.PROCESS_STARTED: "a process of bot {bot} starts ({chair}, lane {lane})",
    Event.PROCESS_RESTARTED: "a process of bot {bot} starts again ({chair}, lane {lane})",
    Event.PROCESS_ENDED: "bot {bot} ({chair}, lane {lane}): {reason}",
    Event.TOURNAMENT_WAITS: "tournament {name} {reason}",
    Event.TOURNAMENT_BEGUN: "tournament {name} begins",
    Event.TOURNAMENT_ENDED: "tournament {name} is {state}, {done} of {planned} sets played",
    Event.TOURNAMENT_STOPPED: "tournament {name} stopped: {reason}",
    Event.SET_BEGUN: "set {set} begins: {first} against {second}",
    Event.SET_FINISHED: "set {set} of tournament {name} is in the journal: {outcome}",
    Event.SET_REPLAYED: "set {set} is played again after an arena fault",
    Event.GAME_FORFEITED: "{bot} forfeits half {half} of set {set} by {kind}: {reason}",
    Event.ARENA_FAULT: "half {half} of set {set} ended as an arena fault: {reason}",
    Event.SUBMISSION_TAKEN_UP: "submission {submission} of {owner}, bot {bot}, is taken up again",
    Event.SUBMISSION_BEGUN: "submission {submission} of {owner}: bot {bot} is being built",
    Event.SUBMISSION_KNOWN: "submission {submission} of {owner}: bot {bot} is known, and not built",
    Event.SUBMISSION_READY: "submission {submission} of {owner} is bot {bot} {label}",
    Event.SUBMISSION_FAILED: "submission {submission} of {owner}, bot {bot}, failed: {reason}",
    Event.SUBMISSION_STOPPED: "submission {submission} could not be written: {reason}",
    Event.VERSION_PAUSED: "bot {bot} {label} is paused: {reason}",
    Event.NO_ROOM: "the disk takes nothing more, in {place}: {reason}",
    Event.DATABASE_ERROR: "{reason}",
    Event.BUG: "the arena has made a mistake, number {error_id}, in {place}",
}


def event_log(module: str) -> structlog.stdlib.BoundLogger:
    """The log of a module; its first argument is always an ``Event``, ids go into fields.

    It needs no setting up, and leaves structlog's own global settings alone.
    """
    made = structlog.wrap_logger(
        logging.getLogger(module),
        processors=[structlog.stdlib.filter_by_level, _to_standard],
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    return cast("structlog.stdlib.BoundLogger", made)


def new_error_id() -> str:
    """What names an error in the log and towards whoever met it: it says nothing of itself."""
    return secrets.token_hex(4)


class _Fields(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return f"{{{key}}}"  # a log that raises would be worse than one that has a gap


def _to_standard(_: WrappedLogger, __: str, fields: EventDict) -> EventDict:
    """The arguments of ``logging.Logger.info``: the sentence as message, the rest beside it."""
    event = Event(fields.pop("event"))
    error = fields.pop("exc_info", None)
    sentence = SENTENCES[event].format_map(_Fields(fields))
    extra = {"event": event.value, "fields": dict(fields)}
    return {"msg": sentence, "exc_info": error, "extra": extra}
