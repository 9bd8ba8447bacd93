"""Anything to any method: no mistake of ours, no trace, and the honest bots play on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from hypothesis import Phase, settings
from hypothesis import strategies as st

from tests.fuzz.calls import Call, calls, methods_of
from tests.fuzz.efforts import failing, few, for_all, many
from tests.fuzz.guests import Party, open_party
from tests.fuzz.scripts import Script, perform, scripts
from tests.server.serving import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


class Stage:
    """A party on an event loop of its own, which outlives examples."""

    def __init__(self, runner: asyncio.Runner, party: Party) -> None:
        self.runner = runner
        self.party = party
        self.methods: list[MethodDescriptor] = runner.run(methods_of(party.house))

    def fire(self, burst: list[Call]) -> None:
        """Make the calls of a burst."""
        self.runner.run(self.party.burst(burst))

    def check(self) -> None:
        """See what is left of it."""
        self.runner.run(self.party.check())


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with asyncio.Runner() as runner:
        party = open_party(tmp_path / "arena.db")
        opened = runner.run(party.__aenter__())
        yield Stage(runner, opened)
        runner.run(party.__aexit__(None, None, None))


def bombard(stage: Stage, effort: settings) -> None:
    bursts = st.lists(calls(stage.methods), min_size=1, max_size=12)
    for_all(bursts, settings(effort, phases=(Phase.generate,)), stage.fire)
    stage.check()


def test_any_call_is_answered_without_a_mistake(stage: Stage) -> None:
    bombard(stage, few(60))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_any_call_is_answered_without_a_mistake_at_length(stage: Stage) -> None:
    for _ in range(10):
        bombard(stage, many(150))


def play_with_guests(stage: Stage, effort: settings) -> None:
    casts = st.lists(scripts, min_size=1, max_size=3)

    def check(cast: list[Script]) -> None:
        stage.runner.run(together(stage.party, cast))

    for_all(casts, settings(effort, phases=(Phase.generate,)), check)
    stage.check()


async def together(party: Party, cast: list[Script]) -> None:
    performances = (perform(party, number, script) for number, script in enumerate(cast))
    await asyncio.gather(*performances)


def test_any_messages_in_any_order_harm_nobody_else(stage: Stage) -> None:
    play_with_guests(stage, few(25))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_any_messages_in_any_order_harm_nobody_else_at_length(stage: Stage) -> None:
    for _ in range(5):
        play_with_guests(stage, many(40))


def test_a_mistake_of_ours_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles() -> None:
        raise KeyError("bots")

    monkeypatch.setattr(stage.party.house.store, "bots", stumbles)
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        bombard(stage, failing(60))


def test_every_method_of_the_contract_is_covered(stage: Stage) -> None:
    contract = {
        method.full_name
        for path in (ROOT / "arena" / "v1").glob("*_pb2.py")
        for service in _file(path).services_by_name.values()
        for method in service.methods
    }
    covered = {method.full_name for method in stage.methods}
    assert contract <= covered
    assert "arena.v1.RefereeService.Play" in contract


def _file(path: Path) -> FileDescriptor:
    name = f"arena/v1/{path.name.removesuffix('_pb2.py')}.proto"
    return descriptor_pool.Default().FindFileByName(name)
