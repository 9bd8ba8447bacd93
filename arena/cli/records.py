"""``arena record``: showing and checking the records of mirrored sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from arena.cli.data_folder import DataOption, open_store
from arena.cli.errors import FAILED, CliError
from arena.cli.record_text import record_lines
from arena.cli.screen import stdout_screen, write, write_json
from arena.cli.user_files import read_user_file
from arena.rules.deal import parse_seed
from arena.rules.errors import IllegalAction, RulesError
from arena.rules.record import SetRecord
from arena.rules.verify import verify

MAX_RECORD_BYTES: Final = 64 * 1024 * 1024

app = typer.Typer(help="Show, check and export the records of sets.", rich_markup_mode=None)

Files = Annotated[list[Path], typer.Argument(metavar="FILE", help="Record files.")]
FilesOrFolders = Annotated[
    list[Path] | None, typer.Argument(metavar="FILE|DIR", help="Record files, or folders of them.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("show")
def show_records(
    files: Files,
    hand: Annotated[
        int | None, typer.Option(min=1, help="Only the hand of that number of each half.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print records: deals, auctions, tricks and results."""
    records = {path: read_record_file(path) for path in files}
    for path, record in records.items():
        _check_hand(path, record, hand)
    if as_json:
        write_json(_shown_data(records, hand))
        return
    for index, record in enumerate(records.values()):
        if index:
            write("")
        for line in record_lines(record, stdout_screen(), hand=hand):
            write(line)


@app.command("verify")
def verify_records(
    files: FilesOrFolders = None,
    tournament: Annotated[
        str | None,
        typer.Option(metavar="NAME|ID", help="Check the records of a stored tournament instead."),
    ] = None,
    data: DataOption = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The seed: with it the hands are checked too."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Replay records and say where one breaks.

    Everything in them is compared, with the seed the deals too. Of a stored tournament also the
    results.
    """
    known = None if seed is None else parse_seed(seed)
    checks = []
    for check in _checks(files or [], tournament, data, known):
        checks.append(check)
        if not as_json:
            write(check.line())
    failed = sum(not check.holds for check in checks)
    if as_json:
        write_json(_checks_data(checks, failed))
    else:
        write(_counts(len(checks), failed, with_seed=seed is not None))
    if failed:
        raise typer.Exit(FAILED)


@app.command("export")
def export(
    tournament: Annotated[str, typer.Argument(metavar="NAME|ID", help="Which tournament.")],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="The folder, new, empty or of the same tournament."),
    ],
    data: DataOption = None,
    as_json: AsJson = False,
) -> None:
    """Write the records of a tournament into a folder."""
    from arena.cli.record_export import export_records
    from arena.cli.tournament_setup import find_tournament

    with open_store(data) as store:
        found = find_tournament(store, tournament)
        export_records(store, found, out, as_json=as_json)


def _checks(
    files: list[Path], tournament: str | None, data: Path | None, seed: bytes | None
) -> Iterator[Check]:
    if bool(files) == (tournament is not None):
        raise CliError("either FILEs or --tournament", hint="see: arena record verify --help")
    if tournament is None:
        yield from (check_file(path, seed) for path in _spread(files))
        return
    from arena.cli.record_journal import check_journal
    from arena.cli.tournament_setup import find_tournament

    with open_store(data) as store:
        yield from check_journal(store, find_tournament(store, tournament), seed)


def _spread(paths: list[Path]) -> list[Path]:
    """The files, with those of folders in their places."""
    files: list[Path] = []
    for path in paths:
        inside = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not inside:
            raise CliError(f"there is no record in {path}", hint="name a folder of *.json files")
        files += inside
    return files


@dataclass(frozen=True, slots=True)
class Check:
    """What verifying a record gave.

    Attributes:
        name: the file, or the key of the set.
        problem: where it breaks; empty for a record that holds.
        hands: replayed.
        actions: replayed.
    """

    name: str
    problem: str = ""
    hands: int = 0
    actions: int = 0

    @property
    def holds(self) -> bool:
        """Whether everything in it is true."""
        return not self.problem

    def line(self) -> str:
        """The line of the report."""
        screen = stdout_screen()
        if self.holds:
            told = f"{self.hands} hands, {self.actions} actions"
            return screen.styled("ok  ", "green") + screen.safe(f"  {self.name}  {told}")
        return screen.styled("FAIL", "bold", "red") + screen.safe(f"  {self.name}  {self.problem}")


def check_file(path: Path, seed: bytes | None) -> Check:
    """Verify a file."""
    try:
        record = read_record_file(path)
    except CliError as error:
        return Check(str(path), str(error).removeprefix(f"{path}: "))
    return check_record(str(path), record, seed)


def check_record(name: str, record: SetRecord, seed: bytes | None) -> Check:
    """Verify a record."""
    try:
        verify(record, seed)
    except RulesError as error:
        return Check(name, _sentence(error))
    hands = [hand for half in record.halves for hand in half.hands]
    return Check(name, hands=len(hands), actions=sum(len(hand.moves) for hand in hands))


def read_record_file(path: Path) -> SetRecord:
    """The record of a file.

    Raises:
        CliError: it cannot be read or is no record.
    """
    from arena.wire.record_files import read_record

    content = read_user_file(path, at_most=MAX_RECORD_BYTES)
    try:
        return read_record(content)
    except RulesError as error:
        raise CliError(f"{path}: {error}", code=FAILED) from error


def _sentence(error: RulesError) -> str:
    """Where a record breaks, with the paragraph that a refused action breaks."""
    cause = error.__cause__
    return f"{error} ({cause.paragraph})" if isinstance(cause, IllegalAction) else str(error)


def _check_hand(path: Path, record: SetRecord, hand: int | None) -> None:
    most = max((len(half.hands) for half in record.halves), default=0)
    if hand is not None and hand > most:
        raise CliError(f"{path}: there is no hand {hand}, its halves have up to {most} hands")


def _counts(files: int, failed: int, *, with_seed: bool) -> str:
    if not files:
        return "there is no record yet: no set is finished"
    noun = "record" if files == 1 else "records"
    dealt = " (deals checked against the seed)" if with_seed and not failed else ""
    if failed == 0:
        return f"{files} {noun}: all hold{dealt}" if files > 1 else f"1 record: it holds{dealt}"
    return f"{files} {noun}: {files - failed} hold, {failed} FAIL{dealt}"


def _shown_data(records: dict[Path, SetRecord], hand: int | None) -> dict[str, Any]:
    from arena.wire.records import record_data

    rows = []
    for path, record in records.items():
        kept = record if hand is None else _only(record, hand)
        rows.append({"file": str(path), "record": record_data(kept)})
    return {"schema": "arena.records/1", "records": rows}


def _only(record: SetRecord, hand: int) -> SetRecord:
    halves = (replace(half, hands=half.hands[hand - 1 : hand]) for half in record.halves)
    return replace(record, halves=tuple(halves))


def _checks_data(checks: list[Check], failed: int) -> dict[str, Any]:
    files = [
        {
            "file": check.name,
            "ok": check.holds,
            "problem": check.problem or None,
            "hands": check.hands,
            "actions": check.actions,
        }
        for check in checks
    ]
    return {
        "schema": "arena.record-checks/1",
        "files": files,
        "checked": len(checks),
        "failed": failed,
    }
