"""The check of a submitted bot."""

from __future__ import annotations

from pathlib import Path

from arena.conformance.submitted import try_out
from arena.hosting.command import BotCommand
from arena.hosting.runner import ProcessRunner, Resources
from arena.hosting.trial import StepResult, Trial


async def test_it_ends_with_the_first_step_that_fails(tmp_path: Path) -> None:
    command = BotCommand("ann", ("/bin/false",), "")
    trial = Trial(command, tmp_path, ProcessRunner(), "test", Resources())
    told: list[StepResult] = []
    await try_out(trial, told.append)
    assert [(one.number, one.verdict) for one in told] == [(1, "failed")]
    assert told[0].total > 30
