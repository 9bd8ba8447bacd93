"""``arena bot new``: a bot that works, from a starter."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.hosting.command import SAMPLES
from arena.hosting.folder import files_of
from arena.hosting.manifest import read_manifest
from arena.hosting.template import starters
from tests.cli.commands import ROOT, InProcess, assert_refused, process


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_python_bot_plays_at_once(arena: InProcess, here: Path) -> None:
    done = arena("bot", "new", "my-bot", "--lang", "python")
    assert done.code == 0, done
    assert done.out == "my-bot: a bot in python, 5 files; read its README.md\n"
    assert done.err.endswith("arena match my-bot random --sets 2\n")
    played = process("match", "my-bot", "random", "--sets", "1", "--json", cwd=here)
    assert played.code == 0, played
    bots = {bot["name"]: bot for bot in json.loads(played.out)["bots"]}
    assert bots["my-bot"]["faults"] == bots["random"]["faults"]
    assert process("bot", "build", "my-bot", "--check", cwd=here).code == 0


@pytest.mark.parametrize("language", starters())
def test_a_new_bot_has_its_starter_s_files_and_its_own_name(
    arena: InProcess, here: Path, language: str
) -> None:
    source = starters()[language]
    old = read_manifest(source).name
    done = arena("bot", "new", "zoe-2", "--lang", language, "--json")
    told = json.loads(done.out)
    assert (told["schema"], told["folder"]) == ("arena.new-bot/1", "zoe-2")
    assert len(told["files"]) == len(files_of(source)) == len(files_of(here / "zoe-2"))
    assert read_manifest(here / "zoe-2").name == "zoe-2"
    for path in _own_files(here / "zoe-2"):
        content = path.read_bytes()
        assert old.encode() not in content, path
        assert old.replace("-", "_").encode() not in content, path


def _own_files(folder: Path) -> Iterator[Path]:
    return (folder / path for path in files_of(folder) if path.parts[0] != "proto")


def test_starters_are_named_after_their_language() -> None:
    assert "python" in starters()
    for language, folder in starters().items():
        manifest = read_manifest(folder)
        assert (manifest.language, manifest.name) == (language, f"{language}-starter")


def test_names_of_files_change_too_and_modes_stay(
    arena: InProcess, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = here / "samples" / "c" / "starter"
    (source / "proto").mkdir(parents=True)
    (source / "bot.toml").write_text("name='c-starter'\nlanguage='c'\nrun=['x']\nbuild=[['true']]")
    (source / "c_starter.h").write_text("#define c_starter c-starter\n")
    (source / "proto" / "c-starter").write_text("c-starter")
    (source / "run.sh").touch(mode=0o755)
    monkeypatch.setattr("arena.hosting.command.SAMPLES", here / "samples" / "python")
    done = arena("bot", "new", "a-b", "--lang", "C", "--in", "samples")
    folder = here / "samples" / "a-b"
    assert (folder / "a_b.h").read_text() == "#define a_b a-b\n"
    assert (folder / "proto" / "c-starter").read_text() == "c-starter"
    assert (folder / "run.sh").stat().st_mode & stat.S_IXUSR
    assert "arena bot build samples/a-b\n" in done.err


REFUSED = {
    "no language": (["ann"], 2, "in which language? give --lang"),
    "another language": (["ann", "--lang", "cobol"], 2, 'there is no starter in "cobol"'),
    "a name with a slash": (["a/b", "--lang", "python"], 2, "'a/b' cannot be the name of a new"),
    "a name in capitals": (["Ann", "--lang", "python"], 2, "write small letters and digits"),
    "a long name": (["a" * 41, "--lang", "python"], 2, "at most 40"),
    "a sample's name": (["random", "--lang", "python"], 2, "random is the name of a sample bot"),
    "no folder": (["ann", "--lang", "python", "--in", "gone"], 2, "gone is no folder"),
    "there already": (["old", "--lang", "python"], 1, "old is there already"),
    "not to be written": (["ann", "--lang", "python", "--in", "/proc"], 1, "cannot be made"),
}


@pytest.mark.parametrize(("arguments", "code", "words"), REFUSED.values(), ids=REFUSED)
def test_what_will_not_do_is_told_and_nothing_is_made(
    arena: InProcess, here: Path, arguments: list[str], code: int, words: str
) -> None:
    (here / "old").write_text("mine")
    assert_refused(arena("bot", "new", *arguments), code, words)
    assert [path.name for path in here.iterdir()] == ["old"]
    assert (here / "old").read_text() == "mine"


def test_a_misspelt_language_is_guessed(arena: InProcess) -> None:
    assert 'did you mean "python"?' in arena("bot", "new", "ann", "--lang", "pyhton").err


def test_without_the_samples_it_says_so(
    arena: InProcess, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.hosting.command.SAMPLES", here / "nowhere")
    assert_refused(
        arena("bot", "new", "ann", "--lang", "python"), 2, "the sample bots are not here"
    )


def test_samples_with_a_manifest_lie_under_their_language() -> None:
    for path in (ROOT / "sample_bots").glob("*/*/bot.toml"):
        assert read_manifest(path.parent).language == path.parent.parent.name
    assert SAMPLES.parent == ROOT / "sample_bots"
