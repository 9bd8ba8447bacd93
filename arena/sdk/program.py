"""``run``: a bot as a program.

Exit codes: 0 the session ended in order (the arena said goodbye, or SIGTERM or SIGINT came),
1 the arena could not be reached (any more) or the bot has a bug, 2 wrong usage, 3 the arena
refused the bot.  Network trouble is one sentence on standard error; a bug of the bot's own is
its traceback.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import iscoroutinefunction
from typing import Final, NoReturn

from arena.sdk.bot import Bot
from arena.sdk.client import Client, Connection, Lost, Refused
from arena.sdk.decode import ArenaError
from arena.sdk.options import Options, read_options
from arena.sdk.printable import printable
from arena.sdk.session import BotError

ORDERLY: Final = 0
FAILED: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
_KILLED: Final = 128

PLAIN_TABLES: Final = 64
"""Tables announced for a bot whose ``act`` is a plain function: that is what makes it fast."""

ASYNC_TABLES: Final = 1
"""Tables announced for an ``async`` one: it may need all its time for one decision."""


def run(
    bot: type[Bot], *, name: str = "", version: str = "", arguments: Sequence[str] | None = None
) -> NoReturn:
    """Play as ``bot`` until the arena says goodbye, then exit the process.

    Args:
        bot: the class; each game gets an instance.
        name: the bot's name where the environment names none; default: that of the class.
        version: its version label, likewise.
        arguments: of the command line, without the program's name; default: this process's.
    """
    options = read_options(
        sys.argv[1:] if arguments is None else arguments,
        name=name or bot.__name__.lower(),
        version=version,
        tables=ASYNC_TABLES if iscoroutinefunction(bot.act) else PLAIN_TABLES,
    )
    sys.exit(asyncio.run(play(bot, options)))


async def play(bot: type[Bot], options: Options) -> int:
    """Play one session; the exit code."""
    return await carry(Client(bot, options, say=say))


async def carry(connection: Connection) -> int:
    """Play over a connection until its end; the exit code."""
    try:
        with _leaving_on_signals(connection):
            await connection.play()
    except Refused as error:
        say(str(error))
        return REFUSED
    except (Lost, ArenaError, BotError) as error:
        say(str(error))
        return FAILED
    return ORDERLY


def say(line: str) -> None:
    """Tell the bot's author one line; it may quote the arena, which could send anything."""
    sys.stderr.write(f"{printable(line)}\n")
    sys.stderr.flush()


@contextmanager
def _leaving_on_signals(connection: Connection) -> Iterator[None]:
    """The first SIGTERM or SIGINT says goodbye; the second ends a bot that is stuck in ``act``."""
    loop = asyncio.get_running_loop()
    seen = False

    def leave(number: int, _: object) -> None:
        nonlocal seen
        if seen:
            os._exit(_KILLED + number)
        seen = True
        loop.call_soon_threadsafe(connection.leave)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
