"""Who is here, told as it changes."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import cast

import pytest

from arena.ids import VersionId
from arena.server.admission import Admission
from arena.server.attendance import Attendance
from arena.server.sessions import Session


@dataclass(frozen=True, slots=True)
class Here:
    """As much of a session as is looked at."""

    admission: Admission
    connected: bool = True
    gone: None = None


def session(name: str, *, connected: bool = True, hosted: bool = False) -> Session:
    """A session of a bot."""
    admission = Admission(VersionId(1), name, "1", hosted=hosted)
    return cast("Session", Here(admission, connected))


def test_a_bot_is_told_once_when_it_comes_and_once_when_it_goes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    attendance = Attendance()
    with caplog.at_level(logging.INFO, "arena"):
        attendance.look([session("far"), session("far"), session("home", hosted=True)])
        attendance.look([session("far")])
        attendance.look([session("far", connected=False), session("near")])
    assert caplog.messages == [
        "bot far 1 has dialled in",
        "bot near 1 has dialled in",
        "bot far 1 has left",
    ]
