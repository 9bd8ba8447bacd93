"""What libraries and the server log, as single lines on standard error: for people or as JSON.

A line never holds a token or a seed, whoever wrote it: see ``hidden``.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import threading
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import structlog
from structlog.typing import EventDict, WrappedLogger

from arena.cli.screen import tell
from arena.events import Event, event_log, new_error_id

_SECRET: Final = re.compile(r"[0-9A-Fa-f]{32,}")
"""Tokens, session tokens, seeds and all hashes are hexadecimal, of 32 digits or more."""

_FRAMES: Final = 4
"""Of a traceback, how many of its innermost frames a line for people names."""

_GRPC_QUEUE: Final = "_cygrpc/aio/completion_queue.pyx.pxi"
_LOOP_CLOSED: Final = "Event loop is closed"

log = event_log(__name__)


class LogFormat(StrEnum):
    """How lines look."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The least that is told."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def hidden(line: str) -> str:
    """A line without what could be a secret."""
    return _SECRET.sub("[hidden]", line)


CALLER_GONE: Final = "ExecuteBatchError raised in core"
"""How grpc.aio begins what it logs, as an error, of a caller that hangs up as its answer goes."""


class Lines(logging.Handler):
    """Each event is one line without control characters, whatever it quotes."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is told: not what any caller could fill the log with, and nobody can mend."""
        gone = record.name.startswith("grpc") and record.getMessage().startswith(CALLER_GONE)
        return super().filter(record) and not gone

    def emit(self, record: logging.LogRecord) -> None:
        """Tell it."""
        try:
            told = self.format(record)
        except Exception:  # the boundary of the log: a line that fails must fail nothing else
            told = f"error: a line of {record.name} could not be written"
        tell(hidden(told))


def formatter(form: LogFormat) -> logging.Formatter:
    """What makes a line of a record, an event's or a library's."""
    render = _as_text if form is LogFormat.TEXT else structlog.processors.JSONRenderer()
    return structlog.stdlib.ProcessorFormatter(processors=[_common, render])


def _common(_: WrappedLogger, __: str, given: EventDict) -> EventDict:
    """The same fields for all: time, level, event, text, logger, and those of the event."""
    record: logging.LogRecord = given["_record"]
    moment = datetime.fromtimestamp(record.created, UTC)
    told: EventDict = {
        "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": getattr(record, "event", "log"),
        "text": " ".join(str(given["event"]).split()),
        "logger": record.name,
    }
    told.update(getattr(record, "fields", {}))
    error = given.get("exc_info")
    if isinstance(error, tuple) and error[1] is not None:
        told.update(_error_fields(error[1], told))
    return told


def _error_fields(error: BaseException, told: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "error_id": told.get("error_id") or new_error_id(),
        "error": f"{type(error).__name__}: {error}",
        "traceback": "".join(traceback.format_exception(error)),
        "where": _where(error),
    }


def _where(error: BaseException) -> str:
    """The innermost frames, for a line: ``executor.py:120 play, table.py:60 _take``."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return ", ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames)


def _as_text(_: WrappedLogger, __: str, told: EventDict) -> str:
    level = str(told["level"])
    by = "" if told["event"] != "log" or level == "info" else f"{told['logger']}: "
    line = f"{level}: {by}{told['text']}"
    if "error" in told:
        number = "" if told["error_id"] in line else f"error {told['error_id']}, "
        line += f": {told['error']} ({number}at {told['where']})"
    return " ".join(line.split())


def log_in_lines(
    *,
    events: bool = False,
    form: LogFormat = LogFormat.TEXT,
    level: LogLevel = LogLevel.INFO,
) -> None:
    """Log in lines; to be called before gRPC is imported.

    Args:
        events: whether to tell what happens in the arena too; else only warnings and worse.
        form: of the lines.
        level: the least that is told of the arena. What libraries have to say is told from warning
            up, whatever the level: some would write SQL with its values.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    root = logging.getLogger()
    found = [handler for handler in root.handlers if isinstance(handler, Lines)]
    handler = found[0] if found else Lines()
    handler.setFormatter(formatter(form))
    if not found:
        root.addHandler(handler)
    wanted = logging.getLevelNamesMapping()[level.value.upper()] if events else logging.NOTSET
    logging.getLogger("arena").setLevel(wanted)
    root.setLevel(max(logging.WARNING, wanted))
    if form is LogFormat.JSON:
        logging.captureWarnings(True)


def watch_for_bugs(loop: asyncio.AbstractEventLoop) -> None:
    """Have errors that nobody caught, in tasks and threads, told once each, under an id."""
    loop.set_exception_handler(_loop_error)
    threading.excepthook = _thread_error
    sys.unraisablehook = _unraisable


def _loop_error(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if error is not None and is_for_another_loop(error):
        return
    task = context.get("future") or context.get("task")
    name = task.get_name() if isinstance(task, asyncio.Task) else "the event loop"
    _tell_bug(error, name, detail=str(context.get("message", "")))


def is_for_another_loop(error: BaseException) -> bool:
    """Whether it is an event of gRPC's for an event loop that is closed, which nobody waits for.

    gRPC has one queue of events a process, and any loop may be woken for it.  What a loop cancelled
    at its end comes in when the next one runs; two that run wake each other for nothing.
    """
    if not isinstance(error, BlockingIOError) and str(error) != _LOOP_CLOSED:
        return False
    frames = traceback.extract_tb(error.__traceback__)
    return any(frame.filename.endswith(_GRPC_QUEUE) for frame in frames)


def _thread_error(args: threading.ExceptHookArgs) -> None:
    _tell_bug(args.exc_value, args.thread.name if args.thread is not None else "a thread")


def _unraisable(args: sys.UnraisableHookArgs) -> None:
    _tell_bug(args.exc_value, getattr(args.object, "__qualname__", "a finaliser"))


def _tell_bug(error: BaseException | None, place: str, **fields: str) -> None:
    reason: tuple[type[BaseException], BaseException, TracebackType | None] | None = None
    if error is not None:
        reason = type(error), error, error.__traceback__
    log.error(Event.BUG, place=place, error_id=new_error_id(), exc_info=reason, **fields)
