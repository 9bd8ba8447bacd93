"""``arena bot logs``: a bot's faults, as its author needs them to mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.data_folder import DataOption, data_words, open_store
from arena.cli.errors import CliError
from arena.cli.remote import ServerOption, connected
from arena.cli.screen import Screen, stdout_screen, write, write_json

if TYPE_CHECKING:
    from arena.store import StoredIncident

MAX_STDERR_LINES = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, wherever it was read.

    Attributes:
        record: of the set: the number of its tournament and its key.
        tournament: its name; empty where it is not known.
        label: the version at fault.
        stored: when the set was stored, ISO 8601 in UTC.
        kind: of the fault.
        sentence: what was wrong.
        half: ``a`` or ``b``.
        board: the hand, from 0; None before a card was dealt.
        move: the place of the move in its hand.
        seat: who was to move; None before a card was dealt.
        answer: the refused action; empty where there is none.
        took_ms: for the decision.
        charged_ms: for it, which is less where the bot held several.
        bank_ms: what was left of the bank before.
        stderr: the end of what the process said.
    """

    record: tuple[int, str]
    tournament: str
    label: str
    stored: str
    kind: str
    sentence: str
    half: str
    board: int | None
    move: int
    seat: int | None
    answer: str
    took_ms: int
    charged_ms: int
    bank_ms: int
    stderr: str


def logs(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="The bot's name; none: whose ARENA_TOKEN is set."),
    ] = None,
    last: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Of the N newest sets with faults.")
    ] = 10,
    build: Annotated[
        bool, typer.Option("--build", help="What its newest submission's build and check said.")
    ] = False,
    data: DataOption = None,
    server: ServerOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show the faults of a bot in tournaments, newest set first.

    What was wrong, at which move, the refused answer, the clock, and the end of what its process
    wrote to standard error.
    """
    if build:
        _show_build(name, server, data, as_json=as_json)
        return
    if server is not None:
        from arena.cli import remote_bots

        with connected(server, data) as arena:
            faults = remote_bots.faults(arena, name, last)
    else:
        faults = _stored(data, name, last)
    if as_json:
        write_json({"schema": "arena.bot-logs/1", "faults": [_data(one) for one in faults]})
    elif faults:
        write("\n".join(line for fault in faults for line in _lines(fault, stdout_screen())))
    else:
        write("no faults")


def _show_build(name: str | None, server: ServerOption, data: DataOption, *, as_json: bool) -> None:
    if name is None or server is None:
        raise CliError("name the bot and the arena that has it: NAME --build --server ADDR")
    from arena.cli.remote_submissions import build_log

    with connected(server, data) as arena:
        lines = build_log(arena, name).splitlines()
    if as_json:
        write_json({"schema": "arena.build-log/1", "bot": name, "lines": lines})
    else:
        write("\n".join(map(stdout_screen().safe, lines)) or "nothing was built")


def _stored(data: DataOption, name: str | None, last: int) -> list[Fault]:
    if name is None:
        raise CliError("name a bot", hint=f"see: arena bot list{data_words(data)}")
    with open_store(data) as store:
        bots = [bot for bot in store.bots() if bot.name == name]
        if not bots:
            raise CliError(
                f"there is no bot {name!r}", hint=f"see: arena bot list{data_words(data)}"
            )
        return [_fault(one) for one in store.incidents(bots[0].id, most=last)]


def _fault(stored: StoredIncident) -> Fault:
    from arena.cli.tournament_text import instant_text

    incident = stored.incident
    return Fault(
        record=(stored.tournament, stored.key),
        tournament=stored.tournament_name,
        label=stored.label,
        stored=instant_text(stored.finished_us),
        kind=incident.kind.value,
        sentence=incident.sentence,
        half=incident.half,
        board=incident.board,
        move=incident.move,
        seat=incident.seat,
        answer=incident.answer,
        took_ms=incident.took // 1000,
        charged_ms=incident.charged // 1000,
        bank_ms=incident.bank // 1000,
        stderr=incident.stderr,
    )


def _lines(fault: Fault, screen: Screen) -> Iterator[str]:
    tournament = fault.tournament or f"tournament {fault.record[0]}"
    head = f"{tournament} {fault.record[1]} half {fault.half}"
    if fault.board is not None:
        # Counted from 1, as record show does.
        head += f", hand {fault.board + 1}, move {fault.move + 1}, seat {fault.seat}"
    yield screen.styled(screen.safe(f"{head} · version {fault.label} · {fault.stored}"), "bold")
    yield screen.safe(f"  {fault.kind}: {fault.sentence}")
    if fault.answer:
        yield screen.safe(f"  answered {fault.answer!r}")
    if fault.board is not None:
        yield (
            f"  took {fault.took_ms} ms, charged {fault.charged_ms} ms; "
            f"the bank was {fault.bank_ms} ms"
        )
    yield from _stderr_lines(fault.stderr.split("\n") if fault.stderr else (), screen)


def _stderr_lines(lines: Sequence[str], screen: Screen) -> Iterator[str]:
    if lines:
        yield "  standard error:"
    for line in lines[-MAX_STDERR_LINES:]:
        yield screen.safe(f"    {line}")


def _data(fault: Fault) -> dict[str, Any]:
    return {
        "tournament": {"id": fault.record[0], "name": fault.tournament or None},
        "set": fault.record[1],
        "version": fault.label,
        "stored": fault.stored,
        "kind": fault.kind,
        "sentence": fault.sentence,
        "half": fault.half,
        "hand": fault.board,
        "move": fault.move if fault.board is not None else None,
        "seat": fault.seat,
        "answer": fault.answer or None,
        "took_ms": fault.took_ms,
        "charged_ms": fault.charged_ms,
        "bank_ms": fault.bank_ms,
        "stderr": fault.stderr or None,
    }
