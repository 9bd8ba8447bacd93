"""Bots in a sandbox by ``--runner``: the same games, the same answers, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import ROOT, SEED, InProcess, assert_refused, process

RULE = ROOT / "sample_bots" / "python" / "rule_of_thumb" / "bot.py"


@pytest.mark.bubblewrap
def test_a_contained_match_has_the_same_records(tmp_path: Path) -> None:
    """Bots named in three ways: a sample, a script in quotes, a folder."""
    bots = ("random", f"mine=python {RULE}", "python/starter")
    words = ("match", *bots, "--sets", "1", "--seed", SEED, "--startup-ms", "60000", "--out")
    there = process(*words, tmp_path / "there", "--runner", "bubblewrap")
    assert there.code == 0, there.err
    assert "runner  bubblewrap, each process with 512 MiB of memory (" in there.err
    here = process(*words, tmp_path / "here")
    assert here.code == 0, here.err
    assert records(tmp_path / "there") == records(tmp_path / "here")


def records(folder: Path) -> dict[str, dict[str, object]]:
    """The records of a match without the times in them."""
    found = {file.name: json.loads(file.read_bytes()) for file in folder.glob("r*.json")}
    assert len(found) == 3
    for record in found.values():
        del record["timing"]
    return found


@pytest.mark.bubblewrap
def test_a_contained_bot_is_checked_as_a_submitted_one() -> None:
    words = ("random", "--only", "hello", "--only", "goodbye", "--only", "both-seats")
    done = process("bot", "check", *words, "--runner", "bubblewrap", "--json")
    assert done.code == 0, done.out + done.err
    assert json.loads(done.out)["counts"] == {
        "passed": 3,
        "warned": 0,
        "failed": 0,
        "not-tried": 0,
    }
    assert "runner  bubblewrap" in done.err


@pytest.mark.bubblewrap
def test_bounds_are_those_that_were_asked_for(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("print(len(b'1' * (300 << 20)))\nraise SystemExit('had it')")
    bounds = ("--runner", "bubblewrap", "--bot-memory", "32", "--bot-processes", "9")
    done = process("match", f"greedy={bot}", "random", *bounds)
    assert done.code == 1
    assert " MiB of memory (" in done.err
    assert "9 processes (" in done.err
    assert "had it" not in done.err
    assert "greedy" in done.error_lines[-1]


@pytest.mark.bubblewrap
def test_a_bot_in_the_home_is_refused(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("")
    home = {"HOME": str(tmp_path)}
    done = process("match", bot, "random", "--runner", "bubblewrap", env=home)
    assert done.code == 2
    assert "and a contained bot sees all of its folder; give it one of its own" in done.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("match", "random", "first_legal", "--bot-cpus", "1"), "bound nothing"),
        (("match", "random", "first_legal", "--runner", "jail"), "'jail' is not one of"),
        (
            ("match", "random", "first_legal", "--runner", "bubblewrap", "--in-process"),
            "--in-process and --runner do not go together",
        ),
        (("bot", "check", "--dial-in", "--runner", "bubblewrap"), "nothing contains it"),
        (("bot", "check", "random", "--bot-memory", "64"), "bound nothing"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: tuple[str, ...], sentence: str, arena: InProcess
) -> None:
    done = arena(*words)
    assert done.code == 2
    assert sentence in done.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--image", "x"), "--image is for --runner container alone"),
        (("--runner", "bubblewrap", "--image", "x"), "--image is for --runner container alone"),
        (("--runner", "container"), "--runner container needs an image"),
        (
            ("--runner", "process", "--build-memory", "64"),
            "--build-memory bounds nothing with --runner process",
        ),
        (("--runner", "process", "--bot-memory", "64"), "bound nothing with --runner process"),
    ],
)
def test_an_arena_does_not_begin_with_what_makes_no_sense(
    options: tuple[str, ...], sentence: str, arena: InProcess, tmp_path: Path
) -> None:
    address = ("--data", tmp_path / "data", "--listen", "127.0.0.1:0", "--http", "none")
    assert_refused(arena("serve", *address, *options), 2, sentence)


def test_never_less_than_asked_for(arena: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "shutil.which", lambda name, **_: None if name == "bwrap" else f"/bin/{name}"
    )
    done = arena("match", "random", "first_legal", "--runner", "bubblewrap")
    assert done.code == 1
    assert "bubblewrap needs bwrap: apt-get install bubblewrap" in done.err
