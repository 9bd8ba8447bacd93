"""A program as a bot: a real process, a real stream, a scripted arena at its other end."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from arena.bridge.program import environment_of, play
from arena.bridge.relay import Manner
from arena.rules import VARIANTS
from arena.sdk.program import FAILED, ORDERLY, REFUSED
from arena.v1 import referee_pb2
from tests.bridge.programs import FIRST, script
from tests.sdk.dialling import ids, opening, options
from tests.sdk.feeder import Feeder, deal
from tests.sdk.scripted import Script, Stream, scripted_arena

CLASSIC = VARIANTS["classic"]
PLAIN = Manner()
ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 20.0


def told(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """The lines on standard error; nothing may be on standard output.

    gRPC's servers, those of earlier tests too, are in this process and say things of their own.
    """
    out, err = capfd.readouterr()
    assert out == ""
    return [line for line in err.splitlines() if not re.match(r"[IWE]\d{4} ", line)]


async def bridged(
    folder: Path, lines: str, *scripts: Script, manner: Manner = PLAIN, tcp: bool = False
) -> int:
    """The exit code of a program's bridge to an arena with these scripts."""
    async with scripted_arena(*scripts, tcp=tcp) as arena:
        return await play([script(folder, lines)], "child", options(arena.address), manner)


async def answered(stream: Stream, count: int) -> list[int]:
    """The decisions that are answered, in order, however many messages it takes."""
    found: list[int] = []
    while len(found) < count:
        found += ids(await stream.receive())
    return found


async def plays_on(stream: Stream) -> None:
    """Put four questions and wait for the end of the stream, whatever is answered."""
    await stream.welcome()
    await stream.send_items(opening(Feeder(CLASSIC)))
    while not await stream.ended():
        pass


