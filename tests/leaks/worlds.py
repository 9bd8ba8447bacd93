"""Other worlds: hands that a seat cannot tell from the one it plays.

A world of a seat and a moment has other cards where the seat may not see them: in the hands of
the others, in the discard, among the cards that others exchanged. All that rules I1 lets the seat
know until that moment is the same, and all of it is legal. Which moves were forced (A1), and
which a bot made and which the stand-in, may differ: the seat may not know that either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.referee.policy import Policy
from arena.rules import Action, Card, Hand, Seat, Variant, deal_hand, tables_of
from arena.rules.actions import ActionKind
from arena.rules.record import Mover
from tests.leaks.script import Deal, HandScript

PARTNER: Final = 2
TRIES: Final = 8
_EXCHANGED: Final = (ActionKind.TRADE, ActionKind.GIVE, ActionKind.DISCARD)
_SWAPS: Final = (0, 1, 1, 1, 2, 2, 3, 99)
"""How many pairs of cards change places; 99 shuffles all, 0 leaves a difference to an exchange."""


@dataclass(frozen=True, slots=True)
class World:
    """Another world of one hand.

    Attributes:
        observer: the seat that cannot tell.
        until: the moment, as the number of moves so far.
        deal: the cards.
        moves: the moves until then, with other cards where the observer may not see them.
        strict: the seats whose faults all could see, since they came to their last: what their
            bots do may not differ.
        forced_differs: whether a move is forced here and was not there, or the other way round.
        exchange_differs: whether another card was exchanged.
    """

    observer: int
    until: int
    deal: Deal
    moves: tuple[tuple[int, Action], ...]
    strict: frozenset[int]
    forced_differs: bool
    exchange_differs: bool


class Worlds:
    """Worlds of one hand.

    Args:
        variant: the rules.
        policy: says how many faults are a seat's last.
        hand: the hand as it was played.
        chance: chooses cards.
    """

    def __init__(self, variant: Variant, policy: Policy, hand: HandScript, chance: Random) -> None:
        self._tables = tables_of(variant)
        self._policy = policy
        self._hand = hand
        self._chance = chance

    def other(self, observer: int, until: int) -> World | None:
        """Another world for a seat at a moment; None where none was found."""
        strict = frozenset(seat for seat in range(4) if self._at_its_last(seat, until))
        slots = list(self._unseen(observer, until))
        for _ in range(TRIES):
            deal = self._swapped(slots)
            world = self._lived(observer, until, deal, strict - {observer})
            if world is not None:
                return world
        return None

    def _at_its_last(self, seat: int, until: int) -> bool:
        hand, opening = self._hand, self._hand.opening
        if opening.replaced[seat] or hand.left(seat, until + 1):
            return True
        faults = opening.faults[seat] + len(hand.faults(seat, until + 1))
        return faults >= self._policy.max_faults

    def _unseen(self, observer: int, until: int) -> Iterator[tuple[int, int]]:
        """Where the deal holds a card that has not been shown by then: seat and place."""
        shown: list[list[Card]] = [[], [], [], []]
        for seat, action in self._hand.moves[:until]:
            if action.kind is ActionKind.PLAY:
                # What came by exchange was dealt to the partner.
                dealt = self._hand.deal[seat].count(action.card)
                own = shown[seat].count(action.card) < dealt
                shown[seat if own else seat ^ PARTNER].append(action.card)
        for seat, cards in enumerate(self._hand.deal):
            for place, card in enumerate(cards):
                if card in shown[seat]:
                    shown[seat].remove(card)
                elif seat != observer:
                    yield seat, place

    def _swapped(self, slots: list[tuple[int, int]]) -> Deal:
        chance = self._chance
        hands = [list(cards) for cards in self._hand.deal]
        swaps = chance.choice(_SWAPS)
        if swaps == 99:
            cards = [hands[seat][place] for seat, place in slots]
            chance.shuffle(cards)
            for (seat, place), card in zip(slots, cards, strict=True):
                hands[seat][place] = card
        elif len(slots) > 1:
            for _ in range(swaps):
                (one, here), (two, there) = chance.sample(slots, 2)
                hands[one][here], hands[two][there] = hands[two][there], hands[one][here]
        return tuple(map(tuple, hands))

    def _lived(self, observer: int, until: int, deal: Deal, strict: frozenset[int]) -> World | None:
        """The world with that deal, if the hand could have come so far in it."""
        script = self._hand
        hand = self._dealt(deal)
        moves: list[tuple[int, Action]] = []
        forced = exchange = False
        for index, (seat, action) in enumerate(script.moves[:until]):
            chosen: Action | None = action
            if action.kind in _EXCHANGED and not self._knows(observer, until, index):
                chosen = self._exchanged(hand, index, until)
                exchange = exchange or chosen is not action
            if chosen is None or chosen not in hand.allowed:
                return None
            if seat in strict and not self._as_strict(hand, seat, index, chosen):
                return None
            forced = forced or (len(hand.legal) == 1) != (script.movers[index] is Mover.FORCED)
            hand.apply(chosen)
            moves.append((seat, chosen))
        if hand.to_act in strict and not self._as_strict(hand, hand.to_act, until, None):
            return None
        if not exchange and list(map(sorted, deal)) == list(map(sorted, script.deal)):
            return None
        return World(observer, until, deal, tuple(moves), strict, forced, exchange)

    def _dealt(self, deal: Deal) -> Hand:
        opening = self._hand.opening
        return deal_hand(
            self._tables,
            deal,
            dealer=opening.dealer,
            ledger=opening.ledger,
            number=opening.number,
        )

    def _knows(self, observer: int, until: int, index: int) -> bool:
        """Whether a seat may know by then which card a move exchanged (B4, T1.4, I1)."""
        seat, action = self._hand.moves[index]
        if observer == seat:
            return True
        if observer != seat ^ PARTNER or action.kind is ActionKind.DISCARD:
            return False
        if action.kind is ActionKind.GIVE:
            return True
        # The declarer's half of a trade, to the partner: once that has chosen, or at once.
        return until > index + 1 or not self._tables.variant.trade_blind

    def _exchanged(self, hand: Hand, index: int, until: int) -> Action | None:
        """A card for a move whose card the observer may not know; None where none will do."""
        moves = self._hand.moves
        seat, action = moves[index]
        plays = [(who, a.card) for who, a in moves[index:until] if a.kind is ActionKind.PLAY]
        needed = [card for who, card in plays if who == seat]
        free = [a for a in hand.legal if a.kind is action.kind and a.card not in needed]
        # A card that the receiver plays later and has not got must be this one.
        taken = [card for who, card in plays if who == seat ^ PARTNER]
        missing = [a for a in free if taken.count(a.card) > _count(hand, seat ^ PARTNER, a.card)]
        options = missing or free
        return self._chance.choice(options) if options else None

    def _as_strict(self, hand: Hand, seat: int, index: int, chosen: Action | None) -> bool:
        """Whether a seat whose faults all saw may go on here as it did there."""
        script = self._hand
        if script.acts.get(index) and len(hand.legal) == 1:
            return False  # there it was asked, and at fault
        if chosen is None or not self._stood_in(seat, index):
            return True
        return hand.legal[0] is chosen

    def _stood_in(self, seat: int, index: int) -> bool:
        """Whether the stand-in would have made the move, had it not been forced."""
        script, opening = self._hand, self._hand.opening
        if script.movers[index] is Mover.STAND_IN or opening.replaced[seat]:
            return True
        faults = opening.faults[seat] + len(script.faults(seat, index))
        return script.left(seat, index) or faults >= self._policy.max_faults


def _count(hand: Hand, seat: int, card: Card) -> int:
    number = Seat(seat)
    return (hand.held[number] >> card & 1) + (hand.twins[number] >> card & 1)
