"""Bots as they are written on a command line or in a tournament file."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterable, Sequence
from typing import Final

from arena.cli.errors import CliError
from arena.cli.layout import some
from arena.cli.screen import tell
from arena.hosting.command import (
    BotCommand,
    CommandError,
    build_words,
    find_command,
    folder_of_bot,
    folder_text,
    sample_names,
    shown,
    split_name,
)
from arena.hosting.manifest import NAME_RULE, is_bot_name, read_manifest
from arena.hosting.stamp import changed_since_build

LABEL_DIGITS: Final = 8


def find_bots(texts: Sequence[str]) -> tuple[BotCommand, ...]:
    """The bots of some arguments, each under a name of its own.

    Raises:
        CliError: one cannot be run, or two have one name.
    """
    bots = tuple(map(find_bot, texts))
    refuse_twins([bot.name for bot in bots], [_line(text) for text in texts])
    return bots


def find_bot(text: str) -> BotCommand:
    """The bot of an argument.

    Raises:
        CliError: it cannot be run, or its name could not be shown.
    """
    try:
        bot = find_command(text)
    except CommandError as error:
        raise CliError(str(error), hint=error.hint or _nearest(text)) from error
    check_bot_name(bot.name)
    _tell_if_stale(text)
    return bot


def _tell_if_stale(text: str) -> None:
    """Say where a bot's folder is not what was built: it plays as it did before."""
    folder = folder_of_bot(text)
    if folder is None:
        return
    changed = changed_since_build(read_manifest(folder))
    if changed:
        tell(
            f"{folder_text(folder)}: {some(changed)} changed after its last build; "
            f"run {build_words(folder)}"
        )


def check_bot_name(name: str) -> None:
    """Refuse a name that no page, file or terminal could show.

    Raises:
        CliError: it is none.
    """
    if not is_bot_name(name):
        raise CliError(
            f"{shown(name)} is no bot name: {NAME_RULE}",
            hint="give it a name: NAME=COMMAND",
        )


def _line(text: str) -> str:
    """A bot as it is written, without the name before it."""
    return shlex.quote(split_name(text)[1])


def refuse_twins(names: Iterable[str], lines: Sequence[str] = ()) -> None:
    """Refuse two bots of one name: nobody could tell them apart.

    Args:
        names: of the bots.
        lines: what each is started by, for the hint.

    Raises:
        CliError: two have one name.
    """
    seen: dict[str, int] = {}
    for place, name in enumerate(names):
        if name in seen:
            twins = (lines[seen[name]], lines[place]) if lines else (name, name)
            raise CliError(
                f'two bots are called "{name}"', hint=f"name them: a={twins[0]} b={twins[1]}"
            )
        seen[name] = place


def version_label(bot: BotCommand) -> str:
    """The label of a version known by its content alone: the beginning of its hash."""
    return bot.identity[:LABEL_DIGITS]


def _nearest(text: str) -> str:
    close = difflib.get_close_matches(text.rpartition("=")[2], sample_names(), n=1)
    return f'did you mean "{close[0]}"?' if close else ""
