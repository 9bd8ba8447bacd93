"""What a seat sees, as numbers from -1 to 1.

Seats are counted from the one that looks, clockwise: 0 itself, 1 its left, 2 its partner, 3 its
right; sides likewise: 0 its own.  The vector is made of a ``View`` and of public settings of the
game alone, so it cannot hold what rule I1 hides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from arena.env.actions import MAX_LEVELS
from arena.rules import ActionKind, Call, Phase, Seat, Tables
from arena.rules import View as RulesView
from arena.rules.cards import CARDS, SEATS, side_of
from arena.sdk.readings import voids_of
from arena.sdk.view import View

Vector = npt.NDArray[np.float32]

AnyView = RulesView | View
"""The engine's view, or the one that a bot is shown."""

FIELDS: Final = {
    "held": CARDS,
    "twins": CARDS,
    "trick": SEATS * CARDS,
    "played": SEATS * CARDS,
    "voids": SEATS * CARDS,
    "phase": len(Phase),
    "to_act": SEATS,
    "dealer": SEATS,
    "declarer": SEATS,
    "sitter": SEATS,
    "leader": SEATS,
    "level": MAX_LEVELS,
    "call": len(Call),
    "bids": SEATS * MAX_LEVELS,
    "bid_calls": SEATS * len(Call),
    "passed": SEATS,
    "forced_partner": SEATS,
    "forced_opponents": SEATS,
    "exchange": 4,
    "gave": CARDS,
    "received": CARDS,
    "discarded": CARDS,
    "tricks": 2,
    "scores": 2,
    "tokens": 2,
    "token_debt": 2,
    "hlm_debt": 2,
    "hands": 1,
}
"""The parts of the vector in order, with their lengths."""

LENGTH: Final = sum(FIELDS.values())

_STARTS: Final = {name: sum(list(FIELDS.values())[:place]) for place, name in enumerate(FIELDS)}
_PHASES: Final = {phase: place for place, phase in enumerate(Phase)}
_EXCHANGE: Final = {
    kind: place
    for place, kind in enumerate(
        (ActionKind.TRADE, ActionKind.NO_TRADE, ActionKind.GIVE, ActionKind.DISCARD)
    )
}
_POINTS: Final = 100
_STOCK: Final = 10


def slice_of(name: str) -> slice:
    """Where a part of the vector is."""
    start = _STARTS[name]
    return slice(start, start + FIELDS[name])


def features(tables: Tables, view: AnyView) -> Vector:
    """The vector of a view: ``LENGTH`` numbers, float32."""
    vector = np.zeros(LENGTH, np.float32)
    _write_cards(vector, tables, view)
    _write_auction(vector, view)
    _write_places(vector, view)
    _write_counts(vector, tables, view)
    return vector


def _write_cards(vector: Vector, tables: Tables, view: AnyView) -> None:
    _mark(vector, "held", _bits(view.held))
    _mark(vector, "twins", _bits(view.twins))
    _mark(vector, "gave", [view.gave])
    _mark(vector, "received", [view.received])
    _mark(vector, "discarded", [view.discarded])
    _mark(vector, "trick", (_away(view, s) * CARDS + action.card for s, action in view.trick))
    start, share = _STARTS["played"], 1 / tables.variant.copies
    for seat, action in view.moves:
        if action.kind is ActionKind.PLAY:
            vector[start + _away(view, seat) * CARDS + action.card] += share
    for other, void in enumerate(voids_of(tables, view)[:SEATS]):
        _mark(vector, "voids", (_away(view, other) * CARDS + card for card in _bits(void)))


def _write_auction(vector: Vector, view: AnyView) -> None:
    for seat, action in view.moves:
        away = _away(view, seat)
        match action.kind:
            case ActionKind.PASS:
                _mark(vector, "passed", [away])
            case ActionKind.BID:
                _mark(vector, "bids", [away * MAX_LEVELS + action.level])
                if action.call is not None:
                    _mark(vector, "bid_calls", [away * len(Call) + action.call])
            case ActionKind.FORCE_PARTNER:
                _mark(vector, "forced_partner", [away])
            case ActionKind.FORCE_OPPONENTS:
                _mark(vector, "forced_opponents", [away])
            case ActionKind.TRADE | ActionKind.NO_TRADE | ActionKind.GIVE | ActionKind.DISCARD:
                _mark(vector, "exchange", [_EXCHANGE[action.kind]])
            case _:
                pass


def _write_places(vector: Vector, view: AnyView) -> None:
    _mark(vector, "phase", [_PHASES[view.phase]])
    _mark(vector, "level", [view.level])
    _mark(vector, "call", [-1 if view.call is None else view.call])
    _mark_seat(vector, "to_act", view, view.to_act)
    _mark_seat(vector, "dealer", view, view.dealer)
    _mark_seat(vector, "declarer", view, view.declarer)
    _mark_seat(vector, "sitter", view, view.sitter)
    _mark_seat(vector, "leader", view, view.leader)


def _write_counts(vector: Vector, tables: Tables, view: AnyView) -> None:
    variant, ledger = tables.variant, view.ledger
    own = side_of(view.seat)
    for place, side in enumerate((own, 1 - own)):
        vector[_STARTS["tricks"] + place] = view.tricks[side] / variant.hand_size
        vector[_STARTS["scores"] + place] = np.clip(ledger.scores[side] / _POINTS, -1, 1)
        vector[_STARTS["tokens"] + place] = min(ledger.tokens[side] / _STOCK, 1)
        vector[_STARTS["token_debt"] + place] = ledger.token_debt[side]
        vector[_STARTS["hlm_debt"] + place] = min(ledger.hlm_debt[side] / _STOCK, 1)
    vector[_STARTS["hands"]] = min(view.number / (variant.hands or variant.max_hands), 1)


def _away(view: AnyView, seat: int) -> int:
    """How many seats clockwise from the one that looks."""
    return (seat - view.seat) & 3


def _mark_seat(vector: Vector, name: str, view: AnyView, seat: int) -> None:
    if 0 <= seat < SEATS:
        _mark(vector, name, [_away(view, Seat(seat))])


def _mark(vector: Vector, name: str, places: Iterable[int]) -> None:
    """Set ones at places of a part; a place below 0 stands for "none"."""
    start = _STARTS[name]
    for place in places:
        if place >= 0:
            vector[start + place] = 1


def _bits(mask: int) -> Iterable[int]:
    return (card for card in range(CARDS) if mask >> card & 1)
