"""``arena bot logs``: what an author is shown of a bot's faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Done, process

FILE = """\
name = "cup"
variant = "double"
bots = ["random", {{name = "clumsy", command = "python {bot}"}}]
sets = 1
"""
CLUMSY = """\
import os, sys
from arena.sdk import Bot, run
class Clumsy(Bot):
    def act(self, view, legal):
        print("I do not \\x1b[2J know", file=sys.stderr, flush=True)
        os._exit(7)
run(Clumsy, name="clumsy")
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which clumsy has crashed in a tournament's only set."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "clumsy.py").write_text(CLUMSY)
    (folder / "cup.toml").write_text(FILE.format(bot=folder / "clumsy.py"))
    done = process("tournament", "run", folder / "cup.toml", "--data", folder / "data")
    assert done.code == 0, done
    return folder / "data"


def logs(data: Path, *arguments: str) -> Done:
    return process("bot", "logs", *arguments, "--data", data)


def test_a_fault_is_shown_with_its_place_its_clock_and_what_the_process_said(data: Path) -> None:
    done = logs(data, "clumsy")
    assert done.code == 0, done
    head, what, clock, label, *said = done.out.splitlines()
    assert head.startswith("cup r1:1-2:1 half ")
    assert "hand 1, move " in head
    assert "version 1" in head
    assert what == "  crash: the bot's process exited with status 7"
    assert clock.endswith(" ms; the bank was 60000 ms")
    assert label == "  standard error:"
    assert said == [r"    I do not \x1b[2J know"]


def test_the_same_as_data(data: Path) -> None:
    document = json.loads(logs(data, "clumsy", "--json").out)
    assert document["schema"] == "arena.bot-logs/1"
    [fault] = document["faults"]
    assert fault["tournament"] == {"id": 1, "name": "cup"}
    assert (fault["set"], fault["kind"], fault["hand"]) == ("r1:1-2:1", "crash", 0)
    assert fault["answer"] is None
    assert fault["stderr"] == "I do not \x1b[2J know"


def test_a_bot_without_faults_has_none(data: Path) -> None:
    assert logs(data, "random") == Done(0, "no faults\n", "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["nobody"], "there is no bot 'nobody'", id="a bot that is not there"),
        pytest.param([], "name a bot", id="no name, and no arena to ask"),
    ],
)
def test_wrong_use_gets_a_sentence(data: Path, arguments: list[str], sentence: str) -> None:
    done = logs(data, *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {sentence}\n")
