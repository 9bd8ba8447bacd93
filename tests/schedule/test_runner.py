"""The runner: so many sets at once, taken lazily, each kept before the next begins."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from arena.ids import VersionId
from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault
from arena.referee.sets import SetPlan, lost_unplayed
from arena.rules import CLASSIC
from arena.rules.record import EndingKind, Entrant
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.runner import MOST_PUT_OFF, run_orders


def order(number: int) -> SetOrder:
    entrants = (Entrant("ann", "1"), Entrant("bob", "1"))
    plan = SetPlan(f"r1:1-2:{number}", CLASSIC, Policy(), entrants, bytes(32))
    return SetOrder(plan, (VersionId(1), VersionId(2)))


class Hall:
    """Plays sets when the test says so, and keeps a diary."""

    def __init__(self) -> None:
        self.diary: list[str] = []
        self.playing: dict[str, asyncio.Future[None]] = {}
        self.taken = 0
        self.absent: set[str] = set()

    def ready(self, order: SetOrder) -> bool:
        return order.plan.set_id[-1] not in self.absent

    def orders(self, count: int) -> Iterator[SetOrder]:
        for number in range(1, count + 1):
            self.taken = number
            yield order(number)

    async def play(self, order: SetOrder) -> PlayedSet:
        key = order.plan.set_id[-1]
        self.diary.append(f"play {key}")
        self.playing[key] = asyncio.get_running_loop().create_future()
        try:
            await self.playing[key]
        finally:
            del self.playing[key]
        return PlayedSet(lost_unplayed(order.plan, 0, EndingKind.CRASH, ""))

    async def keep(self, order: SetOrder, played: PlayedSet) -> None:
        await asyncio.sleep(0)
        assert played.record.set_id == order.plan.set_id
        self.diary.append(f"keep {order.plan.set_id[-1]}")

    async def finish(self, key: str) -> None:
        self.playing[key].set_result(None)
        await settle()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def hall() -> Hall:
    return Hall()


async def begun(
    hall: Hall, count: int, *, at_once: int, draining: asyncio.Event | None = None
) -> asyncio.Task[None]:
    run = run_orders(hall.orders(count), hall, hall.keep, sets_at_once=at_once, draining=draining)
    task = asyncio.create_task(run)
    await settle()
    return task


async def test_one_at_a_time_each_is_kept_before_the_next_begins(hall: Hall) -> None:
    task = await begun(hall, 3, at_once=1)
    for key in "123":
        await hall.finish(key)
    await task
    assert hall.diary == ["play 1", "keep 1", "play 2", "keep 2", "play 3", "keep 3"]


async def test_several_at_once_and_no_order_is_taken_before_its_time(hall: Hall) -> None:
    task = await begun(hall, 5, at_once=2)
    assert sorted(hall.playing) == ["1", "2"]
    assert hall.taken == 2
    await hall.finish("2")
    assert sorted(hall.playing) == ["1", "3"]
    await hall.finish("1")
    await hall.finish("4")
    await hall.finish("3")
    await hall.finish("5")
    await task
    assert sorted(hall.diary) == sorted(
        f"{word} {key}" for word in ("play", "keep") for key in "12345"
    )


async def test_more_at_once_than_there_are_orders(hall: Hall) -> None:
    task = await begun(hall, 2, at_once=10)
    await hall.finish("1")
    await hall.finish("2")
    await task
    assert hall.diary[-1] == "keep 2"


async def test_no_orders_are_done_at_once(hall: Hall) -> None:
    await run_orders(iter(()), hall, hall.keep, sets_at_once=3)
    assert hall.diary == []


async def test_once_draining_nothing_new_begins_and_what_runs_is_kept(hall: Hall) -> None:
    draining = asyncio.Event()
    task = await begun(hall, 5, at_once=2, draining=draining)
    draining.set()
    await hall.finish("2")
    assert not task.done()
    await hall.finish("1")
    await task
    assert hall.diary == ["play 1", "play 2", "keep 2", "keep 1"]


async def test_an_error_ends_all_and_what_is_kept_stays_kept(hall: Hall) -> None:
    task = await begun(hall, 5, at_once=2)
    await hall.finish("1")
    hall.playing["2"].set_exception(ArenaFault("no memory"))
    with pytest.raises(ExceptionGroup) as failed:
        await task
    assert failed.group_contains(ArenaFault, match="no memory")
    assert hall.diary == ["play 1", "play 2", "keep 1", "play 3"]
    assert hall.playing == {}


async def test_cancelling_it_cancels_what_runs(hall: Hall) -> None:
    task = await begun(hall, 5, at_once=2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert hall.playing == {}


async def test_what_waits_for_absent_bots_is_put_off_and_comes_first_once_they_are_there(
    hall: Hall,
) -> None:
    hall.absent = {"1", "2", "3"}
    task = await begun(hall, 6, at_once=1)
    await hall.finish("4")
    hall.absent = {"1", "3"}
    await hall.finish("5")
    assert hall.diary == ["play 4", "keep 4", "play 5", "keep 5", "play 2"]
    await hall.finish("2")
    await hall.finish("6")
    # Nothing else is left: who plays them waits for the bots.
    await hall.finish("1")
    await hall.finish("3")
    await task
    assert hall.diary[5:] == ["keep 2", "play 6", "keep 6", "play 1", "keep 1", "play 3", "keep 3"]


async def test_no_more_than_so_many_are_put_off(hall: Hall) -> None:
    hall.absent = set("0123456789")
    task = await begun(hall, 9 * MOST_PUT_OFF, at_once=1)
    assert hall.taken == MOST_PUT_OFF
    assert hall.diary == ["play 1"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_none_at_once_is_our_mistake(hall: Hall) -> None:
    with pytest.raises(AssertionError, match="at least one"):
        await run_orders(iter(()), hall, hall.keep, sets_at_once=0)