async def test_a_shell_script_plays(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    feeder = Feeder(CLASSIC)

    async def arena(stream: Stream) -> None:
        hello = (await stream.welcome()).hello
        assert (hello.token, hello.tables, hello.hand_results) == ("token", 64, False)
        await stream.send_items(opening(feeder))
        assert await answered(stream, 4) == [1, 2, 3, 4]
        await stream.send_items([feeder.decision(deal(CLASSIC)).item])
        request = await stream.receive()
        assert (ids(request), request.acknowledged) == ([5], feeder.sequence)
        await stream.goodbye()

    assert await bridged(tmp_path, FIRST, arena) == ORDERLY
    assert told(capfd) == []


async def test_answers_that_are_ready_at_once_go_in_one_message(tmp_path: Path) -> None:
    lines = """
    while read -r line; do
        case $line in *'"decision_id":4,'*)
            printf '{"decision_id":%s,"index":0}\\n' 1 2 3 4 ;;
        esac
    done
    """

    async def arena(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        assert ids(await stream.receive()) == [1, 2, 3, 4]
        await stream.goodbye()

    assert await bridged(tmp_path, lines, arena) == ORDERLY


async def test_a_program_gets_everything_until_the_goodbye_and_a_moment_more(
    tmp_path: Path,
) -> None:
    async def arena(stream: Stream) -> None:
        assert (await stream.welcome()).hello.hand_results
        await stream.send(draining=referee_pb2.Draining(text="an update"))
        await stream.goodbye()

    lines = f"cat >{tmp_path}/heard; echo end >>{tmp_path}/heard"
    assert await bridged(tmp_path, lines, arena, manner=Manner(hands=True)) == ORDERLY
    assert (tmp_path / "heard").read_text().splitlines() == [
        '{"welcome":{}}',
        '{"draining":{"text":"an update"}}',
        '{"goodbye":{"text":"that was all"}}',
        "end",
    ]


async def test_after_a_break_a_program_is_asked_nothing_twice(tmp_path: Path) -> None:
    feeder = Feeder(CLASSIC)
    items = opening(feeder)

    async def first(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(items)
        await answered(stream, 4)

    async def second(stream: Stream) -> None:
        request = await stream.welcome(resumed=True)
        assert (request.hello.session_token, request.acknowledged) == ("secret", len(items))
        await stream.send_items([*items[-2:], feeder.decision(deal(CLASSIC)).item])
        assert sorted(await answered(stream, 3)) == [3, 4, 5]
        await stream.goodbye()

    lines = f"tee {tmp_path}/heard | {script(tmp_path, FIRST, name='first.sh')}"
    assert await bridged(tmp_path, lines, first, second) == ORDERLY
    heard = (tmp_path / "heard").read_text()
    assert heard.count('"decision":') == 5
    assert heard.count('"welcome":') == 1


async def test_a_program_that_says_goodbye_leaves_in_order(tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        await stream.welcome()
        assert (await stream.receive()).WhichOneof("message") == "goodbye"
        assert await stream.ended()

    lines = """read -r line; echo '{"goodbye":{}}'; cat >/dev/null"""
    assert await bridged(tmp_path, lines, arena) == ORDERLY


async def test_a_signal_says_goodbye_before_the_program_ends(tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        await stream.welcome()
        signal.raise_signal(signal.SIGTERM)
        assert (await stream.receive()).WhichOneof("message") == "goodbye"
        assert not (tmp_path / "ended").exists()
        await stream.goodbye()

    assert await bridged(tmp_path, f"cat >/dev/null; : >{tmp_path}/ended", arena) == ORDERLY
    assert (tmp_path / "ended").exists()


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("read -r line; exit 3", "child exited with status 3 before the arena said goodbye"),
        ("read -r line; echo '{'; cat", "child wrote a line that is no JSON: '{'"),
        (
            "cat",
            "child wrote a line that is neither an answer nor a goodbye: '{\"welcome\":{}}'",
        ),
        (
            "read -r line; yes thinking",
            "child wrote 10,000 lines in a row that answer nothing",
        ),
    ],
    ids=["exits", "no JSON", "an echo", "a flood"],
)
async def test_a_program_that_cannot_play_is_told_and_exits_with_1(
    tmp_path: Path, lines: str, sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert await bridged(tmp_path, lines, plays_on) == FAILED
    lines_told = told(capfd)
    assert lines_told[-1] == sentence
    assert len(lines_told) <= 6


async def test_a_program_that_fails_before_the_arena_is_there_is_told_at_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = [script(tmp_path, "exit 3")]
    assert await play(command, "child", options("unix:/nowhere/s"), PLAIN) == FAILED
    assert told(capfd) == ["child exited with status 3 before the arena said goodbye"]


async def test_its_standard_error_passes_through(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def arena(stream: Stream) -> None:
        await stream.welcome()
        await stream.goodbye()

    assert await bridged(tmp_path, "echo 'line 7: oops' >&2; cat >/dev/null", arena) == ORDERLY
    assert told(capfd) == ["line 7: oops"]


async def test_a_refused_bridge_exits_with_3(tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        await stream.receive()
        await stream.refuse(grpc.StatusCode.UNAUTHENTICATED, "no bot has this token")

    assert await bridged(tmp_path, "cat >/dev/null", arena) == REFUSED


async def test_a_program_that_cannot_be_started_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = [str(tmp_path / "nothing")]
    assert await play(command, "nothing", options("unix:/nowhere/s"), PLAIN) == FAILED
    assert told(capfd) == ["nothing cannot be started: No such file or directory"]


def test_a_program_does_not_learn_the_token() -> None:
    variables = {"ARENA_TOKEN": "secret", "ARENA_ADDR": "here", "ARENA_NAME": "me", "PATH": "/bin"}
    assert environment_of(variables) == {"ARENA_NAME": "me", "PATH": "/bin"}


@asynccontextmanager
async def bridge_process(address: str, command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """``arena bridge`` as a process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arena.cli.main import main; main()"),
        *("bridge", "--address", address, "--", command),
        env={"ARENA_TOKEN": "token", "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_program_does_not_outlive_a_bridge_that_is_killed(tmp_path: Path) -> None:
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    command = script(tmp_path, f"exec 3>{fifo}; echo here >&3; exec tail -f /dev/null")

    async def arena(stream: Stream) -> None:
        await stream.welcome()
        with await asyncio.to_thread(fifo.open) as alive:
            assert await asyncio.to_thread(alive.readline) == "here\n"
            process.kill()
            # The end of the pipe is the end of all that could write to it.
            assert await asyncio.to_thread(alive.read) == ""

    async with (
        scripted_arena(arena) as stage,
        bridge_process(stage.address, command) as process,
    ):
        assert await asyncio.wait_for(process.wait(), WAIT_SECONDS) == -signal.SIGKILL


async def test_the_command_ends_with_the_session(tmp_path: Path) -> None:
    async def arena(stream: Stream) -> None:
        hello = (await stream.welcome()).hello
        assert (hello.token, hello.bot_name, hello.tables) == ("token", "child", 64)
        await stream.send_items(opening(Feeder(CLASSIC)))
        assert await answered(stream, 4) == [1, 2, 3, 4]
        process.terminate()
        assert (await stream.receive()).WhichOneof("message") == "goodbye"
        await stream.goodbye()

    command = script(tmp_path, FIRST)
    async with (
        scripted_arena(arena) as stage,
        bridge_process(stage.address, command) as process,
    ):
        assert await asyncio.wait_for(process.wait(), WAIT_SECONDS) == ORDERLY
