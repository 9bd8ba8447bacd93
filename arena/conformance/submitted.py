"""The check of a submitted bot: contained as in a game, by the steps that this allows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from arena.conformance.catalogue import submission_steps
from arena.conformance.checks.decisions import prepare
from arena.conformance.hosted import Contained, Hosted
from arena.conformance.runner import Result, run_steps
from arena.hosting.trial import StepResult, Trial
from arena.server.short_folders import short_folder

GAMES: Final = 20
GAMES_SECONDS: Final = 15.0
STARTUP_SECONDS: Final = 30.0
"""To its Hello; a game's own start-up budget may be shorter."""


async def try_out(trial: Trial, told: Callable[[StepResult], None]) -> None:
    """Try a bot and tell of each step, until one fails: others wait to be tried.

    Raises:
        OSError: no socket can be made.
    """
    # Tables play in this loop meanwhile.
    await asyncio.to_thread(prepare)
    steps = tuple(enumerate(submission_steps(GAMES, GAMES_SECONDS), start=1))
    contained = Contained(trial.runner, trial.folder, trial.label, trial.resources)
    with short_folder("/tmp") as folder:
        async with Hosted(trial.command, folder, STARTUP_SECONDS, contained) as exam:
            await run_steps(
                exam,
                steps,
                begun=lambda _number, _step: None,
                done=lambda result: told(_told(result, len(steps))),
                to_first_failure=True,
            )


def _told(result: Result, total: int) -> StepResult:
    return StepResult(
        result.number,
        total,
        result.step.name,
        result.step.sentence,
        result.verdict.value,
        result.note,
        result.stderr,
    )
