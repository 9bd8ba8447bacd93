"""Bots that do not come: how long they are waited for, and how their sets are lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from arena.hosting.fleet import BotFailed
from arena.ids import VersionId
from arena.referee.policy import Policy, TimeControl
from arena.rules.record import EndingKind, SetOutcome
from arena.rules.verify import verify
from arena.server import executor
from arena.server.admission import Admission, Chair, token_hash
from tests.hosting.bots import until
from tests.referee.games import SEED
from tests.server.client import Client
from tests.server.hall import ANN
from tests.server.puppets import COMPLETED, Theatre, kinds

HASTY = Policy(time=TimeControl(startup_ms=500))


async def lost(theatre: Theatre, loser: str, policy: Policy | None = None) -> tuple[Any, str]:
    """Why a set was lost unplayed by bot 1, whose process is that line; kind and sentence."""
    theatre.host_command(1, "ann", loser)
    theatre.host(2, "bob")
    record = await theatre.play(theatre.order(1, 2, policy=policy))
    assert record.verdict == (SetOutcome.SECOND_WINS, 0, 0, False)
    assert record.halves[1].ending.kind is EndingKind.STOPPED
    verify(record, SEED)
    ending = record.halves[0].ending
    assert ending.seat == 0
    return ending.kind, ending.sentence


async def test_a_bot_that_exits_at_once_loses_by_a_crash(theatre: Theatre) -> None:
    # A record has nothing of what the process said: that may differ each time.
    assert await lost(theatre, "echo no such table >&2; exit 3") == (
        EndingKind.CRASH,
        "ann: the bot's process exited with status 3",
    )


async def test_a_bot_that_never_says_hello_loses_on_time(theatre: Theatre) -> None:
    kind, sentence = await lost(theatre, "echo hm >&2; exec sleep 100", HASTY)
    assert kind is EndingKind.TIMEOUT
    assert sentence == "ann did not dial in within 0.5 s of its start"


async def test_all_sets_that_wait_for_it_are_lost_on_time(theatre: Theatre) -> None:
    theatre.host_command(1, "ann", "exec sleep 100")
    theatre.host(2, "bob")
    theatre.host(3, "carl")
    orders = [theatre.order(1, other, policy=HASTY) for other in (2, 3)]
    records = await asyncio.gather(*map(theatre.play, orders))
    assert [kinds(record)[0] for record in records] == [EndingKind.TIMEOUT] * 2


async def test_a_program_that_is_not_there_loses_by_a_crash(theatre: Theatre) -> None:
    assert await lost(theatre, "exec /no/such/bot") == (
        EndingKind.CRASH,
        "ann: the bot's process exited with status 127",
    )


async def test_when_neither_comes_it_is_a_draw_whoever_was_quicker(theatre: Theatre) -> None:
    theatre.host_command(1, "ann", "sleep 0.05; exit 1")
    theatre.host_command(2, "bob", "exit 1")
    played = await theatre.arena.executor.play(theatre.order(1, 2))
    assert played.record.verdict.outcome is SetOutcome.DRAW
    assert kinds(played.record) == [EndingKind.CRASH] * 2
    assert [incident.entrant for incident in played.incidents] == [0, 1]


async def test_a_stop_of_the_server_is_not_the_bots_time_to_dial_in(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    theatre.host_command(1, "ann", f"sleep 0.3; {theatre.line('ann')}")
    theatre.host(2, "bob")
    pulse = theatre.arena.pulse
    begun = pulse.clock.now()
    # As if the server had been late by all that has passed so far.
    monkeypatch.setattr(pulse, "lag", lambda now: max(0, now - begun))
    policy = Policy(time=TimeControl(startup_ms=50))
    assert kinds(await theatre.play(theatre.order(1, 2, policy=policy))) == COMPLETED


async def test_require_tells_whether_a_bot_comes_up(two: Theatre) -> None:
    await two.arena.executor.require(VersionId(1), Policy())
    await until(lambda: len(two.of("ann")) == 4)
    two.host_command(3, "carl", "echo oops >&2; exit 1")
    with pytest.raises(BotFailed, match=r"^carl: the bot's process exited with status 1: oops$"):
        await two.arena.executor.require(VersionId(3), Policy())


async def test_a_remote_bot_that_does_not_come_in_time_loses(
    two: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "ABSENT_SECONDS", 0.01)
    record = await two.play(two.order(1, 7))
    assert record.verdict.outcome is SetOutcome.FIRST_WINS
    assert kinds(record) == [EndingKind.DISCONNECT, EndingKind.STOPPED]
    assert record.halves[0].ending == (EndingKind.DISCONNECT, 1, "the bot did not come")


async def test_a_remote_bot_is_waited_for_once_and_then_has_its_start_up_budget(
    two: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "ABSENT_SECONDS", 0.01)
    await two.play(two.order(1, 7))
    monkeypatch.setattr(executor, "ABSENT_SECONDS", 1000.0)
    record = await two.play(two.order(1, 7, 2, policy=HASTY))
    assert kinds(record) == [EndingKind.DISCONNECT, EndingKind.STOPPED]


async def test_nobody_waits_for_a_bot_whose_token_is_revoked(two: Theatre) -> None:
    playing = asyncio.create_task(two.play(two.order(1, 7)))
    await until(lambda: len(two.of("ann")) == 4)
    two.arena.lobby.tokens.renew(None, Admission(VersionId(7), "gus", "1"))
    two.arena.lobby.revoke(VersionId(7))
    assert kinds(await playing) == [EndingKind.DISCONNECT, EndingKind.STOPPED]


async def test_a_set_is_ready_when_nobody_has_to_be_waited_for(two: Theatre) -> None:
    assert two.arena.executor.ready(two.order(1, 2)), "hosted processes are started"
    assert not two.arena.executor.ready(two.order(1, 7))


async def test_a_set_waits_until_all_sessions_of_a_remote_bot_are_there(theatre: Theatre) -> None:
    theatre.host(2, "bob")
    theatre.arena.lobby.tokens.add(token_hash("remote"), ANN)
    playing = asyncio.create_task(theatre.play(theatre.order(1, 2)))
    clients = []
    for chair in Chair:
        assert not playing.done()
        client = Client(theatre.arena.addresses[0])
        clients.append(client)
        await client.hello("remote", chair=int(chair), tables=2)
    plays = [asyncio.create_task(client.play()) for client in clients]
    assert kinds(await playing) == COMPLETED
    for client in clients:
        await client.hang_up()
    await asyncio.wait(plays)
