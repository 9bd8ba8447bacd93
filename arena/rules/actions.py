"""Actions: interned values, compared by identity.

``action_of`` returns the same object for the same description, so the engine tests membership
without a Python call, and a stray ``True`` or ``3.0`` is never an action.  Use the variant's
tables (``Tables.parse``) to get actions from text; the levels of a bid differ between variants.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from arena.rules.calls import Call
from arena.rules.cards import CARD_TEXTS, SEATS, Card, Seat


class ActionKind(Enum):
    """What an action does, in canonical order (docs/design, rules N)."""

    PASS = "pass"
    BID = "bid"
    FORCE_PARTNER = "force partner"
    FORCE_OPPONENTS = "force opponents"
    CALL = "call"
    SHOOTER_SELF = "shooter self"
    SHOOTER_PARTNER = "shooter partner"
    NO_TRADE = "no trade"
    TRADE = "trade"
    GIVE = "give"
    DISCARD = "discard"
    PLAY = "play"


NO_CARD: Final = Card(-1)
NO_LEVEL: Final = -1


class Action:
    """One thing that a seat may do. Made by ``action_of`` only.

    Attributes:
        kind: what it does.
        card: the card it moves, or ``NO_CARD``.
        level: the bid's place on the variant's ladder from 0, or ``NO_LEVEL``.
        call: the call it names, or None.
        text: its notation (rules N).
        bit: ``1 << card``, or 0.
        moves: this action as done by seat 0, 1, 2, 3.
    """

    __slots__ = ("bit", "call", "card", "kind", "level", "moves", "text")

    kind: ActionKind
    card: Card
    level: int
    call: Call | None
    text: str
    bit: int
    moves: tuple[Move, ...]

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __reduce__(self) -> tuple[object, ...]:
        name = self.text.split()[1] if self.kind is ActionKind.BID else ""
        return action_of, (self.kind, self.card, self.level, name, self.call)


class Move(NamedTuple):
    """An action and the seat that did it."""

    seat: Seat
    action: Action


_interned: Final[dict[tuple[object, ...], Action]] = {}


def action_of(
    kind: ActionKind,
    card: Card = NO_CARD,
    level: int = NO_LEVEL,
    name: str = "",
    call: Call | None = None,
) -> Action:
    """The one action of that description."""
    key = (kind, card, level, name, call)
    action = _interned.get(key)
    if action is None:
        action = _interned[key] = _make(kind, card, level, name, call)
    return action


def _make(kind: ActionKind, card: Card, level: int, name: str, call: Call | None) -> Action:
    action = Action()
    action.kind = kind
    action.card = card
    action.level = level
    action.call = call
    words = [
        kind.value,
        name,
        CARD_TEXTS[card] if card >= 0 else "",
        call.text if call is not None else "",
    ]
    action.text = " ".join(word for word in words if word)
    action.bit = 1 << card if card >= 0 else 0
    action.moves = tuple(Move(Seat(seat), action) for seat in range(SEATS))
    return action


PASS: Final = action_of(ActionKind.PASS)
FORCE_PARTNER: Final = action_of(ActionKind.FORCE_PARTNER)
FORCE_OPPONENTS: Final = action_of(ActionKind.FORCE_OPPONENTS)
SHOOTER_SELF: Final = action_of(ActionKind.SHOOTER_SELF)
SHOOTER_PARTNER: Final = action_of(ActionKind.SHOOTER_PARTNER)
NO_TRADE: Final = action_of(ActionKind.NO_TRADE)

# What the whole table sees of an exchange: that it happened, not the card (rules I1).
HIDDEN_TRADE: Final = action_of(ActionKind.TRADE)
HIDDEN_GIVE: Final = action_of(ActionKind.GIVE)
HIDDEN_DISCARD: Final = action_of(ActionKind.DISCARD)


def card_actions(kind: ActionKind) -> tuple[Action, ...]:
    """The 24 actions of that kind, one a card, in card order."""
    return tuple(action_of(kind, Card(card)) for card in range(len(CARD_TEXTS)))


class PlayChoices:
    """The plays for any set of cards, in card order.

    Two tables of 4,096 subsets turn a 24-bit mask into a tuple in one concatenation; a
    comprehension over the bits costs fifteen times as much.
    """

    __slots__ = ("high", "low")

    def __init__(self) -> None:
        actions = card_actions(ActionKind.PLAY)
        self.low = _subsets(actions[:12])
        self.high = _subsets(actions[12:])

    def of(self, mask: int) -> tuple[Action, ...]:
        """One play for every bit of ``mask``."""
        return self.low[mask & 4095] + self.high[mask >> 12]


def _subsets(actions: tuple[Action, ...]) -> tuple[tuple[Action, ...], ...]:
    subsets: list[tuple[Action, ...]] = [()]
    for action in actions:
        subsets += [(*subset, action) for subset in subsets]
    return tuple(subsets)


def chosen(actions: tuple[Action, ...], mask: int) -> tuple[Action, ...]:
    """Those of the 24 card actions whose card is in ``mask``, in card order."""
    return tuple([actions[play.card] for play in PLAYS.of(mask)])


PLAYS: Final = PlayChoices()
TRADES: Final = card_actions(ActionKind.TRADE)
GIVES: Final = card_actions(ActionKind.GIVE)
DISCARDS: Final = card_actions(ActionKind.DISCARD)
