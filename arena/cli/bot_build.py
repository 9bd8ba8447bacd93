"""``arena bot build``: the commands of a ``bot.toml``, one after the other, in the bot's folder."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import FAILED, CliError
from arena.cli.screen import tell
from arena.hosting.command import find_folder, search_path
from arena.hosting.errand import run_errand
from arena.hosting.folder import files_of
from arena.hosting.manifest import Manifest, ManifestError, Words, find_program, read_manifest
from arena.hosting.stamp import write_stamp
from arena.hosting.strays import ending_strays


def build(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="The bot's folder, or a sample as go/starter.")
    ] = ".",
    check: Annotated[
        bool,
        typer.Option("--check", help="Then run its own checks: format, lint, tests."),
    ] = False,
) -> None:
    """Build a bot as its bot.toml says.

    The commands run in the bot's folder, with your rights and without a sandbox, and have nothing
    to read. What they leave running ends with them.
    """
    manifest = _manifest(folder)
    checks = manifest.check if check else ()
    if manifest.build:
        files_of(manifest.folder)  # what cannot be noted afterwards is told before
    with ending_strays():
        for words in manifest.build:
            _run(manifest, words)
        if manifest.build:
            write_stamp(manifest.folder)
        for words in checks:
            _run(manifest, words)
    done = "built" if manifest.build else "there is nothing to build"
    tell(f"{manifest.name}: {done}{', its checks pass' if checks else ''}")


def _manifest(text: str) -> Manifest:
    try:
        return read_manifest(find_folder(text) or Path(text))
    except ManifestError as error:
        raise CliError(str(error), hint="arena bot new makes a folder with all that") from error


def _run(manifest: Manifest, words: Words) -> None:
    """Run one command; it writes where this process does.

    Raises:
        CliError: it cannot be run, or fails.
    """
    line = shlex.join(words)
    program = find_program(words[0], manifest.folder, search_path=search_path())
    if program is None:
        raise CliError(
            f"{manifest.name} needs {words[0]!r} for {line!r}, and it is not there", code=FAILED
        )
    tell(f"{manifest.name}: {line}")
    environment = os.environ | {"PATH": search_path()}
    code = run_errand([program, *words[1:]], folder=manifest.folder, environment=environment)
    if code != 0:
        how = f"ended with status {code}" if code > 0 else f"was ended by signal {-code}"
        raise CliError(f"{manifest.name}: {line!r} {how}", code=FAILED)
