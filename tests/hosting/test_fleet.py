"""The fleet: one process a place, started anew so and so often, none left behind."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import AsyncIterator

import pytest

from arena.hosting.command import BotCommand
from arena.hosting.fleet import MAX_RESTARTS, Assignment, BotFailed, Fleet, FleetStopped
from arena.hosting.process import BotProcess
from arena.hosting.runner import Job, ProcessRunner
from arena.referee.seat import ArenaFault
from tests.hosting.bots import FOREVER, command, until, until_ended


class Harbour:
    """A fleet, and what it told."""

    def __init__(self) -> None:
        self.gone: list[tuple[str, str]] = []
        self.withdrawn: list[tuple[str, str]] = []
        self.starts: list[str] = []
        self.released: list[str] = []
        self.fleet: Fleet[str] = Fleet(
            self._assign,
            lambda place, sentence: self.gone.append((place, sentence)),
            lambda place, sentence: self.withdrawn.append((place, sentence)),
        )

    async def _assign(self, bot: BotCommand, place: str) -> Assignment:
        self.starts.append(place)
        start = f"{place}{len(self.starts)}"
        job = Job(bot.argv, start, {"PLACE": start})
        return Assignment(ProcessRunner(), job, lambda: self.released.append(start))

    def running(self, place: str) -> BotProcess:
        process = self.fleet.process(place)
        assert process is not None
        assert process.running
        return process

    async def crash(self, bot: BotCommand, place: str) -> None:
        """Start a bot that ends by itself and wait for that."""
        before = len(self.gone)
        await self.fleet.ensure(bot, place)
        await until(lambda: len(self.gone) > before)


@pytest.fixture
async def harbour() -> AsyncIterator[Harbour]:
    harbour = Harbour()
    yield harbour
    await harbour.fleet.stop()


async def test_a_process_is_started_once_for_a_place(harbour: Harbour) -> None:
    bot = command(FOREVER)
    await asyncio.gather(*(harbour.fleet.ensure(bot, "a") for _ in range(5)))
    first = harbour.running("a")
    await harbour.fleet.ensure(bot, "b")
    assert harbour.starts == ["a", "b"]
    assert harbour.running("b") is not first
    assert harbour.fleet.process("c") is None


async def test_each_start_gets_its_own_variables(harbour: Harbour) -> None:
    bot = command("echo $PLACE")
    for number in (1, 2):
        await harbour.crash(bot, "a")
        process = harbour.fleet.process("a")
        assert process is not None
        assert process.stdout.text() == f"a{number}"


async def test_one_that_ends_by_itself_is_told_and_started_again_three_times(
    harbour: Harbour,
) -> None:
    bot = command("echo oops >&2; exit 7", name="ann")
    for _ in range(1 + MAX_RESTARTS):
        await harbour.crash(bot, "a")
    assert harbour.gone == [("a", "the bot's process exited with status 7")] * 4
    with pytest.raises(BotFailed) as failed:
        await harbour.fleet.ensure(bot, "a")
    assert str(failed.value) == "ann has ended 4 times: the bot's process exited with status 7"
    assert harbour.fleet.last_words == {"a": "oops"}
    assert len(harbour.starts) == 4
    assert harbour.released == ["a1", "a2", "a3", "a4"]
    # Its other places have their own count.
    await harbour.crash(bot, "b")


async def test_a_place_that_is_vacated_is_forgotten(harbour: Harbour) -> None:
    await harbour.fleet.ensure(command(FOREVER), "a")
    await harbour.crash(command("echo oops >&2"), "b")
    process = harbour.running("a")
    await harbour.fleet.vacate(["a", "b", "c"])
    assert not process.running
    assert [place for place, _ in harbour.withdrawn] == ["a"]
    assert [harbour.fleet.process(place) for place in "ab"] == [None, None]
    assert not harbour.fleet.last_words


async def test_one_that_cannot_be_started_has_failed(harbour: Harbour) -> None:
    bot = BotCommand("ann", ("/no/such/program",), "")
    with pytest.raises(BotFailed, match=r"^ann cannot be started: .*No such file"):
        await harbour.fleet.ensure(bot, "a")
    for _ in range(MAX_RESTARTS):
        with pytest.raises(BotFailed, match="cannot be started"):
            await harbour.fleet.ensure(bot, "a")
    with pytest.raises(BotFailed, match=r"^ann has ended 4 times$"):
        await harbour.fleet.ensure(bot, "a")
    assert harbour.released == ["a1", "a2", "a3", "a4"]


async def test_a_restart_of_ours_is_no_crash_and_counts_as_none(harbour: Harbour) -> None:
    bot = command(FOREVER)
    for _ in range(2 * MAX_RESTARTS):
        await harbour.fleet.ensure(bot, "a")
        await harbour.fleet.ensure(bot, "b")
        kept = harbour.running("b")
        await harbour.fleet.restart(["a", "nowhere"])
        assert harbour.running("b") is kept
    assert harbour.gone == []
    assert {place for place, _ in harbour.withdrawn} == {"a"}
    assert len(harbour.withdrawn) == 2 * MAX_RESTARTS


async def test_a_crash_is_not_forgotten_by_a_restart_of_ours(harbour: Harbour) -> None:
    bot = command("exit 1")
    for _ in range(1 + MAX_RESTARTS):
        await harbour.crash(bot, "a")
        await harbour.fleet.restart(["a"])
    with pytest.raises(BotFailed):
        await harbour.fleet.ensure(bot, "a")


async def test_only_the_process_that_was_meant_is_retired(harbour: Harbour) -> None:
    bot = command(FOREVER)
    await harbour.fleet.ensure(bot, "a")
    old = harbour.running("a")
    await harbour.fleet.retire({"a": old, "b": None})
    await harbour.fleet.ensure(bot, "a")
    new = harbour.running("a")
    await harbour.fleet.retire({"a": old})
    assert harbour.running("a") is new


async def test_nothing_is_left_running_after_the_end(harbour: Harbour) -> None:
    bot = command("sleep 100 & sleep 100 & wait")
    for place in "abc":
        await harbour.fleet.ensure(bot, place)
    groups = [harbour.running(place).pid for place in "abc"]
    await harbour.fleet.stop()
    await until_ended(*groups)
    assert harbour.gone == []


async def test_one_that_is_just_being_started_ends_too(harbour: Harbour) -> None:
    starting = asyncio.create_task(harbour.fleet.ensure(command(FOREVER), "a"))
    await asyncio.sleep(0)
    await harbour.fleet.stop()
    await asyncio.wait([starting])
    process = harbour.fleet.process("a")
    assert process is None or not process.running
    assert len(harbour.starts) == 1


async def test_after_the_end_none_is_started(harbour: Harbour) -> None:
    await harbour.fleet.stop()
    with pytest.raises(FleetStopped):
        await harbour.fleet.ensure(command(FOREVER), "a")
    assert harbour.starts == []


async def test_one_that_was_dismissed_counts_as_ended_and_the_next_waits_for_its_end(
    harbour: Harbour,
) -> None:
    bot = command("exec sleep 100", name="ann")
    await harbour.fleet.ensure(bot, "a")
    first = harbour.fleet.process("a")
    assert first is not None
    harbour.fleet.dismiss("a")
    harbour.fleet.dismiss("nobody there")
    await asyncio.sleep(0)
    await harbour.fleet.ensure(bot, "a")
    assert not first.running
    second = harbour.fleet.process("a")
    assert second is not None and second is not first
    assert harbour.gone == [("a", "the bot's process ended by signal 15")]
    assert len(harbour.starts) == 2


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN])
async def test_that_the_machine_has_no_room_is_no_fault_of_a_bot(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    async def short(*_: object, **__: object) -> BotProcess:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(BotProcess, "start", short)
        for _ in range(MAX_RESTARTS + 2):
            with pytest.raises(ArenaFault, match=r"^no process can be started for bot: "):
                await harbour.fleet.ensure(command(FOREVER), "a")
    await harbour.fleet.ensure(command(FOREVER), "a")
    harbour.running("a")


async def test_what_was_forgiven_is_counted_from_nothing_again(harbour: Harbour) -> None:
    bot = command("exit 7", name="ann")
    for _ in range(1 + MAX_RESTARTS):
        await harbour.crash(bot, "a")
    harbour.fleet.forgive(["a", "nobody there"])
    for _ in range(1 + MAX_RESTARTS):
        await harbour.crash(bot, "a")
    with pytest.raises(BotFailed):
        await harbour.fleet.ensure(bot, "a")
