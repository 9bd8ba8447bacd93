"""Cards, calls, actions and moves on the wire.

Messages for every action are made once and copied from then on; reading an action is one
look-up of its four numbers.
"""

from __future__ import annotations

from typing import Final

from arena.rules.actions import (
    Action,
    ActionKind,
)
from arena.rules.cards import CARDS, SEATS
from arena.rules.tables import Tables
from arena.v1 import action_pb2

WIRE_KINDS: Final = {
    ActionKind.PASS: action_pb2.ACTION_KIND_PASS,
    ActionKind.BID: action_pb2.ACTION_KIND_BID,
    ActionKind.FORCE_PARTNER: action_pb2.ACTION_KIND_FORCE_PARTNER,
    ActionKind.FORCE_OPPONENTS: action_pb2.ACTION_KIND_FORCE_OPPONENTS,
    ActionKind.CALL: action_pb2.ACTION_KIND_CALL,
    ActionKind.SHOOTER_SELF: action_pb2.ACTION_KIND_SHOOTER_SELF,
    ActionKind.SHOOTER_PARTNER: action_pb2.ACTION_KIND_SHOOTER_PARTNER,
    ActionKind.NO_TRADE: action_pb2.ACTION_KIND_NO_TRADE,
    ActionKind.TRADE: action_pb2.ACTION_KIND_TRADE,
    ActionKind.GIVE: action_pb2.ACTION_KIND_GIVE,
    ActionKind.DISCARD: action_pb2.ACTION_KIND_DISCARD,
    ActionKind.PLAY: action_pb2.ACTION_KIND_PLAY,
}

_CARD_KINDS: Final = frozenset(
    WIRE_KINDS[kind]
    for kind in (ActionKind.TRADE, ActionKind.GIVE, ActionKind.DISCARD, ActionKind.PLAY)
)
_BID: Final = action_pb2.ACTION_KIND_BID
_CALL: Final = action_pb2.ACTION_KIND_CALL

Key = tuple[int, int, int, int]
"""An action as numbers: kind, card, bid, call, as on the wire."""


def key_of(action: Action) -> Key:
    """The four numbers that are the action on the wire."""
    call = 0 if action.call is None else action.call + 1
    return WIRE_KINDS[action.kind], action.card + 1, action.level + 1, call


class _Actions(dict[Action, action_pb2.Action]):
    """Made at the first look-up."""

    def __missing__(self, action: Action) -> action_pb2.Action:
        kind, card, bid, call = key_of(action)
        message = action_pb2.Action(kind=kind, card=card, bid=bid, call=call)  # type: ignore[arg-type]
        self[action] = message
        return message


class _Moves(dict[Action, tuple[action_pb2.Move, ...]]):
    """Made at the first look-up."""

    def __missing__(self, action: Action) -> tuple[action_pb2.Move, ...]:
        message = ACTIONS[action]
        moves = tuple(action_pb2.Move(seat=seat, action=message) for seat in range(SEATS))
        self[action] = moves
        return moves


ACTIONS: Final = _Actions()
"""The message of each action; shared, so copy it and never write to it."""

MOVES: Final = _Moves()
"""The messages of each action as done by seats 0..3; shared likewise."""


class ActionReader:
    """Reads the actions of one variant."""

    __slots__ = ("_actions", "_in_bid")

    def __init__(self, tables: Tables) -> None:
        self._actions = {key_of(action): action for action in tables.texts.values()}
        self._in_bid = any(bid.call is not None for level in tables.bids for bid in level)

    def read(self, message: action_pb2.Action) -> Action | None:
        """The action that the message names, None where it names none of this variant.

        Fields that the kind does not use are ignored, as the contract promises.
        """
        kind = message.kind
        card = message.card if kind in _CARD_KINDS else 0
        bid = message.bid if kind == _BID else 0
        call = message.call if kind == _CALL or (kind == _BID and self._in_bid) else 0
        return self._actions.get((kind, card, bid, call))


def _subsets(first: int) -> tuple[bytes, ...]:
    subsets = [b""]
    for card in range(first, first + CARDS // 2):
        subsets += [subset + bytes((card + 1,)) for subset in subsets]
    return tuple(subsets)


_LOW: Final = _subsets(0)
_HIGH: Final = _subsets(CARDS // 2)


def wire_cards(held: int, twins: int) -> bytes:
    """The wire numbers of the cards in two masks, in card order, one byte each; twins twice."""
    cards = _LOW[held & 4095] + _HIGH[held >> 12]
    if twins:
        cards = bytes(sorted(cards + _LOW[twins & 4095] + _HIGH[twins >> 12]))
    return cards
