"""The questions of a session: which are open, and a strict look at what answers them."""

from __future__ import annotations

from arena.conformance.asked import Asked, legal_answer
from arena.conformance.verdicts import StepFailed
from arena.rules.tables import tables_of
from arena.rules.variant import Variant
from arena.v1 import referee_pb2
from arena.wire.actions import ActionReader


class Questions:
    """Those that were put, by their ``decision_id``."""

    def __init__(self) -> None:
        self._open: dict[int, Asked] = {}
        self._closed: dict[int, Asked] = {}
        self._withdrawn: set[int] = set()
        self._readers: dict[Variant, ActionReader] = {}

    def put(self, asked: Asked) -> None:
        """A question is open."""
        self._open[asked.decision.decision_id] = asked

    def is_open(self, asked: Asked) -> bool:
        """Whether an answer to it is due."""
        return asked.decision.decision_id in self._open

    def withdraw(self, asked: Asked) -> None:
        """A question is closed without an answer; one that is under way is forgiven."""
        if self._open.pop(asked.decision.decision_id, None) is not None:
            self._withdrawn.add(asked.decision.decision_id)

    def reopen(self, asked: Asked) -> None:
        """A question is open again after its answer."""
        self._closed.pop(asked.decision.decision_id, None)
        self._open[asked.decision.decision_id] = asked

    def clear(self) -> None:
        """Forget them all: the session begins anew."""
        self._open.clear()
        self._closed.clear()
        self._withdrawn.clear()

    def judge(self, answer: referee_pb2.Answer) -> None:
        """Take an answer, or hand it to whom its question is to deliver it.

        Raises:
            StepFailed: it answers nothing, or is not legal.
        """
        if answer.decision_id in self._withdrawn:
            self._withdrawn.discard(answer.decision_id)
            return
        asked = self._open.pop(answer.decision_id, None)
        if asked is None:
            raise self._answers_nothing(answer)
        self._closed[answer.decision_id] = asked
        asked.message = answer
        action = self._reader(asked.variant).read(answer.action)
        if asked.deliver is None:
            asked.answer = legal_answer(asked, action)
        else:
            asked.deliver(asked, action)

    def _answers_nothing(self, answer: referee_pb2.Answer) -> StepFailed:
        known = self._closed.get(answer.decision_id)
        if known is not None:
            seen = f"the bot answered decision {answer.decision_id} again, which was closed"
        else:
            seen = f"the bot answered decision {answer.decision_id}, which was never asked"
        return StepFailed(
            seen,
            expected="one answer to each question, with its decision_id",
            sent=None if known is None else known.decision,
            came=answer,
        )

    def _reader(self, variant: Variant) -> ActionReader:
        if variant not in self._readers:
            self._readers[variant] = ActionReader(tables_of(variant))
        return self._readers[variant]
