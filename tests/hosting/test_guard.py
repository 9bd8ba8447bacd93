"""The guard: ends the groups that are left when its pipe ends, and no other program."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from arena.hosting import orphans
from arena.hosting.guard import Guard
from tests.hosting.bots import group_members, until, until_ended


@pytest.fixture
def groups() -> Iterator[list[int]]:
    """Three groups of processes: a shell and what it has started."""
    with ExitStack() as stack:
        started = []
        for _ in range(3):
            words = ["/bin/sh", "-c", "trap '' TERM HUP; sleep 100 & sleep 100"]
            process = stack.enter_context(subprocess.Popen(words, start_new_session=True))
            stack.callback(process.kill)
            started.append(process.pid)
        yield started
        for group in started:
            orphans.kill(group)


async def test_what_is_left_at_the_end_is_ended_with_all_it_has_started(groups: list[int]) -> None:
    for group in groups:
        await until(lambda group=group: len(group_members(group)) == 3)  # type: ignore[misc]
    guard = Guard()
    for group in groups:
        guard.watch(group)
    guard.release(groups[1])
    guard.close()
    await until_ended(groups[0], groups[2])
    assert len(group_members(groups[1])) == 3
    guard.close()


async def test_a_guard_that_is_gone_does_not_disturb(groups: list[int]) -> None:
    guard = Guard()
    guard.watch(groups[0])
    process = guard._process
    assert process is not None
    process.kill()
    process.wait()
    guard.watch(groups[1])
    guard.release(groups[1])
    guard.close()
    assert len(group_members(groups[0])) >= 1


@pytest.mark.parametrize(
    ("at_the_end", "ended"),
    [("7", True), ("", True), ("8", False)],
    ids=["the leader is there", "only its children are", "the number is another program's"],
)
def test_a_group_is_ended_only_if_it_is_still_the_same(
    monkeypatch: pytest.MonkeyPatch, at_the_end: str, ended: bool
) -> None:
    births = iter(["7", at_the_end])
    killed: list[int] = []
    monkeypatch.setattr(orphans, "birth", lambda _: next(births))
    monkeypatch.setattr(orphans, "kill", killed.append)
    monkeypatch.setattr("sys.stdin", io.StringIO("+12\n"))
    orphans.main()
    assert killed == ([12] if ended else [])


def test_a_birth_is_what_tells_two_processes_of_one_number_apart() -> None:
    assert orphans.birth(os.getpid()) == orphans.birth(os.getpid()) != ""
    assert int(orphans.birth(os.getpid())) >= int(orphans.birth(os.getppid()))
    assert orphans.birth(2**22 + 1) == ""
