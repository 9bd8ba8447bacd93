"""Readings of docs/rules that no other file of this room shows: auctions of house rules."""

from dataclasses import replace

import pytest

from arena.rules import CLASSIC, TOKEN, Ledger, Variant
from arena.rules.variant import Auction, BidRule
from tests.rules.positions import hand_of, legal, play_out, with_tokens

RICH = Ledger(tokens=(5, 5))
ROUNDS = replace(TOKEN, name="rounds", auction=Auction.UNTIL_PASSED)
FORCED_TO_FIVE = with_tokens(TOKEN, forced_bid="5")


@pytest.mark.parametrize(
    ("variant", "said", "turn", "expected"),
    [
        pytest.param(
            TOKEN, "0 pass, 1 pass, 2 pass, 3 force partner", 1, "call", id="R7 names at once"
        ),
        pytest.param(
            TOKEN, "0 force partner, 1 pass", 3, "pass, bid loner", id="R8 not the forcer"
        ),
        pytest.param(
            ROUNDS, "0 bid 3, 1 bid loner, 2 pass, 3 pass", 0, "pass", id="R14 no bid is short cut"
        ),
        pytest.param(
            ROUNDS, "0 bid 3, 1 force partner, 2 pass", 0, "pass, bid loner", id="R15 a bidder may"
        ),
        pytest.param(
            ROUNDS, "0 bid 3, 1 force partner, 2 pass, 0 pass", 3, "call", id="R15 nobody else may"
        ),
        pytest.param(
            ROUNDS,
            "0 bid 3, 1 force partner, 2 bid loner, 0 pass",
            2,
            "call",
            id="R15 neither forced seat nor forcer answers the Loner",
        ),
        pytest.param(
            FORCED_TO_FIVE,
            "0 force partner",
            1,
            "pass, bid 6, bid shot, bid loner",
            id="R19 anything above the forced bid",
        ),
    ],
)
def test_whose_turn_it_is_then(variant: Variant, said: str, turn: int, expected: str) -> None:
    hand = hand_of(variant, said=said, ledger=RICH)
    assert hand.to_act == turn
    assert expected in (legal(hand), hand.phase.value)


def test_r6_there_is_no_contract_between_the_force_and_its_answer() -> None:
    hand = hand_of(TOKEN, said="0 bid 4, 1 force opponents", ledger=RICH)
    assert hand.contract is None
    assert (hand.level, hand.declarer, hand.ledger.tokens) == (1, 0, (5, 2))


def test_r27_an_alone_bid_without_fixed_points_counts_by_tricks() -> None:
    solo = BidRule("solo", 6, alone=True)
    hand = hand_of(
        replace(CLASSIC, name="plain", bids=(solo,)),
        {0: "JH JD AH KH QH TH"},
        said="0 bid solo, 1 pass, 2 pass, 3 pass, 0 call H",
    )
    assert play_out(hand).settle().points == (6, 0)
