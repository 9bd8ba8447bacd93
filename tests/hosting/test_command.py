"""Bots given as command lines: names, files, quotes, and the identity that follows the files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.hosting.command import (
    SAMPLES,
    BotCommand,
    CommandError,
    find_command,
    sample_names,
    search_path,
)
from arena.hosting.identity import _modules, identity_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own folder to stand in, with a few bots."""
    monkeypatch.chdir(tmp_path)
    for name in ("my_bot.py", "greedy/bot.py", "with space.py", "deep/main.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("print()\n")
    program = tmp_path / "native-bot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "data.txt").write_text("weights")
    return tmp_path


def test_the_samples_are_known_by_name() -> None:
    assert {"random", "first_legal"} <= set(sample_names())
    bot = find_command("first_legal")
    assert bot.name == "first_legal"
    assert bot.argv == (sys.executable, str(SAMPLES / "first_legal" / "bot.py"))


def test_without_a_folder_of_samples_there_are_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.hosting.command.SAMPLES", folder / "nowhere")
    assert sample_names() == ()


NAMES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a script is run with this Python": ("my_bot.py", "my_bot", ("my_bot.py",)),
    "so is one with arguments": ("my_bot.py --fast", "my_bot", ("my_bot.py", "--fast")),
    "a file called bot has its folder's name": ("greedy/bot.py", "greedy", ("greedy/bot.py",)),
    "so has one called main": ("./deep/main.py", "deep", ("./deep/main.py",)),
    "quotes keep words together": ("'with space.py' 'a b'", "with space", ("with space.py", "a b")),
    "a name in front": ("ann=my_bot.py -x", "ann", ("my_bot.py", "-x")),
    "a name with a sample's": ("b.o-b_2= my_bot.py", "b.o-b_2", ("my_bot.py",)),
    "an equals sign behind belongs to the command": (
        "my_bot.py k=v",
        "my_bot",
        ("my_bot.py", "k=v"),
    ),
}


@pytest.mark.parametrize(("text", "name", "arguments"), NAMES.values(), ids=NAMES)
def test_a_script_and_its_name(text: str, name: str, arguments: tuple[str, ...]) -> None:
    bot = find_command(text)
    assert bot.name == name
    assert bot.argv == (sys.executable, *arguments)


def test_a_sample_may_have_another_name() -> None:
    bot = find_command("carl=random")
    assert (bot.name, bot.argv) == ("carl", find_command("random").argv)


PROGRAMS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a program by its path": ("./native-bot -v", "native-bot", ("-v",)),
    "a program that runs a script": ("python greedy/bot.py", "greedy", ("greedy/bot.py",)),
    "a program that runs none": ("sh -c true", "sh", ("-c", "true")),
    "the last file names the bot": ("sh data.txt my_bot.py", "my_bot", ("data.txt", "my_bot.py")),
}


