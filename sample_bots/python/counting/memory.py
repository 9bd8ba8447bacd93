"""What has been seen: which cards are still out, who is void in what, who may hold what.

All of it is read anew from the view's moves, which are complete; nothing is kept between decisions.
"""

from sheets import Sheet

from arena.sdk import NOBODY, ActionKind, Card, Tables, View


class Memory:
    """What a seat can know of the others' cards.

    Attributes:
        unseen: for each card, how many copies are where this seat cannot see them.
        left: for each seat, how many cards it holds; a seat that sits out keeps its own.
        voids: for each seat, a mask of the suits that it has shown to lack.
    """

    __slots__ = ("_seat", "_sheet", "left", "unseen", "voids")

    def __init__(self, view: View, tables: Tables, sheet: Sheet) -> None:
        self._sheet = sheet
        self._seat = view.seat
        self.unseen = [0] * 24
        for card in tables.deck:
            self.unseen[card] += 1
        # Its own cards, and those that it has put away or passed on, are nowhere else.
        for card in (*view.cards, view.discarded, view.gave):
            if card >= 0:
                self.unseen[card] -= 1
        self.left = [tables.variant.hand_size] * 4
        if view.gave >= 0 or view.received >= 0:
            self.left[view.seat ^ 2] -= 1
        self.voids = [0, 0, 0, 0]
        self._read(view)

    def _read(self, view: View) -> None:
        unseen, left, voids, suit_of = self.unseen, self.left, self.voids, self._sheet.suit_of
        active = 4 if view.sitter == NOBODY else 3
        is_play = ActionKind.PLAY
        suit = played = 0
        for seat, action in view.moves:
            if action.kind is not is_play:
                continue
            card = action.card
            if played % active == 0:
                suit = suit_of[card]
            elif suit_of[card] != suit:
                voids[seat] |= suit
            unseen[card] -= 1
            left[seat] -= 1
            played += 1

    def out(self, cards: list[Card]) -> int:
        """How many copies of these cards are unseen."""
        unseen = self.unseen
        return sum([unseen[card] for card in cards])

    def above(self, card: Card) -> int:
        """How many unseen cards of its own suit beat a card."""
        return self.out(self._sheet.higher[card])

    def share(self, seat: int, suit: int) -> float:
        """The chance that one unseen card of a suit is with a seat."""
        voids = self.voids
        if voids[seat] & suit:
            return 0.0
        left = self.left
        places = 0
        for other in range(4):
            if other != self._seat and not voids[other] & suit:
                places += left[other]
        return left[seat] / places if places else 0.0
