"""Log lines: for people and for programs, of events and of libraries, without secrets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from arena.cli import logs
from arena.cli.logs import Lines, LogFormat, LogLevel, log_in_lines, watch_for_bugs
from arena.events import Event, event_log

SECRET = "0123456789abcdefABCDEF0123456789"


@contextlib.contextmanager
def logging_as(form: LogFormat, level: LogLevel = LogLevel.INFO) -> Iterator[None]:
    """Lines of a form while the block runs, and nothing left of it afterwards."""
    root, arena = logging.getLogger(), logging.getLogger("arena")
    before = root.handlers[:], root.level, arena.level
    hooks = threading.excepthook, sys.unraisablehook
    try:
        log_in_lines(events=True, form=form, level=level)
        yield
    finally:
        logging.captureWarnings(False)
        threading.excepthook, sys.unraisablehook = hooks
        root.handlers[:], root.level, arena.level = before


class Said:
    """What was said on standard error."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture

    def lines(self) -> list[str]:
        """All lines."""
        return self._capture.readouterr().err.splitlines()

    def line(self) -> str:
        """The one line."""
        text = self._capture.readouterr().err
        assert text.count("\n") == 1, text
        return text.rstrip("\n")

    def fields(self) -> dict[str, Any]:
        """The one line as JSON."""
        fields = json.loads(self.line())
        assert isinstance(fields, dict)
        return fields


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys)


def fail() -> None:
    """Fail with something of two lines, a secret among them."""
    raise ValueError(f"one\ntwo {SECRET}")


def test_an_event_for_programs(said: Said) -> None:
    with logging_as(LogFormat.JSON):
        event_log("arena.x").info(Event.TOURNAMENT_BEGUN, tournament=7, name="ä\ncup")
    fields = said.fields()
    assert fields.pop("time").endswith("Z")
    assert fields == {
        "level": "info",
        "event": "tournament_begun",
        "text": "tournament ä cup begins",
        "logger": "arena.x",
        "tournament": 7,
        "name": "ä\ncup",
    }


def test_an_event_for_people(said: Said) -> None:
    with logging_as(LogFormat.TEXT):
        event_log("arena.x").info(Event.TOURNAMENT_BEGUN, tournament=7, name="a\ncup")
    assert said.line() == "info: tournament a cup begins"


def test_what_a_library_says_for_programs(said: Said) -> None:
    with logging_as(LogFormat.JSON):
        logging.getLogger("grpc._cython").warning("%d\nthings", 3)
    fields = said.fields()
    assert (fields["event"], fields["level"]) == ("log", "warning")
    assert (fields["text"], fields["logger"]) == ("3 things", "grpc._cython")


def test_what_a_library_says_for_people(said: Said) -> None:
    with logging_as(LogFormat.TEXT):
        logging.getLogger("grpc._cython").warning("%d\nthings", 3)
    assert said.line() == "warning: grpc._cython: 3 things"


def test_a_caller_that_hangs_up_is_told_by_no_library(said: Said) -> None:
    with logging_as(LogFormat.TEXT):
        logging.getLogger("grpc._cython").error("ExecuteBatchError raised in core by servicer")
        logging.getLogger("other").error("ExecuteBatchError raised in core by servicer")
    assert said.line().startswith("error: other: ")


@pytest.mark.parametrize("name", ["sqlalchemy.engine", "asyncio", "alembic"])
def test_libraries_tell_no_details_at_any_level(said: Said, name: str) -> None:
    with logging_as(LogFormat.TEXT, LogLevel.DEBUG):
        logging.getLogger(name).info("select a secret")
        event_log("arena.x").debug(Event.STOPPED)
    assert said.line() == "debug: stopped"


@pytest.mark.parametrize(
    ("level", "told"),
    [
        (LogLevel.DEBUG, ["debug", "info", "warning", "error"]),
        (LogLevel.INFO, ["info", "warning", "error"]),
        (LogLevel.WARNING, ["warning", "error"]),
        (LogLevel.ERROR, ["error"]),
    ],
)
def test_a_level_is_the_least_that_is_told(
    capsys: pytest.CaptureFixture[str], level: LogLevel, told: list[str]
) -> None:
    with logging_as(LogFormat.TEXT, level):
        for name in ("debug", "info", "warning", "error"):
            getattr(event_log("arena.x"), name)(Event.STOPPED)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in lines] == told


