"""What a seat is sent: the shared public part of a hand, and each seat's own decision.

The public message lives as long as the hand and grows by one move at a time; each decision
copies it whole, which costs a tenth of building it anew.  Nothing hidden ever enters it: it is
made from what ``View`` calls public, and in that type exchanged cards are blank already.
"""

from __future__ import annotations

from arena.rules.actions import NO_LEVEL, Action
from arena.rules.scoring import Ledger
from arena.rules.tables import NOBODY
from arena.rules.view import View
from arena.v1 import referee_pb2, view_pb2
from arena.wire.actions import action_message, move_message, wire_cards
from arena.wire.enums import PHASES

_phase_numbers = {phase: PHASES.number(phase) for phase in PHASES.members}


class PublicEncoder:
    """The public part of one table, kept up to date from the views of its seats."""

    __slots__ = ("_hand", "_ledger", "_message", "_moves")

    def __init__(self) -> None:
        self._message = view_pb2.PublicView()
        self._hand = -1
        self._moves = 0
        self._ledger: Ledger | None = None

    def message(self, view: View) -> view_pb2.PublicView:
        """The public message as of ``view``; copy it, it will grow."""
        message = self._message
        if view.number != self._hand:
            self._begin(view)
            message = self._message
        for move in view.moves[self._moves :]:
            message.moves.append(move_message(move))
        self._moves = len(view.moves)
        if view.ledger is not self._ledger:
            self._ledger = view.ledger
            write_ledger(message.ledger, view.ledger)
        message.phase = _phase_numbers[view.phase]
        if view.level != NO_LEVEL:
            self._write_contract(message, view)
        return message

    def _begin(self, view: View) -> None:
        self._message = view_pb2.PublicView(
            hand_number=view.number, dealer=view.dealer, tricks=view.tricks
        )
        self._hand = view.number
        self._moves = 0
        self._ledger = None

    @staticmethod
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
    message: referee_pb2.Decision,
    view: View,
    legal: tuple[Action, ...],
    public: view_pb2.PublicView,
) -> None:
    """Write what the seat is asked into an empty decision; ids and clocks are the caller's."""
    message.seat = view.seat
    message.public.CopyFrom(public)
    private = message.private
    private.hand.extend(wire_cards(view.held, view.twins))  # type: ignore[arg-type]
    if view.gave >= 0:
        private.gave = view.gave + 1  # type: ignore[assignment]
    if view.received >= 0:
        private.received = view.received + 1  # type: ignore[assignment]
    if view.discarded >= 0:
        private.discarded = view.discarded + 1  # type: ignore[assignment]
    message.legal.extend([action_message(action) for action in legal])
