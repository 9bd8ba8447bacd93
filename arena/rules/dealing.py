"""A new hand from four hands of cards, which must be the whole deck (rules C1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from arena.rules.actions import NO_CARD, NO_LEVEL
from arena.rules.cards import SEATS, Card, Seat, card_text
from arena.rules.errors import DealError
from arena.rules.hand import FIRST_SEAT, NO_SEAT, NOTHING_LED, Hand
from arena.rules.scoring import START, Ledger
from arena.rules.tables import NOBODY, ROTATIONS, Tables

_ROUND: Final = tuple(
    tuple(Seat((dealer + step) & 3) for step in (1, 2, 3, 4)) for dealer in range(4)
)


def deal_hand(
    tables: Tables,
    hands: Sequence[Sequence[Card]],
    *,
    dealer: Seat = FIRST_SEAT,
    ledger: Ledger = START,
    number: int = 0,
) -> Hand:
    """A new hand, the seat left of the dealer to speak.

    Args:
        tables: of the variant.
        hands: the cards of seats 0..3, ``hand_size`` each, together the whole deck.
        dealer: who dealt.
        ledger: what both sides own before the hand.
        number: the hand's number within its game.

    Raises:
        DealError: the cards are not the variant's deck dealt out.
    """
    new = Hand()
    new.tables = tables
    new.number = number
    new.dealer = dealer
    new.opening = new.ledger = ledger
    new.waiting = _ROUND[dealer]
    new.level = NO_LEVEL
    new.call = None
    new.declarer = NO_SEAT
    new.sitter = NOBODY
    new.held = []
    new.twins = []
    new.offered = new.given = new.discarded = NO_CARD
    new.tricks = [0, 0]
    new.leader = new.winner = NO_SEAT
    new.log = []
    new.play = None
    new.after = ROTATIONS[NOBODY]
    new.follow = 0
    new.row = ()
    new.best = NOTHING_LED
    _hold(new, hands)
    new.next_speaker()
    return new


def _hold(new: Hand, hands: Sequence[Sequence[Card]]) -> None:
    variant = new.tables.variant
    fits = len(hands) == SEATS
    seen = parity = 0
    for cards in hands:
        fits = fits and len(cards) == variant.hand_size
        held = twins = 0
        for card in cards:
            try:
                bit = 1 << card
            except ValueError as error:
                raise DealError(f"{card} is no card") from error
            if held & bit:
                twins |= bit
            held |= bit
        new.held.append(held)
        new.twins.append(twins)
        seen |= held
        parity ^= held ^ twins
    if not fits:
        raise DealError(f"a deal is four hands of {variant.hand_size} cards")
    # With the right number of cards: every card seen at all is every card of a single deck,
    # and seen an even number of times is twice each of a double one.
    if seen != new.tables.deck_mask or (variant.copies == 2 and parity):
        raise DealError(f"the hands are not the deck: {_misfit(new.tables, hands)}")


def _misfit(tables: Tables, hands: Sequence[Sequence[Card]]) -> str:
    dealt = Counter(card for cards in hands for card in cards)
    due = Counter(tables.deck)
    wrong = min(card for card in {*dealt, *due} if dealt[card] != due[card])
    return f"{card_text(wrong)} is there {dealt[wrong]} times and should be {due[wrong]} times"
