"""Leaks to plant: each tells a seat something of a card that it may not know.

They stand for mistakes that could be made in the engine's view, the referee, the wire and the
sessions. A test plants them one by one and expects the comparison to find them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from arena.referee import course
from arena.referee.seat import Question, Take
from arena.rules import DOUBLE, TOKEN, Action, Hand, IllegalAction, Seat, Variant, View
from arena.rules import view as views
from arena.rules.actions import PLAYS
from arena.rules.refusal import refuse
from arena.rules.view import view_of
from arena.server import items, remote
from arena.server.sessions import Session
from arena.v1 import record_pb2, referee_pb2
from arena.wire.framing import varint
from arena.wire.views import decision_bytes
from tests.referee.games import SHORT

SHORT_TOKEN: Final = replace(TOKEN, name="short-token", max_hands=6)

Plant = Callable[[pytest.MonkeyPatch], None]
_UNKNOWN_FIELD: Final = varint(1000 << 3 | 2)
_RED: Final = 0b111111_111111 << 6
"""Diamonds and hearts."""


@dataclass(frozen=True, slots=True)
class Defect:
    """A leak to plant, and a variant in which it shows."""

    variant: Variant
    plant: Plant


class _Truth:
    """The hand under way with all its cards, which nothing that talks to a seat may ask."""

    hand: Hand

    def reds(self, seat: int) -> int:
        """How many red cards, each kind once, the seat's neighbour to the left holds."""
        return (self.hand.held[(seat + 1) & 3] & _RED).bit_count()


def _seen(change: Callable[[Hand, View], View]) -> Plant:
    """The view is another one."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(course, "view_of", lambda hand, seat: change(hand, view_of(hand, seat)))

    return plant


def _truth(patch: pytest.MonkeyPatch) -> _Truth:
    truth = _Truth()

    def look(hand: Hand, seat: Seat) -> View:
        truth.hand = hand
        return view_of(hand, seat)

    patch.setattr(course, "view_of", look)
    return truth


def _card_of_left(hand: Hand, view: View) -> View:
    held = hand.held[(view.seat + 1) & 3]
    return view._replace(discarded=PLAYS.of(held)[0].card) if held else view


def _card_of_partner(hand: Hand, view: View) -> View:
    partner = hand.held[view.seat ^ 2]
    return view._replace(held=view.held | partner & -partner)


def _shown_exchange(hand: Hand, view: View) -> View:
    return view._replace(moves=tuple(hand.moves()))


def _tokens_by_cards(hand: Hand, view: View) -> View:
    first, second = view.ledger.tokens
    more = (hand.held[view.seat ^ 2] & _RED).bit_count()
    return view._replace(ledger=view.ledger._replace(tokens=(first + more, second)))


def _seeing_trade(patch: pytest.MonkeyPatch) -> None:
    """The partner sees the declarer's half of the trade before it chooses."""
    known = views._exchange_known_to

    def all_known(hand: Hand, seat: Seat) -> tuple[Any, Any, Any]:
        if seat == hand.declarer ^ 2:
            return hand.given, hand.offered, -1
        return known(hand, seat)

    patch.setattr(views, "_exchange_known_to", all_known)


def _common(name: str) -> Plant:
    """The four seats share what the referee keeps for each of them under that name."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        shared: dict[str, Any] = {}

        class Sitting(course._Sitting):
            pass

        common = property(lambda _: shared[name], lambda _, value: shared.__setitem__(name, value))
        setattr(Sitting, name, common)
        patch.setattr(course, "_Sitting", Sitting)

    return plant


def _decision(change: Callable[[_Truth, View, tuple[Action, ...]], tuple[Any, bytes]]) -> Plant:
    """The decision has other legal actions, and more bytes at its end."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        truth = _truth(patch)

        def told(view: View, legal: tuple[Action, ...], public: Any, **more: Any) -> bytes:
            legal, end = change(truth, view, legal)
            return decision_bytes(view, legal, public, **more) + end

        patch.setattr(items, "decision_bytes", told)

    return plant


