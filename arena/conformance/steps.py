"""A step of the check, and what it rests on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.conformance.examinee import Examinee
from arena.conformance.verdicts import Finding

Run: TypeAlias = Callable[[Examinee], Awaitable[Finding]]
"""Tries a step. Raises StepFailed, NotTried or BotMissing."""

SECONDS: Final = 45.0
"""What a step may take at most, where it does not say otherwise."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step.

    Attributes:
        name: stable, as in the JSON and after ``--only``.
        sentence: what a bot has to do.
        paragraph: what that rests on: a file of docs and a heading, or a paragraph of the rules.
        run: tries it.
        seconds: what it may take.
    """

    name: str
    sentence: str
    paragraph: str
    run: Run
    seconds: float = SECONDS


def protocol(heading: str) -> str:
    """A heading of docs/protocol.md."""
    return f"docs/protocol.md, {heading}"


def rules(paragraphs: str) -> str:
    """Paragraphs of docs/rules.md."""
    return f"docs/rules.md, {paragraphs}"
