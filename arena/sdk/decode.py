"""Actions by their four wire numbers and back: one look-up each, for the hot path."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.rules import Action, ActionKind, Tables
from arena.rules.actions import HIDDEN_DISCARD, HIDDEN_GIVE, HIDDEN_TRADE
from arena.v1 import action_pb2
from arena.wire.actions import key_of

WIRE_PLAY: Final = action_pb2.ACTION_KIND_PLAY

_HIDDEN: Final = (HIDDEN_TRADE, HIDDEN_GIVE, HIDDEN_DISCARD)


class ArenaError(Exception):
    """The arena sent what this kit cannot understand; the text is one sentence."""


class ActionTable:
    """The actions of one variant.

    Attributes:
        keys: the wire numbers of every action that may be answered.
        plays: the play of each card, by card.
    """

    __slots__ = ("_actions", "keys", "plays")

    def __init__(self, tables: Tables) -> None:
        named = tables.texts.values()
        self.keys = {action: key_of(action) for action in named}
        self._actions = {key_of(action): action for action in (*named, *_HIDDEN)}
        plays = [action for action in named if action.kind is ActionKind.PLAY]
        self.plays = tuple(sorted(plays, key=lambda play: play.card))

    def read(self, message: action_pb2.Action) -> Action:
        """The action of a message.

        Raises:
            ArenaError: it names none of this variant.
        """
        action = self._actions.get((message.kind, message.card, message.bid, message.call))
        if action is None:
            raise ArenaError(
                f"the arena named an action that this kit does not know (kind {message.kind}, "
                f"card {message.card}, bid {message.bid}, call {message.call})"
            )
        return action


@lru_cache(maxsize=256)
def action_table(tables: Tables) -> ActionTable:
    """The actions of a variant, made once."""
    return ActionTable(tables)
