"""What ``counting`` remembers agrees with the cards that are really out."""

from __future__ import annotations

import sys
from typing import Any, cast

import pytest

from arena.rules import VARIANTS, Game, Hand, Phase, Seat, Variant, view_of
from arena.rules.deal import Dealer
from arena.sdk import Bot, Match
from tests.sample_bots.duel import SEED, load_bot


def copies(hand: Hand, seat: int, card: int) -> int:
    """How many copies of a card a seat holds."""
    return (hand.held[seat] >> card & 1) + (hand.twins[seat] >> card & 1)


def check(hand: Hand, bot: Any) -> None:
    """Compare the memory of the seat to act with the hand."""
    counting = sys.modules[type(bot).__module__]
    memory_of = sys.modules[cast("Any", counting).Situation.__module__]
    me = hand.to_act
    memory = cast("Any", memory_of).Memory(
        cast("Any", view_of(hand, me)), bot.tables, bot.sheets[hand.call]
    )
    others = [seat for seat in range(4) if seat != me]
    assert sum(memory.unseen) == sum(memory.left[seat] for seat in others)
    for card in range(24):
        held = sum(copies(hand, seat, card) for seat in others)
        # Nothing that somebody else could play is forgotten; a discard may be counted on top.
        playing = sum(copies(hand, seat, card) for seat in others if seat != hand.sitter)
        assert playing <= memory.unseen[card] <= held + (card == hand.discarded)
    for seat in others:
        if seat != hand.sitter:
            assert memory.left[seat] == hand.held[seat].bit_count() + hand.twins[seat].bit_count()
            assert not memory.voids[seat] & hand.held[seat]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_memory_is_right_at_every_card(variant: Variant) -> None:
    bot = load_bot("counting")
    checked = alone = 0
    for number in range(12):
        game, dealer = Game(variant), Dealer(SEED)
        seats: list[Bot] = [bot(Match(variant), Seat(seat), b"") for seat in range(4)]
        for each in seats:
            each.game_started()
        while game.result is None:
            hand = game.deal(dealer.deal(variant, f"memory{number}", game.hands_played))
            while hand.legal:
                if hand.phase is Phase.PLAY:
                    check(hand, seats[hand.to_act])
                    checked += 1
                    alone += hand.given >= 0
                view = cast("Any", view_of(hand, hand.to_act))
                hand.apply(cast("Any", seats[hand.to_act].act(view, hand.legal)))
            game.score(hand)
    assert checked > 1000
    assert alone > 0 or not any(bid.exchange.value != "none" for bid in variant.bids)
