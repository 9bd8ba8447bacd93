"""Tournament files: read strictly, refused by file and field."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.cli.errors import CliError
from arena.cli.tournament_files import anchored, read_tournament_file
from arena.referee.policy import OnForfeit
from arena.rules import DOUBLE
from arena.schedule.settings import Restart, Settings

SMALLEST = 'name = "spring"\nbots = ["random", "first_legal"]\n'


def written(folder: Path, content: str | bytes) -> Path:
    """A tournament file with that content."""
    file = folder / "t.toml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_all_but_name_and_bots_has_a_default(tmp_path: Path) -> None:
    read = read_tournament_file(written(tmp_path, SMALLEST))
    assert (read.name, read.variant.name, read.tables, read.seed) == ("spring", "classic", 16, None)
    assert read.settings == Settings()
    assert [bot.name for bot in read.bots] == ["random", "first_legal"]


def test_every_field_is_read(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('extends = "double"\nname = "house"\nhands = 3\n')
    (tmp_path / "mine.py").write_text("pass\n")
    read = read_tournament_file(
        written(
            tmp_path,
            'name = "autumn"\nvariant = "house.toml"\nrounds = 2\nsets = 3\nmirror = false\n'
            f'tables = 4\nseed = "{"ab" * 32}"\nbank_ms = 5000\nincrement_ms = 1\n'
            "decision_ms = 50\nstartup_ms = 60\nmax_faults = 7\n"
            'on_forfeit = "stand-in"\nreveal_names = true\nrestart = "game"\n'
            'bots = ["a=random", {name = "mine", command = "python mine.py"}]\n',
        )
    )
    policy, time = read.settings.policy, read.settings.policy.time
    assert (read.variant.hands, read.variant.bids) == (3, DOUBLE.bids)
    assert (read.settings.rounds, read.settings.sets, read.settings.mirror) == (2, 3, False)
    assert (time.bank_ms, time.increment_ms, time.decision_ms, time.startup_ms) == (5000, 1, 50, 60)
    assert (policy.max_faults, policy.on_forfeit, policy.reveal_names) == (
        7,
        OnForfeit.STAND_IN,
        True,
    )
    assert read.settings.restart is Restart.GAME
    assert (read.tables, read.seed) == (4, bytes.fromhex("ab" * 32))
    assert [bot.name for bot in read.bots] == ["a", "mine"]
    assert read.bots[1].argv[1:] == (str(tmp_path / "mine.py"),)


@pytest.mark.parametrize(
    "content",
    [b"\xef\xbb\xbf" + SMALLEST.encode(), SMALLEST.replace("\n", "\r\n").encode()],
    ids=["a byte order mark", "Windows line ends"],
)
def test_a_file_of_another_system_is_read(tmp_path: Path, content: bytes) -> None:
    assert read_tournament_file(written(tmp_path, content)).name == "spring"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("name = ", "the file is no TOML"),
        ("\x00", "the file is no TOML"),
        (b"\xff\xfen\x00", "UTF-16"),
        ('name = "spring"\n', "bots is missing"),
        ('bots = ["random", "first_legal"]\n', "name is missing"),
        (SMALLEST + "set = 3\n", "set is no field of a tournament"),
        (SMALLEST + "sets = nan\n", "sets must be a whole number, not a number with a point"),
        (SMALLEST + "sets = inf\n", "sets must be a whole number"),
        (SMALLEST + "sets = 1e400\n", "sets must be a whole number"),
        (SMALLEST + "sets = 2.0\n", "sets must be a whole number"),
        (SMALLEST + "sets = true\n", "sets must be a whole number, not true or false"),
        (SMALLEST + 'sets = "3"\n', "sets must be a whole number, not a text"),
        (SMALLEST + "sets = 0\n", "sets must be from 1 to"),
        (SMALLEST + "rounds = -1\n", "rounds must be from 1 to"),
        (SMALLEST + "tables = 0\n", "tables must be from 1 to"),
        (SMALLEST + "bank_ms = 0\n", "bank_ms must be from 1 to"),
        (SMALLEST + "max_faults = 99999\n", "max_faults must be from 1 to"),
        (SMALLEST + "mirror = 1\n", "mirror must be true or false"),
        (SMALLEST + 'on_forfeit = "win"\n', "on_forfeit must be one of lose, stand-in"),
        (SMALLEST + 'restart = "set"\n', "restart must be one of failure, game"),
        (SMALLEST + "restart = 1\n", "restart must be a text"),
        (SMALLEST + 'seed = "ab"\n', "a seed is 64 hexadecimal digits"),
        (SMALLEST + "seed = 3\n", "seed must be a text"),
        (SMALLEST + 'variant = "chess"\n', 'no variant is called "chess"'),
        (SMALLEST + 'variant = "gone.toml"\n', "gone.toml: No such file"),
        ('name = "a"\nbots = []\n', "bots must be at least 2, not 0"),
        ('name = "a"\nbots = ["random"]\n', "bots must be at least 2, not 1"),
        ('name = "a"\nbots = ["random", "random"]\n', 'two bots are called "random"'),
        ('name = "a"\nbots = ["random", "randm"]\n', "'randm' is neither"),
        ('name = "a"\nbots = ["random", 3]\n', "bots[1] must be a text or a table"),
        ('name = "a"\nbots = ["random", {name = "x"}]\n', "bots[1].command is missing"),
        (
            'name = "a"\nbots = ["random", {name = "x", command = "sh", seat = 1}]\n',
            "bots[1].seat is no field of a tournament: bots[1] has name, command",
        ),
        ('name = "a"\nbots = ["random", {name = "", command = "sh"}]\n', "'' is no bot name"),
        ('name = ""\nbots = ["random", "first_legal"]\n', "name: a tournament name has 1 to 64"),
        ('name = "a\\u202eb"\nbots = ["random", "first_legal"]\n', "name: 'a\\u202eb'"),
        ("x = " + "[" * 5000, "the file is no TOML"),
    ],
    ids=lambda value: repr(value)[:50] if isinstance(value, str) and "bots" not in value else "",
)
def test_a_bad_file_is_refused_with_file_and_field(
    tmp_path: Path, content: str | bytes, words: str
) -> None:
    file = written(tmp_path, content)
    with pytest.raises(CliError) as refusal:
        read_tournament_file(file)
    assert str(refusal.value).startswith(f"{file}: ")
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert refusal.value.code == 2


def test_only_what_looks_like_a_file_is_anchored(tmp_path: Path) -> None:
    for name in ("bot.py", "fast"):
        (tmp_path / name).touch()
    assert anchored("python bot.py fast", tmp_path) == f"python {tmp_path}/bot.py fast"
    assert anchored("x=bot.py", tmp_path) == f"x={tmp_path}/bot.py"
    assert anchored("./fast ./gone.py", tmp_path) == f"{tmp_path}/fast ./gone.py"
    assert anchored("python 'x", tmp_path) == "python 'x"


def test_a_script_beside_the_file_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").touch()
    file = written(tmp_path, 'name = "a"\nbots = ["mine.py", "random"]\n')
    monkeypatch.chdir("/")
    read = read_tournament_file(file)
    assert read.bots[0].argv == (sys.executable, str(tmp_path / "mine.py"))
    assert read.bots[0].name == "mine"


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (SMALLEST + "set = 3\n", 'did you mean "sets"?'),
        (SMALLEST + "max_fault = 3\n", 'did you mean "max_faults"?'),
        (SMALLEST + "colour = 3\n", ""),
        (
            'name = "a"\nbots = ["random", {name = "x", comand = "sh"}]\n',
            'did you mean "command"?',
        ),
    ],
)
def test_an_unknown_field_has_the_nearest_one_as_its_hint(
    tmp_path: Path, content: str, hint: str
) -> None:
    with pytest.raises(CliError) as refused:
        read_tournament_file(written(tmp_path, content))
    assert refused.value.hint == hint
