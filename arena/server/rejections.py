"""What a session says of answers that do not count, and how many of them it bears."""

from __future__ import annotations

from typing import Final

from arena.referee.seat import Refusal
from arena.server.limits import Allowance, Rate
from arena.v1 import referee_pb2
from arena.wire.enums import REFUSALS

USELESS_BURST: Final = 1024
"""Answers to nothing, besides two for each table, that a session may send in one go."""
USELESS_PER_SECOND: Final = 100
TOO_MUCH: Final = f"the bot sent more than {USELESS_BURST} messages that answer nothing"

_UNKNOWN_DECISION: Final = referee_pb2.REJECTION_CODE_UNKNOWN_DECISION
_STALE: Final = referee_pb2.REJECTION_CODE_STALE


def patience(tables: int) -> Allowance:
    """With what answers nothing, in a session that takes so many tables."""
    return Allowance(Rate(USELESS_PER_SECOND, USELESS_BURST + 2 * tables))


def refused(decision_id: int, refusal: Refusal) -> referee_pb2.Rejected:
    """Its answer is not legal; the decision stays open."""
    return referee_pb2.Rejected(
        decision_id=decision_id,
        code=REFUSALS.number(refusal.error.refusal),
        paragraph=refusal.error.paragraph,
        text=str(refusal.error),
        open=True,
        faults=refusal.faults,
    )


def answers_nothing(decision_id: int, last_decision: int) -> referee_pb2.Rejected:
    """It is not open, where ``last_decision`` was the last one asked."""
    known = 0 < decision_id <= last_decision
    return referee_pb2.Rejected(
        decision_id=decision_id,
        code=_STALE if known else _UNKNOWN_DECISION,
        text="this decision is closed" if known else "this decision was never asked",
    )
