"""``arena bot new``: a working bot in a language of one's choice."""

from __future__ import annotations

import difflib
import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import FAILED, CliError
from arena.cli.next_steps import tell_next
from arena.cli.screen import stdout_screen, write, write_json
from arena.hosting.manifest import read_manifest
from arena.hosting.template import TemplateError, check_name, make_bot, starters


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the bot, and of its folder.")],
    language: Annotated[
        str, typer.Option("--lang", metavar="LANGUAGE", help="What it is written in.")
    ] = "",
    into: Annotated[
        Path, typer.Option("--in", metavar="DIR", help="Where the folder is made.")
    ] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Make a folder with a bot that works, to go on from.

    It holds the whole bot, with the contract, build files, tests and a README.
    """
    language = _language(language)
    try:
        check_name(name)
    except TemplateError as error:
        raise CliError(str(error)) from error
    if not into.is_dir():
        raise CliError(f"{into} is no folder")
    folder = into / name
    try:
        files = make_bot(language, name, folder)
    except TemplateError as error:
        raise CliError(str(error), code=FAILED) from error
    if as_json:
        paths = [path.as_posix() for path in files]
        write_json({"schema": "arena.new-bot/1", "folder": str(folder), "files": paths})
        return
    write(
        stdout_screen().safe(
            f"{folder}: a bot in {language}, {len(files)} files; read its README.md"
        )
    )
    where = shlex.quote(str(folder))
    if read_manifest(folder).build:
        tell_next(f"bot build {where}")
    tell_next(f"match {where} random --sets 2")


def _language(given: str) -> str:
    known = starters()
    names = ", ".join(known)
    if not known:
        raise CliError(
            "the sample bots are not here, which new bots are made of", hint="run it in a clone"
        )
    if not given:
        raise CliError("in which language? give --lang", hint=f"one of {names}")
    language = _ALSO.get(given.lower(), given.lower())
    if language not in known:
        close = difflib.get_close_matches(language, known, n=1)
        hint = f'did you mean "{close[0]}"?' if close else f"one of {names}"
        raise CliError(f'there is no starter in "{given}"', hint=hint)
    return language


_ALSO = {"c++": "cpp", "golang": "go", "js": "typescript", "ts": "typescript", "py": "python"}
"""What people also call a language."""
