"""A bot's folder: its files, its bot.toml, and how it is found, run and identified."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from arena.cli import data_folder
from arena.hosting.command import CommandError, find_command, placed, sample_folders
from arena.hosting.folder import DATABASE, files_of, folder_of
from arena.hosting.identity import identity_of
from arena.hosting.manifest import ManifestError, Wanted, read_manifest

SOUND = """\
name = "ann"
language = "c++"
build = [["make"], ["make", "docs"]]
run = ["./bin/ann", "--book", "book.txt", "fast"]
check = [["make", "check"]]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot's folder, and one stands in the folder above it."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "bot", {"bot.toml": SOUND, "main.c": "", "book.txt": "", "fast": ""})
    write(tmp_path / "bot", {".gitignore": "/bin/\n*.o\n!kept.o\n", "bin/ann": "#!/bin/sh\n"})
    (tmp_path / "bot" / "bin" / "ann").chmod(0o755)
    return tmp_path / "bot"


def write(folder: Path, files: dict[str, str]) -> None:
    """Write some files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


# Files.


def test_what_git_would_ignore_is_no_part_of_the_bot(folder: Path) -> None:
    write(folder, {"a.o": "", "kept.o": "", ".git/config": "", "src/__pycache__/x.pyc": ""})
    write(folder, {"src/.gitignore": "/gone\n!b.o\n", "src/gone": "", "src/b.o": "", "gone": ""})
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "outside").symlink_to("/etc")
    assert [str(path) for path in files_of(folder)] == [
        ".gitignore",
        "book.txt",
        "bot.toml",
        "fast",
        "gone",
        "kept.o",
        "main.c",
        "src/.gitignore",
        "src/b.o",
    ]


def test_folders_may_lie_deeper_than_python_calls_itself(folder: Path) -> None:
    write(folder, {"d/.gitignore": "*.o\n"})
    deepest = folder / "d"
    for _ in range(400):
        deepest /= "d"
        deepest.mkdir()
    write(deepest, {"x.c": "", "x.o": ""})
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        files = [path for path in files_of(folder) if path.name in ("x.c", "x.o")]
        assert [len(path.parts) for path in files] == [402]
        assert find_command("bot").name == "ann"
    finally:  # what pytest clears away by itself must not be as deep
        sys.setrecursionlimit(before)
        for name in ("x.c", "x.o"):
            (deepest / name).unlink()
        while deepest != folder / "d":
            deepest.rmdir()
            deepest = deepest.parent


def test_lines_that_are_no_rules_count_for_nothing(folder: Path) -> None:
    write(folder, {".gitignore": "!\n\\\nfoo\\\\\\\n[z-a]\n*.o\n", "a.o": "", "b.c": ""})
    names = [path.name for path in files_of(folder)]
    assert "b.c" in names
    assert "a.o" not in names


def test_a_data_folder_within_is_no_part_of_the_bot(folder: Path) -> None:
    before = files_of(folder)
    write(folder, {"arena-data/arena.db": "", "arena-data/more/x": ""})
    assert files_of(folder) == before
    assert DATABASE == data_folder.DATABASE


def test_a_file_belongs_to_the_nearest_bot_folder_above_it(folder: Path) -> None:
    assert folder_of(folder / "src" / "deep" / "x.c") == folder
    assert folder_of(Path("bot/main.c")) == folder
    assert folder_of(folder.parent / "x.c") is None


# bot.toml.


def test_a_sound_one_is_read(folder: Path) -> None:
    manifest = read_manifest(Path("bot"))
    assert (manifest.folder, manifest.name, manifest.language) == (folder, "ann", "c++")
    assert manifest.build == (("make",), ("make", "docs"))
    assert manifest.run == ("./bin/ann", "--book", "book.txt", "fast")
    assert manifest.check == (("make", "check"),)
    assert (manifest.image, manifest.resources) == (None, Wanted())


def test_an_image_and_resources_may_be_asked_for(folder: Path) -> None:
    resources = "image = 'r/ann:3'\n[resources]\nmemory_mb = 64\ncpus = 0.5\n"
    (folder / "bot.toml").write_text("name = 'a'\nlanguage = 'go'\n" + resources)
    manifest = read_manifest(folder)
    assert (manifest.run, manifest.image) == ((), "r/ann:3")
    assert manifest.resources == Wanted(memory_mb=64, cpus=0.5)
    with pytest.raises(CommandError, match="can be submitted"):
        find_command(str(folder))


REFUSED = {
    "no TOML": ("name = ", "Invalid value"),
    "no UTF-8": ("name = '\udcff'", "can't decode"),
    "a field is missing": ("name = 'a'\nrun = ['x']", "language is missing"),
    "an unknown field": (
        SOUND + "user = 'x'",
        "user is no field of bot.toml: it has name, language, run, build, check, image, ",
    ),
    "nothing to run": ("name = 'a'\nlanguage = 'go'", "it has neither run nor image"),
    "an image of no name": (SOUND + "image = '-v/:/host'", "'-v/:/host' is no name of an image"),
    "too little memory": (
        SOUND + "[resources]\nmemory_mb = 1",
        "resources.memory_mb must be at least 16",
    ),
    "no processes": (
        SOUND + "[resources]\nprocesses = 0",
        "resources.processes must be at least 1",
    ),
    "endless processors": (
        SOUND + "[resources]\ncpus = inf",
        "resources.cpus must be at most 1024",
    ),
    "no number of processors": (
        SOUND + "[resources]\ncpus = nan",
        "resources.cpus must be at least 0.1",
    ),
    "an unknown resource": (
        SOUND + "[resources]\ndisk = 1",
        "resources.disk is no field of bot.toml: resources has memory_mb, processes, cpus",
    ),
    "a text for a number": (SOUND + "[resources]\ncpus = '1'", "cpus must be a number, not a text"),
    "a line for words": ("name='a'\nlanguage='go'\nrun='./a'", "run must be a list, not a text"),
    "no words": ("name='a'\nlanguage='go'\nrun=[]", "it has neither run nor image"),
    "an empty word first": ("name='a'\nlanguage='go'\nrun=['']", "run has a command without words"),
    "a build without words": (
        "name='a'\nlanguage='go'\nrun=['x']\nbuild=[[]]",
        "build has a command without words",
    ),
    "a word with a zero": (
        "name='a'\nlanguage='go'\nrun=['x',\"\\u0000\"]",
        "run has a word that no command may have",
    ),
    "an empty name": ("name=''\nlanguage='go'\nrun=['x']", "name has 1 to 64 characters"),
    "a name of two lines": (
        "name='a\\nb'".replace("'", '"') + "\nlanguage='go'\nrun=['x']",
        "name has 1 to 64",
    ),
    "a language in capitals": ("name='a'\nlanguage='Go'\nrun=['x']", "'Go' is no name of a"),
    "lists in lists": ("run = " + "[" * 20_000, "its lists lie too deep"),
    "too long": ("#" * 70_000, "is too long: at most 64 KiB"),
}


@pytest.mark.parametrize(("text", "words"), REFUSED.values(), ids=REFUSED)
def test_one_that_will_not_do_is_refused_in_one_line(folder: Path, text: str, words: str) -> None:
    (folder / "bot.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ManifestError, match=r"bot\.toml") as refused:
        read_manifest(folder)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_one_that_is_no_file_is_refused(folder: Path) -> None:
    (folder / "bot.toml").unlink()
    os.mkfifo(folder / "bot.toml")
    with pytest.raises(ManifestError, match=r"bot\.toml is no file"):
        read_manifest(folder)


def test_one_without_an_end_is_refused(folder: Path) -> None:
    (folder / "bot.toml").unlink()
    (folder / "bot.toml").symlink_to("/dev/zero")
    with pytest.raises(ManifestError, match=r"bot\.toml is no file"):
        read_manifest(folder)


# Run.


@pytest.mark.parametrize("text", ["bot", "bot/", "./bot"])
def test_a_folder_is_run_as_its_manifest_says(folder: Path, text: str) -> None:
    found = find_command(text)
    program, book = str(folder / "bin/ann"), str(folder / "book.txt")
    assert found.argv == (program, "--book", book, "fast")
    assert found.name == "ann"
    assert find_command(f"bob={text}").name == "bob"


def test_it_can_be_run_from_within(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_command("bot")
    monkeypatch.chdir(folder)
    assert find_command(".") == before


def test_a_sample_goes_before_a_folder_of_its_name(folder: Path) -> None:
    folder.rename("random")
    assert find_command("random").name == "random"
    assert find_command("./random").name == "ann"
    assert placed("random", Path()) == "random"
    assert placed("./random", Path()) == str(Path("random").absolute())


def test_samples_of_other_languages_are_known_by_their_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.parent / "samples" / "c").mkdir(parents=True)
    folder.rename("samples/c/starter")
    monkeypatch.setattr("arena.hosting.command.SAMPLES", folder.parent / "samples" / "python")
    assert list(sample_folders()) == ["c/starter"]
    assert find_command("c/starter").name == "ann"
    assert find_command("eve=c/starter").name == "eve"


NOT_RUN = {
    "one that is not built": ("[ './bin/gone' ]", "ann cannot be run: bot/bin/gone is no program"),
    "a program that is not there": ("[ 'no-such' ]", "needs the program 'no-such', which is not"),
    "a file that is no program": ("[ './main.c' ]", "bot/main.c is no program"),
    "a bad manifest": ("[]", "it has neither run nor image"),
}


@pytest.mark.parametrize(("run", "words"), NOT_RUN.values(), ids=NOT_RUN)
def test_what_cannot_be_run_is_told(folder: Path, run: str, words: str) -> None:
    (folder / "bot.toml").write_text(f"name = 'ann'\nlanguage = 'c'\nrun = {run}")
    with pytest.raises(CommandError) as refused:
        find_command("bot")
    assert words in str(refused.value)


def test_a_folder_without_a_manifest_is_told(folder: Path) -> None:
    (folder / "bot.toml").unlink()
    with pytest.raises(CommandError, match=r"the folder 'bot' has no bot\.toml"):
        find_command("bot")


# Identity.


def test_every_file_of_the_folder_counts_and_so_does_the_program(folder: Path) -> None:
    seen = {find_command("bot").identity}
    for name in ("main.c", "bin/ann", "bot.toml", "new.h"):
        with (folder / name).open("a") as file:
            file.write("# more\n")
        seen.add(find_command("bot").identity)
    assert len(seen) == 5
    write(folder, {"new.o": "", "bin/other": ""})
    assert find_command("bot").identity in seen


def test_names_that_are_no_text_count_too(folder: Path) -> None:
    before = find_command("bot").identity
    (folder / os.fsdecode(b"x\xff")).touch()
    assert find_command("bot").identity != before


def test_the_folder_may_be_moved(folder: Path) -> None:
    before = find_command("bot")
    folder.rename("elsewhere")
    after = find_command("elsewhere")
    assert (after.identity, after.argv == before.argv) == (before.identity, False)
    assert identity_of(after.argv) == after.identity


def test_a_script_in_a_bot_folder_counts_with_the_folder(folder: Path) -> None:
    write(folder, {"run.py": "print()"})
    words = (sys.executable, str(folder / "run.py"))
    before = identity_of(words)
    write(folder, {"weights.bin": "1"})
    assert identity_of(words) != before


def unreadable(monkeypatch: pytest.MonkeyPatch, closed: Path) -> None:
    """Have the system refuse a folder, also to those who may read all."""
    scandir = os.scandir

    def refusing(path: Path) -> object:
        if path == closed:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)


def test_a_folder_that_cannot_be_read_is_told_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "closed").mkdir()
    unreadable(monkeypatch, folder / "closed")
    with pytest.raises(OSError, match=r"cannot be read \(Permission denied\); let it be") as told:
        files_of(folder)
    assert told.value.filename == str(folder / "closed")


def test_one_that_is_left_out_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files_of(folder)
    unreadable(monkeypatch, folder / "bin")
    assert files_of(folder) == before
