"""``arena bot check``: whether a bot keeps the contract, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.containment_options import (
    BotCpus,
    BotImage,
    BotMemory,
    BotProcesses,
    BotRunner,
    Bounds,
    check_contained,
    find_containment,
    tell_containment,
)
from arena.cli.errors import DONE, FAILED, INTERRUPTED, CliError
from arena.cli.logs import log_in_lines
from arena.hosting.runner import RunnerKind

if TYPE_CHECKING:
    from arena.cli.bot_check_text import Report
    from arena.cli.interrupts import Interrupts
    from arena.conformance.hosted import Contained
    from arena.conformance.steps import Step
    from arena.hosting.command import BotCommand

_GAMES: Final = 200
_GAMES_SECONDS: Final = 15.0
_STARTUP_SECONDS: Final = 30.0
_WAIT_SECONDS: Final = 300.0
_LISTEN_ADVICE: Final = (
    "listen on 127.0.0.1:PORT or unix:PATH, and let a bot elsewhere come by a tunnel (ssh -R)"
)

Command = Annotated[
    str | None,
    typer.Argument(
        metavar="COMMAND",
        help="A sample bot (counting, go/starter, ...), a bot's folder (./my-bot), a Python file, "
        "a command line in quotes, or NAME= before any of them.",
    ),
]
DialIn = Annotated[
    bool, typer.Option("--dial-in", help="Wait for a bot that dials in, and start none.")
]
Listen = Annotated[
    str,
    typer.Option(metavar="ADDR", help="Where to wait for it: HOST:PORT or unix:PATH."),
]
Wait = Annotated[float, typer.Option(min=1.0, help="Seconds to wait for it.")]
Only = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME|NUMBER", help="Try this step alone; may be given again."),
]
ListSteps = Annotated[bool, typer.Option("--list", help="List all steps and end.")]
Games = Annotated[int, typer.Option(min=0, help="Whole games in the step `games`.")]
GamesSeconds = Annotated[
    float, typer.Option(min=1.0, help="How long they may take; the rest is not played.")
]
Startup = Annotated[float, typer.Option(min=1.0, help="Seconds from a start to its Hello.")]
Strict = Annotated[bool, typer.Option("--strict", help="A warning counts as a failure.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def check(
    command: Command = None,
    dial_in: DialIn = False,
    listen: Listen = "127.0.0.1:0",
    wait: Wait = _WAIT_SECONDS,
    only: Only = None,
    list_steps: ListSteps = False,
    games: Games = _GAMES,
    games_seconds: GamesSeconds = _GAMES_SECONDS,
    startup: Startup = _STARTUP_SECONDS,
    strict: Strict = False,
    as_json: AsJson = False,
    runner: BotRunner = RunnerKind.PROCESS,
    bot_memory: BotMemory = None,
    bot_processes: BotProcesses = None,
    bot_cpus: BotCpus = None,
    image: BotImage = None,
) -> None:
    """Check a bot: numbered steps against a scripted referee.

    Exit code 0: no step failed; 1: one did; 2: wrong usage. A contained bot is tried by the steps
    that a submitted one must pass.
    """
    from arena.cli.bot_check_text import Report, write_catalogue
    from arena.conformance.catalogue import all_steps, submission_steps

    bounds = Bounds(bot_memory, bot_processes, bot_cpus)
    catalogue = all_steps if runner is RunnerKind.PROCESS else submission_steps
    steps = tuple(enumerate(catalogue(games, games_seconds), start=1))
    if list_steps:
        write_catalogue(steps, as_json=as_json)
        return
    wanted = _wanted(steps, only or ())
    if dial_in and (runner is not RunnerKind.PROCESS or bounds != Bounds()):
        raise CliError("a bot that dials in is not started here, so nothing contains it")
    if dial_in == (command is not None):
        raise CliError(
            "either a COMMAND is checked, or a bot that dials in",
            hint='arena bot check "python my_bot.py", or arena bot check --dial-in',
        )
    log_in_lines()
    report = Report(len(wanted), as_json=as_json)
    if command is not None:
        interrupts = _check_command(command, wanted, report, startup, runner, bounds, image)
    else:
        interrupts = _check_dialled(listen, wait, wanted, report)
    report.end(interrupted=interrupts.stopped)
    if interrupts.stopped:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(FAILED if report.failed or (strict and report.warned) else DONE)


def _wanted(steps: Sequence[tuple[int, Step]], only: Sequence[str]) -> list[tuple[int, Step]]:
    """The steps that are to be tried.

    Raises:
        CliError: there is no such step.
    """
    if not only:
        return list(steps)
    known = {step.name: number for number, step in steps}
    numbers = set()
    for text in only:
        number = int(text) if text.isdecimal() else known.get(text, 0)
        if not 1 <= number <= len(steps):
            raise CliError(f"there is no step {text!r}", hint="arena bot check --list")
        numbers.add(number)
    return [(number, step) for number, step in steps if number in numbers]


def _check_command(
    command: str,
    wanted: Sequence[tuple[int, Step]],
    report: Report,
    startup: float,
    runner: RunnerKind,
    bounds: Bounds,
    image: str | None,
) -> Interrupts:
    from arena.cli.bot_arguments import find_bot
    from arena.cli.interrupts import run_interruptible
    from arena.cli.private_socket import private_socket
    from arena.conformance.hosted import Hosted
    from arena.conformance.runner import run_steps
    from arena.hosting.strays import ending_strays

    bot, contained = _contained(find_bot(command), runner, bounds, image)
    report.begin(bot.name, bot.argv)
    with private_socket() as address, ending_strays():
        folder = Path(address.removeprefix("unix:")).parent

        async def work(_: Interrupts) -> None:
            async with Hosted(bot, folder, startup, contained) as exam:
                await run_steps(exam, wanted, begun=report.begun, done=report.done)

        return run_interruptible(work)


def _contained(
    bot: BotCommand, runner: RunnerKind, bounds: Bounds, image: str | None
) -> tuple[BotCommand, Contained | None]:
    """A bot as it is started, and what contains it.

    Raises:
        CliError: it cannot be contained.
    """
    from arena.conformance.hosted import Contained
    from arena.hosting.containment import new_arena_id

    containment = find_containment(
        runner, bounds, new_arena_id(), images=() if image is None else (image,)
    )
    if containment is None:
        return bot, None
    check_contained([bot], containment)
    tell_containment(containment)
    contained = Contained(containment.runner, bot.folder, containment.arena, containment.resources)
    return replace(bot, argv=bot.contained_argv()), contained


def _check_dialled(
    listen: str, wait: float, wanted: Sequence[tuple[int, Step]], report: Report
) -> Interrupts:
    from arena.cli.interrupts import run_interruptible
    from arena.conformance.dialled import DialledIn
    from arena.conformance.runner import run_steps
    from arena.server.addresses import refuse_public
    from arena.server.admission import new_token

    refuse_public([listen], advice=_LISTEN_ADVICE)
    token = new_token()

    async def work(_: Interrupts) -> None:
        async with DialledIn(listen, token, wait) as exam:
            report.begin("", ())
            report.invite(exam.listener().address, token)
            await run_steps(exam, wanted, begun=report.begun, done=report.done)

    return run_interruptible(work)
