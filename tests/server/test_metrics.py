"""Metrics: what is scraped is what was counted, in the format of Prometheus, label by label."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from arena.ids import TournamentId
from arena.rules.record import Ending, EndingKind, Faults, GameRecord, RecordedSeat
from arena.server.metrics import Sources, make_registry
from arena.server.situations import Situation
from arena.server.tally import Tally
from arena.store import TournamentState
from arena.v1 import referee_pb2
from tests.server.services.house import House, open_house

Figures = dict[tuple[str, ...], float]
"""By the name of the sample and the values of its labels."""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "arena.db") as opened:
        yield opened


def scraped(house: House) -> Figures:
    """What a scrape of a house finds."""
    sources = Sources(
        house.arena.lobby, house.arena.executor.counts, house.situations, house.scheduler.vitals
    )
    text = generate_latest(make_registry(sources)).decode()
    return figures(text)


def figures(text: str) -> Figures:
    """The samples of an exposition."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def filled(tally: Tally) -> None:
    """Three answers of 100 us, 128 us and 90 s, and a rejection."""
    for latency in (100, 128, 90_000_000):
        tally.latencies[latency.bit_length()] += 1
        tally.latency_sum += latency
    tally.decisions = 5
    tally.messages = 4
    tally.rejected[referee_pb2.REJECTION_CODE_STALE] = 2


async def test_decisions_are_those_of_the_tally(house: House) -> None:
    filled(house.arena.lobby.tally)
    found = scraped(house)
    assert found["arena_decisions_total",] == 5
    assert found["arena_messages_total",] == 4
    assert found["arena_answers_total",] == found["arena_decision_latency_seconds_count",] == 3
    assert found["arena_rejected_answers_total", "stale"] == 2
    assert found["arena_rejected_answers_total", "unknown_decision"] == 0
    assert found["arena_decision_latency_seconds_sum",] == pytest.approx(90.000228)


@pytest.mark.parametrize(
    ("limit", "count"),
    [("6.3e-05", 0), ("0.000127", 1), ("0.000255", 2), ("67.108863", 2), ("+Inf", 3)],
)
async def test_a_bucket_counts_what_took_no_longer(house: House, limit: str, count: int) -> None:
    filled(house.arena.lobby.tally)
    assert scraped(house)["arena_decision_latency_seconds_bucket", limit] == count


def game(ending: EndingKind, **faults: int) -> GameRecord:
    """A half that ended so, with these faults at two seats."""
    seats = [RecordedSeat(seat % 2, Faults()) for seat in range(4)]
    seats[1:3] = [RecordedSeat(1, Faults(**faults)), RecordedSeat(0, Faults(**faults))]
    return GameRecord(
        half="a",
        deal_set="s",
        seats=tuple(seats),
        hands=(),
        ending=Ending(ending, None, ""),
        winner=None,
        end=None,
        scores=(0, 0),
    )


async def test_games_and_faults_are_counted_by_kind(house: House) -> None:
    counts = house.arena.executor.counts
    counts.game(game(EndingKind.COMPLETED, illegal=1))
    counts.game(game(EndingKind.TIMEOUT, illegal=1, timeout=3))
    found = scraped(house)
    assert found["arena_games_total", "completed"] == found["arena_games_total", "timeout"] == 1
    assert found["arena_games_total", "crash"] == 0
    assert found["arena_faults_total", "illegal"] == 4
    assert found["arena_faults_total", "timeout"] == 6
    assert found["arena_faults_total", "crash"] == 0


async def test_sets_that_wait_are_those_of_the_schedule_that_are_not_played(house: House) -> None:
    running = Situation(TournamentState.RUNNING, done=3, planned=10)
    house.situations.put(TournamentId(1), running)
    house.situations.put(TournamentId(2), Situation(TournamentState.CREATED, 0, 5))
    house.situations.put(TournamentId(3), Situation(TournamentState.CANCELLED, 1, 99))
    house.arena.executor.counts.sets_running = 4
    found = scraped(house)
    assert found["arena_sets_waiting",] == 8
    assert [found["arena_tournaments", state] for state in ("running", "created", "cancelled")] == [
        1,
        1,
        1,
    ]


async def test_draining_and_a_journal_that_fails_are_seen(house: House) -> None:
    found = scraped(house)
    assert (found["arena_draining",], found["arena_journal_ok",]) == (0, 1)
    await house.scheduler.drain(0)
    house.scheduler.vitals.written = False
    found = scraped(house)
    assert (found["arena_draining",], found["arena_journal_ok",]) == (1, 0)


async def test_a_process_tells_of_itself(house: House) -> None:
    found = scraped(house)
    assert found["process_resident_memory_bytes",] > 1e6
    assert found["process_cpu_seconds_total",] > 0
    assert found["process_open_fds",] > 3
    assert found["arena_event_loop_lag_seconds_total",] >= 0
    assert found["arena_sessions", "connected"] == 0


async def test_no_label_has_values_without_bound(house: House) -> None:
    await house.create()
    bounded = {"state", "code", "ending", "kind", "status", "le", "version"}
    sources = Sources(
        house.arena.lobby, house.arena.executor.counts, house.situations, house.scheduler.vitals
    )
    families = list(make_registry(sources).collect())
    labels = {name for one in families for sample in one.samples for name in sample.labels}
    assert labels <= bounded
    assert sum(len(one.samples) for one in families) < 120
