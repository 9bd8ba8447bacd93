"""What is told of a bot that does not come up: why, and the end of what its process said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from arena.cli.errors import FAILED, CliError
from arena.cli.match_forfeits import MAX_TAIL_LINES
from arena.hosting.command import BotCommand
from arena.hosting.fleet import BotFailed
from arena.hosting.process import BotProcess
from arena.server.admission import Place
from arena.server.app import Arena

_IN_ORDER: Final = "exited with status 0"


@contextmanager
def coming_up(arena: Arena, bot: BotCommand, places: Iterable[Place]) -> Iterator[None]:
    """Where a bot does not come up in the block, say more of why.

    Args:
        arena: starts its processes.
        bot: which it is.
        places: of the processes.

    Raises:
        CliError: it does not come up.
    """
    try:
        yield
    except BotFailed as failed:
        sentence = str(failed)
        hint = "does it call run(...)?" if _IN_ORDER in sentence else ""
        processes = (arena.fleet.process(place) for place in places)
        output = _output(bot.name, [one for one in processes if one is not None])
        raise CliError(sentence, hint=hint, code=FAILED, output=output) from failed


def _output(name: str, processes: Iterable[BotProcess]) -> tuple[str, ...]:
    """The last lines of the first process that has ended and said something.

    Nothing for a single line, which stands in the sentence.
    """
    for process in processes:
        lines = process.stderr.text().splitlines()
        if len(lines) > 1 and not process.running:
            told = (f"  {line}" for line in lines[-MAX_TAIL_LINES:])
            return (f"stderr of {name}, whose process ended:", *told)
    return ()
