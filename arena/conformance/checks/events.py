"""Games and matches end, the server announces that it will stop, nothing happens for a while."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from arena.conformance.examinee import Examinee
from arena.conformance.positions import PLAY, SPEAK, positions
from arena.conformance.steps import Step, protocol
from arena.conformance.verdicts import Finding, NotTried, StepFailed, passed
from arena.rules.record import EndingKind
from arena.rules.variants import CLASSIC, DOUBLE
from arena.v1 import referee_pb2

IDLE_SECONDS: Final = 1.0
IDLE_SHARE: Final = 0.5
"""For how much of the time a bot may be busy while nothing happens: generous, since runtimes tidy
up after work; a loop that never rests is busy all the time."""
IDLE_LOOKS: Final = 4


async def _draining(exam: Examinee) -> Finding:
    session = await exam.session()
    draining = referee_pb2.Draining(within_ms=60_000, text="a trial: go on answering")
    await session.respond(referee_pb2.PlayResponse(draining=draining))
    await session.ask(*positions(CLASSIC, PLAY, 2))
    return passed()


async def _game_end(exam: Examinee) -> Finding:
    session = await exam.session()
    position = positions(CLASSIC, PLAY, 1)[0]
    for kind in EndingKind:
        table, start = session.begin(CLASSIC, position.seat)
        await session.send(*start, session.finish(table, kind))
    # A game may end while a question of it is open.
    table, start = session.begin(CLASSIC, position.seat)
    asked, item = session.question(table, position)
    session.withdraw(asked)
    await session.send(*start, item, session.finish(table, EndingKind.STOPPED))
    await session.ask(positions(CLASSIC, SPEAK, 1)[0])
    return passed()


async def _match_end(exam: Examinee) -> Finding:
    session = await exam.session()
    for variant in (DOUBLE, CLASSIC, DOUBLE):
        await session.ask(positions(variant, PLAY, 1)[0])
        await session.send(session.finish_match(variant))
    await session.ask(positions(CLASSIC, SPEAK, 1)[0])
    return passed()


async def _idle(exam: Examinee) -> Finding:
    session = await exam.session()
    group = exam.launch().process.pid
    if busy_seconds(group) is None:
        raise NotTried("this system does not tell what a process has used")
    share = 1.0
    for _ in range(IDLE_LOOKS):
        # A runtime may still be busy with what came before: the last look counts.
        before = busy_seconds(group) or 0.0
        await session.quiet(IDLE_SECONDS, expected="nothing is sent where nothing was asked")
        share = ((busy_seconds(group) or 0.0) - before) / IDLE_SECONDS
        if share <= IDLE_SHARE:
            return passed(f"busy {share:.0%} of the time")
    raise StepFailed(
        f"the bot was busy {share:.0%} of the time while nothing happened",
        expected="it waits for messages without using the processor",
    )


def busy_seconds(group: int) -> float | None:
    """For how long the threads of a process group have had something to do, in seconds; None where
    the system does not tell.

    Who waits for a processor counts too: on a loaded machine a loop that never rests gets little.
    """
    if not Path("/proc/self/schedstat").exists():
        return None
    nanoseconds = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[2]) == group:
                nanoseconds += sum(map(_thread_nanoseconds, folder.glob("task/*/schedstat")))
        except OSError:
            continue  # it has ended meanwhile
    return nanoseconds / 1e9


def _thread_nanoseconds(file: Path) -> int:
    try:
        running, waiting, _ = file.read_text("ascii").split()
    except OSError:
        return 0
    return int(running) + int(waiting)


async def still(seconds: float) -> None:
    """Let time pass, where it is time that matters."""
    await asyncio.sleep(seconds)


EVENTS: Final = (
    Step(
        "game-end",
        "Carries on after a game of any ending, also with a question open.",
        protocol("Faults and endings"),
        _game_end,
    ),
    Step(
        "match-end",
        "Carries on after a match, with another one of the same rules.",
        protocol("Faults and endings"),
        _match_end,
    ),
    Step(
        "draining",
        "Goes on answering after Draining.",
        protocol("The end"),
        _draining,
    ),
    Step(
        "idle",
        "Sends nothing and uses no processor while nothing happens.",
        protocol("Connecting"),
        _idle,
    ),
)
