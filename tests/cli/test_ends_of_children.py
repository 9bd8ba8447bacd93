"""Commands that start programs of others: what these have started ends with the command."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.bots import script
from tests.cli.commands import ARENA, PLAIN, ROOT, process
from tests.hosting.bots import is_running, until

SETSID = "setsid sh -c 'echo $$ >{folder}/left; exec sleep 100' </dev/null >/dev/null 2>&1 &\n"
WAIT = "while ! test -s {folder}/left; do :; done\n"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")


def bot_folder(folder: Path, lines: str) -> Path:
    """A bot's folder that is built by a script of these lines."""
    script(folder, "make.sh", lines.format(folder=folder))
    (folder / "bot.toml").write_text(
        'name = "ann"\nlanguage = "sh"\nrun = ["sh"]\nbuild = [["./make.sh"]]\n'
    )
    return folder


def build(folder: Path) -> subprocess.Popen[bytes]:
    """A build that runs."""
    command = [*ARENA, "bot", "build", str(folder)]
    return subprocess.Popen(command, env=PLAIN, cwd=ROOT, stderr=subprocess.PIPE)


def left(folder: Path) -> int:
    """The process that was left."""
    return int((folder / "left").read_text())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_a_build_with_all_of_its_group(
    tmp_path: Path, number: signal.Signals
) -> None:
    lines = "sh -c 'echo $$ >{folder}/left; trap \"\" TERM; while :; do sleep 1; done' & wait"
    folder = bot_folder(tmp_path, lines)
    with build(folder) as building:
        await until(lambda: (folder / "left").is_file() and (folder / "left").read_text())
        building.send_signal(number)
        _, told = building.communicate(timeout=40)
    assert building.returncode == 130
    assert told.decode().splitlines() == ["ann: ./make.sh"]
    await until(lambda: not is_running(left(folder)))


async def test_what_a_build_leaves_in_its_group_ends_with_it(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "sleep 100 & echo $! >{folder}/left")
    assert process("bot", "build", folder).code == 0
    await until(lambda: not is_running(left(folder)))


@on_linux
def test_what_a_build_leaves_elsewhere_ends_with_it(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, SETSID + WAIT)
    assert process("bot", "build", folder).code == 0
    assert not is_running(left(folder))


def leaving(folder: Path) -> str:
    """The command of a bot that leaves a process, and ends."""
    return script(folder, "leaver.sh", (SETSID + WAIT).format(folder=folder) + "exit 3")


@on_linux
def test_what_a_checked_bot_leaves_ends_with_the_check(tmp_path: Path) -> None:
    assert process("bot", "check", leaving(tmp_path), "--only", "hello").code == 1
    assert not is_running(left(tmp_path))


@on_linux
def test_what_a_bridged_program_leaves_ends_with_the_bridge(tmp_path: Path) -> None:
    path = leaving(tmp_path)
    done = process("bridge", "--address", "unix:/nowhere/s", "--token", "t", "--", path)
    assert done.code == 1
    assert not is_running(left(tmp_path))


@on_linux
def test_what_a_bot_leaves_ends_with_the_match(tmp_path: Path) -> None:
    done = process("match", leaving(tmp_path), "random", "--sets", "1")
    assert done.code == 1
    assert "Traceback" not in done.err
    assert not is_running(left(tmp_path))
