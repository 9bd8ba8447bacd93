"""What becomes of sets and processes, as events: ids in fields, and no card anywhere."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from arena.ids import TournamentId, VersionId
from arena.referee.sets import SetPlan, stopped
from arena.rules import Seat
from arena.rules.record import Ending, EndingKind, SetRecord
from arena.schedule.execution import SetOrder
from arena.server.admission import Admission, Chair, Lane, Place
from arena.server.counts import Counts
from arena.server.fates import SetTold
from arena.server.processes import Processes
from tests.referee.games import SET_ID, SHORT, plan_of

ORDER = SetOrder(plan_of(SHORT), (VersionId(11), VersionId(12)), TournamentId(7))
HOSTED = Admission(VersionId(3), "ann", "v1", hosted=True)
PLACE = Place(VersionId(3), Chair.SECOND, Lane.B)


def told(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The events so far: level, name and fields."""
    return [
        {"level": one.levelname, "event": one.event} | one.fields  # type: ignore[attr-defined]
        for one in caplog.records
    ]


def record(plan: SetPlan, kind: EndingKind, seat: int | None, sentence: str) -> SetRecord:
    """A set whose half B ended so."""
    ending = Ending(kind, None if seat is None else Seat(seat), sentence)
    halves = stopped(plan, "a"), replace(stopped(plan, "b"), ending=ending, winner=None)
    return SetRecord.judged(plan.variant, plan.set_id, "c", plan.entrants, halves)


def test_a_forfeit_says_who_and_why(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "arena")
    late = record(ORDER.plan, EndingKind.TIMEOUT, 1, "seat 1: too late")
    SetTold(ORDER, Counts()).over(late)
    assert told(caplog) == [
        {
            "level": "INFO",
            "event": "game_forfeited",
            "half": "b",
            "set": SET_ID,
            "tournament": 7,
            "kind": "timeout",
            "seat": 1,
            "bot": "ann",
            "version": 11,
            "reason": "seat 1: too late",
        }
    ]


def test_an_illegal_answer_is_told_without_its_cards(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "arena")
    sentence = "seat 0: illegal answer: KH is not in the hand"
    SetTold(ORDER, Counts()).over(record(ORDER.plan, EndingKind.ILLEGAL, 0, sentence))
    (event,) = told(caplog)
    assert (event["bot"], event["reason"]) == ("bob", "illegal answers")
    assert "KH" not in caplog.text


def test_an_arena_fault_is_an_error_and_its_repetition_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "arena")
    counts = Counts()
    one = SetTold(ORDER, counts)
    with one.running():
        one.over(record(ORDER.plan, EndingKind.ARENA_FAULT, None, "the arena failed"))
        one.again()
        assert counts.sets_running == 1
    assert (counts.sets_running, counts.sets_replayed) == (0, 1)
    assert counts.games[EndingKind.ARENA_FAULT] == 1
    assert [(one["level"], one["event"]) for one in told(caplog)] == [
        ("ERROR", "arena_fault"),
        ("WARNING", "set_replayed"),
    ]


def test_a_process_that_failed_is_told_as_started_again(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "arena")
    counts = Counts()
    processes = Processes(counts)
    processes.starts(HOSTED, PLACE)
    processes.failed(HOSTED, PLACE, "it exited with status 1")
    processes.starts(HOSTED, PLACE)
    processes.ended(HOSTED, PLACE, "it ended by signal 15")
    processes.starts(HOSTED, PLACE)
    events = told(caplog)
    assert [(one["level"], one["event"], one.get("by")) for one in events] == [
        ("DEBUG", "process_started", None),
        ("INFO", "process_ended", "itself"),
        ("INFO", "process_restarted", None),
        ("DEBUG", "process_ended", "arena"),
        ("DEBUG", "process_started", None),
    ]
    assert {(one["bot"], one["chair"], one["lane"]) for one in events} == {("ann", "second", "b")}
    assert (counts.processes_started, counts.processes_failed) == (3, 1)
