"""What a seat is sent: the shared public part of a hand, and each seat's own decision.

The public message lives as long as the hand and grows by one move at a time; each decision
copies it whole, which costs a tenth of building it anew.  Nothing hidden ever enters it: it is
made from what ``View`` calls public, and in that type exchanged cards are blank already.
"""

from __future__ import annotations

from arena.rules.actions import NO_LEVEL, Action
from arena.rules.hand import Phase
from arena.rules.scoring import Ledger
from arena.rules.tables import NOBODY
from arena.rules.view import View
from arena.v1 import referee_pb2, view_pb2
from arena.wire.actions import ACTIONS, MOVES, wire_cards
from arena.wire.enums import PHASES

_phase_numbers = {phase: PHASES.number(phase) for phase in PHASES.members}


class PublicEncoder:
    """The public part of one table, kept up to date from the views of its seats."""

    __slots__ = ("_contract", "_hand", "_ledger", "_message", "_moves", "_phase")

    def __init__(self) -> None:
        self._message = view_pb2.PublicView()
        self._hand = -1
        self._moves = 0
        self._ledger: Ledger | None = None
        self._phase: Phase | None = None
        self._contract: tuple[object, ...] = ()

    def message(self, view: View) -> view_pb2.PublicView:
        """The public message as of ``view``; copy it, it will grow."""
        if view.number != self._hand:
            self._begin(view)
        message = self._message
        moves = view.moves
        if len(moves) != self._moves:
            message.moves.extend([MOVES[action][seat] for seat, action in moves[self._moves :]])
            self._moves = len(moves)
        if view.ledger is not self._ledger:
            self._ledger = view.ledger
            write_ledger(message.ledger, view.ledger)
        if view.phase is not self._phase:
            self._phase = view.phase
            message.phase = _phase_numbers[view.phase]
        # The standing bid and what follows from it: seven fields side by side in the view.
        contract = tuple.__getitem__(view, _CONTRACT)
        if contract != self._contract:
            self._contract = contract
            if view.level != NO_LEVEL:
                _write_contract(message, view)
        return message

    def _begin(self, view: View) -> None:
        self._message = view_pb2.PublicView(
            hand_number=view.number, dealer=view.dealer, tricks=view.tricks
        )
        self._hand = view.number
        self._moves = 0
        self._ledger = self._phase = None
        self._contract = ()


_CONTRACT = slice(View._fields.index("level"), View._fields.index("leader") + 1)


def _write_contract(message: view_pb2.PublicView, view: View) -> None:
    contract = message.contract
    contract.declarer = view.declarer
    contract.bid = view.level + 1
    contract.call = 0 if view.call is None else view.call + 1  # type: ignore[assignment]
    if view.sitter != NOBODY:
        message.sits_out = view.sitter
    if view.leader >= 0:
        message.leader = view.leader
        message.tricks[0], message.tricks[1] = view.tricks


def write_ledger(message: view_pb2.Ledger, ledger: Ledger) -> None:
    """Write a ledger over a message."""
    message.Clear()
    message.scores.extend(ledger.scores)
    message.tokens.extend(ledger.tokens)
    message.token_debt.extend(ledger.token_debt)
    message.hlm_debt.extend(ledger.hlm_debt)


def write_decision(
    message: referee_pb2.Decision, view: View, legal: tuple[Action, ...], public: PublicEncoder
) -> None:
    """Write what the seat is asked into an empty decision; ids and clocks are the caller's."""
    message.seat = view.seat
    message.public.CopyFrom(public.message(view))
    private = message.private
    private.hand.extend(wire_cards(view.held, view.twins))  # type: ignore[arg-type]
    if view.gave >= 0:
        private.gave = view.gave + 1  # type: ignore[assignment]
    if view.received >= 0:
        private.received = view.received + 1  # type: ignore[assignment]
    if view.discarded >= 0:
        private.discarded = view.discarded + 1  # type: ignore[assignment]
    message.legal.extend(map(ACTIONS.__getitem__, legal))
