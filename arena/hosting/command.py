"""A bot given as a command line: how it is written, found and identified."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.hosting.folder import MANIFEST, folder_of, is_bot_folder, is_file, is_folder
from arena.hosting.identity import identity_of
from arena.hosting.manifest import ManifestError, find_program, read_manifest

MAX_SHOWN: Final = 80
"""Characters of a word that a sentence shows."""

SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_bots" / "python"


class CommandError(Exception):
    """A bot command that cannot be run.

    Args:
        sentence: why.
        hint: what to do, where the sentence does not say it.
    """

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class BotCommand:
    """What is started for each seat.

    Attributes:
        name: the bot's name.
        argv: the program and its arguments, the program as an absolute path; none where an image
            says what runs.
        identity: hex SHA-256 over the arguments and the files among them; the version's hash.
        folder: where the bot's files lie, absolute; None for a program of the machine.
        is_settled: whether its words stand as they start it anywhere. Those of a stranger are not
            looked up once more: what is there would show in how the bot is started.
    """

    name: str
    argv: tuple[str, ...]
    identity: str
    folder: Path | None = None
    is_settled: bool = False

    def contained_argv(self) -> tuple[str, ...]:
        """The same with files as absolute paths: who contains it lets it start elsewhere."""
        if self.is_settled:
            return self.argv
        return tuple(placed(word, Path.cwd()) for word in self.argv)


def shown(word: str) -> str:
    """A word as a sentence shows it: quoted, and of a long one its beginning."""
    return repr(word if len(word) <= MAX_SHOWN else f"{word[:MAX_SHOWN]}...")


def sample_names() -> tuple[str, ...]:
    """The Python sample bots, by name; not those that go by their folder."""
    if not SAMPLES.is_dir():
        return ()
    folders = (path.parent for path in SAMPLES.glob("*/bot.py"))
    return tuple(sorted(folder.name for folder in folders if not is_bot_folder(folder)))


def sample_folders() -> Mapping[str, Path]:
    """The sample bots that have a ``bot.toml``, as ``go/starter``, and where they lie."""
    root = SAMPLES.parent
    found = sorted(path.parent for path in root.glob(f"*/*/{MANIFEST}"))
    return {folder.relative_to(root).as_posix(): folder for folder in found}


def find_command(text: str) -> BotCommand:
    """The command of a bot: the name of a sample bot, a bot's folder, or a command line.

    ``NAME=COMMAND LINE`` gives the bot a name; otherwise it is called after its sample, as its
    ``bot.toml`` says, or after the script or program that it runs.

    Raises:
        CommandError: nothing can be run by it.
    """
    name, line = split_name(text)
    if not name:
        _refuse_bad_name(line)
    if line in sample_names():
        script = SAMPLES / line / "bot.py"
        return _command(name or line, (sys.executable, str(script)), script.parent)
    folder = find_folder(line)
    if folder is not None:
        return _command_of(folder, name)
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise CommandError(f"the bot command {shown(line)} cannot be read: {error}") from error
    if not words:
        raise CommandError("a bot command is empty")
    if words[0].endswith(".py") and is_file(Path(words[0])):
        words = [sys.executable, *words]
    program = shutil.which(words[0], path=search_path())
    if program is None:
        raise CommandError(_not_found(words[0]))
    argv = (str(Path(program).absolute()), *words[1:])
    return _command(name or _called(words), argv, _place_of(words))


def find_folder(line: str) -> Path | None:
    """The folder that is meant where a bot is given by its folder; None where none is.

    The samples in other languages go by their place among the samples, as ``rust/searcher``.
    """
    folder = Path(line)
    if line and is_bot_folder(folder):
        return folder.absolute()
    return sample_folders().get(line.rstrip("/"))


def folder_of_bot(text: str) -> Path | None:
    """The folder of a bot that is written as its folder, with a name or without; else None."""
    _, line = split_name(text)
    return None if line in sample_names() else find_folder(line)


def folder_text(folder: Path) -> str:
    """A bot's folder as a command takes it: a sample by its place, others from here if below."""
    for name, sample in sample_folders().items():
        if sample == folder:
            return name
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)


