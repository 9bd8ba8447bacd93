"""Writing the records of a stored tournament into a folder, as ``arena match --out`` does."""

from __future__ import annotations

import shlex
from pathlib import Path

from arena.cli.errors import FAILED, CliError
from arena.cli.next_steps import tell_next
from arena.cli.progress import SetProgress
from arena.cli.record_folder import MatchMark, file_name, is_unfinished_name, record_folder
from arena.cli.screen import stdout_screen, write, write_json
from arena.cli.tournament_text import damage_sentence
from arena.rules.record import Entrant
from arena.store import Store, Tournament


def export_records(store: Store, tournament: Tournament, out: Path, *, as_json: bool) -> None:
    """Write all records of a tournament, and say how many and where.

    Records that are damaged are left out.

    Raises:
        CliError: the folder cannot be used, or holds something else; or records are damaged.
        StoreError: the database cannot be read.
    """
    keys = store.finished_keys(tournament.id)
    damaged = store.damaged(tournament.id)
    finished = len(keys) - len(damaged)
    names = {file_name(key) for key in keys}
    _refuse_other_content(out, names)
    entrants = frozenset(Entrant(e.version.name, e.version.label) for e in tournament.entries)
    mark = MatchMark(tournament.commitment, tournament.variant, entrants)
    with record_folder(out, mark) as folder, SetProgress(finished) as progress:
        for key in sorted(keys.difference(damaged)):
            folder.write(key, store.record(tournament.id, key))
            progress.advance()
    _report(tournament, finished, out, as_json=as_json)
    if damaged:
        raise CliError(
            damage_sentence(damaged),
            hint=f"to restore: arena tournament resume {tournament.id} --damaged",
            code=FAILED,
        )


def _refuse_other_content(out: Path, names: set[str]) -> None:
    if not out.is_dir():
        return
    for file in sorted(out.iterdir()):
        if file.name not in names and not is_unfinished_name(file.name):
            raise CliError(
                f"{out} holds something else: {file.name} is no record of this tournament",
                hint="give --out a new or empty folder",
            )


def _report(tournament: Tournament, finished: int, out: Path, *, as_json: bool) -> None:
    seed = None if tournament.revealed_seed is None else tournament.revealed_seed.hex()
    if as_json:
        write_json(
            {
                "schema": "arena.export/1",
                "tournament": tournament.id,
                "records": finished,
                "folder": str(out),
                "commitment": tournament.commitment,
                "seed": seed,
            }
        )
        return
    noun = "record" if finished == 1 else "records"
    write(stdout_screen().safe(f"{finished} {noun} of {tournament.name} in {out}"))
    write(f"commitment  {tournament.commitment}")
    if seed is not None:
        write(f"seed        {seed}")
    if finished:
        checked = f"record verify {shlex.quote(str(out))}"
        tell_next(checked + ("" if seed is None else f" --seed {seed}"))
