"""Questions of a session and what is heard of them; whether an answer is legal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from arena.conformance.positions import Position
from arena.conformance.verdicts import StepFailed
from arena.rules.actions import Action
from arena.rules.cards import Seat
from arena.rules.refusal import refuse
from arena.rules.variant import Variant
from arena.v1 import referee_pb2


@dataclass(slots=True)
class Asked:
    """A question that was put.

    Attributes:
        variant: the rules.
        decision: its message.
        position: what it is about; None in a game, where the referee judges.
        deliver: takes the answer in a game; None elsewhere.
        answer: the last answer taken; None before.
        message: its message; None before.
    """

    variant: Variant
    decision: referee_pb2.Decision
    position: Position | None = None
    deliver: Deliver | None = None
    answer: Action | None = None
    message: referee_pb2.Answer | None = None


Deliver: TypeAlias = Callable[[Asked, "Action | None"], None]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a session, where ``seat`` is the bot's."""

    match_id: int
    table_id: int
    seat: Seat


@dataclass(slots=True)
class Heard:
    """What came while answers were waited for.

    Attributes:
        messages: requests with answers.
        empty: requests with an empty list of answers, which acknowledge.
        armless: requests without an arm that is known.
    """

    messages: int = 0
    empty: int = 0
    armless: int = 0


def legal_answer(asked: Asked, action: Action | None) -> Action:
    """The action of an answer.

    Raises:
        StepFailed: it is not legal.
    """
    position = asked.position
    assert position is not None, "it is judged here"
    if action is not None and action in position.hand.allowed:
        return action
    if action is None:
        why = "the answer names no action of this variant (N)"
    else:
        error = refuse(position.hand, position.seat, action)
        why = f"{error} ({error.paragraph})"
    raise StepFailed(
        f"an answer that is not legal: {why}",
        expected="one of legal",
        sent=asked.decision,
        came=asked.message,
    )
