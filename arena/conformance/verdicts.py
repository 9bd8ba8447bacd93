"""What comes of a step: a verdict, and for a failure what was seen and what was expected."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from google.protobuf.message import Message


class Verdict(Enum):
    """What a step has found. The values are stable; they stand in the JSON."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    NOT_TRIED = "not-tried"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a step that came to its end says.

    Attributes:
        verdict: passed or warned.
        note: one sentence, empty where there is nothing to say.
    """

    verdict: Verdict
    note: str = ""


def passed(note: str = "") -> Finding:
    """The bot did what it should."""
    return Finding(Verdict.PASSED, note)


def warned(note: str) -> Finding:
    """The bot may do this, and its author should know."""
    return Finding(Verdict.WARNED, note)


class StepFailed(Exception):
    """The bot did not do what it should.

    Args:
        seen: what it did, one sentence.
        expected: what it should have done, one sentence.
        sent: what it was sent; None for the last message.
        came: what came back; None for the last message.
    """

    def __init__(
        self,
        seen: str,
        *,
        expected: str,
        sent: Message | None = None,
        came: Message | None = None,
    ) -> None:
        super().__init__(seen)
        self.seen = seen
        self.expected = expected
        self.sent = sent
        self.came = came


class NotTried(Exception):
    """A step that cannot be tried here; one sentence says why."""


class BotMissing(Exception):
    """The bot did not come, so nothing that needs a session can be tried.

    Args:
        failure: what was seen and expected.
    """

    def __init__(self, failure: StepFailed) -> None:
        super().__init__(failure.seen)
        self.failure = failure
