"""Plays hands of every variant without an arena: ``python -m unittest``."""

from __future__ import annotations

import unittest

from bot import Starter

from arena.sdk import VARIANTS, Dealer, Game, Match, view_of


class Hands(unittest.TestCase):
    """Four of the bot at one table."""

    def test_every_answer_is_legal(self) -> None:
        """In every variant, many hands to their end."""
        for name, variant in VARIANTS.items():
            match = Match(variant=variant)
            bots = [Starter(match, seat, bytes(8)) for seat in range(4)]
            for board in range(50):
                with self.subTest(variant=name, board=board):
                    deal = Dealer(bytes(32)).deal(variant, "test", board)
                    hand = Game(variant).deal(deal)
                    while hand.legal:
                        view = view_of(hand, hand.to_act)
                        action = bots[hand.to_act].act(view, tuple(hand.legal))
                        self.assertIn(action, hand.legal)
                        hand.apply(action)


if __name__ == "__main__":
    unittest.main()
