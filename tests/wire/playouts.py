"""Random play for the wire tests: hands of whole games, state by state."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from arena.rules import Dealer, Game, Hand, Variant


def states(variant: Variant, *, hands: int, seed: int) -> Iterator[Hand]:
    """Every state in which a seat is to act, in ``hands`` hands of random games.

    The same ``Hand`` object is yielded again and again as it goes on.
    """
    chance = Random(seed)
    dealer = Dealer(bytes(32))
    game = Game(variant)
    for number in range(hands):
        if game.result is not None:
            game = Game(variant)
        hand = game.deal(dealer.deal(variant, f"wire{seed}", number))
        while hand.legal:
            yield hand
            hand.apply(chance.choice(hand.legal))
        game.score(hand)
