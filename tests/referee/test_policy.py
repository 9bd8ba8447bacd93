"""Settings out of their bounds are refused by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.referee.policy import MAX_MILLISECONDS, Policy, PolicyError, TimeControl

BAD: dict[str, Callable[[], object]] = {
    "bank_ms must be from 1 to 86400000, not 0": lambda: TimeControl(bank_ms=0),
    "bank_ms must be from 1 to 86400000, not 86400001": lambda: TimeControl(
        bank_ms=MAX_MILLISECONDS + 1
    ),
    "increment_ms must be from 0 to 86400000, not -1": lambda: TimeControl(increment_ms=-1),
    "decision_ms must be from 1 to 86400000, not 0": lambda: TimeControl(decision_ms=0),
    "startup_ms must be from 1 to 86400000, not -5": lambda: TimeControl(startup_ms=-5),
    "max_faults must be from 1 to 1000, not 0": lambda: Policy(max_faults=0),
    "max_faults must be from 1 to 1000, not 1001": lambda: Policy(max_faults=1001),
}


@pytest.mark.parametrize(("sentence", "make"), BAD.items(), ids=BAD)
def test_a_setting_out_of_bounds_is_refused(sentence: str, make: Callable[[], object]) -> None:
    with pytest.raises(PolicyError) as refused:
        make()
    assert str(refused.value) == sentence


def test_the_bounds_themselves_are_fine() -> None:
    for value in (1, MAX_MILLISECONDS):
        TimeControl(bank_ms=value, increment_ms=value, decision_ms=value, startup_ms=value)
    TimeControl(increment_ms=0)
    for faults in (1, 1000):
        Policy(max_faults=faults)
