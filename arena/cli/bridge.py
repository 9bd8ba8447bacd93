"""``arena bridge``: a program that reads and writes lines of JSON, as a bot."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.errors import CliError
from arena.hosting.command import search_path, shown
from arena.hosting.folder import is_file
from arena.hosting.strays import ending_strays

TABLES: Final = 64
"""Tables announced unless told otherwise, as for a plain Python bot."""

_GENERIC: Final = frozenset({"bot", "main", "run"})


def bridge(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND...", show_default=False)],
    address: Annotated[
        str | None, typer.Option(help="HOST:PORT, tls:HOST:PORT or unix:PATH (ARENA_ADDR).")
    ] = None,
    token: Annotated[str | None, typer.Option(help="The bot's token; better: ARENA_TOKEN.")] = None,
    chair: Annotated[str | None, typer.Option(help="first or second (ARENA_CHAIR).")] = None,
    lane: Annotated[str | None, typer.Option(help="a or b (ARENA_LANE).")] = None,
    name: Annotated[str | None, typer.Option(help="The bot's name (ARENA_NAME).")] = None,
    version_label: Annotated[
        str | None, typer.Option(help="The bot's version (ARENA_VERSION).")
    ] = None,
    tables: Annotated[int, typer.Option(help="How many games at once, 1 to 1024.")] = TABLES,
    tls_ca: Annotated[
        str | None, typer.Option(help="Whom to trust, a PEM file (ARENA_TLS_CA).")
    ] = None,
    tls_cert: Annotated[
        str | None, typer.Option(help="The bot's certificate (ARENA_TLS_CERT).")
    ] = None,
    tls_key: Annotated[str | None, typer.Option(help="Its private key (ARENA_TLS_KEY).")] = None,
    batches: Annotated[
        bool, typer.Option("--batches", help="Put all items of a message into one line.")
    ] = False,
    hand_results: Annotated[
        bool, typer.Option("--hand-results", help="Tell of every scored hand, with all cards.")
    ] = False,
) -> None:
    """Play as a program that reads and writes lines of JSON.

    COMMAND gets each message of the arena as a line on its standard input, and answers by lines on
    its standard output; docs/bots/bridge.md says how. The bridge itself is started like any bot:
    arena match "arena bridge -- ./bot.sh" random.
    """
    given = {
        "--address": address,
        "--token": token,
        "--chair": chair,
        "--lane": lane,
        "--name": name,
        "--version-label": version_label,
        "--tables": str(tables),
        "--tls-ca": tls_ca,
        "--tls-cert": tls_cert,
        "--tls-key": tls_key,
    }
    flags = [f"{flag}={value}" for flag, value in given.items() if value is not None]
    raise typer.Exit(_play(command, flags, batches=batches, hands=hand_results))


def _play(command: list[str], flags: list[str], *, batches: bool, hands: bool) -> int:
    """Play until the end of the session; the exit code."""
    # gRPC takes a moment to load, and no other command of this file's needs it.
    from arena.bridge.program import play
    from arena.bridge.relay import Manner
    from arena.sdk.options import options_of

    argv = (_program(command[0]), *command[1:])
    called = name_of(command[0])
    options = options_of(flags, name=called, version="", tables=TABLES)
    with ending_strays():
        return asyncio.run(play(argv, called, options, Manner(batches=batches, hands=hands)))


def _program(word: str) -> str:
    program = shutil.which(word, path=search_path())
    if program is None:
        hint = f"chmod +x {word}" if is_file(Path(word)) else ""
        raise CliError(f"{shown(word)} is no program that can be run", hint=hint)
    return str(Path(program).absolute())


def name_of(word: str) -> str:
    """The name of a program: ``greedy`` for ``./greedy.sh`` and for ``greedy/bot``."""
    path = Path(word).absolute()
    return path.parent.name if path.stem in _GENERIC else path.stem
