"""Programs that are real processes, and how each of them ends."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.bridge import child as module
from arena.bridge.child import Child
from tests.bridge.programs import script

WAIT_SECONDS = 20.0


class Listener:
    """What a program says and what becomes of it."""

    def __init__(self, child: Child) -> None:
        self.lines: asyncio.Queue[str] = asyncio.Queue()
        self.ends: list[str] = []
        self.end = asyncio.Event()
        child.hear = self._hear
        child.lost = self._lost

    def _hear(self, lines: list[bytes]) -> None:
        for line in lines:
            self.lines.put_nowait(line.decode())

    def _lost(self, sentence: str) -> None:
        self.ends.append(sentence)
        self.end.set()

    async def line(self) -> str:
        return await asyncio.wait_for(self.lines.get(), WAIT_SECONDS)

    async def ending(self) -> str:
        """The sentence about its end."""
        await asyncio.wait_for(self.end.wait(), WAIT_SECONDS)
        return self.ends[0]


@asynccontextmanager
async def running(folder: Path, lines: str) -> AsyncIterator[tuple[Child, Listener]]:
    """A script that runs, ended at the end."""
    child = Child([script(folder, lines)], name="child")
    listener = Listener(child)
    await child.start({"PATH": os.environ["PATH"]})
    try:
        yield child, listener
    finally:
        await child.end()
    assert len(listener.ends) <= 1


def exists(pid: int) -> bool:
    """Whether a process is there and no zombie, whose parent may be anybody."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


async def test_lines_go_in_and_come_out(tmp_path: Path) -> None:
    async with running(tmp_path, "cat") as (child, listener):
        child.write("one\ntwo\nthr")
        assert [await listener.line(), await listener.line()] == ["one", "two"]
        child.write("ee\n")
        assert await listener.line() == "three"
    assert listener.ends == []


async def test_at_the_end_its_input_is_closed_and_it_may_finish(tmp_path: Path) -> None:
    async with running(tmp_path, f"cat >/dev/null; echo done >{tmp_path}/last"):
        pass
    assert (tmp_path / "last").read_text() == "done\n"


async def test_one_that_does_not_end_is_asked_and_then_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.05)
    lines = f"""
    trap 'echo asked >{tmp_path}/asked' TERM
    echo ready
    while :; do tail -f /dev/null; done
    """
    async with running(tmp_path, lines) as (child, listener):
        assert await listener.line() == "ready"
        pid = child._transport.get_pid()
        monkeypatch.setattr(module, "GRACE_SECONDS", 0.5)
    assert (tmp_path / "asked").read_text() == "asked\n"
    assert not exists(pid)


async def test_what_it_has_started_is_ended_with_it(tmp_path: Path) -> None:
    async with running(tmp_path, "tail -f /dev/null & echo $!; wait; cat") as (_, listener):
        started = int(await listener.line())
        assert exists(started)
    # Killed with the group; who reaps it is not ours.
    while exists(started):
        os.sched_yield()


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("exit 3", "child exited with status 3 before the arena said goodbye"),
        ("exit 0", "child exited with status 0 before the arena said goodbye"),
        ("kill -9 $$", "child was ended by signal 9 before the arena said goodbye"),
        (
            "exec >&-; cat >/dev/null",
            "child closed its standard output, which it needs until the goodbye",
        ),
        (
            "exec <&-; tail -f /dev/null",
            "child closed its standard input, which it needs until the goodbye",
        ),
    ],
)
async def test_an_early_end_is_told(
    tmp_path: Path, lines: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.1)
    async with running(tmp_path, lines) as (_, listener):
        assert await listener.ending() == sentence


async def test_its_last_lines_are_heard_before_its_end(tmp_path: Path) -> None:
    async with running(tmp_path, "echo last; exit 1") as (_, listener):
        assert await listener.line() == "last"
        await listener.ending()


async def test_an_end_is_told_though_what_it_has_started_holds_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SETTLE_SECONDS", 0.1)
    async with running(tmp_path, "tail -f /dev/null & exit 4") as (_, listener):
        assert "exited with status 4" in await listener.ending()


@pytest.mark.parametrize("end", [":", "echo"], ids=["without an end", "with an end"])
async def test_a_line_of_5_mb_is_not_kept(tmp_path: Path, end: str) -> None:
    lines = f"head -c 5000000 /dev/zero | tr '\\0' x; {end}; cat"
    async with running(tmp_path, lines) as (child, listener):
        assert await listener.ending() == "child wrote a line of more than 256 KiB"
        assert len(child._partial) < 2 * module.MAX_LINE_BYTES
    assert listener.lines.empty()


async def test_a_long_line_in_pieces_is_one(tmp_path: Path) -> None:
    async with running(tmp_path, "head -c 200000 /dev/zero | tr '\\0' x; echo; cat") as (_, told):
        assert await told.line() == "x" * 200_000


async def test_one_that_never_reads_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.1)
    monkeypatch.setattr(module, "MAX_BACKLOG_BYTES", 1024**2)
    async with running(tmp_path, "tail -f /dev/null") as (child, listener):
        for _ in range(20):
            child.write("x" * 65_535 + "\n")
        sentence = await listener.ending()
        assert sentence == "child does not read: 1 MiB wait at its standard input"
        child.write("not any more")


async def test_nothing_is_written_to_one_that_reads_no_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.1)
    async with running(tmp_path, "exec <&-; tail -f /dev/null") as (child, listener):
        await listener.ending()
        for _ in range(10):
            child.write("x\n")
    assert caplog.records == []


async def test_what_it_says_after_the_end_is_not_heard(tmp_path: Path) -> None:
    async with running(tmp_path, "cat >/dev/null; echo late") as (_, listener):
        pass
    assert (listener.lines.empty(), listener.ends) == (True, [])


async def test_one_that_cannot_be_started(tmp_path: Path) -> None:
    child = Child([str(tmp_path / "nothing")], name="child")
    with pytest.raises(FileNotFoundError):
        await child.start({})


async def test_what_was_never_read_is_let_go(tmp_path: Path) -> None:
    """Even where something that the program left holds its standard input."""
    async with running(tmp_path, "exec 3<&0; setsid sleep 1000 & echo $!; exec sleep 1000") as (
        child,
        listener,
    ):
        stray = int(await listener.line())
        child.write("x" * 1_000_000)
        pipe = child._transport.get_pipe_transport(0)
        assert pipe is not None
        file = pipe.get_extra_info("pipe")
    os.kill(stray, signal.SIGKILL)
    assert file.closed
