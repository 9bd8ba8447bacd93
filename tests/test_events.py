"""Events: names, sentences, and where they go."""

from __future__ import annotations

import logging
import re
import string
from pathlib import Path

import pytest
from typer.main import get_command

from arena.cli.main import app
from arena.events import SENTENCES, Event, event_log

ROOT = Path(__file__).resolve().parents[1]
GUIDE = (ROOT / "docs" / "watching.md").read_text()


@pytest.mark.parametrize("event", Event)
def test_an_event_has_a_sentence_and_stands_in_the_guide(event: Event) -> None:
    assert SENTENCES[event]
    (row,) = [line for line in GUIDE.splitlines() if line.startswith(f"| `{event}` |")]
    fields = {name for _, name, _, _ in string.Formatter().parse(SENTENCES[event]) if name}
    assert {name for name in fields if f"`{name}`" not in row} == set()


def test_an_event_is_an_ordinary_record_with_fields(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "arena"):
        event_log("arena.some").info(Event.TOURNAMENT_BEGUN, tournament=7, name="a %d cup")
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("arena.some", logging.INFO)
    assert record.getMessage() == "tournament a %d cup begins"
    assert record.event == "tournament_begun"  # type: ignore[attr-defined]
    assert record.fields == {"tournament": 7, "name": "a %d cup"}  # type: ignore[attr-defined]


def test_what_nobody_wants_to_hear_is_not_made(caplog: pytest.LogCaptureFixture) -> None:
    class Unprintable:
        def __format__(self, _: str) -> str:
            raise AssertionError("made")

    with caplog.at_level(logging.WARNING, "arena"):
        event_log("arena.some").info(Event.TOURNAMENT_BEGUN, name=Unprintable())
    assert caplog.records == []


def test_a_missing_field_is_a_gap_and_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "arena"):
        event_log("arena.some").info(Event.TOURNAMENT_BEGUN)
    assert caplog.messages == ["tournament {name} begins"]


def test_the_guide_names_every_metric_and_no_other() -> None:
    source = (ROOT / "arena" / "server" / "metrics.py").read_text()
    there = set(re.findall(r'"(arena_\w+)"', source))
    counters = re.findall(r'_count\(\s*"(arena_\w+)"', source)
    there = (there - set(counters)) | {f"{name}_total" for name in counters}
    named = {name.removesuffix("_bucket") for name in re.findall(r"\barena_[a-z_]+\b", GUIDE)}
    assert len(there) > 20
    assert named - {"arena_fault"} == there


def test_the_unit_of_the_guide_gives_flags_that_exist() -> None:
    (line,) = re.findall(r"^ExecStart=((?:.*\\\n)*.*)$", GUIDE, re.MULTILINE)
    flags = set(re.findall(r"--[a-z-]+", line))
    serve = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    assert len(flags) >= 4
    assert flags <= {option for parameter in serve.params for option in parameter.opts}
