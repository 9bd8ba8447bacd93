"""A bot given as a command line: how it is written, found and identified."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.hosting.identity import identity_of

SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_bots" / "python"


class CommandError(Exception):
    """A bot command that cannot be run; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class BotCommand:
    """What is started for each seat.

    Attributes:
        name: the bot's name.
        argv: the program and its arguments, the program as an absolute path.
        identity: hex SHA-256 over the arguments and the files among them; the version's hash.
    """

    name: str
    argv: tuple[str, ...]
    identity: str


def sample_names() -> tuple[str, ...]:
    """The Python sample bots, by name."""
    if not SAMPLES.is_dir():
        return ()
    return tuple(sorted(path.parent.name for path in SAMPLES.glob("*/bot.py")))


def find_command(text: str) -> BotCommand:
    """The command of a bot: the name of a sample bot, or a command line.

    ``NAME=COMMAND LINE`` gives the bot a name; otherwise it is called after its sample, or after
    the script or program that it runs.

    Raises:
        CommandError: nothing can be run by it.
    """
    name, line = _split_name(text)
    if line in sample_names():
        script = SAMPLES / line / "bot.py"
        return _command(name or line, (sys.executable, str(script)))
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise CommandError(f"the bot command {line!r} cannot be read: {error}") from error
    if not words:
        raise CommandError("a bot command is empty")
    if words[0].endswith(".py") and Path(words[0]).is_file():
        words = [sys.executable, *words]
    program = shutil.which(words[0], path=search_path())
    if program is None:
        known = ", ".join(sample_names())
        raise CommandError(
            f"{words[0]!r} is neither a program that can be run nor a sample bot ({known})"
        )
    argv = (str(Path(program).absolute()), *words[1:])
    return _command(name or _called(words), argv)


def search_path() -> str:
    """Where programs of bots are looked for: beside this Python first, then ``PATH``.

    So ``python my_bot.py`` runs where the arena's SDK is installed, virtual environment or not.
    """
    return os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))


def _split_name(text: str) -> tuple[str, str]:
    head, sign, tail = text.partition("=")
    is_name = bool(sign) and head != "" and all(c.isalnum() or c in "._-" for c in head)
    return (head, tail.strip()) if is_name else ("", text.strip())


def _called(words: list[str]) -> str:
    """``my_bot`` for ``python my_bot.py`` and ``greedy`` for ``python bots/greedy/bot.py``."""
    # A script that is not there is one all the same: its failure should be told under its name.
    files = [Path(word) for word in words if word.endswith(".py") or Path(word).is_file()]
    path = files[-1] if files else Path(words[0])
    generic = path.stem in {"bot", "main"} and path.absolute().parent.name
    return path.absolute().parent.name if generic else path.stem


def _command(name: str, argv: tuple[str, ...]) -> BotCommand:
    return BotCommand(name, argv, identity_of(argv))