def test_an_error_has_an_id_and_its_traceback_in_a_field(said: Said) -> None:
    with logging_as(LogFormat.JSON):
        try:
            fail()
        except ValueError as error:
            event_log("arena.x").error(Event.BUG, place="here", error_id="ab12", exc_info=error)
    fields = said.fields()
    assert (fields["error_id"], fields["error"]) == ("ab12", "ValueError: one\ntwo [hidden]")
    assert "raise ValueError" in fields["traceback"]


def test_an_error_for_people_is_one_line_that_says_where(said: Said) -> None:
    with logging_as(LogFormat.TEXT):
        try:
            fail()
        except ValueError:
            logging.getLogger("lib").exception("it failed")
    line = said.line()
    assert line.startswith("error: lib: it failed: ValueError: one two [hidden] (error ")
    assert "test_logs.py:" in line
    assert "fail" in line
    assert "Traceback" not in line


@pytest.mark.parametrize("form", LogFormat)
def test_secrets_are_hidden_whoever_tells_them(said: Said, form: LogFormat) -> None:
    with logging_as(form):
        logging.getLogger("lib").warning("a token: %s.", SECRET)
    line = said.line()
    assert "a token: [hidden]." in line
    assert SECRET not in line


def test_a_line_that_cannot_be_made_fails_nothing(said: Said) -> None:
    record = logging.LogRecord("lib", logging.WARNING, "lib.py", 1, "%d", ("no number",), None)
    handler = Lines()
    handler.setFormatter(logs.formatter(LogFormat.JSON))
    handler.handle(record)
    assert said.line() == "error: a line of lib could not be written"


async def test_an_error_of_a_task_is_told_once_with_an_id(said: Said) -> None:
    loop = asyncio.get_running_loop()
    with logging_as(LogFormat.JSON):
        watch_for_bugs(loop)
        task = asyncio.create_task(asyncio.to_thread(fail), name="some task")
        await asyncio.wait([task])
        del task  # nobody has looked at its error, and nobody can any more
        loop.set_exception_handler(None)
    fields = said.fields()
    assert (fields["event"], fields["place"]) == ("bug", "some task")
    assert fields["error_id"] in fields["text"]
    assert "in fail" in fields["traceback"]


@pytest.mark.parametrize(
    ("source", "file", "told"),
    [
        ("raise RuntimeError('Event loop is closed')", "_cygrpc/aio/completion_queue.pyx.pxi", 0),
        ("raise BlockingIOError(11, 'not now')", "_cygrpc/aio/completion_queue.pyx.pxi", 0),
        ("raise RuntimeError('another')", "_cygrpc/aio/completion_queue.pyx.pxi", 1),
        ("raise RuntimeError('Event loop is closed')", "ours.py", 1),
    ],
    ids=["of a closed loop", "of two loops", "another of gRPC's", "one of ours"],
)
async def test_what_grpc_has_for_another_loop_is_no_bug(
    said: Said, source: str, file: str, told: int
) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    with logging_as(LogFormat.TEXT):
        watch_for_bugs(loop)
        loop.call_soon(exec, compile(source, file, "exec"))
        loop.call_soon(done.set)
        await done.wait()
        loop.set_exception_handler(None)
    assert len(said.lines()) == told


def test_an_error_of_a_thread_is_told_in_one_line(said: Said) -> None:
    with logging_as(LogFormat.JSON):
        with contextlib.closing(asyncio.new_event_loop()) as loop:
            watch_for_bugs(loop)
        thread = threading.Thread(target=fail, name="some thread")
        thread.start()
        thread.join()
    assert said.fields()["place"] == "some thread"


def test_setting_up_twice_tells_once(said: Said) -> None:
    with logging_as(LogFormat.TEXT):
        log_in_lines(events=True, form=LogFormat.JSON)
        event_log("arena.x").info(Event.STOPPED)
    assert said.fields()["event"] == "stopped"


def test_hashes_are_hidden_and_short_numbers_are_not() -> None:
    assert logs.hidden(f"at {SECRET}{SECRET}, error ab12cd34") == "at [hidden], error ab12cd34"
