"""A tournament's settings: within bounds, and the same after a resume."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.policy import MAX_MILLISECONDS, OnForfeit, Policy, PolicyError, TimeControl
from arena.schedule.settings import MAX_ROUNDS, Restart, Settings

MS = st.integers(1, MAX_MILLISECONDS)

SETTINGS = st.builds(
    Settings,
    rounds=st.integers(1, MAX_ROUNDS),
    sets=st.integers(1, MAX_ROUNDS),
    mirror=st.booleans(),
    policy=st.builds(
        Policy,
        time=st.builds(TimeControl, bank_ms=MS, increment_ms=MS, decision_ms=MS, startup_ms=MS),
        max_faults=st.integers(1, 1000),
        on_forfeit=st.sampled_from(OnForfeit),
        reveal_names=st.booleans(),
    ),
    restart=st.sampled_from(Restart),
)


@given(SETTINGS)
def test_settings_come_back_equal_through_json(settings: Settings) -> None:
    assert Settings.from_data(json.loads(json.dumps(settings.to_data()))) == settings


def test_the_defaults_are_those_of_the_design() -> None:
    assert Settings().to_data() == {
        "rounds": 1,
        "sets": 10,
        "mirror": True,
        "time": {
            "bank_ms": 60_000,
            "increment_ms": 100,
            "decision_ms": 10_000,
            "startup_ms": 10_000,
        },
        "max_faults": 3,
        "on_forfeit": "lose",
        "reveal_names": False,
    }


def changed(**fields: Any) -> dict[str, Any]:
    return Settings().to_data() | fields


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in Settings().to_data().items() if key != name}


def with_time(**fields: Any) -> dict[str, Any]:
    return changed(time=Settings().to_data()["time"] | fields)


ANOTHER = "settings were written by another version of this program"

BAD: dict[str, tuple[Mapping[str, Any], str]] = {
    "a field that nobody knows": (changed(colour="red"), ANOTHER),
    "a field that is missing": (without("mirror"), ANOTHER),
    "a clock that nobody knows": (with_time(overtime_ms=5), ANOTHER),
    "clocks that are missing": (changed(time={}), ANOTHER),
    "another end of forfeits": (changed(on_forfeit="shrug"), ANOTHER),
    "another reason to restart": (changed(restart="weather"), ANOTHER),
    "no rounds": (changed(rounds=0), "rounds must be from 1 to 1000000, not 0"),
    "too many sets": (changed(sets=MAX_ROUNDS + 1), "sets must be from 1 to 1000000, not 1000001"),
    "no time": (with_time(bank_ms=0), "bank_ms must be from 1"),
    "no faults": (changed(max_faults=0), "max_faults must be from 1"),
}


@pytest.mark.parametrize(("data", "sentence"), BAD.values(), ids=BAD)
def test_settings_that_make_no_sense_are_refused(data: Mapping[str, Any], sentence: str) -> None:
    with pytest.raises(PolicyError) as refused:
        Settings.from_data(data)
    assert str(refused.value).startswith(sentence)


OUT_OF_BOUNDS: dict[str, Callable[[], Settings]] = {
    "rounds": lambda: Settings(rounds=0),
    "sets": lambda: Settings(sets=-1),
}


@pytest.mark.parametrize(("name", "make"), OUT_OF_BOUNDS.items(), ids=OUT_OF_BOUNDS)
def test_bounds_hold_for_values_too(name: str, make: Callable[[], Settings]) -> None:
    with pytest.raises(PolicyError, match=f"^{name} must be from 1"):
        make()
