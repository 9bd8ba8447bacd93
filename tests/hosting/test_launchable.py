"""What of a bot's folder can be started, and what is said of the rest."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting.launchable import NotLaunchable, command_of, refuse_odd_files
from arena.hosting.manifest import Manifest, Wanted


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    """Of a bot that runs a script."""
    (tmp_path / "run.sh").write_bytes(b"#!/bin/sh\nexit 0\n")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "bot.py").write_text("")
    return Manifest(tmp_path, "bot", "sh", ("./run.sh", "fast"), (), (), None, Wanted())


def test_what_can_be_run_is_named_in_full(manifest: Manifest) -> None:
    refuse_odd_files(manifest)
    command = command_of(manifest, manifest.folder, "h")
    assert command.argv == (str(manifest.folder / "run.sh"), "fast")
    python = replace(manifest, run=("python", "bot.py"))
    found = command_of(python, manifest.folder, "h")
    assert found.argv == (
        str(Path(sys.executable).parent / "python"),
        str(manifest.folder / "bot.py"),
    )


def test_a_script_from_windows_is_told_as_such(manifest: Manifest) -> None:
    (manifest.folder / "run.sh").write_bytes(b"#!/bin/sh\r\nexit 0\r\n")
    told = r"^run\.sh: Windows line ends, its first line asks for '/bin/sh\\r'$"
    with pytest.raises(NotLaunchable, match=told):
        refuse_odd_files(manifest)
    with pytest.raises(NotLaunchable, match=told):
        command_of(manifest, manifest.folder, "h")
    with pytest.raises(NotLaunchable, match=told):
        refuse_odd_files(replace(manifest, run=("sh", "run.sh")))


@pytest.mark.parametrize("field", ["run", "build"])
def test_a_script_that_may_not_be_run_is_told_with_the_remedy(
    manifest: Manifest, field: str
) -> None:
    (manifest.folder / "run.sh").chmod(0o644)
    words = ("./run.sh",)
    with pytest.raises(NotLaunchable, match=r"^run\.sh: not executable: chmod \+x run\.sh$"):
        refuse_odd_files(
            replace(manifest, run=words)
            if field == "run"
            else replace(manifest, run=("sh",), build=(words,))
        )


def test_a_program_that_is_still_to_be_built_is_missed_only_then(manifest: Manifest) -> None:
    unbuilt = replace(manifest, run=("./bin/bot",))
    refuse_odd_files(unbuilt)
    with pytest.raises(NotLaunchable, match=r"there is no program '\./bin/bot'"):
        command_of(unbuilt, manifest.folder, "h")


def test_what_the_arena_has_not_is_told(manifest: Manifest) -> None:
    with pytest.raises(NotLaunchable, match="this arena has no program 'nosuchprogram'"):
        command_of(replace(manifest, run=("nosuchprogram",)), manifest.folder, "h")


def test_an_image_may_have_what_the_machine_has_not(manifest: Manifest) -> None:
    strange = replace(manifest, run=("nosuchprogram", "bot.py"))
    command = command_of(strange, manifest.folder, "h", in_image=True)
    assert command.argv == ("nosuchprogram", str(manifest.folder / "bot.py"))
    unbuilt = replace(manifest, run=("./bin/bot",))
    with pytest.raises(NotLaunchable, match=r"there is no program '\./bin/bot'"):
        command_of(unbuilt, manifest.folder, "h", in_image=True)


@pytest.mark.parametrize("program", ["../there.sh", "/bin/sh", "../missing.sh", "/bin/missing"])
def test_what_lies_elsewhere_is_not_looked_for(manifest: Manifest, program: str) -> None:
    """So what becomes of a word never shows what is there beside the folder."""
    folder = manifest.folder / "built"
    folder.mkdir()
    there = manifest.folder / "there.sh"
    there.write_text("#!/bin/sh\n")
    there.chmod(0o755)
    words = (
        program,
        "../there.sh",
        "../missing.sh",
        f"a={there}",
        "a=../there.sh",
        "x/../../bot.py",
    )
    command = command_of(replace(manifest, run=words), folder, "h")
    assert command.argv == words


def test_words_are_not_looked_up_where_the_arena_was_started(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "arena.db").touch()
    monkeypatch.chdir(tmp_path / "arena")
    manifest = replace(manifest, run=("./run.sh", "arena.db"))
    command = command_of(manifest, manifest.folder, "h")
    assert command.contained_argv() == (str(manifest.folder / "run.sh"), "arena.db")
