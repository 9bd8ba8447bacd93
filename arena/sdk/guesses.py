"""From a view and a guess at what it hides to a hand that can be searched."""

from __future__ import annotations

from dataclasses import dataclass

from arena.rules import Action, ActionKind, Card, Hand, Ledger, Tables, deal_hand
from arena.rules.actions import DISCARDS, GIVES, NO_CARD, TRADES
from arena.rules.cards import SEATS, side_of
from arena.rules.errors import RulesError
from arena.sdk.seen import Seen

_PRICED = (ActionKind.FORCE_PARTNER, ActionKind.FORCE_OPPONENTS)
_AUCTION = frozenset(
    {
        ActionKind.PASS,
        ActionKind.BID,
        *_PRICED,
        ActionKind.SHOOTER_SELF,
        ActionKind.SHOOTER_PARTNER,
        ActionKind.CALL,
    }
)


class Contradiction(ValueError):
    """No deal agrees with a view, or a guess does not; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What a view hides, as it may have been.

    Attributes:
        dealt: the cards of seats 0..3 before any exchange.
        offered: the declarer's half of a trade, ``NO_CARD`` where there was none yet.
        given: the card that the partner gave, likewise.
        discarded: the declarer's discard, likewise.
    """

    dealt: tuple[tuple[Card, ...], ...]
    offered: Card = NO_CARD
    given: Card = NO_CARD
    discarded: Card = NO_CARD

    def shown(self, action: Action) -> Action:
        """The action with its card: in a view those of an exchange are blank."""
        if action.kind is ActionKind.TRADE:
            return TRADES[self.offered]
        if action.kind is ActionKind.GIVE:
            return GIVES[self.given]
        if action.kind is ActionKind.DISCARD:
            return DISCARDS[self.discarded]
        return action


def replayed(tables: Tables, view: Seen, guess: Guess, opening: Ledger) -> Hand:
    """The hand in the state that ``view`` shows, if the cards were as guessed.

    Args:
        tables: of the variant.
        view: what the seat sees.
        guess: what it does not.
        opening: what both sides owned before the hand.

    Raises:
        Contradiction: the cards are not the deck, or a move would not have been legal.
    """
    try:
        hand = deal_hand(
            tables, guess.dealt, dealer=view.dealer, ledger=opening, number=view.number
        )
        for move in view.moves:
            hand.apply(guess.shown(move.action))
    except RulesError as error:
        raise Contradiction(f"the guess does not agree with the view: {error}") from error
    return hand


def openings(tables: Tables, view: Seen) -> tuple[Ledger, ...]:
    """What both sides may have owned before the hand: a view has tokens and debts as they are now.

    There is one answer but for this case: a side without enough tokens and with HLM debt has
    named a call that costs.  It may have paid with its last ones, or on credit (rules T4.2).
    Then the answers are two, or one where the other would have made a bid illegal.

    Raises:
        Contradiction: no ledger leads to this view.
    """
    earlier = {view.ledger}
    for seat, action in reversed(view.moves):
        if action.kind is ActionKind.CALL and action.call is not None:
            price = tables.call_prices[action.call]
            earlier = {
                before for after in earlier for before in _before_call(after, side_of(seat), price)
            }
        elif action.kind in _PRICED:
            partner = action.kind is ActionKind.FORCE_PARTNER
            price = tables.force_partner if partner else tables.force_opponents
            earlier = {_paid_back(after, side_of(seat), price) for after in earlier}
    possible = tuple(sorted(one for one in earlier if _leads_to(tables, view, one)))
    if not possible:
        raise Contradiction("no tokens and debts before the hand lead to those of the view")
    return possible


def _before_call(ledger: Ledger, side: int, price: int) -> list[Ledger]:
    if not price:
        return [ledger]
    before = [_paid_back(ledger, side, price)]
    if ledger.tokens[side] < price and ledger.hlm_debt[side] > 0:
        units = list(ledger.hlm_debt)
        units[side] -= 1
        before.append(ledger._replace(hlm_debt=(units[0], units[1])))
    return before


def _paid_back(ledger: Ledger, side: int, price: int) -> Ledger:
    tokens = list(ledger.tokens)
    tokens[side] += price
    return ledger._replace(tokens=(tokens[0], tokens[1]))


def _leads_to(tables: Tables, view: Seen, opening: Ledger) -> bool:
    """Whether the auction would have been legal; it does not depend on anybody's cards."""
    size = tables.variant.hand_size
    dealt = [tables.deck[seat * size : (seat + 1) * size] for seat in range(SEATS)]
    hand = deal_hand(tables, dealt, dealer=view.dealer, ledger=opening)
    for move in view.moves:
        if move.action.kind not in _AUCTION:
            break
        if move.action not in hand.allowed:
            return False
        hand.apply(move.action)
    return hand.ledger == view.ledger
