"""What is tried of a bot that was built, before it plays; who tries it lives elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from arena.hosting.command import BotCommand
from arena.hosting.runner import Resources, Runner


@dataclass(frozen=True, slots=True)
class Trial:
    """A bot to try, as it will run in a game.

    Attributes:
        command: what is started.
        folder: the bot's own, built.
        runner: contains its processes.
        label: of their jobs.
        resources: of each.
    """

    command: BotCommand
    folder: Path
    runner: Runner
    label: str
    resources: Resources


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of one step.

    Attributes:
        number: of the step, from 1.
        total: steps in all.
        name: stable.
        sentence: what a bot has to do.
        verdict: `passed`, `warned`, `failed` or `not-tried`.
        note: one sentence; for a failure what the bot did. May be empty.
        stderr: the last lines of its standard error; empty unless it failed.
    """

    number: int
    total: int
    name: str
    sentence: str
    verdict: str
    note: str
    stderr: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the bot may not play because of it."""
        return self.verdict == "failed"


TryOut: TypeAlias = Callable[[Trial, Callable[[StepResult], None]], Awaitable[None]]
"""Tries a bot and tells of each step."""
