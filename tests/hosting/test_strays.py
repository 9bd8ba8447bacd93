"""Processes that left their group: ended with the block, or with the bot whose token they carry."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.hosting.command import BotCommand
from arena.hosting.fleet import Assignment, Fleet
from arena.hosting.runner import Job, ProcessRunner
from arena.hosting.strays import Sweeper, _children, end_strays_of, ending_strays
from tests.hosting.bots import command, is_running, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")

LEAVE = "setsid sh -c 'echo $$ >{file}; exec sleep 100' </dev/null >/dev/null 2>&1 &"
"""A line of sh that starts a process outside its group and writes its number into a file."""


def stray(file: Path, token: str = "") -> int:
    """Have a program leave a process behind; the number of that."""
    line = f"{LEAVE.format(file=file)} while ! test -s {file}; do :; done"
    subprocess.run(["/bin/sh", "-c", line], check=True, env={"ARENA_TOKEN": token})
    return int(file.read_text())


def is_known(pid: int) -> bool:
    """Whether the system still has it, be it as a zombie."""
    return Path(f"/proc/{pid}").exists()


@pytest.fixture
def bystander() -> Iterator[int]:
    """A child that this process had before."""
    with subprocess.Popen(["/bin/sleep", "100"]) as process:
        yield process.pid
        process.kill()


def test_what_was_left_behind_ends_with_the_block_and_nobody_else(
    tmp_path: Path, bystander: int
) -> None:
    with ending_strays():
        left = stray(tmp_path / "left")
        assert is_running(left)
    assert not is_known(left)
    assert is_running(bystander)


def test_outside_the_block_nobody_is_adopted(tmp_path: Path, bystander: int) -> None:
    with ending_strays(), ending_strays():
        pass
    left = stray(tmp_path / "left")
    end_strays_of("")
    assert is_running(left)
    assert left not in {child.pid for child in _children()}
    os.kill(left, signal.SIGTERM)


def test_a_token_ends_those_that_carry_it_alone(tmp_path: Path, bystander: int) -> None:
    with ending_strays():
        one, other = (stray(tmp_path / token, token) for token in ("a1", "a2"))
        end_strays_of("a1")
        assert (is_running(one), is_running(other)) == (False, True)
    assert not is_running(other)
    assert is_running(bystander)


async def test_those_that_end_by_themselves_are_reaped_at_the_second_look(
    tmp_path: Path, bystander: int
) -> None:
    with ending_strays():
        left = stray(tmp_path / "left")
        os.kill(left, signal.SIGTERM)
        await until(lambda: not is_running(left))
        sweeper = Sweeper()
        sweeper.sweep()
        assert is_known(left)
        sweeper.sweep()
        assert not is_known(left)


async def test_with_a_bot_ends_what_it_left_outside_its_group(tmp_path: Path) -> None:
    places = iter(["t1", "t2"])
    ended: list[str] = []

    async def assign(bot: BotCommand, place: str) -> Assignment:
        job = Job(bot.argv, place, {"ARENA_TOKEN": next(places)})
        return Assignment(ProcessRunner(), job, lambda: None)

    fleet: Fleet[str] = Fleet(assign, lambda place, _: ended.append(place), print)
    files = [tmp_path / "one", tmp_path / "two"]
    with ending_strays():
        await fleet.ensure(command(f"{LEAVE.format(file=files[0])} exec sleep 100"), "a")
        await fleet.ensure(command(f"{LEAVE.format(file=files[1])} exec sleep 100"), "b")
        await until(lambda: all(file.exists() and file.read_text() for file in files))
        one, two = (int(file.read_text()) for file in files)
        await fleet.restart(["a"])
        await until(lambda: not is_running(one))
        assert is_running(two)
        await fleet.stop()
        assert not is_running(two)
