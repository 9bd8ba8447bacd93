"""What is kept of a fault for the author of the bot, beside the record and never in it.

A record must not depend on chance or on time, so it counts faults and has one sentence for the one
that ended the game.  An incident has the rest: which question it was, what was answered, how much
time was left, and what the bot's process had to say.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from arena.referee.clock import Micros
from arena.referee.seat import FaultKind

MAX_INCIDENTS: Final = 32
"""Incidents kept of one game; faults beyond are counted in the record alone."""


class Incident(NamedTuple):
    """One fault of a seat.

    Attributes:
        entrant: whose bot, 0 or 1.
        kind: of the fault.
        sentence: what was wrong.
        half: ``a`` or ``b``.
        board: the hand; None before a card was dealt.
        move: the place of the move in its hand, from 0.
        seat: who was to move.
        answer: the refused action in the notation; empty where it was none or none came.
        took: from hand-over to the answer, or to the end of its time.
        charged: what its bank was charged for the decision so far.
        bank: what was left of the bank before.
        stderr: the end of what the bot's process wrote to standard error.
    """

    entrant: int
    kind: FaultKind
    sentence: str
    half: str
    board: int | None = None
    move: int = 0
    seat: int | None = None
    answer: str = ""
    took: Micros = 0
    charged: Micros = 0
    bank: Micros = 0
    stderr: str = ""
