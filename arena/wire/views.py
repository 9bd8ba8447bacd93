"""What a seat is sent: the shared public part of a hand, and each seat's own decision.

The public part lives as long as the hand and grows by one move at a time; each decision copies
it whole.  Nothing hidden ever enters it: it is made from what ``View`` calls public, and in that
type exchanged cards are blank already.

Both are kept as serialised bytes (see ``framing``): joining them costs a third of what building
messages does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from arena.rules.actions import NO_LEVEL, Action
from arena.rules.cards import SEATS, Card
from arena.rules.hand import Phase
from arena.rules.scoring import Ledger
from arena.rules.tables import NOBODY
from arena.rules.view import View
from arena.v1 import referee_pb2, view_pb2
from arena.wire.actions import ACTIONS, MOVES, wire_cards
from arena.wire.enums import PHASES
from arena.wire.framing import bytes_tag, enclosed, number_tag, varint

_PUBLIC_TAG: Final = bytes_tag(referee_pb2.Decision, "public")
_PRIVATE_TAG: Final = bytes_tag(referee_pb2.Decision, "private")
_LEGAL_TAG: Final = bytes_tag(referee_pb2.Decision, "legal")
_SEAT_TAG: Final = number_tag(referee_pb2.Decision, "seat")
_MOVES_TAG: Final = bytes_tag(view_pb2.PublicView, "moves")
_HAND_TAG: Final = bytes_tag(view_pb2.PrivateView, "hand")
_FORCED_TAG: Final = bytes_tag(view_pb2.PrivateView, "forced_moves")
_STAND_IN_TAG: Final = bytes_tag(view_pb2.PrivateView, "stand_in_moves")

# The standing bid and what follows from it: six fields side by side in the view.
_CONTRACT: Final = slice(View._fields.index("level"), View._fields.index("leader") + 1)


class _LegalFields(dict[Action, bytes]):
    """An action as an entry of Decision.legal; made at the first look-up."""

    def __missing__(self, action: Action) -> bytes:
        field = self[action] = enclosed(_LEGAL_TAG, ACTIONS[action].SerializeToString())
        return field


class _MoveFields(dict[Action, tuple[bytes, ...]]):
    """An action by seats 0..3 as an entry of PublicView.moves; made at the first look-up."""

    def __missing__(self, action: Action) -> tuple[bytes, ...]:
        fields = tuple(enclosed(_MOVES_TAG, move.SerializeToString()) for move in MOVES[action])
        self[action] = fields
        return fields


_LEGAL: Final = _LegalFields()
_MOVES: Final = _MoveFields()


class PublicEncoder:
    """The public part of one table, kept up to date from the views of its seats."""

    __slots__ = (
        "_bytes",
        "_contract",
        "_grown",
        "_hand",
        "_known",
        "_ledger",
        "_phase",
        "_state",
    )

    def __init__(self) -> None:
        self._hand = -1
        self._ledger: Ledger | None = None
        self._grown = b""
        self._known = 0
        self._phase: Phase | None = None
        self._contract: tuple[object, ...] = ()
        self._state = b""

    def public(self, view: View) -> bytes:
        """A serialised PublicView as of ``view``."""
        moves = view.moves
        if view.number != self._hand or view.ledger is not self._ledger:
            self._begin(view)
        known = self._known
        if len(moves) != known:
            fields = _MOVES
            new = [fields[action][seat] for seat, action in moves[known:]]
            self._grown += b"".join(new)
            self._known = len(moves)
        contract = tuple.__getitem__(view, _CONTRACT)
        if view.phase is not self._phase or contract != self._contract:
            self._phase = view.phase
            self._contract = contract
            self._state = _state_bytes(view.phase, contract)
        return self._grown + self._state

    def _begin(self, view: View) -> None:
        """Start again from what a hand begins with; the ledger changes within it when tokens go."""
        self._hand = view.number
        self._ledger = view.ledger
        head = view_pb2.PublicView(
            hand_number=view.number, dealer=view.dealer, ledger=ledger_message(view.ledger)
        )
        self._grown = head.SerializeToString()
        self._known = 0


@lru_cache(maxsize=1 << 14)
def _state_bytes(phase: Phase, contract: tuple[Any, ...]) -> bytes:
    """Where the hand stands: phase, contract, tricks; half of all questions change it.

    Args:
        phase: what is decided.
        contract: the view's fields from ``level`` to ``leader``.
    """
    level, call, declarer, sitter, tricks, leader = contract
    message = view_pb2.PublicView(phase=PHASES.number(phase), tricks=tricks)
    if level != NO_LEVEL:
        message.contract.declarer = declarer
        message.contract.bid = level + 1
        message.contract.call = 0 if call is None else call + 1  # type: ignore[assignment]
    if sitter != NOBODY:
        message.sits_out = sitter
    if leader >= 0:
        message.leader = leader
    return message.SerializeToString()


def ledger_message(ledger: Ledger) -> view_pb2.Ledger:
    """The message of a ledger."""
    return view_pb2.Ledger(
        scores=ledger.scores,
        tokens=ledger.tokens,
        token_debt=ledger.token_debt,
        hlm_debt=ledger.hlm_debt,
    )


def decision_bytes(
    view: View,
    legal: tuple[Action, ...],
    public: PublicEncoder,
    *,
    forced: tuple[int, ...] = (),
    stood_in: tuple[int, ...] = (),
    own: tuple[bytes, ...] = (),
) -> bytes:
    """A serialised Decision.

    Args:
        view: what the seat may see.
        legal: its legal actions in canonical order.
        public: of the table.
        forced: indexes of its own moves that the referee made.
        stood_in: indexes of its own moves that the stand-in made.
        own: what the caller adds, as serialised fields: ids and clocks.
    """
    cards = wire_cards(view.held, view.twins)
    size = len(cards)
    private = _PRIVATE_STARTS[size]
    if forced or stood_in or view.gave >= 0 or view.received >= 0 or view.discarded >= 0:
        more = _more_private(view, forced, stood_in)
        hand = b"".join((_HAND_TAG, varint(size), cards, more))
        private = enclosed(_PRIVATE_TAG, hand)
        cards = b""
    shared = public.public(view)
    return b"".join(
        (
            *own,
            _SEATS[view.seat],
            varint(len(shared)),
            shared,
            private,
            cards,
            *map(_LEGAL.__getitem__, legal),
        )
    )


# The tag and value of the seat with the tag of the public part that follows it; and all of the
# private part of a hand of n cards but these cards: most decisions need no more.
_SEATS: Final = tuple(_SEAT_TAG + varint(seat) + _PUBLIC_TAG for seat in range(SEATS))
_PRIVATE_STARTS: Final = tuple(
    b"".join((_PRIVATE_TAG, varint(2 + size), _HAND_TAG, varint(size))) for size in range(32)
)


def _more_private(view: View, forced: tuple[int, ...], stood_in: tuple[int, ...]) -> bytes:
    more = b""
    if forced:
        more += enclosed(_FORCED_TAG, bytes(forced))
    if stood_in:
        more += enclosed(_STAND_IN_TAG, bytes(stood_in))
    return more + _exchange_bytes(view.gave, view.received, view.discarded)


@lru_cache(maxsize=1 << 14)
def _exchange_bytes(gave: Card, received: Card, discarded: Card) -> bytes:
    """The cards of an exchange that the seat itself knows (-1 where none)."""
    message = view_pb2.PrivateView(
        gave=gave + 1,  # type: ignore[arg-type]
        received=received + 1,  # type: ignore[arg-type]
        discarded=discarded + 1,  # type: ignore[arg-type]
    )
    return message.SerializeToString()


def write_decision(
    message: referee_pb2.Decision, view: View, legal: tuple[Action, ...], public: PublicEncoder
) -> None:
    """Write what the seat is asked into a decision message."""
    message.MergeFromString(decision_bytes(view, legal, public))
