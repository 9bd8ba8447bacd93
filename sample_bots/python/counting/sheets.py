"""What each call means: the order of the cards in every suit."""

from functools import cache

from arena.sdk import Call, Card, Rank, Tables, card_of


class Sheet:
    """A call as lists and masks.

    Attributes:
        trumps: mask of the trumps, 0 without.
        trump_cards: the trumps, high to low.
        suits: for each suit its mask and its cards, high to low.
        suit_of: for each card the mask of its suit.
        members: for each card the cards of its suit, high to low.
        higher: for each card the cards of its suit that beat it.
        worth: for each card, what it costs to throw it away; trumps last.
        strength: for each card led, the strength of every card.
    """

    def __init__(self, tables: Tables, call: Call) -> None:
        play = tables.by_call[call]
        assert play is not None, "a call that the variant lacks"
        self.strength = play.strength
        self.trumps = 0
        if call.trump is not None:
            self.trumps = play.follow[card_of(call.trump, Rank.JACK)] & tables.deck_mask
        self.trump_cards: list[Card] = []
        self.suits: list[tuple[int, list[Card]]] = []
        self.suit_of, self.worth = [0] * 24, [0] * 24
        self.members: list[list[Card]] = [[]] * 24
        self.higher: list[list[Card]] = [[]] * 24
        cards: dict[int, list[Card]] = {}
        for card in sorted(set(tables.deck)):
            cards.setdefault(play.follow[card] & tables.deck_mask, []).append(card)
        for mask, suit in cards.items():
            suit.sort(key=play.strength[suit[0]].__getitem__, reverse=True)
            self._enter(mask, suit)

    def _enter(self, mask: int, suit: list[Card]) -> None:
        self.suits.append((mask, suit))
        if mask == self.trumps:
            self.trump_cards = suit
        for place, card in enumerate(suit):
            self.suit_of[card] = mask
            self.members[card], self.higher[card] = suit, suit[:place]
            self.worth[card] = len(suit) - place + (20 if mask == self.trumps else 0)


@cache
def sheets_of(tables: Tables) -> dict[Call, Sheet]:
    """The sheets of a variant's calls."""
    return {rule.call: Sheet(tables, rule.call) for rule in tables.variant.calls}
