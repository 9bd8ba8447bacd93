"""``arena bot check`` as a command: what it prints, its exit codes, its JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.conformance.catalogue import all_steps
from tests.cli.bots import interrupter
from tests.cli.commands import ARENA, PLAIN, ROOT, Done, process

STEP_FIELDS = [
    *("number", "name", "sentence", "paragraph", "verdict", "note", "seconds"),
    *("sent", "came_back", "expected", "stderr"),
]


def bad(name: str) -> str:
    """The command of a bad program."""
    module = "tests.conformance.bad_programs"
    code = f'import sys; sys.path.insert(0, "{ROOT}"); import {module} as b; b.main()'
    return f"{name}={sys.executable} -c '{code}' {name}"


def check(*arguments: str) -> Done:
    """Run the command as a process."""
    return process("bot", "check", *arguments)


def report(done: Done) -> dict[str, Any]:
    """The JSON of a check."""
    found = json.loads(done.out)
    assert isinstance(found, dict)
    return found


def test_json_has_the_documented_shape() -> None:
    done = check(bad("exits-with-one-at-goodbye"), "--json", "--only", "goodbye", "--only", "1")
    assert done.code == 1
    found = report(done)
    fields = ["schema", "bot", "command", "interrupted", "total", "counts", "seconds", "steps"]
    assert list(found) == fields
    assert (found["interrupted"], found["total"]) == (False, 2)
    assert found["schema"] == "arena.check/1"
    assert found["bot"] == "exits-with-one-at-goodbye"
    assert found["command"][0] == sys.executable
    assert found["counts"] == {"passed": 1, "warned": 0, "failed": 1, "not-tried": 0}
    assert [list(step) for step in found["steps"]] == [STEP_FIELDS] * 2
    first, last = found["steps"]
    assert (first["number"], first["name"], first["verdict"]) == (1, "hello", "passed")
    assert (last["name"], last["verdict"]) == ("goodbye", "failed")
    assert last["note"] == "it ended with exit code 1"
    assert last["sent"] == {"goodbye": {"text": "the arena closes"}}
    assert last["paragraph"] == "docs/protocol.md, The end"
    assert found["steps"][0]["sent"] is None


def test_a_failed_step_is_shown_with_all_that_is_known() -> None:
    done = check(bad("exits-at-once"), "--only", "hello", "--only", "unix")
    assert done.code == 1
    first, *details, untried, summary = done.out.splitlines()
    assert re.match(r" +1 hello +FAILED +the bot's process exited with status 5", first)
    words = [line.split()[0] for line in details]
    assert words == ["step", "see", "expected", "stderr"]
    assert details[-1].endswith("there is no file of weights")
    assert re.match(r" *\d+ unix +not tried +the bot did not come up", untried)
    assert summary.startswith("2 steps: 0 passed, 0 warned, 1 failed, 1 not tried (")


def test_warnings_count_with_strict() -> None:
    arguments = (bad("prints-to-standard-output"), "--only", "output")
    assert check(*arguments).code == 0
    assert check(*arguments, "--strict").code == 1


def test_a_sample_bot_goes_by_its_name() -> None:
    done = check("random", "--only", "classic-play", "--only", "sigterm")
    assert (done.code, len(done.out.splitlines())) == (0, 3), done


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "either a COMMAND is checked"),
        (("random", "--dial-in"), "either a COMMAND is checked"),
        (("random", "--only", "nonsense"), "there is no step 'nonsense'"),
        (("random", "--only", "0"), "there is no step '0'"),
        (("no-such-bot",), "is neither a program"),
        (("--dial-in", "--listen", "nonsense"), "is no address"),
        (("--dial-in", "--listen", "0.0.0.0:0"), "come by a tunnel"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = check(*arguments)
    assert done.code in (1, 2), done
    assert sentence in done.err
    assert done.out == ""
    assert "Traceback" not in done.err


def test_all_steps_are_listed() -> None:
    done = check("--list")
    assert done.code == 0
    assert len(done.out.splitlines()) == len(all_steps()) + 1
    listed = json.loads(check("--list", "--json").out)
    assert [step["name"] for step in listed["steps"]] == [step.name for step in all_steps()]


def test_a_bot_that_dials_in_is_told_where_to() -> None:
    command = [*ARENA, "bot", "check", "--dial-in", "--json", "--only", "hello", "--only", "idle"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=PLAIN, cwd=ROOT, text=True, **pipes) as checking:  # type: ignore[call-overload]
        told: dict[str, str] = {}
        while "ARENA_TOKEN" not in told:
            line = checking.stderr.readline()
            assert line, "it has ended"
            told |= dict(re.findall(r"(ARENA_(?:ADDR|TOKEN))=(\S+)", line))
        bot = [sys.executable, str(ROOT / "sample_bots/python/random/bot.py")]
        variables = PLAIN | told | {"ARENA_CHAIR": "first"}
        with subprocess.Popen(bot, env=variables, stderr=subprocess.DEVNULL) as playing:
            out, _ = checking.communicate(timeout=40)
            playing.kill()
    found = json.loads(out)
    assert checking.returncode == 0
    assert [step["verdict"] for step in found["steps"]] == ["passed", "not-tried"]
    assert found["bot"] is None


HEADINGS = {
    name: re.findall(r"^#+ (.*)$", (ROOT / "docs" / name).read_text(), re.MULTILINE)
    for name in ("protocol.md", "rules.md")
}


@pytest.mark.parametrize("step", all_steps(), ids=lambda step: step.name)
def test_a_step_rests_on_a_paragraph_that_exists(step: Any) -> None:
    document, _, place = step.paragraph.removeprefix("docs/").partition(", ")
    text = (ROOT / "docs" / document).read_text()
    stated = re.search(rf"\*\*{re.escape(place)}\*\*", text) is not None
    assert place in HEADINGS[document] or stated or f"### {place} " in text


def test_the_names_of_steps_are_distinct_and_documented() -> None:
    names = [step.name for step in all_steps()]
    assert len(set(names)) == len(names)
    page = (ROOT / "docs" / "bots" / "checking.md").read_text()
    assert [name for name in names if f"`{name}`" not in page] == []


@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupted_check_says_how_far_it_came(tmp_path: Path, *, as_json: bool) -> None:
    bot = interrupter(tmp_path, 1, signal="SIGTERM")
    more = ("--json",) if as_json else ()
    done = check(bot, "--only", "hello", "--only", "games", *more)
    assert done.code == 130
    if as_json:
        report = json.loads(done.out)
        told = (report["interrupted"], len(report["steps"]), report["total"])
        assert told == (True, 1, 2)
    else:
        assert done.out.splitlines()[-1].startswith("interrupted after 1 of 2 steps: 1 passed")
