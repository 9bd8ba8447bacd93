"""What can be wrong with what a person or a bot hands to the rules.

Three families, never mixed: ``NotationError`` is text that names nothing, ``IllegalAction`` is
an action that the rules refuse (the bot's fault: it carries a stable code and the paragraph),
``VariantError`` is a house rule that makes no sense.  A failed assertion anywhere in
``arena.rules`` is our own bug.
"""

from __future__ import annotations

from enum import Enum


class RulesError(Exception):
    """Anything that the rules room refuses; its text is one sentence for people."""


class NotationError(RulesError):
    """A text that is no card, action or call of this variant (rules N)."""


class VariantError(RulesError):
    """A variant's data that makes no sense; the sentence begins with the field's name."""


class DealError(RulesError):
    """A deal that cannot be made: a bad seed, set id, board, or hands that are not the deck."""


class Refusal(Enum):
    """Why an action was refused. The values are stable and appear on the wire and in records."""

    HAND_IS_OVER = "hand-is-over"
    NOT_YOUR_TURN = "not-your-turn"
    WRONG_PHASE = "wrong-phase"
    NOT_IN_HAND = "not-in-hand"
    MUST_FOLLOW = "must-follow"
    BID_TOO_LOW = "bid-too-low"
    DEBT_MINIMUM = "debt-minimum"
    STUCK_DEALER = "stuck-dealer"
    CANNOT_FORCE = "cannot-force"
    CALL_NOT_OFFERED = "call-not-offered"
    MUST_GIVE_BEST = "must-give-best"
    UNKNOWN_ACTION = "unknown-action"


class IllegalAction(RulesError):
    """An action that the rules refuse; nothing has changed (rules C3.7).

    Attributes:
        refusal: the stable code.
        paragraph: the paragraph of docs/rules that forbids it, such as ``C3.4``.
    """

    def __init__(self, refusal: Refusal, paragraph: str, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = refusal
        self.paragraph = paragraph

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.refusal, self.paragraph, str(self))
