"""What every bad bot gets, and that nobody else feels it.

All kinds visit one arena, some at once, while honest bots play at the tables beside them.
``python -m tests.zoo.table`` shows them one by one and prints what was measured.
"""

from __future__ import annotations

import asyncio
import re

import pytest

from arena.rules.record import EndingKind, Faults
from arena.rules.verify import verify
from tests.referee.games import SEED
from tests.zoo.keeper import Sighting, Zoo, visit
from tests.zoo.kinds import KINDS, PATIENT, Kind
from tests.zoo.neighbours import THINKING_SECONDS

AT_ONCE = 6
MEGABYTE = 1024 * 1024
MOST_GROWTH = 128 * MEGABYTE
"""Of the server's process, its arena, all records and all visits together."""

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def zoo() -> Zoo:
    """All kinds, seen once."""
    return asyncio.run(visit(KINDS, at_once=AT_ONCE))


PLAYING = [kind for kind in KINDS if kind.coming.plays]


@pytest.mark.parametrize("kind", PLAYING, ids=lambda kind: kind.title)
def test_a_bad_bot_gets_its_ending_and_nobody_else_does(zoo: Zoo, kind: Kind) -> None:
    seen = zoo.sightings[kind]
    half, record = seen.half, seen.record
    assert half is not None
    assert record is not None
    assert half.ending.kind is kind.ending, half.ending.sentence
    assert re.fullmatch(kind.sentence, half.ending.sentence)
    assert re.search(kind.said, seen.said)
    assert seen.owner == ("nobody" if kind.plays_on else "the bad bot")
    assert seen.lost or kind.plays_on
    verify(record, SEED)


@pytest.mark.parametrize(
    "kind", [kind for kind in PLAYING if kind.policy is PATIENT], ids=lambda kind: kind.title
)
def test_its_opponents_have_no_faults(zoo: Zoo, kind: Kind) -> None:
    assert zoo.sightings[kind].others_faults == Faults()


@pytest.mark.parametrize(
    "kind", [kind for kind in PLAYING if kind.plays_on], ids=lambda kind: kind.title
)
def test_what_is_odd_and_not_wrong_is_no_fault(zoo: Zoo, kind: Kind) -> None:
    record = zoo.sightings[kind].record
    assert record is not None
    assert record.faults_of(0) == record.faults_of(1) == Faults()


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if not kind.coming.plays], ids=lambda kind: kind.title
)
def test_a_visitor_is_done_and_the_neighbours_finish_their_sets(zoo: Zoo, kind: Kind) -> None:
    assert zoo.sightings[kind].said == "ready\n"


def waits(seen: Sighting) -> str:
    return f"{seen.kind.title}: {seen.worst_wait}"


def test_no_other_table_is_later_than_its_own_clocks_allow(zoo: Zoo) -> None:
    assert zoo.neighbours
    for record in zoo.neighbours:
        assert [half.ending.kind for half in record.halves] == [EndingKind.COMPLETED] * 2
        assert record.faults_of(0) == record.faults_of(1) == Faults()
        verify(record, SEED)
    decision = PATIENT.time.decision_ms / 1000
    for seen in zoo.sightings.values():
        assert THINKING_SECONDS < seen.worst_wait < decision, waits(seen)


def test_the_servers_memory_stays_bounded(zoo: Zoo) -> None:
    assert zoo.growth < MOST_GROWTH


def test_nothing_is_left_behind(zoo: Zoo) -> None:
    assert zoo.after == zoo.before
    assert zoo.running == []
    assert zoo.folders == []


def test_nothing_is_logged_as_an_error(zoo: Zoo) -> None:
    assert zoo.loud == []
