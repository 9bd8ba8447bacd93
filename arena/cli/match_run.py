"""One run of a match: announce, play, keep the records, report."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

from arena.cli.containment_options import tell_containment
from arena.cli.descriptors import ensure_descriptors
from arena.cli.interrupts import Interrupts, run_interruptible
from arena.cli.layout import counted
from arena.cli.match_forfeits import last_words_lines
from arena.cli.match_here import classes_of, play_here
from arena.cli.match_play import Keeper, MatchPlan, play_match
from arena.cli.match_report import Report, report_data, report_lines
from arena.cli.match_tally import Tally
from arena.cli.next_steps import tell_next
from arena.cli.private_socket import private_socket
from arena.cli.progress import SetProgress
from arena.cli.record_folder import MatchMark, RecordFolder, record_folder
from arena.cli.screen import (
    reader_may_be_gone,
    require_stdout,
    stdout_screen,
    tell,
    write,
    write_json,
)
from arena.hosting.strays import ending_strays
from arena.rules.deal import commitment
from arena.rules.record import SetRecord
from arena.schedule.pairings import Job
from arena.server.admission import Chair, Lane
from arena.wire.records import record_json

Play = Callable[[MatchPlan, Keeper, Interrupts], Coroutine[Any, Any, None]]
"""Plays the sets of a plan and hands them to a keeper."""


def run_match(
    plan: MatchPlan, out: Path | None, *, as_json: bool, in_process: bool = False
) -> Report:
    """Play and print a match.

    Args:
        plan: what is played.
        out: where the records go, None for nowhere.
        as_json: print one JSON document.
        in_process: play Python bots in this process.
    """
    require_stdout()  # before the first card: an answer that gets lost is no success
    tally = Tally()
    with ExitStack() as stack:
        play = _play_here(plan) if in_process else _play_apart(plan, stack)
        folder = None
        if out is not None:
            folder = stack.enter_context(record_folder(out, _mark(plan)))
        _announce(plan)
        _play(plan, play, tally, folder)
    report = Report(plan, tally, out)
    with nullcontext() if report.complete else reader_may_be_gone():
        _print(report, as_json=as_json)
    return report


def _play_apart(plan: MatchPlan, stack: ExitStack) -> Play:
    """Bots as processes, a server between them."""
    ensure_descriptors(len(plan.bots) * len(Chair) * len(Lane))
    address = stack.enter_context(private_socket())
    stack.enter_context(ending_strays())
    return lambda plan, keeper, interrupts: play_match(plan, address, keeper, interrupts)


def _play_here(plan: MatchPlan) -> Play:
    bots = classes_of(plan)
    return lambda plan, keeper, interrupts: play_here(plan, bots, keeper, interrupts)


def _mark(plan: MatchPlan) -> MatchMark:
    entrants = frozenset(map(plan.entrant, plan.entries))
    return MatchMark(commitment(plan.seed), plan.variant, entrants)


def _play(
    plan: MatchPlan,
    play: Play,
    tally: Tally,
    folder: RecordFolder | None,
) -> None:
    def store(record: SetRecord) -> None:
        if folder is not None:
            folder.write(record.set_id, record_json(record))

    with SetProgress(plan.total) as progress:

        def count(job: Job, record: SetRecord) -> None:
            tally.add(job, record)
            progress.advance()

        keeper = Keeper(store, count, tally.hear)
        run_interruptible(lambda interrupts: play(plan, keeper, interrupts))


def _announce(plan: MatchPlan) -> None:
    names = " against ".join(bot.name for bot in plan.bots)
    tell(f"match   {names} · {plan.variant.name} · {counted(plan.total, 'mirrored set')}")
    tell_containment(plan.containment)
    tell(f"commitment {commitment(plan.seed)}  (the seed is shown at the end)")


def _print(report: Report, *, as_json: bool) -> None:
    if as_json:
        write_json(report_data(report))
        return
    for line in report_lines(report, stdout_screen()):
        write(line)
    for line in last_words_lines(report.last_words):
        tell(line)
    if report.out is not None and report.tally.results:
        folder = shlex.quote(str(report.out))
        tell_next(f"record verify {folder} --seed {report.plan.seed.hex()}")
