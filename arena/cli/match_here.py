"""A match in this process: Python bots alone, no server, no clock; see ``arena.lab``."""

from __future__ import annotations

import asyncio
import traceback
from pathlib import Path
from typing import Final

import arena
from arena.cli.errors import FAILED, CliError
from arena.cli.interrupts import Interrupts
from arena.cli.match_play import Keeper, MatchPlan
from arena.hosting.command import BotCommand
from arena.lab.sets import play_set_here
from arena.lab.waiting import Waiter
from arena.referee.seat import ArenaFault
from arena.referee.sets import SetPlan
from arena.rules.record import SetRecord
from arena.sdk.bot import Bot
from arena.sdk.loading import LoadError, load_bot

LAST_LINES: Final = 20

OURS: Final = Path(arena.__file__).parent


def classes_of(plan: MatchPlan) -> tuple[type[Bot], ...]:
    """The classes of a match's bots.

    Raises:
        CliError: one is no Python file, or has no bot.
    """
    return tuple(map(_class_of, plan.bots))


def script_of(bot: BotCommand) -> Path | None:
    """The file of a bot that is a Python script without arguments; None of any other."""
    if len(bot.argv) != 2 or not bot.argv[1].endswith(".py"):
        return None
    return Path(bot.argv[1]).absolute()


def _class_of(bot: BotCommand) -> type[Bot]:
    script = script_of(bot)
    if script is None:
        raise CliError(
            f"{bot.name} is no Python file, and --in-process plays nothing else",
            hint="leave out --in-process, or give FILE.py",
        )
    try:
        return load_bot(script)
    except LoadError as error:
        raise CliError(f"{bot.name}: {error}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever is wrong with the bot's file
        raise _failed(bot.name, "cannot be loaded", error) from error


async def play_here(
    plan: MatchPlan, bots: tuple[type[Bot], ...], keeper: Keeper, interrupts: Interrupts
) -> None:
    """Play all sets, or as many as nobody interrupts.

    Raises:
        ArenaFault: a set cannot be played.
        CliError: a bot raised an error.
    """
    with Waiter() as waiter, interrupts.playing():
        for job, order in plan.orders():
            if interrupts.draining.is_set():
                return
            pair = (bots[job.first - 1], bots[job.second - 1])
            record = _play_set(order.plan, pair, waiter)
            keeper.store(record)
            keeper.count(job, record)
            await asyncio.sleep(0)  # signals are heard between sets


def _play_set(plan: SetPlan, bots: tuple[type[Bot], type[Bot]], waiter: Waiter) -> SetRecord:
    try:
        return play_set_here(plan, bots, waiter)
    except (ArenaFault, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever a bot raises
        names = " against ".join(entrant.name for entrant in plan.entrants)
        raise _failed(names, "ended by an error of a bot", error) from error


def _failed(name: str, what: str, error: BaseException) -> CliError:
    lines = _told(error).splitlines()
    sentence = f"{name}: {what}: {type(error).__name__}: {_text(error)}"
    return CliError(
        sentence, code=FAILED, output=tuple(f"  {line}" for line in lines[-LAST_LINES:])
    )


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # the bot's own class, and what that does
        return "its text cannot be told"


def _told(error: BaseException) -> str:
    """The traceback of an error of a bot, without the lines of the arena that led to it."""
    told = traceback.TracebackException.from_exception(error)
    part: traceback.TracebackException | None = told
    while part is not None:
        part.stack = traceback.StackSummary.from_list([f for f in part.stack if not _is_ours(f)])
        part = part.__cause__ or part.__context__
    return "".join(told.format() if told.stack else told.format_exception_only())


def _is_ours(frame: traceback.FrameSummary) -> bool:
    return frame.filename.startswith("<frozen ") or Path(frame.filename).is_relative_to(OURS)
