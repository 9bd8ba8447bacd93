"""``arena bot``: checking bots, and the bots of a data folder."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.actor import local_user
from arena.cli.bot_build import build
from arena.cli.bot_check import check
from arena.cli.bot_logs import logs
from arena.cli.bot_new import new
from arena.cli.bot_submit import submit
from arena.cli.bot_tokens import new_token, print_token, revoke, tell_delay
from arena.cli.bot_versions import resume, retire
from arena.cli.data_folder import DataOption, open_store
from arena.cli.errors import CliError
from arena.cli.layout import Column, table_lines
from arena.cli.remote import ServerOption, connected
from arena.cli.screen import stdout_screen, write, write_json

if TYPE_CHECKING:
    from arena.store import NewVersion, Version

app = typer.Typer(
    help="Make, build, check, submit and register bots, and list them.", rich_markup_mode=None
)
app.command("new")(new)
app.command("build")(build)
app.command("check")(check)
app.command("submit")(submit)
app.command("retire")(retire)
app.command("resume")(resume)
app.command("new-token")(new_token)
app.command("revoke")(revoke)
app.command("logs")(logs)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("register")
def register(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")],
    command: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="Its folder, or the command line that starts it."),
    ] = None,
    remote: Annotated[
        bool, typer.Option("--remote", help="It dials in and shows a token, which is printed.")
    ] = False,
    label: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Of this version; else a number.")
    ] = None,
    data: DataOption = None,
    server: ServerOption = None,
    as_json: AsJson = False,
) -> None:
    """Register a version of a bot.

    A command that the arena starts, or a bot that dials in.
    """
    if label is not None and not label.strip():
        raise CliError("--label is empty", hint="leave it out, or give a label")
    if server is not None:
        if command is not None:
            raise CliError(
                "a running arena starts no commands that it is sent",
                hint="in its data folder it may: give --data DIR instead of --server",
            )
        from arena.cli import remote_bots

        with connected(server, data) as arena:
            remote_bots.register(arena, name, label, as_json=as_json)
        return
    if (command is not None) == remote:
        raise CliError("a bot has either --command or --remote")
    by = local_user()
    with open_store(data, make=True) as store:
        if command is not None:
            version, token = store.register_version(_command(name, command, label), by=by), None
        else:
            new, token = _remote(name, label or "1")
            version = store.register_version(new, by=by)
    if token is not None:
        print_token(version.name, version.label, token, version_data(version), as_json=as_json)
        if not as_json:
            tell_delay()
    elif as_json:
        write_json({"schema": "arena.bot/1", "bot": version_data(version), "token": None})
    else:
        write(stdout_screen().safe(f"{version.name} {version.label}"))


def _command(name: str, command: str, label: str | None) -> NewVersion:
    from dataclasses import replace

    from arena.cli.bot_arguments import check_bot_name, find_bot
    from arena.cli.tournament_files import anchored
    from arena.cli.tournament_setup import new_version

    check_bot_name(name)
    found = find_bot(anchored(command, Path()))
    return replace(new_version(replace(found, name=name)), label=label)


def _remote(name: str, label: str) -> tuple[NewVersion, str]:
    from arena.server import admission
    from arena.store import NewVersion, VersionKind
    from arena.store.access import LOCAL

    token = admission.new_token()
    new = NewVersion(
        name=name,
        owner=LOCAL,
        kind=VersionKind.REMOTE,
        identity=hashlib.sha256(label.encode("utf-8", "surrogatepass")).hexdigest(),
        label=label,
        token_hash=admission.token_hash(token),
    )
    return new, token


@app.command("list")
def list_bots(
    data: DataOption = None, server: ServerOption = None, as_json: AsJson = False
) -> None:
    """List all versions of all bots, oldest first."""
    if server is not None:
        from arena.cli import remote_bots

        with connected(server, data) as arena:
            remote_bots.list_bots(arena, as_json=as_json)
        return
    with open_store(data) as store:
        versions = store.versions()
    if as_json:
        write_json({"schema": "arena.bots/1", "bots": [version_data(one) for one in versions]})
        return
    columns = [
        Column("bot", [one.name for one in versions]),
        Column("version", [one.label for one in versions]),
        Column("kind", [_kind(one) for one in versions], need=3),
        Column("identity", [one.identity[:12] for one in versions], need=2),
        Column("command", [" ".join(one.command) for one in versions], need=1),
    ]
    write("\n".join(table_lines(columns, stdout_screen())))


def version_data(version: Version) -> dict[str, Any]:
    """A version as JSON."""
    from arena.cli.tournament_text import instant_text

    return {
        "id": version.id,
        "name": version.name,
        "version": version.label,
        "kind": version.kind.value,
        "identity": version.identity,
        "command": list(version.command),
        "revoked": _is_revoked(version),
        "state": version.state.value,
        "note": version.note or None,
        "created": instant_text(version.created_us),
    }


def _is_revoked(version: Version) -> bool:
    return version.kind.value == "remote" and version.token_hash is None


def _kind(version: Version) -> str:
    if _is_revoked(version):
        return "revoked"
    return version.kind.value if version.state.value == "active" else version.state.value
