"""Actions by number: the same numbers in every variant and house rule.

====================  =========  ==========================================================
numbers               how many   actions
====================  =========  ==========================================================
0                     1          ``pass``
1 to 180              180        bids: ``1 + 9 * level + call``, where ``level`` is the place
                                 on the variant's ladder from 0, and ``call`` is 0 where the
                                 bid names none, else 1 to 8 for C D H S NT high low mid
181, 182              2          ``force partner``, ``force opponents``
183 to 190            8          ``call`` C D H S NT high low mid
191, 192              2          ``shooter self``, ``shooter partner``
193                   1          ``no trade``
194 to 217            24         ``trade`` a card: 194 + card
218 to 241            24         ``give`` a card
242 to 265            24         ``discard`` a card
266 to 289            24         ``play`` a card
====================  =========  ==========================================================

A card is ``6 * suit + rank``: 9C is 0, AS is 23.
"""

from __future__ import annotations

from typing import Final

from arena.rules import Action, ActionKind, Call, Tables
from arena.rules.cards import CARDS

MAX_LEVELS: Final = 20
"""The longest ladder that a variant may have."""

_NAMINGS: Final = 1 + len(Call)

# How many numbers each kind takes, in canonical order.
_WIDTHS: Final = {
    ActionKind.PASS: 1,
    ActionKind.BID: MAX_LEVELS * _NAMINGS,
    ActionKind.FORCE_PARTNER: 1,
    ActionKind.FORCE_OPPONENTS: 1,
    ActionKind.CALL: len(Call),
    ActionKind.SHOOTER_SELF: 1,
    ActionKind.SHOOTER_PARTNER: 1,
    ActionKind.NO_TRADE: 1,
    ActionKind.TRADE: CARDS,
    ActionKind.GIVE: CARDS,
    ActionKind.DISCARD: CARDS,
    ActionKind.PLAY: CARDS,
}
_FIRST: Final = {
    kind: sum(width for other, width in list(_WIDTHS.items())[:place])
    for place, kind in enumerate(_WIDTHS)
}

ACTIONS: Final = sum(_WIDTHS.values())
"""How many numbers there are: 290."""


def number_of(action: Action) -> int:
    """The number of an action."""
    first = _FIRST[action.kind]
    if action.kind is ActionKind.BID:
        return first + _NAMINGS * action.level + (0 if action.call is None else 1 + action.call)
    if action.kind is ActionKind.CALL:
        assert action.call is not None, "a call action without a call"
        return first + action.call
    return first + max(action.card, 0)


def actions_by_number(tables: Tables) -> dict[int, Action]:
    """The actions of a variant by their numbers."""
    return {number_of(action): action for action in tables.texts.values()}
