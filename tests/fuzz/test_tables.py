"""Every game is played to an end that is right, whatever its seats do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis.stateful import run_state_machine_as_test

from arena.referee.course import Course
from tests.fuzz.efforts import failing, few, many
from tests.fuzz.table_machine import TableMachine


def test_a_table_comes_to_the_right_end() -> None:
    run_state_machine_as_test(TableMachine, settings=few(40, 40))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_table_comes_to_the_right_end_at_length() -> None:
    run_state_machine_as_test(TableMachine, settings=many(800, 60))


def test_a_fault_that_is_not_counted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Any = Course._fault

    def forgetful(course: Course, seat: int, *rest: Any) -> None:
        original(course, seat, *rest)
        sitting = course._sittings[seat]
        if sitting.total == 2:
            sitting.faults[rest[0]] -= 1

    monkeypatch.setattr(Course, "_fault", forgetful)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(TableMachine, settings=failing(60))
