"""The manual clock moves when it is told to, and the real one does not go back."""

from __future__ import annotations

import asyncio

from arena.referee.clock import ManualClock, Micros, MonotonicClock


async def sleeper(clock: ManualClock, duration: int, woken: list[tuple[int, int]]) -> None:
    await clock.sleep(Micros(duration))
    woken.append((duration, clock.now()))


async def turns(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_it_stands_still_until_it_is_moved() -> None:
    clock = ManualClock()
    woken: list[tuple[int, int]] = []
    task = asyncio.create_task(sleeper(clock, 1, woken))
    await turns()
    assert (clock.now(), woken) == (0, [])
    await clock.advance(Micros(1))
    assert (clock.now(), woken) == (1, [(1, 1)])
    await task


async def test_each_sleeper_wakes_at_its_own_instant() -> None:
    clock = ManualClock()
    woken: list[tuple[int, int]] = []
    tasks = [asyncio.create_task(sleeper(clock, wait, woken)) for wait in (30, 10, 20, 10, 99)]
    await turns()
    await clock.advance(Micros(50))
    assert woken == [(10, 10), (10, 10), (20, 20), (30, 30)]
    assert clock.now() == 50
    tasks[-1].cancel()
    await asyncio.wait(tasks)


async def test_who_sleeps_again_wakes_in_the_same_advance() -> None:
    clock = ManualClock()
    beats: list[int] = []

    async def beat() -> None:
        while True:
            await clock.sleep(Micros(10))
            beats.append(clock.now())

    task = asyncio.create_task(beat())
    await turns()
    await clock.advance(Micros(35))
    assert beats == [10, 20, 30]
    task.cancel()
    await asyncio.wait([task])


async def test_a_cancelled_sleeper_does_not_disturb() -> None:
    clock = ManualClock()
    woken: list[tuple[int, int]] = []
    gone = asyncio.create_task(sleeper(clock, 10, woken))
    await turns()
    gone.cancel()
    await asyncio.wait([gone])
    await clock.advance(Micros(20))
    assert (clock.now(), woken) == (20, [])


async def test_the_real_clock_counts_microseconds_forwards() -> None:
    clock = MonotonicClock()
    before = clock.now()
    await clock.sleep(Micros(2000))
    assert 2000 <= clock.now() - before < 10_000_000
