"""``arena audit``: what organisers did, and who."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.data_folder import DataOption, open_store
from arena.cli.layout import Column, table_lines
from arena.cli.screen import stdout_screen, write, write_json


def audit(
    most: Annotated[
        int | None, typer.Option("--last", min=1, metavar="N", help="The newest N only.")
    ] = None,
    data: DataOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print the audit log, oldest first.

    What organisers changed, when and who.
    """
    from arena.cli.tournament_text import instant_text

    with open_store(data) as store:
        found = store.audit_log(most=most)
    if as_json:
        entries = [
            {
                "number": one.sequence,
                "at": instant_text(one.at_us),
                "who": one.who,
                "action": one.action,
                "subject": one.subject,
                "outcome": one.outcome,
            }
            for one in found
        ]
        write_json({"schema": "arena.audit/1", "entries": entries})
        return
    columns = [
        Column("at", [instant_text(one.at_us) for one in found], need=1),
        Column("who", [one.who for one in found]),
        Column("action", [one.action for one in found]),
        Column("on", [one.subject for one in found]),
        Column("outcome", [one.outcome for one in found]),
    ]
    write("\n".join(table_lines(columns, stdout_screen())))
