"""``arena bridge``: its command line, and a match that it plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.bridge import name_of
from tests.bridge.programs import FIRST, script
from tests.cli.commands import InProcess, process


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "missing argument '-- COMMAND...'"),
        (["--", "./nothing.sh"], "'./nothing.sh' is no program that can be run"),
        (["--tables", "many", "--", "cat"], "invalid value for '--tables'"),
    ],
)
def test_a_wrong_command_line_is_told(
    arena: InProcess, arguments: list[str], sentence: str
) -> None:
    done = arena("bridge", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_a_script_that_may_not_be_run_is_told_with_what_to_do(
    arena: InProcess, tmp_path: Path
) -> None:
    path = Path(script(tmp_path, "cat"))
    path.chmod(0o644)
    done = arena("bridge", "--", path)
    assert (done.code, done.err.splitlines()[-1]) == (2, f"hint:  chmod +x {path}")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "where is the arena? set ARENA_ADDR"),
        (["--address", "here"], "the arena wants a token"),
        (["--address", "here", "--token", "t"], "'here' is no address"),
        (["--address", "here:1", "--token", "t", "--tables", "0"], "--tables must be from 1"),
        (["--address", "here:1", "--token", "t", "--chair", "third"], "the chair must be"),
    ],
)
def test_settings_are_those_of_every_bot(arguments: list[str], sentence: str) -> None:
    done = process("bridge", *arguments, "--", "cat")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("word", "name"),
    [("./greedy.sh", "greedy"), ("bots/greedy/bot", "greedy"), ("greedy/run.sh", "greedy")],
)
def test_a_bot_is_called_after_its_program_or_folder(word: str, name: str) -> None:
    assert name_of(word) == name


def test_a_program_plays_a_match(tmp_path: Path) -> None:
    bot = script(tmp_path, FIRST, name="greedy.sh")
    done = process("match", f"arena bridge -- {bot}", "random", "--sets", "1", "--seed", "ab" * 32)
    assert done.code == 0, done.err
    row = next(line.split() for line in done.out.splitlines() if line.startswith("greedy"))
    assert row[-2] == "0", "a fault"


def test_flags_behind_the_program_are_its_own(tmp_path: Path) -> None:
    path = script(tmp_path, 'echo "$@" >&2; exit 1')
    done = process(
        "bridge", "--address", "unix:/nowhere/s", "--token", "t", path, "--tables", "3", "--", "x"
    )
    assert done.code == 1
    assert done.err.splitlines()[0] == "--tables 3 -- x"
