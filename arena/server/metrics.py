"""What a server counts, in the form that Prometheus reads.

Nothing is counted here: when somebody asks, a collector reads what the server keeps anyway, so a
decision costs the same whether metrics are asked for or not. The registry belongs to one server. No
label names a bot, a tournament or a set: their number has no bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

import arena
from arena.rules.record import EndingKind, Faults
from arena.server.counts import Counts
from arena.server.lobby import Lobby
from arena.server.sessions import Session
from arena.server.situations import Situations
from arena.server.tally import Tally
from arena.server.vitals import Vitals
from arena.store import TournamentState
from arena.v1 import referee_pb2

SESSION_STATES: Final = ("connected", "dropped", "gone")

_BUCKETS: Final = range(6, 27)
"""The bit lengths of latencies in microseconds that get a bucket: from 63 us to 67 s."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What metrics are read from.

    Attributes:
        lobby: sessions, their tally, the beat.
        counts: games, sets, processes.
        situations: how tournaments stand.
        vitals: alive and ready.
    """

    lobby: Lobby
    counts: Counts
    situations: Situations
    vitals: Vitals


def make_registry(sources: Sources) -> CollectorRegistry:
    """A registry of its own for a server: its figures, and those of its process."""
    registry = CollectorRegistry()
    registry.register(_ArenaCollector(sources))
    ProcessCollector(registry=registry)
    return registry


class _ArenaCollector(Collector):
    """Reads a server. Called in its event loop, where nothing changes meanwhile."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def describe(self) -> list[Metric]:
        """Nothing to be checked at registration: nothing else is in the registry."""
        return []

    def collect(self) -> Iterator[Metric]:
        """All families."""
        sources = self._sources
        yield from _server(sources)
        yield from _sessions(sources.lobby.sessions())
        yield _refused(sources.counts.streams_refused)
        yield from _decisions(sources.lobby.tally)
        yield from _games(sources.counts)
        yield from _tournaments(sources.situations, sources.counts)


def _server(sources: Sources) -> Iterator[Metric]:
    pulse, vitals = sources.lobby.pulse, sources.vitals
    info = {"version": arena.__version__}
    yield _gauge(
        "arena_info", "The version of the arena; always 1.", {tuple(info.values()): 1}, *info
    )
    yield _count(
        "arena_event_loop_lag_seconds",
        "What the event loop was late by, all together; its rate is the share of time it lagged.",
        pulse.lag(pulse.clock.now()) / 1e6,
    )
    yield _gauge("arena_ready", "1 while the server takes new work, else 0.", int(not vitals.seen))
    yield _gauge(
        "arena_draining", "1 while the server drains, else 0.", int(vitals.draining.is_set())
    )
    yield _gauge(
        "arena_journal_ok",
        "0 once a finished set could not be written, else 1.",
        int(vitals.written),
    )


def _sessions(sessions: list[Session]) -> Iterator[Metric]:
    states = Counter(map(_state, sessions))
    yield _gauge(
        "arena_sessions",
        "Sessions with bots: connected, dropped (may come back), gone (not yet forgotten).",
        {(state,): states[state] for state in SESSION_STATES},
        "state",
    )


def _state(session: Session) -> str:
    if session.gone is not None:
        return "gone"
    return "connected" if session.connected else "dropped"


def _refused(refused: Mapping[str, int]) -> Metric:
    return _count(
        "arena_streams_refused",
        "Streams of bots that were not admitted, by gRPC status.",
        {(status,): count for status, count in refused.items()},
        "status",
    )


def _decisions(tally: Tally) -> Iterator[Metric]:
    yield _count("arena_decisions", "Decisions sent to bots, each once.", tally.decisions)
    yield _count("arena_answers", "Answers that were accepted.", sum(tally.latencies))
    yield _count("arena_messages", "Messages with items sent to bots.", tally.messages)
    yield _latencies(tally)
    codes = referee_pb2.RejectionCode.DESCRIPTOR.values_by_number
    rejected: dict[tuple[str, ...], int] = {
        (value.name.removeprefix("REJECTION_CODE_").lower(),): tally.rejected.get(number, 0)
        for number, value in codes.items()
        if number
    }
    text = "Answers that were rejected, by the code of the contract."
    yield _count("arena_rejected_answers", text, rejected, "code")


def _latencies(tally: Tally) -> Metric:
    """The tally's entry n counts whole microseconds below 2**n: at most 2**n - 1."""
    below = list(accumulate(tally.latencies))
    buckets = [(str((2**bits - 1) / 1e6), float(below[bits])) for bits in _BUCKETS]
    return HistogramMetricFamily(
        "arena_decision_latency_seconds",
        "From the hand-over of a decision to the arrival of its accepted answer.",
        buckets=[*buckets, ("+Inf", float(below[-1]))],
        sum_value=tally.latency_sum / 1e6,
    )


def _games(counts: Counts) -> Iterator[Metric]:
    yield _gauge("arena_tables", "Halves of sets that may be played at once.", counts.tables)
    yield _gauge("arena_tables_running", "Halves that are being played.", counts.tables_running)
    yield _count(
        "arena_games",
        "Halves that are over, by ending; those of sets that are replayed included.",
        {(kind.value,): counts.games[kind] for kind in EndingKind},
        "ending",
    )
    yield _count(
        "arena_faults",
        "Faults of bots in games that are over, by kind.",
        {(kind,): counts.faults[kind] for kind in Faults._fields},
        "kind",
    )
    yield _count(
        "arena_sets_replayed", "Sets begun anew after an arena fault.", counts.sets_replayed
    )
    yield _count("arena_sets_finished", "Sets that went into the journal.", counts.sets_finished)
    yield _gauge("arena_sets_running", "Sets begun and not over.", counts.sets_running)
    yield from _processes(counts)


def _processes(counts: Counts) -> Iterator[Metric]:
    yield _count(
        "arena_bot_processes_started", "Processes of hosted bots started.", counts.processes_started
    )
    yield _count(
        "arena_bot_processes_failed",
        "Processes of hosted bots that ended by themselves.",
        counts.processes_failed,
    )


def _tournaments(situations: Situations, counts: Counts) -> Iterator[Metric]:
    known = situations.all()
    states = Counter(situation.state for situation in known)
    yield _gauge(
        "arena_tournaments",
        "Tournaments that this server has met since its start, by state.",
        {(state.value,): states[state] for state in TournamentState},
        "state",
    )
    left = sum(one.planned - one.done for one in known if not one.state.is_over)
    yield _gauge(
        "arena_sets_waiting",
        "Sets of these tournaments still to be begun.",
        max(0, left - counts.sets_running),
    )


Samples = int | float | Mapping[tuple[str, ...], int]
"""One figure, or figures by the values of labels."""


def _gauge(name: str, text: str, samples: Samples, *labels: str) -> Metric:
    family = GaugeMetricFamily(name, text, labels=labels)
    return _filled(family, samples)


def _count(name: str, text: str, samples: Samples, *labels: str) -> Metric:
    family = CounterMetricFamily(name, text, labels=labels)
    return _filled(family, samples)


def _filled(family: GaugeMetricFamily | CounterMetricFamily, samples: Samples) -> Metric:
    figures = samples if isinstance(samples, Mapping) else {(): samples}
    for values, figure in figures.items():
        family.add_metric(list(values), figure)
    return family
