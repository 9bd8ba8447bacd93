"""One bot process: what it inherits, that its output cannot block it, that it ends for certain."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting.process import TAIL_BYTES, BotProcess, Tail
from arena.hosting.runner import Job, ProcessRunner
from tests.hosting.bots import FOREVER, is_running, until, until_ended


class Started:
    """Starts bots and ends those that a test leaves behind."""

    def __init__(self) -> None:
        self.exits: list[BotProcess] = []
        self.all: list[BotProcess] = []

    async def __call__(self, line: str, **variables: str) -> BotProcess:
        bot = await BotProcess.start(
            ProcessRunner().launch(Job(("/bin/sh", "-c", line), "test", variables)),
            on_exit=self.exits.append,
        )
        self.all.append(bot)
        return bot


@pytest.fixture
async def start() -> AsyncIterator[Started]:
    started = Started()
    yield started
    for bot in started.all:
        bot.kill()
        await bot.ended()


async def test_its_end_is_told_once_with_status_and_last_words(start: Started) -> None:
    bot = await start("echo one >&2; echo two >&2; echo out; exit 3")
    await bot.ended()
    assert start.exits == [bot]
    assert not bot.running
    assert bot.ending() == "the bot's process exited with status 3"
    assert bot.last_words() == ": two"
    assert bot.stdout.text() == "out"
    assert bot.stderr.text() == "one\ntwo"


async def test_an_end_by_a_signal_is_told_as_such(start: Started) -> None:
    bot = await start("kill -9 $$")
    await bot.ended()
    assert bot.ending() == "the bot's process ended by signal 9"
    assert bot.last_words() == ""


@pytest.mark.parametrize(
    ("said", "stderr"),
    [
        pytest.param("", "too much", id="nothing before"),
        pytest.param("oops", "oops\ntoo much", id="within a line"),
        pytest.param("oops\\n", "oops\ntoo much", id="behind a line"),
    ],
)
async def test_what_contains_it_says_why_it_ended_behind_its_errors_and_nowhere_else(
    said: str, stderr: str
) -> None:
    job = Job(("/bin/sh", "-c", f"printf '{said}' >&2; exit 137"), "test")
    order: list[str] = []

    def cause() -> str:
        order.append("cause")
        return "too much"

    launch = replace(
        ProcessRunner().launch(job),
        cause=cause,
        clear=lambda: order.append("clear"),
    )
    heard = bytearray()
    bot = await BotProcess.start(launch, on_exit=lambda _: None, heard=heard.extend)
    await bot.ended()
    assert order == ["cause", "clear"]
    assert bot.stderr.text() == heard.decode().rstrip() == stderr
    assert bot.ending() == "the bot's process exited with status 137"


async def test_a_flood_on_both_outputs_neither_blocks_it_nor_fills_memory(start: Started) -> None:
    flood = "head -c 3000000 /dev/zero | tr '\\0' "
    bot = await start(f"{flood} x; {flood} y >&2; echo end >&2")
    await bot.ended()
    assert bot.ending() == "the bot's process exited with status 0"
    assert len(bot.stdout.text()) == TAIL_BYTES
    assert bot.stderr.text().endswith("yend")


async def test_one_that_is_read_with_pauses_waits_and_loses_nothing(tmp_path: Path) -> None:
    heard: list[bytes] = []
    line = f"printf a; until test -e {tmp_path}/go; do :; done; printf b; echo done >&2; exec cat"
    launch = ProcessRunner().launch(Job(("sh", "-c", f"{line} {tmp_path}/pipe"), "t"))
    os.mkfifo(tmp_path / "pipe")
    process = await BotProcess.start(
        launch, on_exit=lambda _: None, heard=heard.append, pause=3600.0
    )
    await until(lambda: b"a" in heard)
    (tmp_path / "go").touch()
    await until(lambda: b"done\n" in heard)
    assert heard == [b"a", b"done\n"]
    process.kill()
    await process.ended()
    assert heard == [b"a", b"done\n", b"b"]


async def test_it_inherits_a_path_and_what_it_is_given_and_no_secrets(
    start: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    monkeypatch.setenv("LANG", "C.UTF-8")
    bot = await start("env", ARENA_TOKEN="t", ARENA_ADDR="unix:x")
    await bot.ended()
    names = {line.partition("=")[0] for line in bot.stdout.text().splitlines()}
    assert {"PATH", "LANG", "ARENA_TOKEN", "ARENA_ADDR"} <= names
    assert "DATABASE_PASSWORD" not in names


async def test_its_standard_input_is_empty(start: Started) -> None:
    bot = await start("cat; echo read")
    await bot.ended()
    assert bot.stdout.text() == "read"


async def test_it_has_a_process_group_of_its_own(start: Started) -> None:
    bot = await start(FOREVER)
    assert os.getpgid(bot.pid) == bot.pid != os.getpgid(0)


async def test_it_inherits_no_open_files(start: Started, tmp_path: Path) -> None:
    with (tmp_path / "journal").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        bot = await start("ls /proc/self/fd | wc -l")
        await bot.ended()
    # Standard input, output, error, and the folder that ls reads.
    assert int(bot.stdout.text()) <= 4


async def test_stop_asks_first(start: Started, tmp_path: Path) -> None:
    bot = await start("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done")
    await until(lambda: bot.stdout.text() == "up")
    await bot.stop()
    assert bot.ending().startswith("the bot's process exited with status 0")
    assert bot.stdout.text() == "up\nbye"
    assert start.exits == [bot]


async def test_stop_ends_for_certain_one_that_does_not_listen(
    start: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.hosting.process.TERM_SECONDS", 0.05)
    bot = await start("trap '' TERM; echo up; while :; do sleep 1; done")
    await until(lambda: bot.stdout.text() == "up")
    await bot.stop()
    assert bot.ending().startswith("the bot's process ended by signal 9")


async def test_one_that_is_stopped_by_a_signal_ends_too(
    start: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.hosting.process.TERM_SECONDS", 0.05)
    bot = await start("kill -STOP $$")
    await bot.stop()
    assert not is_running(bot.pid)


async def test_what_it_started_ends_with_it_also_when_it_holds_its_outputs(start: Started) -> None:
    bot = await start("sleep 100 & sleep 100 & echo $!; exit 1")
    await bot.ended()
    assert bot.ending() == "the bot's process exited with status 1"
    await until_ended(bot.pid)


async def test_one_that_left_the_group_and_holds_the_outputs_does_not_delay_the_end(
    start: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.hosting.process.TERM_SECONDS", 0.05)
    bot = await start("setsid sleep 100 & echo $!")
    await bot.ended()
    assert start.exits == [bot]
    os.kill(int(bot.stdout.text()), 9)


async def test_to_stop_one_that_has_ended_is_nothing(start: Started) -> None:
    bot = await start("exit 0")
    await bot.ended()
    await bot.stop()
    assert start.exits == [bot]


async def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        await BotProcess.start(
            ProcessRunner().launch(Job(("/no/such/bot",), "test")), on_exit=lambda _: None
        )


def test_a_tail_keeps_the_end() -> None:
    tail = Tail()
    assert (tail.text(), tail.last_line()) == ("", "")
    tail.add(b"x" * (TAIL_BYTES + 5))
    tail.add(b"\nlast \xff words\n\n")
    assert len(tail.text().encode("utf-8", "replace")) <= TAIL_BYTES + 4
    assert tail.last_line() == "last \ufffd words"


async def test_its_end_is_told_even_where_nothing_can_be_cleared_away() -> None:
    def clear() -> None:
        raise OSError("the disk is gone")

    exits: list[BotProcess] = []
    launch = ProcessRunner().launch(Job(("/bin/sh", "-c", ":"), "test"))
    bot = await BotProcess.start(replace(launch, clear=clear), on_exit=exits.append)
    await bot.ended()
    assert exits == [bot]