def _not_found(word: str) -> str:
    if is_folder(Path(word)):
        return f"the folder {word!r} has no {MANIFEST}, so it is no bot's"
    if "/" in word:
        return (
            f"there is no bot's folder {shown(word)}, and no program of that name that can be run"
        )
    known = ", ".join(sample_names())
    return (
        f"{shown(word)} is neither a program that can be run, nor a bot's folder, nor a sample bot "
        f"({known})"
    )


def _command_of(folder: Path, name: str) -> BotCommand:
    """What the ``bot.toml`` of a folder says to run.

    Raises:
        CommandError: that will not do, or its program is not there.
    """
    try:
        manifest = read_manifest(folder)
    except ManifestError as error:
        raise CommandError(str(error)) from error
    if not manifest.run:
        raise CommandError(
            f"{manifest.name} runs as the image {manifest.image!r} alone: it can be submitted, to "
            "an arena that runs containers"
        )
    word = manifest.run[0]
    program = find_program(word, folder, search_path=search_path())
    if program is None and "/" in word:
        raise CommandError(
            f"{manifest.name} cannot be run: {Path(folder_text(folder)) / word} is no program",
            build_words(folder) if manifest.build else "",
        )
    if program is None:
        raise CommandError(
            f"{manifest.name} needs the program {shown(word)}, which is not on the PATH"
        )
    argv = (program, *(placed(argument, folder) for argument in manifest.run[1:]))
    return _command(name or manifest.name, argv, folder)


def build_words(folder: Path) -> str:
    """The command that builds the bot of a folder."""
    return f"arena bot build {shlex.quote(folder_text(folder))}"


def placed(word: str, folder: Path) -> str:
    """A word of a command line, as it must be written in every folder.

    Only a word with a slash or a dot is taken for a file: ``fast`` may be an argument although a
    file of that name is there.
    """
    named, sign, rest = word.partition("=")
    if sign and _is_there(rest, folder):  # NAME=script.py
        return f"{named}={(folder / rest).absolute()}"
    return str((folder / word).absolute()) if _is_there(word, folder) else word


def _is_there(word: str, folder: Path) -> bool:
    path = folder / word
    if is_bot_folder(path):
        return word not in sample_names()
    return ("/" in word or "." in word) and is_file(path)


def search_path() -> str:
    """Where programs of bots are looked for: beside this Python first, then ``PATH``.

    So ``python my_bot.py`` runs where the arena's SDK is installed, virtual environment or not.
    """
    return os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))


def _refuse_bad_name(line: str) -> None:
    """Refuse what is clearly meant as ``NAME=BOT``, with a name that none can have.

    Raises:
        CommandError: it is.
    """
    head, sign, tail = line.partition("=")
    if sign and not head:
        raise CommandError(f"the name before = is empty: {shown(line)}")
    if sign and "/" not in head and tail.strip() in sample_names():
        raise CommandError(
            f"{shown(head)} is no name for a bot before =: write letters, digits, '.', '_' and '-'"
        )


def split_name(text: str) -> tuple[str, str]:
    """A bot's name and what follows ``=``; no name, and all of it, where none is written."""
    head, sign, tail = text.partition("=")
    is_name = bool(sign) and head != "" and all(c.isalnum() or c in "._-" for c in head)
    return (head, tail.strip()) if is_name else ("", text.strip())


def _called(words: list[str]) -> str:
    """``my_bot`` for ``python my_bot.py`` and ``greedy`` for ``python bots/greedy/bot.py``."""
    # A script that is not there is one all the same: its failure should be told under its name.
    files = [Path(word) for word in words if word.endswith(".py") or is_file(Path(word))]
    path = files[-1] if files else Path(words[0])
    generic = path.stem in {"bot", "main"} and path.absolute().parent.name
    return path.absolute().parent.name if generic else path.stem


def _place_of(words: list[str]) -> Path | None:
    """Where the files of a command line lie: the bot's folder, or that of its script or program."""
    files = [Path(word).absolute() for word in words[1:] if is_file(Path(word))]
    if not files and "/" in words[0]:
        files = [Path(words[0]).absolute()]
    return (folder_of(files[-1]) or files[-1].parent) if files else None


def _command(name: str, argv: tuple[str, ...], folder: Path | None) -> BotCommand:
    return BotCommand(name, argv, identity_of(argv), folder)
