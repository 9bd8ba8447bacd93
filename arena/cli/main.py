"""The command ``arena``: its parts, and the one place where errors become sentences.

Set ``ARENA_DEBUG=1`` to see the traceback of whatever went wrong.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

import arena
from arena.cli import (
    audit,
    bots,
    bridge,
    health,
    leaderboards,
    match,
    records,
    serve,
    tokens,
    tournaments,
    variants,
)
from arena.cli.errors import DONE, FAILED, READER_GONE, Failure, explain, leaves
from arena.cli.screen import ReaderGone, flush, flush_or_silence, require_stdout, tell

app = typer.Typer(
    name="arena",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="A gRPC arena where programs play Bid Euchre against each other.",
)
app.add_typer(variants.app, name="variants")
app.add_typer(records.app, name="record")
app.command("match")(match.match)
app.command("serve")(serve.serve)
app.command("health")(health.health)
app.command("bridge", context_settings={"allow_interspersed_args": False})(bridge.bridge)
app.add_typer(tournaments.app, name="tournament")
app.command("leaderboard")(leaderboards.leaderboard)
app.add_typer(bots.app, name="bot")
app.add_typer(tokens.app, name="token")
app.command("audit")(audit.audit)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"arena {arena.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print it and end."),
    ] = False,
) -> None:
    """A gRPC arena where programs play Bid Euchre against each other."""


def main() -> NoReturn:
    """The console entry."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command; returns the exit code and never raises but for debugging."""
    _prepare_streams()
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # before anything loads it
    wanted = list(arguments) or ["--help"]
    try:
        if wanted[0] != "serve":  # which answers nothing, and may have been started without
            require_stdout()
        code = app(args=wanted, prog_name="arena", standalone_mode=False)
        flush()
    except BaseException as error:  # the boundary: below here nothing would tell a person
        if os.environ.get("ARENA_DEBUG"):
            raise
        return _fail(error, as_json="--json" in wanted)
    return code if isinstance(code, int) else DONE


def _fail(error: BaseException, *, as_json: bool) -> int:
    flush_or_silence()
    if isinstance(error, ReaderGone | SystemExit):
        return READER_GONE  # Typer ends the program itself where its help meets a closed pipe
    failure = explain(error) or _own_bug(error)
    _report(failure, as_json=as_json)
    return failure.code


def _own_bug(error: BaseException) -> Failure:
    cause = next(leaves(error))
    sentence = " ".join(f"this is a bug of the arena: {type(cause).__name__}: {cause}".split())
    return Failure(sentence, "ARENA_DEBUG=1 shows where; please report it", FAILED)


def _report(failure: Failure, *, as_json: bool) -> None:
    if as_json:
        words = {"code": failure.kind, "message": failure.sentence, "hint": failure.hint or None}
        if failure.output:
            words["output"] = "\n".join(failure.output)
        tell(json.dumps({"error": words}))
        return
    tell(f"error: {failure.sentence}")
    if failure.hint:
        tell(f"hint:  {failure.hint}")
    for line in failure.output:
        tell(line)


def _prepare_streams() -> None:
    """Occupy closed standard descriptors, and never let an encoding raise.

    Without the first, a socket or database opened later would get the number 1 or 2, and what a
    library prints would go into it.
    """
    null = os.open(os.devnull, os.O_RDWR)
    while null <= 2:
        null = os.open(os.devnull, os.O_RDWR)
    os.close(null)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
