"""``arena token``: tokens of organisers, authors and onlookers. Bots have tokens of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.actor import local_user
from arena.cli.data_folder import DataOption, open_store
from arena.cli.errors import CliError
from arena.cli.layout import Column, table_lines
from arena.cli.screen import stdout_screen, tell, write, write_json

if TYPE_CHECKING:
    from arena.store import AccessToken

app = typer.Typer(help="Make, list and revoke tokens of people and pages.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Whose token it is, for the audit log.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("new")
def new(
    name: Name,
    role: Annotated[
        str,
        typer.Option(
            metavar="ROLE",
            help="organiser, author or onlooker: may change, submit bots, or only read.",
        ),
    ],
    data: DataOption = None,
    as_json: AsJson = False,
) -> None:
    """Make a token and print it, this once.

    A running arena knows it after two seconds.
    """
    from arena.server.admission import new_token, token_hash
    from arena.store import Role

    if role not in [one.value for one in Role]:
        raise CliError(f"there is no role {role!r}: it is organiser, author or onlooker")
    token = new_token()
    with open_store(data, make=True) as store:
        store.make_token(name, Role(role), token_hash(token), by=local_user())
        (made,) = [one for one in store.access_tokens() if one.name == name]
    if as_json:
        write_json({"schema": "arena.token/1", "access": _data(made), "token": token})
        return
    write(f"{name} {role}")
    write(f"token {token}")
    tell(f"keep the token: it is shown this once, and whoever has it is an {role}")


@app.command("list")
def list_tokens(data: DataOption = None, as_json: AsJson = False) -> None:
    """List all tokens, oldest first.

    The organiser's own in the data folder is not among them.
    """
    from arena.cli.tournament_text import instant_text

    with open_store(data) as store:
        found = store.access_tokens()
    if as_json:
        write_json({"schema": "arena.tokens/1", "tokens": [_data(one) for one in found]})
        return
    revoked = ["-" if one.revoked_us is None else instant_text(one.revoked_us) for one in found]
    columns = [
        Column("name", [one.name for one in found]),
        Column("role", [one.role.value for one in found]),
        Column("made", [instant_text(one.created_us) for one in found], need=1),
        Column("revoked", revoked),
    ]
    write("\n".join(table_lines(columns, stdout_screen())))


@app.command("revoke")
def revoke(name: Name, data: DataOption = None, as_json: AsJson = False) -> None:
    """Make a token worthless.

    A running arena knows it after two seconds.
    """
    from arena.server.organiser import TOKEN_FILE
    from arena.store.access import ORGANISER

    if name == ORGANISER:
        raise CliError(
            f"the token {ORGANISER!r} is the file {TOKEN_FILE} in the data folder",
            hint="remove the file and start the arena again: it makes a new one",
        )
    with open_store(data) as store:
        new = store.revoke_token(name, by=local_user())
        (found,) = [one for one in store.access_tokens() if one.name == name]
    if as_json:
        write_json({"schema": "arena.token/1", "access": _data(found)})
    else:
        write(f"{name} is revoked" if new else f"{name} was revoked already")


def _data(token: AccessToken) -> dict[str, Any]:
    from arena.cli.tournament_text import instant_text

    revoked = token.revoked_us
    return {
        "name": token.name,
        "role": token.role.value,
        "created": instant_text(token.created_us),
        "revoked": None if revoked is None else instant_text(revoked),
    }
