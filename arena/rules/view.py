"""What one seat may know of a hand (rules I1), and nothing else.

A view is cut from a hand: public facts by reference, the seat's own cards, and of an exchange
only the cards that this seat gave, received or discarded.  Two hands that differ in cards which
the seat may not know give equal views.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.rules.actions import NO_CARD, ActionKind, Move
from arena.rules.calls import Call
from arena.rules.cards import CARDS, Card, Seat
from arena.rules.hand import Hand, Phase
from arena.rules.scoring import Ledger
from arena.rules.tables import NOBODY


class View(NamedTuple):
    """A hand as one seat sees it.

    Attributes:
        seat: whose view it is.
        number: the hand's number within its game, from 0.
        dealer: the seat that dealt.
        phase: what the seat to act decides.
        to_act: the seat to act.
        ledger: scores before the hand; tokens and debts as they stand now.
        moves: every move so far; exchanged cards are blank.
        level: place of the standing bid or contract on the ladder, ``NO_LEVEL`` before one.
        call: its call, None until named.
        declarer: who made it, ``NO_SEAT`` before one.
        sitter: the seat that sits out, ``NOBODY`` (4) where none does.
        tricks: tricks taken by side 0 and side 1.
        leader: who led, or is to lead, the current trick; ``NO_SEAT`` before the play.
        held: mask of the cards in this seat's hand.
        twins: mask of those it holds twice.
        gave: the card it traded away or gave, ``NO_CARD`` where none.
        received: the card it received, ``NO_CARD`` where none.
        discarded: the card it discarded, ``NO_CARD`` where none.
    """

    seat: Seat
    number: int
    dealer: Seat
    phase: Phase
    to_act: Seat
    ledger: Ledger
    moves: tuple[Move, ...]
    level: int
    call: Call | None
    declarer: Seat
    sitter: int
    tricks: tuple[int, ...]
    leader: Seat
    held: int
    twins: int
    gave: Card
    received: Card
    discarded: Card

    @property
    def cards(self) -> tuple[Card, ...]:
        """The seat's cards in card order; a twin shows twice."""
        return cards_in(self.held, self.twins)

    @property
    def trick(self) -> tuple[Move, ...]:
        """The plays to the current trick, its leader's first."""
        active = 4 if self.sitter == NOBODY else 3
        plays = [move for move in self.moves if move.action.kind is ActionKind.PLAY]
        return tuple(plays[len(plays) - len(plays) % active :])


def view_of(hand: Hand, seat: Seat) -> View:
    """The view of ``seat``."""
    gave = received = discarded = NO_CARD
    if hand.given >= 0 or hand.offered >= 0:
        gave, received, discarded = _exchange_known_to(hand, seat)
    # A view is made for every decision, and this is three times as fast as calling the class.
    return tuple.__new__(
        View,
        (
            seat,
            hand.number,
            hand.dealer,
            hand.phase,
            hand.to_act,
            hand.ledger,
            tuple(hand.log),
            hand.level,
            hand.call,
            hand.declarer,
            hand.sitter,
            tuple(hand.tricks),
            hand.leader,
            hand.held[seat],
            hand.twins[seat],
            gave,
            received,
            discarded,
        ),
    )


def _exchange_known_to(hand: Hand, seat: Seat) -> tuple[Card, Card, Card]:
    """What the seat gave, received and discarded."""
    if seat == hand.declarer:
        return hand.offered, hand.given, hand.discarded
    if seat != hand.declarer ^ 2:
        return NO_CARD, NO_CARD, NO_CARD
    # Blind: the partner has chosen before it sees the declarer's card (rules B4).
    shown = hand.given >= 0 or not hand.tables.variant.trade_blind
    return hand.given, hand.offered if shown else NO_CARD, NO_CARD


def cards_in(held: int, twins: int) -> tuple[Card, ...]:
    """The cards of two masks in card order; a twin shows twice."""
    return tuple(
        Card(card)
        for card in range(CARDS)
        if held >> card & 1
        for _ in range(1 + (twins >> card & 1))
    )