@pytest.mark.parametrize(("text", "name", "arguments"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_is_found_and_made_absolute(
    text: str, name: str, arguments: tuple[str, ...]
) -> None:
    bot = find_command(text)
    assert bot.name == name
    assert Path(bot.argv[0]).is_absolute()
    assert os.access(bot.argv[0], os.X_OK)
    assert bot.argv[1:] == arguments


def test_programs_beside_this_python_come_first(folder: Path) -> None:
    assert search_path().split(os.pathsep)[0] == str(Path(sys.executable).parent)
    assert Path(find_command("python my_bot.py").argv[0]).parent == Path(sys.executable).parent


REFUSED = {
    "": "a bot command is empty",
    "   ": "a bot command is empty",
    "ann=": "a bot command is empty",
    "my_bot.py 'open": "cannot be read: No closing quotation",
    "no-such-program --x": "'no-such-program' is neither a program that can be run, nor a",
    "missing.py": "'missing.py' is neither",
    "data.txt": "'data.txt' is neither",
    "=my_bot.py": "the name before = is empty",
    "a b=my_bot.py": "'a' is neither",
}


@pytest.mark.parametrize(("text", "words"), REFUSED.items(), ids=[text or "-" for text in REFUSED])
def test_what_cannot_be_run_is_refused_with_a_sentence(text: str, words: str) -> None:
    with pytest.raises(CommandError) as refused:
        find_command(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_refusal_names_the_samples() -> None:
    with pytest.raises(CommandError, match="first_legal"):
        find_command("no-such-program")


# Identity.


def bot(text: str) -> BotCommand:
    return find_command(text)


def test_the_identity_changes_with_the_file_and_comes_back_with_it(folder: Path) -> None:
    before = bot("my_bot.py").identity
    (folder / "my_bot.py").write_text("print(1)\n")
    changed = bot("my_bot.py").identity
    (folder / "my_bot.py").write_text("print()\n")
    assert changed != before
    assert bot("my_bot.py").identity == before
    assert len(before) == 64


@pytest.mark.parametrize(
    ("text", "files"),
    [
        pytest.param("import memory", ["memory.py"], id="a module beside the script"),
        pytest.param("from memory import *", ["memory.py"], id="names of a module"),
        pytest.param(
            "from plans import deep", ["plans/__init__.py", "plans/deep.py"], id="a package"
        ),
        pytest.param(
            "import plans.deep", ["plans/__init__.py", "plans/deep.py"], id="a dotted name"
        ),
        pytest.param(
            "def act():\n    import memory", ["memory.py"], id="an import within a function"
        ),
    ],
)
def test_what_a_script_imports_from_its_folder_counts_too(
    folder: Path, text: str, files: list[str]
) -> None:
    (folder / "plans").mkdir()
    (folder / "my_bot.py").write_text(text)
    for name in ("memory.py", "plans/__init__.py", "plans/deep.py", "other.py"):
        (folder / name).write_text("x = 1")
    before = bot("my_bot.py").identity
    (folder / "other.py").write_text("x = 2")
    assert bot("my_bot.py").identity == before
    for name in files:
        (folder / name).write_text("x = 2")
        assert bot("my_bot.py").identity != before
        (folder / name).write_text("x = 1")
    assert bot("my_bot.py").identity == before


def test_imports_that_go_round_and_files_that_are_no_python_end(folder: Path) -> None:
    (folder / "my_bot.py").write_text("import memory")
    (folder / "memory.py").write_text("import my_bot\nimport broken")
    (folder / "broken.py").write_text("this is no python (")
    assert len(bot("my_bot.py").identity) == 64


ODD = {
    "brackets that lie too deep": "x = " + "[" * 5_000,
    "signs that lie too deep": "x = " + "-" * 200_000 + "1",
    "an attribute too deep": "x = x" + ".x" * 200_000,
    "a name too long for a file": f"import {'m' * 300}",
    "names too long for a path": "import " + ".".join(["m" * 200] * 30),
    "a zero": "import memory\0",
    "no UTF-8": "\udcff = 1",
    "what Python warns of": "x = '\\d'",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_source_counts_by_its_bytes(folder: Path, text: str) -> None:
    (folder / "my_bot.py").write_bytes(text.encode("utf-8", "surrogateescape"))
    before = bot("my_bot.py").identity
    (folder / "my_bot.py").write_bytes(b"#" + text.encode("utf-8", "surrogateescape"))
    assert bot("my_bot.py").identity != before


def test_a_script_in_the_root_folder_imports_from_there() -> None:
    assert list(_modules("", Path("/"))) == []


def test_a_file_beside_the_folder_is_not_imported(folder: Path) -> None:
    (folder / "greedy.py").write_text("x = 1")
    (folder / "greedy" / "bot.py").write_text("from . import plan")
    before = bot("greedy/bot.py").identity
    (folder / "greedy.py").write_text("x = 2")
    assert bot("greedy/bot.py").identity == before


LONG = "x" * 5_000


@pytest.mark.parametrize("text", [LONG, f"{LONG}.py", f"./{LONG}", f"{LONG}/x", f"'{LONG}"])
def test_a_word_of_5000_letters_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(CommandError) as refused:
        find_command(text)
    assert len(str(refused.value)) < 300


def test_the_identity_changes_with_the_arguments_and_with_files_among_them(folder: Path) -> None:
    seen = {
        bot("my_bot.py").identity,
        bot("my_bot.py -x").identity,
        bot("my_bot.py data.txt").identity,
    }
    (folder / "data.txt").write_text("other weights")
    seen.add(bot("my_bot.py data.txt").identity)
    seen.add(bot("my_bot.py -x data.txt").identity)
    seen.add(bot("my_bot.py data.txt -x").identity)
    assert len(seen) == 6


def test_a_word_is_not_a_file_of_that_content(folder: Path) -> None:
    (folder / "x").write_text("y")
    with_file = identity_of(("p", "x"))
    (folder / "x").unlink()
    assert identity_of(("p", "x")) != with_file


def test_the_identity_does_not_depend_on_the_folder_or_on_the_name(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "my_bot.py").write_text("print()\n")
    assert bot("my_bot.py").identity == bot("ann=other/my_bot.py").identity


def test_a_program_alone_counts_by_its_bytes_and_an_interpreter_by_its_script(folder: Path) -> None:
    before = bot("./native-bot").identity
    (folder / "native-bot").write_text("#!/bin/sh\nexit\n")
    assert bot("./native-bot").identity != before
    assert identity_of(("/usr/bin/python3", "my_bot.py")) == identity_of(("py", "my_bot.py"))


def test_a_huge_file_counts_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.hosting.identity.MAX_HASHED_BYTES", 3)
    before = identity_of(("p", "data.txt"))
    (folder / "data.txt").write_text("something else")
    assert identity_of(("p", "data.txt")) == before


def test_a_script_that_is_not_there_gives_its_name_all_the_same(folder: Path) -> None:
    assert find_command(f"python {folder}/gone.py").name == "gone"
