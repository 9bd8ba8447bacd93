"""What can happen to a submission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arena.hosting.trial import StepResult
from arena.store import Submission, SubmissionState, Version


@dataclass(frozen=True, slots=True)
class Received:
    """The archive is there whole."""

    submission: Submission
    known: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """So many are worked on first, one of them now.

    Attributes:
        ahead: how many.
        worked_seconds: for how long the one has been.
    """

    ahead: int
    worked_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """It has come further."""

    state: SubmissionState


@dataclass(frozen=True, slots=True)
class Said:
    """Its build has said a line."""

    line: str


@dataclass(frozen=True, slots=True)
class Ready:
    """It is a version."""

    version: Version


@dataclass(frozen=True, slots=True)
class Failed:
    """It will be none."""

    reason: str


Happening: TypeAlias = Received | Waiting | Moved | Said | StepResult | Ready | Failed
