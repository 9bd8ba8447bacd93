"""Whether the commands of a bot's folder can be started, and how: said before anything is."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from arena.hosting.command import BotCommand, placed, search_path
from arena.hosting.folder import is_file
from arena.hosting.manifest import Manifest, Words, find_program

_LONGEST: Final = 256
"""Bytes of a script's first line that are looked at; the system looks at no more."""


class NotLaunchable(Exception):
    """A command that cannot be started; the sentence says why and what to do."""


def refuse_odd_files(manifest: Manifest) -> None:
    """Refuse files of the commands that are there but cannot be run.

    Raises:
        NotLaunchable: a script has the line ends of Windows, or may not be executed.
    """
    for words in (manifest.run, *manifest.build):
        for sentence in _faults(words, manifest.folder):
            raise NotLaunchable(sentence)


def refuse_missing_files(manifest: Manifest, sent: Collection[Path]) -> None:
    """Refuse a bot whose command names files of the folder that are not sent, where no build makes
    any.

    Args:
        manifest: of the folder.
        sent: the files that are, relative to it.

    Raises:
        NotLaunchable: such a file is left out, or its program is not there at all.
    """
    for number, word in enumerate(() if manifest.build else manifest.run):
        name = os.path.normpath(word)
        if not _may_be_of_folder(word, is_program=number == 0) or Path(name) in sent:
            continue
        path = manifest.folder / name
        if not path.exists() and number == 0:
            raise NotLaunchable(
                f"there is no program {word!r}: run needs it, and no build makes it"
            )
        if path.is_file():
            raise NotLaunchable(f"{_why_left_out(name, manifest.folder)}, and run needs it")


def _may_be_of_folder(word: str, *, is_program: bool) -> bool:
    """Whether a word of a command may name a file of the bot's folder."""
    path = Path(word)
    written_as_file = "/" in word or ("." in word and not is_program)
    return written_as_file and not path.is_absolute() and ".." not in path.parts


def _why_left_out(name: str, folder: Path) -> str:
    path = Path(name)
    if any((folder / place).is_symlink() for place in (path, *path.parents) if place != Path()):
        return f"{name} is a link or lies behind one, which is not sent"
    return f".gitignore leaves {name} out: it is not sent, no build makes it (bot.toml has none)"


def command_of(
    manifest: Manifest, folder: Path, identity: str, *, in_image: bool = False
) -> BotCommand:
    """How a bot is started, once it is built.

    Args:
        manifest: of its source.
        folder: where it is built.
        identity: the hash of its content.
        in_image: whether programs that are not its own are those of an image, not of the machine.

    Raises:
        NotLaunchable: its program is not there, or may not be executed.
    """
    if not manifest.run:
        assert in_image, "who contains it has looked whether its image can be had"
        return BotCommand(manifest.name, (), identity, folder, is_settled=True)
    word = manifest.run[0]
    for sentence in _faults(manifest.run, folder):
        raise NotLaunchable(sentence)
    outside = _leads_out(word)
    program = word if outside else find_program(word, folder, search_path=search_path())
    if program is None and "/" in word:
        raise NotLaunchable(f"there is no program {word!r}: run needs it, and no build made it")
    if program is None and in_image:
        program = word
    if program is None:
        raise NotLaunchable(f"this arena has no program {word!r}, which run needs")
    argv = (program, *(_placed(argument, folder) for argument in manifest.run[1:]))
    return BotCommand(manifest.name, argv, identity, folder, is_settled=True)


def _placed(word: str, folder: Path) -> str:
    """An argument with its file in full, where it is the bot's own.

    What lies elsewhere is not looked for: whoever sends a bot would learn what the arena has.
    """
    _, _, rest = word.partition("=")
    return word if _leads_out(word) or _leads_out(rest) else placed(word, folder)


def _leads_out(word: str) -> bool:
    path = Path(word)
    return path.is_absolute() or ".." in path.parts


def _faults(words: Words, folder: Path) -> Iterator[str]:
    for number, word in enumerate(words):
        path = folder / word
        if _leads_out(word) or not is_file(path):
            continue
        name = os.path.normpath(word)
        with path.open("rb") as file:
            first = file.read(_LONGEST).partition(b"\n")[0]
        if first.startswith(b"#!") and first.endswith(b"\r"):
            asked = first[2:].strip(b" ").decode("utf-8", "replace")
            yield f"{name}: Windows line ends, its first line asks for {asked!r}"
        if number == 0 and "/" in word and not os.access(path, os.X_OK):
            yield f"{name}: not executable: chmod +x {name}"
