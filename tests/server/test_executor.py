"""Sets played by hosted bots: who is started when, and what becomes of those that fail."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

from arena.hosting.fleet import BotFailed
from arena.ids import VersionId
from arena.referee import table
from arena.referee.policy import Policy, TimeControl
from arena.referee.seat import ArenaFault, FaultKind
from arena.referee.sets import SetPlan, deals_of
from arena.rules import Card
from arena.rules.record import EndingKind, Faults, GameRecord, SetOutcome, SetRecord
from arena.rules.verify import verify
from arena.server import executor
from arena.server.admission import Admission, Chair, Lane, Place, token_hash
from arena.v1 import referee_pb2
from arena.wire.records import record_json
from tests.hosting.bots import group_members, until, until_ended
from tests.referee.games import SEED
from tests.server.client import Client
from tests.server.hall import ANN
from tests.server.puppets import Puppet, Theatre, first, open_theatre

HASTY = Policy(time=TimeControl(startup_ms=500))


@pytest.fixture
async def theatre() -> AsyncIterator[Theatre]:
    async with open_theatre() as theatre:
        yield theatre


@pytest.fixture
async def two(theatre: Theatre) -> Theatre:
    """A theatre with two bots that play the first legal action."""
    theatre.host(1, "ann")
    theatre.host(2, "bob")
    return theatre


def kinds(record: SetRecord) -> list[EndingKind]:
    return [half.ending.kind for half in record.halves]


COMPLETED = [EndingKind.COMPLETED] * 2


async def test_two_bots_play_a_set(two: Theatre) -> None:
    record = await two.play(two.order(1, 2))
    assert kinds(record) == COMPLETED
    assert [entrant.name for entrant in record.entrants] == ["ann", "bob"]
    verify(record, SEED)


async def test_a_bot_has_one_process_for_each_chair_and_lane_and_keeps_it(two: Theatre) -> None:
    for number in (1, 2):
        await two.play(two.order(1, 2, number))
    for name in ("ann", "bob"):
        assert sorted(puppet.place for puppet in two.of(name)) == [(1, 1), (1, 2), (2, 1), (2, 2)]
        assert len({puppet.pid for puppet in two.of(name)}) == 4


async def test_each_process_sees_one_half_and_one_seat_of_its_side(two: Theatre) -> None:
    await two.play(two.order(1, 2))
    seats = {
        (puppet.name, puppet.place): {decision.seat for decision in puppet.played}
        for puppet in two.puppets
    }
    # In half B (lane 2) everybody sits one seat on; the chair stays.
    assert seats == {
        ("ann", (1, 1)): {0},
        ("ann", (2, 1)): {2},
        ("bob", (1, 1)): {1},
        ("bob", (2, 1)): {3},
        ("ann", (1, 2)): {1},
        ("ann", (2, 2)): {3},
        ("bob", (1, 2)): {2},
        ("bob", (2, 2)): {0},
    }


async def test_nothing_is_left_running_after_the_arena_closes() -> None:
    async with open_theatre() as theatre:
        theatre.host(1, "ann")
        theatre.host(2, "bob")
        await theatre.play(theatre.order(1, 2))
        groups = [puppet.pid for puppet in theatre.puppets]
        assert all(group_members(group) for group in groups)
    await until_ended(*groups)


# A process for each game.


def games(puppet: Puppet) -> int:
    """How many games a process has begun."""
    return sum(item.HasField("game_start") for item in puppet.client.items)


async def test_where_each_game_has_new_processes_none_meets_a_second_game(two: Theatre) -> None:
    orders = [two.order(1, 2, number, fresh=True) for number in (1, 2)]
    for record in await asyncio.gather(*map(two.play, orders)):
        assert kinds(record) == COMPLETED
    await two.play(two.order(1, 2, 3, fresh=True))
    assert [games(puppet) for puppet in two.puppets] == [1] * 24
    assert Counter(puppet.place for puppet in two.of("ann")) == dict.fromkeys(
        [(1, 1), (1, 2), (2, 1), (2, 2)], 3
    )
    await until_ended(*(puppet.pid for puppet in two.puppets))


async def test_they_leave_those_alone_that_play_one_set_after_the_other(two: Theatre) -> None:
    await two.play(two.order(1, 2, 1))
    await asyncio.gather(two.play(two.order(1, 2, 2)), two.play(two.order(1, 2, 3, fresh=True)))
    await two.play(two.order(1, 2, 4))
    assert Counter(games(puppet) for puppet in two.puppets) == {3: 8, 1: 8}
    lasting = [puppet for puppet in two.puppets if games(puppet) == 3]
    assert all(group_members(puppet.pid) for puppet in lasting)


async def test_a_remote_bot_plays_on_where_hosted_ones_have_new_processes(
    theatre: Theatre,
) -> None:
    theatre.host(2, "bob")
    theatre.arena.lobby.tokens.add(token_hash("remote"), ANN)
    clients = [Client(theatre.arena.addresses[0]) for _ in Chair]
    for client, chair in zip(clients, Chair, strict=True):
        await client.hello("remote", chair=int(chair), tables=2)
    plays = [asyncio.create_task(client.play()) for client in clients]
    for number in (1, 2):
        record = await theatre.play(theatre.order(1, 2, number, fresh=True))
        assert kinds(record) == COMPLETED
    assert [games(puppet) for puppet in theatre.of("bob")] == [1] * 8
    for client in clients:
        await client.hang_up()
    await asyncio.wait(plays)


# Tables.


class Counting(table.Table):
    """Counts the tables at which is played."""

    now = 0
    most = 0

    async def play(self) -> GameRecord:
        Counting.now += 1
        Counting.most = max(Counting.most, Counting.now)
        try:
            return await super().play()
        finally:
            Counting.now -= 1


@pytest.mark.parametrize(("tables", "most"), [(1, 1), (3, 3), (100, 8)])
async def test_no_more_tables_than_wanted_are_played_at_once(
    monkeypatch: pytest.MonkeyPatch, tables: int, most: int
) -> None:
    monkeypatch.setattr(executor, "Table", Counting)
    Counting.most = 0
    async with open_theatre(tables=tables) as theatre:
        theatre.host(1, "ann")
        theatre.host(2, "bob")
        orders = [theatre.order(1, 2, number) for number in range(1, 5)]
        records = await asyncio.gather(*map(theatre.play, orders))
    assert Counting.most == most
    assert {record.set_id for record in records} == {order.plan.set_id for order in orders}


async def test_a_session_that_takes_one_table_plays_one_after_the_other(two: Theatre) -> None:
    two.tables = 1
    orders = [two.order(1, 2, number) for number in range(1, 4)]
    records = await asyncio.gather(*map(two.play, orders))
    assert [kinds(record) for record in records] == [COMPLETED] * 3
    for puppet in two.puppets:
        open_tables = 0
        for item in puppet.client.items:
            open_tables += item.HasField("game_start") - item.HasField("game_finished")
            assert 0 <= open_tables <= 1


# Bots that do not come.


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


# Bots that crash.


async def crash(puppet: Puppet, _: list[referee_pb2.Decision]) -> None:
    """Its process ends."""
    puppet.kill()


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


# Our own failures.


def fails_once_in_half_b(times: int) -> Callable[..., Callable[[int], Sequence[Sequence[Card]]]]:
    """Deals of which the second of half B cannot be made, that many times."""
    real, left = deals_of, times

    def failing_deals(plan: SetPlan, half: str) -> Callable[[int], Sequence[Sequence[Card]]]:
        deal = real(plan, half)

        def dealt(board: int) -> Sequence[Sequence[Card]]:
            nonlocal left
            if half == "b" and board == 1 and left:
                left -= 1
                raise AssertionError("a card is missing")
            return deal(board)

        return dealt

    return failing_deals


async def test_a_failure_of_ours_is_replayed_whole_by_processes_that_saw_nothing(
    two: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = await two.play(two.order(1, 2))
    seen = len(two.puppets)
    monkeypatch.setattr(executor, "deals_of", fails_once_in_half_b(1))
    record = await two.play(two.order(1, 2))
    assert record_json(record, timing=False) == record_json(expected, timing=False)
    assert (record.faults_of(0), record.faults_of(1)) == (Faults(), Faults())
    verify(record, SEED)
    assert len(two.puppets) == seen + 8
    await until_ended(*(puppet.pid for puppet in two.puppets[:seen]))


async def test_what_else_the_ended_processes_were_playing_is_replayed_too_and_nobodys_fault(
    two: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []

    async def hold(puppet: Puppet, decisions: list[referee_pb2.Decision]) -> None:
        """Never answers at the first table of lane B, so that it is not that one which fails."""
        if puppet.place == (1, 2) and not held:
            held.append(decisions[0].table_id)
        await first(puppet, [due for due in decisions if due.table_id not in held])

    two.host(1, "ann", hold)
    monkeypatch.setattr(executor, "deals_of", fails_once_in_half_b(1))
    orders = [two.order(1, 2, number) for number in (1, 2, 3)]
    records = await asyncio.gather(*map(two.play, orders))
    assert held
    assert [kinds(record) for record in records] == [COMPLETED] * 3
    for record in records:
        assert (record.faults_of(0), record.faults_of(1)) == (Faults(), Faults())
        verify(record, SEED)


async def test_a_set_that_fails_three_times_is_given_up(
    two: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "deals_of", fails_once_in_half_b(99))
    with pytest.raises(ArenaFault, match=r"^set r1:1-2:1 failed 3 times: .*a card is missing"):
        await two.play(two.order(1, 2))


# What bots are told.


async def test_opponents_are_hidden_but_a_bot_is_told_when_they_change(two: Theatre) -> None:
    two.host(3, "carl")
    orders = [two.order(1, 2), two.order(1, 3)]
    await asyncio.gather(*map(two.play, orders))
    for puppet in two.of("ann"):
        starts = [item.match_start for item in puppet.client.items if item.HasField("match_start")]
        assert [start.opponent for start in starts] == ["", ""]
        assert len({start.match_id for start in starts}) == 2


async def test_a_tournament_may_reveal_them(two: Theatre) -> None:
    await two.play(two.order(1, 2, policy=Policy(reveal_names=True)))
    for name, opponent in (("ann", "bob"), ("bob", "ann")):
        for puppet in two.of(name):
            [start] = [i.match_start for i in puppet.client.items if i.HasField("match_start")]
            assert start.opponent == opponent


async def test_a_bots_chance_follows_from_the_seed_the_half_and_the_seat(two: Theatre) -> None:
    async def seeds() -> dict[tuple[str, tuple[int, int]], bytes]:
        for puppet in two.puppets:
            puppet.client.items.clear()
        await two.play(two.order(1, 2))
        return {
            (puppet.name, puppet.place): item.game_start.bot_seed
            for puppet in two.puppets
            for item in puppet.client.items
            if item.HasField("game_start")
        }

    once, again = await seeds(), await seeds()
    assert once == again
    assert len(set(once.values())) == 8
