"""Sets played by hosted bots: their processes, their tables, and what they are told."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from arena.ids import VersionId
from arena.referee import table
from arena.referee.policy import Policy
from arena.rules.record import EndingKind, GameRecord
from arena.rules.verify import verify
from arena.server import executor
from arena.server.admission import Chair, token_hash
from tests.hosting.bots import group_members, until_ended
from tests.referee.games import SEED
from tests.server.client import Client
from tests.server.hall import ANN
from tests.server.puppets import COMPLETED, Puppet, Theatre, kinds, open_theatre


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


async def test_one_that_is_paused_loses_unplayed_and_crashes_no_more(two: Theatre) -> None:
    two.arena.executor.rest(VersionId(1), "ann is paused")
    played = await two.arena.executor.play(two.order(1, 2))
    verify(played.record, SEED)
    assert kinds(played.record) == [EndingKind.DISCONNECT, EndingKind.STOPPED]
    assert played.record.halves[0].ending.sentence == "ann is paused"
    assert played.record.faults_of(0).crash == 0
    assert played.incidents == ()
    assert two.of("ann") == []
    two.arena.executor.wake(VersionId(1))
    assert kinds(await two.play(two.order(1, 2, 2))) == COMPLETED
