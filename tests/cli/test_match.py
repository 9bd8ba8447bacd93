"""``arena match``: real bots over a real socket, and everything that can be wrong with one."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bots import interrupter, script
from tests.cli.commands import SEED, InProcess, assert_refused, process

SHORT = ("--variant", "double", "--sets", "1")


def without_timing(folder: Path) -> dict[str, bytes]:
    """The records of a folder, by name, as bytes without their times."""
    found = {}
    for file in sorted(folder.iterdir()):
        before, mark, _ = file.read_bytes().partition(b',"timing":')
        assert mark, "the times stand last"
        found[file.name] = before
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    done = process("match", "a=random", "b=random", "--bot", "first_legal", *SHORT, "--json")
    assert done.code == 0, done
    document: dict[str, Any] = json.loads(done.out)
    return document


def test_every_pair_of_three_meets(report: dict[str, Any]) -> None:
    pairs = [(pair["first"], pair["second"]) for pair in report["pairs"]]
    assert pairs == [("a", "b"), ("a", "first_legal"), ("b", "first_legal")]
    assert (report["total"], report["finished"], report["complete"]) == (3, 3, True)
    assert [bot["sets"] for bot in report["bots"]] == [2, 2, 2]


def test_what_one_wins_another_loses(report: dict[str, Any]) -> None:
    wins = sum(bot["wins"] for bot in report["bots"])
    losses = sum(bot["losses"] for bot in report["bots"])
    games = [sum(bot["games"][kind] for bot in report["bots"]) for kind in ("wins", "losses")]
    assert wins == losses
    assert games[0] == games[1] > 0
    assert sum(bot["points_per_deal"]["mean"] for bot in report["bots"]) == pytest.approx(0)


def test_a_single_set_has_no_interval(report: dict[str, Any]) -> None:
    for pair in report["pairs"]:
        assert pair["points_per_deal"]["low"] is None
        assert pair["likelihood_of_superiority"] is None


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_bot_with_a_typing_error_is_told_with_its_place(command: str, tmp_path: Path) -> None:
    (tmp_path / "typo.py").write_text("def act()\n    pass\n")
    (tmp_path / "cup.toml").write_text('name = "cup"\nbots = ["python typo.py", "random"]\n')
    arguments = {
        "match": ("match", "python typo.py", "random"),
        "tournament": ("tournament", "run", "cup.toml"),
    }
    done = process(*arguments[command], cwd=tmp_path)
    sentence, title, place, *_, last = done.error_lines
    assert done.code == 1
    assert sentence.startswith("error: typo: the bot's process exited with status 1: SyntaxError: ")
    assert title == "stderr of typo, whose process ended:"
    assert place.strip().endswith('typo.py", line 1')
    assert last.startswith("  SyntaxError: ")
    error = json.loads(process(*arguments[command], "--json", cwd=tmp_path).error_lines[-1])
    assert 'typo.py", line 1\n' in error["error"]["output"]


def test_a_bot_that_ends_before_it_dials_in_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "idle.py").write_text("class Idle: pass\n")
    done = process("match", "python idle.py", "random", cwd=tmp_path)
    assert done.error_lines == [
        "error: idle: the bot's process exited with status 0",
        "hint:  does it call run(...)?",
    ]


def test_the_seed_is_shown_after_its_commitment(arena: InProcess, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "double"\nname = "short"\nhands = 1\n')
    done = process(
        "match", "random", "first_legal", "--variant", house, "--sets", "1", "--out", tmp_path / "o"
    )
    commitment = next(line for line in done.err.splitlines() if line.startswith("commit"))
    seed = next(line for line in done.out.splitlines() if line.startswith("seed")).split()[1]
    records = sorted((tmp_path / "o").glob("*.json"))
    checked = arena("record", "verify", *records, "--seed", seed)
    assert json.loads(records[0].read_bytes())["commitment"] in commitment
    assert json.loads(records[0].read_bytes())["variant"]["name"] == "short"
    assert checked.code == 0
    assert seed not in done.err.replace(f"--seed {seed}", "")
    assert "commitment" not in done.out


def test_a_script_with_an_odd_folder_is_named_after_it(tmp_path: Path) -> None:
    folder = tmp_path / "Žaba 50%"
    folder.mkdir()
    (folder / "bot.py").write_text(Path("sample_bots/python/first_legal/bot.py").read_text())
    done = process("match", f"'{folder}/bot.py'", "random", *SHORT, "--json")
    assert done.code == 0, done
    assert {bot["name"] for bot in json.loads(done.out)["bots"]} == {"Žaba 50%", "random"}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["random"], 2, "2 to 4 bots, not 1"),
        (["random"] * 5, 2, "2 to 4 bots, not 5"),
        (["random", "random"], 2, 'two bots are called "random"'),
        (["a=random", "a=first_legal"], 2, 'two bots are called "a"'),
        (["=random", "counting"], 2, "the name before = is empty"),
        (["x y=random", "counting"], 2, "'x y' is no name for a bot before ="),
        (["random", "no-such-program"], 2, "'no-such-program'"),
        (["random", "no-such.py"], 2, "'no-such.py'"),
        (["random", ""], 2, "a bot command is empty"),
        (["random", "sh 'x"], 2, "cannot be read"),
        (["random", "first_legal", "--seed", "abc"], 2, "64 hexadecimal digits"),
        (
            ["random", "first_legal", "--sets", "0"],
            2,
            "'--sets': must be at least 1",
        ),
        (["random", "first_legal", "--tables", "0"], 2, "'--tables': must be at least 1"),
        (["random", "first_legal", "--tables", "9999"], 2, "must be at most 1024"),
        (["random", "first_legal", "--max-faults", "0"], 2, "max_faults"),
        (["random", "first_legal", "--bank-ms", "-1"], 2, "bank_ms"),
        (["random", "first_legal", "--on-forfeit", "win"], 2, "--on-forfeit"),
        (["random", "first_legal", "--variant", "chess"], 2, '"chess"'),
        (["random", "first_legal", "--out", "/dev/null"], 2, "/dev/null is no folder"),
        (["random", "first_legal", "--out", "/proc/nowhere"], 1, "/proc/nowhere"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_a_wrong_argument_is_refused_before_anything_starts(
    arena: InProcess, arguments: list[str], code: int, words: str
) -> None:
    done = arena("match", *arguments)
    assert_refused(done, code, words)
    assert "commit" not in done.err


def test_a_misspelt_sample_is_recognised(arena: InProcess) -> None:
    assert 'did you mean "random"?' in arena("match", "randm", "first_legal").err


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("exit 3", "x: the bot's process exited with status 3"),
        ("echo last words >&2; exit 1", "status 1: last words"),
        ("printf 'a\\033[2Jb' >&2; exit 1", r"status 1: a\x1b[2Jb"),
        ("echo waiting >&2; exec sleep 60", "x did not dial in within 0.5 s of its start: waiting"),
        ("kill -9 $$", "ended by signal 9"),
    ],
    ids=["exits", "has last words", "sends escapes", "never says hello", "is killed"],
)
def test_a_bot_that_does_not_come_up_is_told_with_its_last_line(
    tmp_path: Path, lines: str, words: str
) -> None:
    bad = script(tmp_path, "bad.sh", lines)
    out = tmp_path / "out"
    done = process("match", f"x={bad}", "random", "--startup-ms", "500", "--out", out)
    assert_refused(done, 1, words)
    assert not out.exists()


def test_records_of_another_match_are_not_written_over(match_folder: Path) -> None:
    before = {file: file.read_bytes() for file in match_folder.iterdir()}
    done = process("match", "random", "first_legal", *SHORT, "--out", match_folder)
    assert_refused(done, 2, "r1_1-2_1.json is not a record of this match")
    assert {file: file.read_bytes() for file in match_folder.iterdir()} == before


# With another number of tables, other hash seeds and without assertions: the same bytes.
def test_the_same_match_may_be_played_again_into_its_folder(
    match_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(match_folder, folder)
    (folder / ".r1_1-2_1.json.tmp").write_text("half of a rec")
    (folder / "y.json").touch()
    done = process(
        *("match", "random", "first_legal", "--variant", "double", "--sets", "2"),
        *("--seed", SEED.upper(), "--tables", "16", "--out", folder),
        env={"PYTHONHASHSEED": "2", "PYTHONOPTIMIZE": "1"},
    )
    assert done.code == 0, done
    (folder / "y.json").unlink()
    assert without_timing(folder) == without_timing(match_folder)


def test_the_first_interrupt_lets_running_sets_finish(tmp_path: Path) -> None:
    bot = interrupter(tmp_path, 5)
    done = process("match", bot, "random", "--sets", "500", "--json", "--variant", "double")
    report = json.loads(done.out)
    assert done.code == 130
    assert "once more to stop at once" in done.err
    assert 0 < report["finished"] < 100
    assert report["complete"] is False
    assert all(bot["faults"]["crash"] == 0 for bot in report["bots"])


def test_the_second_interrupt_stops_at_once(tmp_path: Path) -> None:
    bot = interrupter(tmp_path, 2, 3, signal="SIGTERM")
    out = tmp_path / "out"
    done = process("match", bot, "random", "--sets", "500", "--out", out, "--tables", "2")
    assert done.code == 130
    assert done.out.startswith("interrupted after 0 of 500 sets")
    assert not out.exists()


def test_a_crash_in_a_game_is_counted_and_told(tmp_path: Path) -> None:
    crasher = tmp_path / "crasher.py"
    crasher.write_text(
        "import os\n"
        "from arena.sdk import Bot, run\n"
        "class Crasher(Bot):\n"
        "    def act(self, view, legal):\n"
        "        raise ValueError('no \\x1b[2J card')\n"
        "run(Crasher, name='crasher')\n"
    )
    out = tmp_path / "out"
    done = process("match", f"python {crasher}", "random", *SHORT, "--out", out)
    assert done.code == 0
    assert "1 crash" in done.out
    assert "  1 of these sets was forfeited: it counts in W-D-L, not in points" in done.out
    (told,) = [line for line in done.out.splitlines() if line.startswith("set r1:1-2:1: crasher")]
    assert "forfeits by crash, seat " in told
    assert told.endswith("the bot's process exited with status 1")
    assert done.err.count("stderr of crasher, whose process ended:") == 1
    assert '/crasher.py", line 5, in act' in done.err
    assert r"ValueError: no \x1b[2J card" in done.err
    shown = process("record", "show", out / "r1_1-2_1.json").out
    assert re.search(r"crash by seat \d: the bot's process", shown), shown
    assert re.search(r"^faults: seat \d 1 crash$", shown, re.MULTILINE), shown


def test_forfeits_and_last_words_are_fields_too(tmp_path: Path) -> None:
    lines = "print('that is all', file=sys.stderr); os._exit(7)"
    (tmp_path / "quitter.py").write_text(
        "import os, sys\n"
        "from arena.sdk import Bot, run\n"
        "class Quitter(Bot):\n"
        f"    def act(self, view, legal):\n        {lines}\n"
        "run(Quitter, name='quitter')\n"
    )
    command = ("match", f"python {tmp_path}/quitter.py", "random", "--variant", "double")
    report = json.loads(process(*command, "--sets", "7", "--json").out)
    assert report["forfeits"]["count"] == 7
    sets = [one["set_id"] for one in report["forfeits"]["first"]]
    assert [name.split(":")[-1] for name in sets] == ["1", "2", "3", "4", "5"]
    assert {one["bot"] for one in report["forfeits"]["first"]} == {"quitter"}
    assert {bot["name"]: bot["stderr"] for bot in report["bots"]} == {
        "quitter": "that is all",
        "random": None,
    }


def test_the_hint_for_twins_has_their_commands(arena: InProcess) -> None:
    hint = "hint:  name them: a=random b=counting"
    assert arena("match", "a=random", "a=counting").error_lines[1] == hint
