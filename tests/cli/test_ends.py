"""How commands end when nobody says so: a terminal that is closed, `kill -9`."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import ARENA, PLAIN, ROOT, process
from tests.hosting.bots import is_running, until

LONG = "500"


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder for temporary files whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="ends-", dir="/tmp") as folder:
        yield Path(folder)


# A terminal that is closed.


def hung_up(seen: str, *arguments: str | Path, folder: Path) -> int:
    """The exit code of a command whose terminal is closed once it has shown something."""
    ours, theirs = pty.openpty()
    name = os.ttyname(theirs)
    # The shell opens the terminal as the leader of a session, which makes it the session's own.
    with subprocess.Popen(
        ["/bin/sh", "-c", f'exec "$@" <{name} >{name} 2>&1', "sh", *ARENA, *map(str, arguments)],
        env=PLAIN | {"TERM": "xterm", "TMPDIR": str(folder)},
        cwd=ROOT,
        start_new_session=True,
    ) as command:
        shown = ""
        while not re.search(seen, shown):
            shown += os.read(ours, 65536).decode("utf-8", "replace")
        os.close(theirs)
        os.close(ours)
        return command.wait(timeout=50)


def test_a_match_whose_terminal_is_closed_finishes_the_sets_that_are_played(short: Path) -> None:
    out = short / "out"
    bots = ("random", "first_legal", "--variant", "double", "--tables", "2")
    match = ("match", *bots, "--sets", LONG, "--out", out)
    assert hung_up(rf"[1-9]\d*/{LONG}", *match, folder=short) == 130
    records = sorted(out.iterdir())
    assert 1 <= len(records) < int(LONG)
    assert process("record", "verify", *records).code == 0
    assert {file.name for file in short.iterdir()} == {"out"}, "its socket is gone"


def test_a_tournament_whose_terminal_is_closed_is_suspended(short: Path) -> None:
    file = short / "cup.toml"
    file.write_text(
        'name = "cup"\nvariant = "double"\nbots = ["random", "first_legal"]\ntables = 2\n'
        f"sets = {LONG}\n"
    )
    data = short / "data"
    run = ("tournament", "run", file, "--data", data)
    assert hung_up(rf"[1-9]\d*/{LONG}", *run, folder=short) == 130
    told = json.loads(process("tournament", "status", "--data", data, "--json").out)["tournament"]
    assert told["state"] == "suspended"
    assert 1 <= told["sets"]["finished"] < int(LONG)


# kill -9.

_CLINGING = """
import os, signal, subprocess
from arena.sdk import Bot, run

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "1000"])
arena = os.getppid()
with open(f"{__file__}.{os.getpid()}", "w") as file:
    file.write(str(child.pid))

class Clinging(Bot):
    def act(self, view, legal):
        os.kill(arena, signal.SIGKILL)
        while True:
            signal.pause()

run(Clinging, name="clinging")
"""


def test_a_match_that_is_killed_leaves_no_bot_and_what_it_leaves_the_next_removes(
    short: Path,
) -> None:
    bot = short / "clinging.py"
    bot.write_text(_CLINGING)
    (short / "tmp").mkdir()
    env = PLAIN | {"TMPDIR": str(short / "tmp")}
    killed = subprocess.run(
        [*ARENA, "match", "random", f"{sys.executable} {bot}", "--variant", "double"],
        env=env,
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert killed.returncode == -signal.SIGKILL, killed
    notes = list(short.glob("clinging.py.*"))
    assert len(notes) == 4
    left = [int(number) for note in notes for number in (note.suffix[1:], note.read_text())]
    asyncio.run(until(lambda: not any(map(is_running, left))))
    assert len(list((short / "tmp").iterdir())) == 1
    again = process("match", "random", "first_legal", "--sets", "1", env=env)
    assert again.code == 0, again
    assert list((short / "tmp").iterdir()) == []