def _asked(change: Callable[[_Truth, remote.RemoteSeat], None]) -> Plant:
    """The session does something else before a question is put."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        truth, ask = _truth(patch), remote.RemoteSeat.ask

        def asked(seat: remote.RemoteSeat, question: Question, take: Take) -> None:
            change(truth, seat)
            ask(seat, question, take)

        patch.setattr(remote.RemoteSeat, "ask", asked)

    return plant


def _an_event(truth: _Truth, seat: remote.RemoteSeat) -> None:
    if truth.reds(seat.number) > 3:
        seat.session.send(referee_pb2.Item(match_finished=referee_pb2.MatchFinished()))


def _early_cards(truth: _Truth, seat: remote.RemoteSeat) -> None:
    cards = [_dealt(truth.hand.held[number]) for number in range(4)]
    finished = referee_pb2.HandFinished(hand=record_pb2.HandRecord(dealt=cards))
    seat.session.send(referee_pb2.Item(hand_finished=finished))


def _dealt(held: int) -> record_pb2.DealtHand:
    """The cards of a mask as a record has them."""
    return record_pb2.DealtHand(cards=[play.text for play in PLAYS.of(held)])


def _more_items(truth: _Truth, seat: remote.RemoteSeat) -> None:
    seat.session._outbox.sequence += truth.reds(seat.number)


def _more_decisions(truth: _Truth, seat: remote.RemoteSeat) -> None:
    seat.session._last_decision += truth.reds(seat.number)


def _message_apart(patch: pytest.MonkeyPatch) -> None:
    """A message without items goes before some questions: only the count of messages tells."""
    truth, take = _truth(patch), Session.take_batch
    held: dict[Session, bytes] = {}

    def batch(session: Session) -> bytes | None:
        if session in held:
            return held.pop(session)
        message = take(session)
        if message is None or not session._in_flight or truth.reds(0) < 3:
            return message
        held[session] = message
        session.wake.set()
        return items.items_response([])

    patch.setattr(Session, "take_batch", batch)


def _telling_refusal(patch: pytest.MonkeyPatch) -> None:
    """The text of a refusal names a card of the partner."""

    def tell(hand: Hand, seat: Seat, action: object) -> IllegalAction:
        error = refuse(hand, seat, action)
        text = f"{error}, and the partner holds {hand.held[seat ^ 2]:x}"
        return IllegalAction(error.refusal, error.paragraph, text)

    patch.setattr(course, "refuse", tell)


def _whole_ending(patch: pytest.MonkeyPatch) -> None:
    """All seats are told in full why one forfeited."""
    patch.setattr(remote, "_told", lambda ending, _: ending)


DEFECTS: Final = {
    "a card of the seat to the left shows": Defect(DOUBLE, _seen(_card_of_left)),
    "a card of the partner is in the own hand": Defect(SHORT, _seen(_card_of_partner)),
    "a traded card shows in the moves": Defect(SHORT, _seen(_shown_exchange)),
    "a given or discarded card shows in the moves": Defect(SHORT_TOKEN, _seen(_shown_exchange)),
    "a blind trade is seen": Defect(SHORT, _seeing_trade),
    "tokens depend on cards": Defect(SHORT_TOKEN, _seen(_tokens_by_cards)),
    "forced moves of all seats show": Defect(SHORT, _common("forced")),
    "moves of the stand-in show to all": Defect(DOUBLE, _common("stood_in")),
    "another seat's latency shows": Defect(SHORT, _common("last_latency")),
    "the faults of all seats are counted together": Defect(SHORT, _common("faults")),
    "the banks are one": Defect(DOUBLE, _common("bank")),
    "a play of the seat to the left is among the legal actions": Defect(
        SHORT,
        _decision(lambda truth, view, legal: ((*legal, _first_play(truth, view)), b"")),
    ),
    "the order of the legal actions depends on cards": Defect(
        SHORT_TOKEN,
        _decision(
            lambda truth, view, legal: (legal[:: -1 if truth.reds(view.seat) > 3 else 1], b"")
        ),
    ),
    "the size of an item depends on cards": Defect(
        DOUBLE,
        _decision(
            lambda truth, view, legal: (
                legal,
                _UNKNOWN_FIELD + varint(truth.reds(view.seat)) + bytes(truth.reds(view.seat)),
            )
        ),
    ),
    "an event is sent or not": Defect(SHORT, _asked(_an_event)),
    "a hand is opened before it is scored": Defect(SHORT_TOKEN, _asked(_early_cards)),
    "sequence numbers jump": Defect(SHORT_TOKEN, _asked(_more_items)),
    "decision ids jump": Defect(SHORT, _asked(_more_decisions)),
    "a message is sent in two": Defect(SHORT, _message_apart),
    "a refusal speaks of the partner's cards": Defect(SHORT, _telling_refusal),
    "a forfeit is explained to all": Defect(SHORT, _whole_ending),
}
"""All of them, by what is wrong."""


def _first_play(truth: _Truth, view: View) -> Action:
    held = truth.hand.held[(view.seat + 1) & 3]
    action: Action = PLAYS.of(held or 1)[0]
    return action
