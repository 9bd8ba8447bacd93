"""``arena bot revoke`` and ``arena bot new-token``: the tokens of bots that dial in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.actor import local_user
from arena.cli.data_folder import DataOption, data_words, open_store
from arena.cli.errors import CliError
from arena.cli.remote import ServerOption, connected
from arena.cli.screen import stdout_screen, tell, write, write_json

if TYPE_CHECKING:
    from arena.store import Store, Version

Name = Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")]
Label = Annotated[
    str | None,
    typer.Option("--label", metavar="LABEL", help="Of the version; needed where it has several."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def revoke(
    name: Name,
    label: Label = None,
    data: DataOption = None,
    server: ServerOption = None,
    as_json: AsJson = False,
) -> None:
    """Make the token of a bot that dials in worthless.

    Its live sessions are cut off.
    """
    if server is not None:
        from arena.cli import remote_bots

        with connected(server, data) as arena:
            remote_bots.revoke(arena, name, label, as_json=as_json)
        return
    with open_store(data) as store:
        version = _find(store, name, label, data_words(data))
        revoked = store.set_bot_token(version.id, None, by=local_user())
    print_revoked(revoked.name, revoked.label, _document(revoked), as_json=as_json)


def new_token(
    name: Name,
    label: Label = None,
    data: DataOption = None,
    server: ServerOption = None,
    as_json: AsJson = False,
) -> None:
    """Give a bot that dials in another token, which is printed.

    The old one is revoked.
    """
    if server is not None:
        from arena.cli import remote_bots

        with connected(server, data) as arena:
            remote_bots.renew(arena, name, label, as_json=as_json)
        return
    from arena.server.admission import new_token, token_hash

    token = new_token()
    with open_store(data) as store:
        version = _find(store, name, label, data_words(data))
        renewed = store.set_bot_token(version.id, token_hash(token), by=local_user())
    print_token(renewed.name, renewed.label, token, _document(renewed), as_json=as_json)
    if not as_json:
        tell_delay()


def print_revoked(name: str, label: str, document: dict[str, Any], *, as_json: bool) -> None:
    """Say that a version has no token any more."""
    if as_json:
        write_json({"schema": "arena.bot/1", "bot": document})
    else:
        write(stdout_screen().safe(f"{name} {label} has no token any more"))


def print_token(
    name: str, label: str, token: str, document: dict[str, Any], *, as_json: bool
) -> None:
    """Show the token of a version, this once."""
    if as_json:
        write_json({"schema": "arena.bot/1", "bot": document, "token": token})
        return
    write(stdout_screen().safe(f"{name} {label}"))
    write(f"token {token}")
    tell("keep the token: it is shown this once, and whoever has it plays as this bot")


def tell_delay() -> None:
    """Say when a token works that was put into a data folder."""
    tell("an arena that serves this folder knows it after two seconds: dial in after that")


def choose(name: str, labels: Sequence[str], label: str | None, where: str) -> int:
    """Which of a bot's versions is meant, by their labels.

    Args:
        name: the bot's.
        labels: of its versions.
        label: the one that is meant; None for the only one.
        where: the options that lead to the same arena.

    Raises:
        CliError: there is none of that label, or several without one.
    """
    if label is None and len(labels) == 1:
        return 0
    if label is not None and label in labels:
        return labels.index(label)
    if not labels:
        raise CliError(
            f"there is no bot {name!r} that dials in", hint=f"see: arena bot list{where}"
        )
    told = ", ".join(labels)
    if label is None:
        raise CliError(f"bot {name!r} has several versions", hint=f"give --label, one of: {told}")
    raise CliError(f"bot {name!r} has no version {label!r} that dials in", hint=f"it has: {told}")


def _find(store: Store, name: str, label: str | None, where: str) -> Version:
    from arena.store import VersionKind

    found = [one for one in store.versions(name) if one.kind is VersionKind.REMOTE]
    return found[choose(name, [one.label for one in found], label, where)]


def _document(version: Version) -> dict[str, Any]:
    from arena.cli.bots import version_data

    return version_data(version)
