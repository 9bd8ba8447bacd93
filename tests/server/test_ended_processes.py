"""Bots whose processes end: the set that is forfeited, its incident, and the next process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from arena.ids import VersionId
from arena.referee.seat import FaultKind
from arena.rules.record import EndingKind, Faults, SetOutcome
from arena.rules.verify import verify
from arena.server.admission import Chair, Lane, Place
from arena.v1 import referee_pb2
from arena.wire.records import record_json
from tests.hosting.bots import until
from tests.referee.games import SEED
from tests.server.puppets import COMPLETED, Puppet, Theatre, first, kinds, open_theatre


def crashes_in_lane_a(times: int) -> Callable[[Puppet, list[referee_pb2.Decision]], Any]:
    """The process of chair FIRST, lane A ends at its first decision, that many times."""
    left = times

    async def play(puppet: Puppet, decisions: list[referee_pb2.Decision]) -> None:
        nonlocal left
        if puppet.place == (1, 1) and left:
            left -= 1
            puppet.kill()
        else:
            await first(puppet, decisions)

    return play


async def test_a_crash_in_a_game_forfeits_the_set_and_the_next_one_has_a_new_process(
    theatre: Theatre,
) -> None:
    theatre.host(1, "ann", crashes_in_lane_a(1))
    theatre.host(2, "bob")
    record = await theatre.play(theatre.order(1, 2))
    assert kinds(record) == [EndingKind.CRASH, EndingKind.STOPPED]
    assert record.halves[0].ending.sentence == "seat 0: the bot's process ended by signal 9"
    assert record.faults_of(0) == Faults(crash=1)
    verify(record, SEED)
    # The token has ended with the process.
    [victim] = [puppet for puppet in theatre.of("ann") if puppet.place == (1, 1)]
    assert theatre.arena.lobby.tokens.find(victim.token) is None
    again = await theatre.play(theatre.order(1, 2, 2))
    assert kinds(again) == COMPLETED
    assert len(theatre.of("ann")) == 5
    assert len(theatre.of("bob")) == 4


async def test_an_incident_has_what_the_process_of_its_seat_said(theatre: Theatre) -> None:
    theatre.host_command(1, "ann", "echo loading >&2; " + theatre.line("ann", crashes_in_lane_a(1)))
    theatre.host(2, "bob")
    played = await theatre.arena.executor.play(theatre.order(1, 2))
    [incident] = played.incidents
    assert (incident.entrant, incident.kind, incident.seat) == (0, FaultKind.CRASH, 0)
    assert incident.sentence == "the bot's process ended by signal 9"
    assert incident.stderr == "loading"
    assert "loading" not in record_json(played.record).decode()


async def test_a_set_that_was_lost_unplayed_has_an_incident_too(theatre: Theatre) -> None:
    theatre.host_command(1, "ann", "echo no such table >&2; exit 3")
    theatre.host(2, "bob")
    played = await theatre.arena.executor.play(theatre.order(1, 2))
    [incident] = played.incidents
    assert (incident.entrant, incident.kind, incident.seat) == (0, FaultKind.CRASH, None)
    assert incident.stderr == "no such table"


async def test_after_three_restarts_the_remaining_sets_are_lost_unplayed(
    theatre: Theatre,
) -> None:
    theatre.host(1, "ann", crashes_in_lane_a(99))
    theatre.host(2, "bob")
    records = [await theatre.play(theatre.order(1, 2, number)) for number in range(1, 7)]
    assert [len(record.halves[0].hands) for record in records] == [1, 1, 1, 1, 0, 0]
    assert {record.verdict.outcome for record in records} == {SetOutcome.SECOND_WINS}
    assert records[-1].halves[0].ending.sentence == (
        "ann has ended 4 times: the bot's process ended by signal 9"
    )
    assert len([puppet for puppet in theatre.of("ann") if puppet.place == (1, 1)]) == 4


async def test_a_process_that_ends_while_its_set_waits_for_a_table_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go = asyncio.Event()

    async def slow(puppet: Puppet, decisions: list[referee_pb2.Decision]) -> None:
        await go.wait()
        await first(puppet, decisions)

    async with open_theatre(tables=1) as theatre:
        theatre.host(1, "ann", slow)
        theatre.host(2, "bob")
        theatre.host(3, "carl")
        theatre.host(4, "dora")
        long = asyncio.create_task(theatre.play(theatre.order(1, 2)))
        await until(lambda: any(puppet.played for puppet in theatre.of("ann")))
        waiting = asyncio.create_task(theatre.play(theatre.order(3, 4)))
        await until(lambda: len(theatre.of("dora")) == 4 and len(theatre.of("carl")) == 4)
        victim = theatre.of("carl")[0]
        place = Place(VersionId(3), Chair(victim.place[0]), Lane(victim.place[1]))
        victim.kill()
        await until(lambda: theatre.arena.lobby.find(place) is None)
        go.set()
        records = [await long, await waiting]
    assert [kinds(record) for record in records] == [COMPLETED] * 2
    assert records[1].faults_of(0) == Faults()
    assert len(theatre.of("carl")) == 5
