"""What the moves of a hand prove about cards that a seat does not see.

A *reading* is one answer to what the exchange hid, with what follows from it: cards whose place is
known, cards that a place cannot have.  Most views have exactly one; a gift that the seat has not
seen has one for each card that it may have been.  Two readings never describe the same deal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from arena.rules import ActionKind, Call, Card, Tables
from arena.rules.actions import NO_CARD
from arena.rules.cards import SEATS, partner_of
from arena.rules.tables import NOBODY
from arena.sdk.seen import Seen
from arena.sdk.splits import PILE, PLACES, Place, Shares


@dataclass(frozen=True, slots=True)
class Facts:
    """What is plain from the moves.

    Attributes:
        played: by seat, the cards it has played.
        room: by place, how many cards are there that the seat does not see.
        pool: those cards, with their number.
        barred: by place, the mask of cards that cannot be there: suits it did not follow.
        kinds: the kinds of the moves so far.
    """

    played: tuple[tuple[Card, ...], ...]
    room: Shares
    pool: Counter[Card]
    barred: tuple[int, ...]
    kinds: frozenset[ActionKind]

    @property
    def is_gift(self) -> bool:
        """Whether the partner gave without a trade (rules T1.4)."""
        return ActionKind.GIVE in self.kinds and ActionKind.TRADE not in self.kinds


def facts_of(tables: Tables, view: Seen) -> Facts:
    """Read the moves of a view."""
    kinds = frozenset(move.action.kind for move in view.moves)
    played = _played(view)
    pool = Counter(tables.deck)
    for cards in (*played, view.cards):
        pool.subtract(cards)
    if view.discarded >= 0:
        pool[view.discarded] -= 1
    facts = Facts(played, (), +pool, voids_of(tables, view), kinds)
    return replace(facts, room=_room(tables.variant.hand_size, view, facts))


def _played(view: Seen) -> tuple[tuple[Card, ...], ...]:
    played: list[list[Card]] = [[] for _ in range(SEATS)]
    for seat, action in view.moves:
        if action.kind is ActionKind.PLAY:
            played[seat].append(action.card)
    return tuple(map(tuple, played))


def _room(hand_size: int, view: Seen, facts: Facts) -> Shares:
    room = [hand_size - len(cards) for cards in facts.played] + [0]
    if facts.is_gift:
        room[partner_of(view.declarer)] -= 1
        room[view.declarer] += 1
    if ActionKind.DISCARD in facts.kinds:
        room[view.declarer] -= 1
        room[PILE] = 0 if view.discarded >= 0 else 1
    room[view.seat] = 0
    return tuple(room)


def voids_of(tables: Tables, view: Seen) -> tuple[int, ...]:
    """By place, the mask of the suits that it did not follow, so it has none left (rules C3.4)."""
    barred = [0] * PLACES
    plays = [move for move in view.moves if move.action.kind is ActionKind.PLAY]
    if not plays:
        return tuple(barred)
    call = view.call
    play = None if call is None else tables.by_call[call]
    assert play is not None, "cards were played without a call"
    active = 4 if view.sitter == NOBODY else 3
    for start in range(0, len(plays), active):
        trick = plays[start : start + active]
        follow = play.follow[trick[0].action.card]
        for seat, action in trick:
            if not action.bit & follow:
                barred[seat] |= follow
    return tuple(barred)


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer to what the exchange hid.

    Attributes:
        pinned: cards of the pool whose place is known.
        barred: by place, the mask of cards that cannot be there.
        given: the partner's gift; ``NO_CARD`` where there was none, or it does not matter.
        copies: how many cards of the deck it stands for.
    """

    pinned: tuple[tuple[Place, Card], ...]
    barred: tuple[int, ...]
    given: Card = NO_CARD
    copies: int = 1


def readings_of(tables: Tables, view: Seen, facts: Facts) -> tuple[Reading, ...]:
    """All readings of a view."""
    if facts.is_gift:
        return _of_gift(tables, view, facts)
    pinned = _pinned_by_trade(view, facts)
    return (Reading(pinned, facts.barred),)


def _pinned_by_trade(view: Seen, facts: Facts) -> tuple[tuple[Place, Card], ...]:
    """Where the cards are that the seat gave away, or was shown before they moved."""
    if ActionKind.TRADE not in facts.kinds:
        return ()
    declarer, moved = view.declarer, ActionKind.GIVE in facts.kinds
    if view.seat == declarer:
        return ((Place(partner_of(declarer)), view.gave),) if moved else ()
    # Before it gives, a partner that is not blind knows what the declarer still holds.
    card = view.gave if moved else view.received
    if card < 0 or card in facts.played[declarer]:
        return ()
    return ((Place(declarer), card),)


def _of_gift(tables: Tables, view: Seen, facts: Facts) -> tuple[Reading, ...]:
    if view.seat == view.declarer:
        return (_gift(tables, view, facts, view.received),)
    if view.seat == partner_of(view.declarer):
        return _of_own_gift(view, facts)
    played = Counter(facts.played[view.declarer])
    readings = [
        replace(_gift(tables, view, facts, card), copies=count) for card, count in played.items()
    ]
    for card, count in facts.pool.items():
        reading = _gift(tables, view, facts, card)
        readings += [
            replace(reading, pinned=((place, card),), copies=count)
            for place in _where_given(view, facts, card)
        ]
    return tuple(readings)


def _of_own_gift(view: Seen, facts: Facts) -> tuple[Reading, ...]:
    given = view.gave
    if given in facts.played[view.declarer]:
        return (Reading((), facts.barred, given),)
    return tuple(
        Reading(((place, given),), facts.barred, given)
        for place in _where_given(view, facts, given)
    )


def _where_given(view: Seen, facts: Facts, card: Card) -> list[Place]:
    """Where a gift can be that was not played: with the declarer, or face down."""
    places = (Place(view.declarer), PILE)
    return [p for p in places if facts.room[p] and not facts.barred[p] >> card & 1]


def _gift(tables: Tables, view: Seen, facts: Facts, card: Card) -> Reading:
    """The reading in which the partner gave ``card``: it held none that had to be given first."""
    assert view.call is not None, "a gift before the call"
    barred = list(facts.barred)
    barred[partner_of(view.declarer)] |= better_gifts(tables, view.call, card)
    return Reading((), tuple(barred), card)


def better_gifts(tables: Tables, call: Call, card: Card) -> int:
    """The mask of cards that a partner who gave ``card`` cannot have held (rules T1.5)."""
    play = tables.by_call[call]
    assert play is not None, "a gift under a call that the variant lacks"
    better = 0
    for cards in play.gifts:
        if cards >> card & 1:
            return better
        better |= cards
    return better
