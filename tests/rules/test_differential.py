"""The engine against the oracle of ``tests/reference`` over games that the engine plays.

``tests/reference/test_agreement`` lets the oracle choose positions and actions; here whole games
of the engine lead, so that what a game carries from hand to hand is compared too.  After every
action both give the same seat, legal list, contract, trick, tokens and debts; after every hand
the same scores, end and winner.
"""

from collections.abc import Sequence
from random import Random

import pytest

from arena.rules import (
    VARIANTS,
    Card,
    Game,
    Hand,
    Ledger,
    Variant,
    card_text,
    tables_of,
)
from tests.reference import oracle
from tests.reference.shapes import Given, State
from tests.rules.test_playouts import opening

HANDS = 250
SLOW_HANDS = 3_000


def given_of(game: Game, deal: Sequence[Sequence[Card]]) -> Given:
    """The position before a hand as the oracle reads it."""
    ledger = game.ledger
    return {
        "dealer": game.dealer,
        "hands": [[card_text(card) for card in cards] for cards in deal],
        "scores": list(ledger.scores),
        "tokens": list(ledger.tokens),
        "token_debt": list(ledger.token_debt),
        "hlm_debt": list(ledger.hlm_debt),
        "hands_played": game.hands_played,
    }


def assert_same_question(hand: Hand, state: State) -> None:
    """Seat, legal list, contract, trick, tokens, debts."""
    assert state["to_act"] == (None if hand.over else hand.to_act)
    assert state["legal"] == sorted(action.text for action in hand.legal)
    assert state["trick_winner"] == (hand.leader if sum(hand.tricks) else None)
    contract = hand.contract
    if contract is None:
        assert state["contract"] is None
    else:
        assert state["contract"] == {
            "declarer": hand.declarer,
            "bid": hand.tables.variant.bids[contract.level].name,
            "call": None if hand.call is None else hand.call.text,
        }


def assert_same_ledger(ledger: Ledger, state: State) -> None:
    assert list(ledger.scores) == state["scores"]
    assert list(ledger.tokens) == state["tokens"]
    assert list(ledger.token_debt) == state["token_debt"]
    assert list(ledger.hlm_debt) == state["hlm_debt"]


def compare_hand(game: Game, chance: Random) -> None:
    """One random hand of the game, through both."""
    variant = game.tables.variant
    deck, size = list(tables_of(variant).deck), variant.hand_size
    chance.shuffle(deck)
    deal = [deck[seat * size : (seat + 1) * size] for seat in range(4)]
    theirs = oracle.Hand(variant.name, given_of(game, deal))
    ours = game.deal(deal)
    while ours.legal:
        state = theirs.state()
        assert_same_question(ours, state)
        assert_same_ledger(ours.ledger, state)
        action = chance.choice(ours.legal)
        theirs.apply(ours.to_act, action.text)
        ours.apply(action)
    state = theirs.state()
    assert_same_question(ours, state)
    game.score(ours)
    assert_same_ledger(game.ledger, state)
    assert state["over"] == (game.result is not None)
    assert state["winner"] == (None if game.result is None else game.result.winner)


def compare(variant: Variant, hands: int, seed: int) -> int:
    """That many hands in games one after another; how many of these came to their end."""
    chance, ended = Random(seed), 0
    game = Game(variant)
    for _ in range(hands):
        compare_hand(game, chance)
        if game.result is not None:
            ended += 1
            left = chance.choice([1, 2, 5])
            game = Game(
                variant,
                ledger=opening(variant, chance),
                hands_played=0 if variant.target is None else variant.max_hands - left,
            )
        elif chance.random() < 0.1 and variant.target is not None:
            game = Game(variant, ledger=opening(variant, chance))
    return ended


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_engine_and_oracle_agree(variant: Variant) -> None:
    assert compare(variant, HANDS, seed=1) > 5


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_engine_and_oracle_agree_over_many_hands(variant: Variant) -> None:
    assert compare(variant, SLOW_HANDS, seed=2) > 100
