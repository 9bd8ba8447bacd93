"""All steps, in the order in which they are tried.

The order saves processes: what needs a session goes on with the one there is; those that end it
come last, and before each of them one that wants a session of its own begins it.
"""

from __future__ import annotations

from typing import Final

from arena.conformance.checks.breaks import BREAKS
from arena.conformance.checks.decisions import DECISIONS
from arena.conformance.checks.endings import ENDINGS
from arena.conformance.checks.events import EVENTS
from arena.conformance.checks.games import BOTH_SEATS, games_step
from arena.conformance.checks.hello import HELLO, TLS, UNIX
from arena.conformance.checks.messages import MESSAGES
from arena.conformance.checks.unknown import UNKNOWN
from arena.conformance.steps import Step

GAMES: Final = 200
GAMES_SECONDS: Final = 15.0


def all_steps(games: int = GAMES, games_seconds: float = GAMES_SECONDS) -> tuple[Step, ...]:
    """All steps; the number of a step is its place, from 1.

    Args:
        games: how many are played in the step ``games``.
        games_seconds: for how long at most.
    """
    return (
        HELLO,
        *DECISIONS,
        *MESSAGES,
        *UNKNOWN,
        *EVENTS,
        games_step(games, games_seconds),
        *BREAKS,
        ENDINGS["output"],
        ENDINGS["goodbye"],
        TLS,
        UNIX,
        ENDINGS["refused"],
        BOTH_SEATS,
        ENDINGS["sigterm"],
        ENDINGS["no-arena"],
        ENDINGS["usage"],
    )


def submission_steps(games: int, games_seconds: float) -> tuple[Step, ...]:
    """What a submitted bot must pass before it plays.

    Those of all steps that need no way to the arena but the one socket, and no look at the process
    from outside: a contained one shows itself to nobody.
    """
    return (
        HELLO,
        *DECISIONS,
        *MESSAGES,
        *UNKNOWN,
        *(step for step in EVENTS if step.name != "idle"),
        games_step(games, games_seconds),
        ENDINGS["output"],
        ENDINGS["goodbye"],
        BOTH_SEATS,
    )
