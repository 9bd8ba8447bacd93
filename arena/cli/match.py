"""``arena match``: bots given as commands or names, played here and now, no server needed."""

from __future__ import annotations

import secrets
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
)
from arena.cli.errors import INTERRUPTED, CliError
from arena.cli.logs import log_in_lines
from arena.cli.variant_names import find_variant
from arena.hosting.runner import RunnerKind
from arena.referee.policy import OnForfeit, Policy, TimeControl
from arena.rules.deal import parse_seed

if TYPE_CHECKING:
    from arena.cli.match_play import MatchPlan
    from arena.cli.match_report import Report

MOST_BOTS: Final = 4
MOST_TABLES: Final = 1024
MOST_SETS: Final = 999_999_999

_TIME: Final = TimeControl()
_POLICY: Final = Policy()


Bots = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="BOT",
        help="A sample bot (counting, go/starter, ...), a bot's folder (./my-bot), a Python file, "
        "a command line in quotes, or NAME= before any of them.",
    ),
]
More = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="BOT|FILE",
        help="One more bot, written the same way; so my_bot.py will do.",
    ),
]
VariantName = Annotated[
    str, typer.Option(metavar="NAME|FILE", help="A variant, or a house-rule file.")
]
Sets = Annotated[
    int,
    typer.Option(
        min=1,
        max=MOST_SETS,
        help="Mirrored sets of each pair: a game played twice with seats exchanged.",
    ),
]
Tables = Annotated[int, typer.Option(min=1, max=MOST_TABLES, help="Halves of sets played at once.")]
Seed = Annotated[str | None, typer.Option(metavar="HEX", help="64 digits; drawn if not given.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Write a record of each set there: a new folder, empty, or of this match.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
BankMs = Annotated[int, typer.Option(help="A seat's time for a game.")]
IncrementMs = Annotated[int, typer.Option(help="Added to it after each decision.")]
DecisionMs = Annotated[int, typer.Option(help="The most one decision may take.")]
StartupMs = Annotated[int, typer.Option(help="What a bot may take to start and dial in.")]
MaxFaults = Annotated[int, typer.Option(help="Faults of a seat that forfeit the game.")]
Forfeit = Annotated[OnForfeit, typer.Option(help="Lose the set, or have a stand-in play on.")]
RevealNames = Annotated[bool, typer.Option("--reveal-names", help="Tell bots whom they play.")]
InProcess = Annotated[
    bool,
    typer.Option(
        "--in-process", help="Play Python bots in this process: fast, and without any clock."
    ),
]
Reload = Annotated[
    bool,
    typer.Option(
        "--reload",
        help="Play again whenever a bot's Python file, or one beside it, changes; no other file.",
    ),
]


def match(
    bots: Bots = None,
    more: More = None,
    variant: VariantName = "classic",
    sets: Sets = 10,
    tables: Tables = 16,
    seed: Seed = None,
    out: Out = None,
    as_json: AsJson = False,
    bank_ms: BankMs = _TIME.bank_ms,
    increment_ms: IncrementMs = _TIME.increment_ms,
    decision_ms: DecisionMs = _TIME.decision_ms,
    startup_ms: StartupMs = _TIME.startup_ms,
    max_faults: MaxFaults = _POLICY.max_faults,
    on_forfeit: Forfeit = _POLICY.on_forfeit,
    reveal_names: RevealNames = False,
    in_process: InProcess = False,
    reload: Reload = False,
    runner: BotRunner = RunnerKind.PROCESS,
    bot_memory: BotMemory = None,
    bot_processes: BotProcesses = None,
    bot_cpus: BotCpus = None,
    image: BotImage = None,
) -> None:
    """Play two to four bots against each other.

    Each pair meets on the same deals twice, with seats exchanged.
    """
    log_in_lines()
    from arena.cli.bot_arguments import find_bots
    from arena.cli.match_play import MatchPlan
    from arena.cli.match_run import run_match
    from arena.hosting.containment import new_arena_id

    named = [*(bots or ()), *(more or ())]
    if not 2 <= len(named) <= MOST_BOTS:
        raise CliError(
            f"a match takes 2 to {MOST_BOTS} bots, not {len(named)}",
            hint="for more: arena tournament run FILE" if len(named) > MOST_BOTS else "",
        )
    time = TimeControl(bank_ms, increment_ms, decision_ms, startup_ms)
    bots_of_match = find_bots(named)
    if in_process and runner is not RunnerKind.PROCESS:
        raise CliError("--in-process and --runner do not go together: nothing contains it")
    bounds = Bounds(bot_memory, bot_processes, bot_cpus)
    containment = find_containment(
        runner, bounds, new_arena_id(), images=() if image is None else (image,)
    )
    check_contained(bots_of_match, containment)
    plan = MatchPlan(
        bots=bots_of_match,
        variant=find_variant(variant),
        policy=Policy(time, max_faults, on_forfeit, reveal_names),
        seed=secrets.token_bytes(32) if seed is None else parse_seed(seed),
        sets=sets,
        tables=tables,
        containment=containment,
    )
    if reload:
        _refuse_with_reload(out, as_json=as_json)
        _play_again_and_again(plan, named, in_process=in_process)
    elif not run_match(plan, out, as_json=as_json, in_process=in_process).complete:
        raise typer.Exit(INTERRUPTED)


def _play_again_and_again(plan: MatchPlan, named: Sequence[str], *, in_process: bool) -> None:
    from arena.cli.bot_arguments import find_bots
    from arena.cli.match_here import script_of
    from arena.cli.match_reload import play_again_and_again
    from arena.cli.match_run import run_match

    def again() -> Report:
        now = replace(plan, bots=find_bots(named))  # what changed has another version
        return run_match(now, None, as_json=False, in_process=in_process)

    scripts = {bot.name: script_of(bot) for bot in plan.bots}
    others = [name for name, script in scripts.items() if script is None]
    if others:
        _tell_not_watched(others, all_of_them=len(others) == len(scripts))
    play_again_and_again(again, [script for script in scripts.values() if script is not None])


def _tell_not_watched(names: Sequence[str], *, all_of_them: bool) -> None:
    """Say which bots are not watched.

    Raises:
        CliError: none is, so there is nothing to wait for.
    """
    from arena.cli.layout import some
    from arena.cli.screen import tell

    have = "has" if len(names) == 1 else "have"
    sentence = f"--reload plays again when Python files change, and {some(names)} {have} none"
    if all_of_them:
        raise CliError(sentence, hint="build it, and start the match again")
    tell(f"{sentence}: build it, and start the match again")


def _refuse_with_reload(out: Path | None, *, as_json: bool) -> None:
    for given, flag in ((out is not None, "--out"), (as_json, "--json")):
        if given:
            raise CliError(f"--reload and {flag} do not go together: it plays many matches")
