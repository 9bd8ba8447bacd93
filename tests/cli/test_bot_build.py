"""``arena bot build``: the commands of a bot.toml."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.commands import InProcess, assert_refused

MANIFEST = """\
name = "ann"
language = "sh"
run = ["./out/bot"]
build = [["mkdir", "-p", "out"], ["./make.sh", "out/bot"]]
check = [["./make.sh", "checked"]]
"""
SCRIPT = '#!/bin/sh\nprintf "#!/bin/sh\\n" >"$1" && chmod +x "$1"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot that is built by a script of its own; one stands above it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "make.sh").write_text(SCRIPT)
    (folder / "make.sh").chmod(0o755)
    return folder


def test_it_is_built_in_its_folder(arena: InProcess, folder: Path) -> None:
    done = arena("bot", "build", "bot")
    assert done.code == 0, done
    assert done.err.splitlines() == [
        "ann: mkdir -p out",
        "ann: ./make.sh out/bot",
        "ann: built",
    ]
    assert (folder / "out" / "bot").is_file()
    assert not (folder / "checked").exists()


def test_its_own_checks_come_after(
    arena: InProcess, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = arena("bot", "build", "--check")
    assert done.err.endswith("ann: ./make.sh checked\nann: built, its checks pass\n")
    assert (folder / "checked").exists()


def test_nothing_may_have_to_be_built(arena: InProcess, folder: Path) -> None:
    (folder / "bot.toml").write_text("name = 'ann'\nlanguage = 'sh'\nrun = ['sh']")
    assert arena("bot", "build", "bot").err == "ann: there is nothing to build\n"


FAILS = {
    "a command fails": ('["false"]', "ann: 'false' ended with status 1"),
    "a command is killed": ("['sh', '-c', 'kill -9 $$']", "was ended by signal 9"),
    "a program is missing": ('["no-such-tool", "x"]', "ann needs 'no-such-tool' for 'no-such"),
    "a script is no program": ('["./bot.toml"]', "ann needs './bot.toml' for './bot.toml', and"),
}


@pytest.mark.parametrize(("command", "words"), FAILS.values(), ids=FAILS)
def test_what_fails_is_told_and_ends_it(
    arena: InProcess, folder: Path, command: str, words: str
) -> None:
    text = f'name = "ann"\nlanguage = "sh"\nrun = ["x"]\nbuild = [{command}, ["touch", "after"]]'
    (folder / "bot.toml").write_text(text)
    done = arena("bot", "build", "bot")
    assert done.code == 1
    assert words in done.err.splitlines()[-1]
    assert not (folder / "after").exists()


@pytest.mark.parametrize(
    ("given", "words"),
    [("nowhere", "nowhere/bot.toml cannot be read: No such file"), ("bot", "name is missing")],
)
def test_a_folder_that_is_no_bot_is_told(
    arena: InProcess, folder: Path, given: str, words: str
) -> None:
    (folder / "bot.toml").write_text("")
    assert_refused(arena("bot", "build", given), 2, words)


def test_a_bot_that_is_older_than_its_source_is_told_of(arena: InProcess, folder: Path) -> None:
    assert arena("bot", "build", "bot").code == 0
    os.utime(folder / "out" / "bot", ns=(0, 0))
    assert "changed after" not in arena("bot", "register", "ann", "--command", "bot").err
    (folder / "make.sh").write_text(f"{SCRIPT}# more")
    told = "bot: make.sh changed after its last build; run arena bot build bot\n"
    done = arena("bot", "register", "ann", "--command", "other=bot")
    assert (done.code, done.err) == (0, told)
    assert arena("bot", "build", "bot").code == 0
    assert arena("bot", "register", "ann", "--command", "bot").err == ""


def test_one_that_was_built_by_hand_is_not(arena: InProcess, folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "bot").write_text("#!/bin/sh\n")
    (folder / "out" / "bot").chmod(0o755)
    assert arena("bot", "register", "ann", "--command", "bot").err == ""


def test_one_that_is_not_built_is_told_how(arena: InProcess, folder: Path) -> None:
    done = arena("match", "bot", "random")
    assert_refused(done, 2, "ann cannot be run: bot/out/bot is no program")
    assert "hint:  arena bot build bot\n" in done.err


def test_a_tournament_tells_how_too(arena: InProcess, folder: Path) -> None:
    cup = folder.parent / "cup.toml"
    cup.write_text('name = "cup"\nbots = ["./bot", "random"]')
    done = arena("tournament", "run", cup)
    assert_refused(done, 2, "ann cannot be run: bot/out/bot is no program")
    assert "hint:  arena bot build bot\n" in done.err


def test_a_folder_that_is_not_there_is_told(arena: InProcess, folder: Path) -> None:
    assert_refused(arena("match", "./nofolder", "random"), 2, "there is no bot's folder './nofol")


def test_a_folder_that_cannot_be_read_is_told_of_before(
    arena: InProcess, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    done = arena("bot", "build", "bot")
    assert (done.code, (folder / "out").exists()) == (1, False)
    assert f"error: {folder}: a bot's folder that cannot be read" in done.err


def test_a_folder_in_the_place_of_the_note_is_left_alone(arena: InProcess, folder: Path) -> None:
    (folder / ".arena-build").mkdir()
    assert arena("bot", "build", "bot").err.endswith("ann: built\n")
    (folder / "make.sh").write_text("changed")
    assert "changed after" not in arena("match", "bot", "bot").err
