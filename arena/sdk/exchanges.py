"""Taking an exchange back: from the cards that are held now to those that were dealt."""

from __future__ import annotations

from random import Random

from arena.rules import ActionKind, Card
from arena.rules.actions import NO_CARD
from arena.rules.cards import SEATS, partner_of
from arena.sdk.guesses import Guess
from arena.sdk.readings import Facts
from arena.sdk.seen import Seen
from arena.sdk.splits import PILE


def as_dealt(view: Seen, facts: Facts, held: list[list[Card]], given: Card, rng: Random) -> Guess:
    """The guess that goes with the cards held now.

    Args:
        view: what the seat sees.
        facts: what is plain from it.
        held: by place, the cards there now; it is used up.
        given: the partner's gift where there was one.
        rng: chooses what was traded where the seat has not seen it.
    """
    for seat in range(SEATS):
        held[seat] += facts.played[seat]
    if ActionKind.TRADE in facts.kinds:
        return _before_trade(view, facts, held, rng)
    discarded = view.discarded if view.discarded >= 0 else next(iter(held[PILE]), NO_CARD)
    if facts.is_gift:
        declarer = held[view.declarer]
        if discarded >= 0:
            declarer.append(discarded)
        _move(given, declarer, held[partner_of(view.declarer)])
    return Guess(_frozen(held), given=given, discarded=discarded)


def ways_to_trade(view: Seen, facts: Facts, hand_size: int) -> int:
    """How many pairs of cards a trade that the seat has not seen may have moved, for one deal."""
    if ActionKind.TRADE not in facts.kinds:
        return 1
    moved = 1 if ActionKind.GIVE not in facts.kinds else 2
    unknown = sum(card < 0 for card in _traded(view)[:moved])
    return int(hand_size**unknown)


def _before_trade(view: Seen, facts: Facts, held: list[list[Card]], rng: Random) -> Guess:
    declarer, partner = held[view.declarer], held[partner_of(view.declarer)]
    own, from_partner = _traded(view)
    if ActionKind.GIVE not in facts.kinds:  # chosen, but still in the declarer's hand
        return Guess(_frozen(held), offered=_known_or_any(own, declarer, rng))
    offered = _known_or_any(own, partner, rng)
    given = _known_or_any(from_partner, declarer, rng)
    _move(offered, partner, declarer)
    _move(given, declarer, partner)
    return Guess(_frozen(held), offered=offered, given=given)


def _traded(view: Seen) -> tuple[Card, Card]:
    """What the seat knows of a trade: the declarer's card and the partner's."""
    if view.seat == view.declarer:
        return view.gave, view.received
    if view.seat == partner_of(view.declarer):
        return view.received, view.gave
    return NO_CARD, NO_CARD


def _known_or_any(card: Card, cards: list[Card], rng: Random) -> Card:
    return card if card >= 0 else cards[rng.randrange(len(cards))]


def _move(card: Card, giver: list[Card], receiver: list[Card]) -> None:
    giver.remove(card)
    receiver.append(card)


def _frozen(held: list[list[Card]]) -> tuple[tuple[Card, ...], ...]:
    return tuple(map(tuple, held[:SEATS]))
