"""Sets that a failure of ours broke off: replayed whole, nobody's fault, at last given up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from arena.referee.seat import ArenaFault
from arena.referee.sets import SetPlan, deals_of
from arena.rules import Card
from arena.rules.record import Faults
from arena.rules.verify import verify
from arena.server import executor
from arena.v1 import referee_pb2
from arena.wire.records import record_json
from tests.hosting.bots import until_ended
from tests.referee.games import SEED
from tests.server.puppets import COMPLETED, Puppet, Theatre, first, kinds


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
