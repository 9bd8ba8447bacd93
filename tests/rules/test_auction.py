"""The auction: order, ladder, stuck dealer, debts (rules C2, B2, B7, T1.1, T3.2, T4.3-T4.6, D3)."""

from dataclasses import replace

import pytest

from arena.rules import CLASSIC, DOUBLE, TOKEN, Call, Hand, Ledger, Variant
from arena.rules.variant import AllPass, Auction, CallRule, Naming
from tests.rules.positions import START, do, hand_of, legal, with_tokens

LOW_DEBT = Ledger(token_debt=(True, False))
HLM_DEBT = Ledger(hlm_debt=(1, 0))
BOTH = Ledger(token_debt=(True, False), hlm_debt=(1, 0))
UNTIL_PASSED = replace(CLASSIC, name="rounds", auction=Auction.UNTIL_PASSED)
THROWN_IN = replace(CLASSIC, name="thrown", all_pass=AllPass.THROWN_IN)
NO_TRUMP_HIGH = replace(
    CLASSIC,
    name="dear-nt",
    calls=(
        *CLASSIC.calls[:4],
        replace(CLASSIC.calls[4], lowest_bid="5"),
    ),
)
NO_TRUMP_FROM_8 = replace(
    DOUBLE, name="nt-from-8", calls=(*DOUBLE.calls[:4], replace(DOUBLE.calls[4], lowest_bid="8"))
)


def in_five(number: int | str) -> str:
    """That bid in all five calls of double."""
    return ", ".join(f"bid {number} {call}" for call in ("C", "D", "H", "S", "NT"))


def in_fives(first: int) -> str:
    return ", ".join(in_five(number) for number in [*range(first, 9), "solo"])


@pytest.mark.parametrize(
    ("variant", "ledger", "said", "seat", "expected"),
    [
        # C2.1, C2.2, C2.3 and the ladders.
        pytest.param(
            CLASSIC,
            START,
            "",
            0,
            "pass, bid 3, bid 4, bid 5, bid 6, bid shoot, bid lone",
            id="B2 the ladder of classic, the seat left of the dealer first (C2.1)",
        ),
        pytest.param(
            TOKEN,
            START,
            "",
            0,
            "pass, bid 3, bid 4, bid 5, bid 6, bid shot, bid loner",
            id="T1.1 the ladder of token; without tokens no force",
        ),
        pytest.param(DOUBLE, START, "", 0, "pass, " + in_fives(1), id="D3 1 to 8 and Solo"),
        pytest.param(
            CLASSIC,
            START,
            "0 bid 3",
            1,
            "pass, bid 4, bid 5, bid 6, bid shoot, bid lone",
            id="C2.2 strictly higher than the standing bid",
        ),
        pytest.param(
            CLASSIC, START, "0 pass, 1 bid 6", 2, "pass, bid shoot, bid lone", id="C2.2 jump to 6"
        ),
        pytest.param(
            CLASSIC,
            START,
            "0 bid 5, 1 pass, 2 pass",
            3,
            "pass, bid 6, bid shoot, bid lone",
            id="C2.2 the dealer cannot equal a bid either, and may pass",
        ),
        pytest.param(
            CLASSIC, START, "0 bid shoot", 1, "pass, bid lone", id="B2 only Lone is above Shoot"
        ),
        pytest.param(CLASSIC, START, "0 bid lone", 1, "pass", id="C2.1 one that can only pass"),
        pytest.param(
            CLASSIC, START, "0 bid lone, 1 pass, 2 pass", 3, "pass", id="C2.1 the dealer too"
        ),
        pytest.param(DOUBLE, START, "0 bid 4 H", 1, "pass, " + in_fives(5), id="D4 no 4 NT on 4 H"),
        pytest.param(DOUBLE, START, "0 bid 8 C", 1, "pass, " + in_five("solo"), id="D4 Solo on 8"),
        pytest.param(DOUBLE, START, "0 bid solo C", 1, "pass", id="D4 nothing beats a Solo"),
        # C2.4, B7, D7
        pytest.param(
            CLASSIC,
            START,
            "0 pass, 1 pass, 2 pass",
            3,
            "bid 3, bid 4, bid 5, bid 6, bid shoot, bid lone",
            id="C2.4 B7 the stuck dealer may not pass",
        ),
        pytest.param(
            DOUBLE, START, "0 pass, 1 pass, 2 pass", 3, in_fives(1), id="D7 stuck, at least 1"
        ),
        pytest.param(
            CLASSIC,
            START,
            "0 bid 3, 1 pass, 2 pass",
            3,
            "pass, bid 4, bid 5, bid 6, bid shoot, bid lone",
            id="C2.4 two passes and a bid do not stick the dealer",
        ),
        # T3.2, T4.3, T4.5, T4.6
        pytest.param(
            TOKEN, LOW_DEBT, "", 0, "pass, bid 5, bid 6, bid shot, bid loner", id="T3.2 minimum 5"
        ),
        pytest.param(
            TOKEN,
            LOW_DEBT,
            "0 pass, 1 bid 5",
            2,
            "pass, bid 6, bid shot, bid loner",
            id="T3.2 the debt is the side's, and a higher bid still needs a higher one",
        ),
        pytest.param(
            TOKEN,
            LOW_DEBT,
            "0 pass",
            1,
            "pass, bid 3, bid 4, bid 5, bid 6, bid shot, bid loner",
            id="T3.2 the other side's debt binds nobody",
        ),
        pytest.param(TOKEN, HLM_DEBT, "", 0, "pass, bid shot, bid loner", id="T4.3 minimum Shot"),
        pytest.param(
            TOKEN,
            Ledger(hlm_debt=(0, 3)),
            "0 pass",
            1,
            "pass, bid shot, bid loner",
            id="T4.3 any number of units",
        ),
        pytest.param(TOKEN, BOTH, "", 0, "pass, bid shot, bid loner", id="T4.5 the higher minimum"),
        pytest.param(
            TOKEN,
            Ledger(token_debt=(False, True)),
            "0 pass, 1 pass, 2 pass",
            3,
            "bid 5, bid 6, bid shot, bid loner",
            id="T4.6 a stuck dealer in token debt bids 5 at least",
        ),
        pytest.param(
            TOKEN,
            Ledger(hlm_debt=(0, 1)),
            "0 pass, 1 pass, 2 pass",
            3,
            "bid shot, bid loner",
            id="T4.6 a stuck dealer in HLM debt bids Shot at least",
        ),
        # Decision fields.
        pytest.param(
            THROWN_IN,
            START,
            "0 pass, 1 pass, 2 pass",
            3,
            "pass, bid 3, bid 4, bid 5, bid 6, bid shoot, bid lone",
            id="all_pass thrown-in: the dealer may pass too",
        ),
        pytest.param(
            UNTIL_PASSED,
            START,
            "0 bid 3, 1 bid 4, 2 pass, 3 pass",
            0,
            "pass, bid 5, bid 6, bid shoot, bid lone",
            id="auction until-passed: an overbid bidder speaks again",
        ),
        pytest.param(
            UNTIL_PASSED,
            START,
            "0 pass, 1 bid 3, 2 bid 4, 3 pass, 1 bid 5",
            2,
            "pass, bid 6, bid shoot, bid lone",
            id="auction until-passed: a pass is final",
        ),
        pytest.param(
            UNTIL_PASSED,
            START,
            "0 pass, 1 pass, 2 pass",
            3,
            "bid 3, bid 4, bid 5, bid 6, bid shoot, bid lone",
            id="auction until-passed: the dealer is stuck as ever",
        ),
        pytest.param(
            replace(THROWN_IN, auction=Auction.UNTIL_PASSED),
            START,
            "0 bid lone, 1 pass, 2 pass",
            3,
            "pass",
            id="auction until-passed: nothing is above the top of the ladder",
        ),
        pytest.param(
            NO_TRUMP_FROM_8,
            START,
            "0 bid 6 C",
            1,
            "pass, bid 7 C, bid 7 D, bid 7 H, bid 7 S, " + in_five(8) + ", " + in_five("solo"),
            id="lowest_bid: a call that is part of the bid exists from there on",
        ),
        pytest.param(
            with_tokens(TOKEN, token_debt_minimum="4"),
            LOW_DEBT,
            "",
            0,
            "pass, bid 4, bid 5, bid 6, bid shot, bid loner",
            id="token_debt_minimum 4",
        ),
        pytest.param(
            with_tokens(TOKEN, hlm_debt_minimum="loner"),
            HLM_DEBT,
            "",
            0,
            "pass, bid loner",
            id="hlm_debt_minimum loner",
        ),
    ],
)
def test_what_may_be_said(
    variant: Variant, ledger: Ledger, said: str, seat: int, expected: str
) -> None:
    hand = hand_of(variant, said=said, ledger=ledger)
    assert (hand.to_act, legal(hand)) == (seat, expected)
    assert hand.contract is None


def asked(hand: Hand) -> tuple[str, int, str]:
    """Phase, seat and contract so far."""
    level = "" if hand.level < 0 else hand.tables.variant.bids[hand.level].name
    return hand.phase.value, int(hand.to_act), f"{level} by {hand.declarer}"


@pytest.mark.parametrize(
    ("variant", "said", "expected"),
    [
        pytest.param(
            CLASSIC, "0 pass, 1 bid 3, 2 pass, 3 pass", ("call", 1, "3 by 1"), id="C2.5 highest bid"
        ),
        pytest.param(
            CLASSIC, "0 bid 3, 1 bid 4, 2 bid 5, 3 bid 6", ("call", 3, "6 by 3"), id="C2.5 the last"
        ),
        pytest.param(
            CLASSIC, "0 bid 3, 1 pass, 2 bid 4, 3 pass", ("call", 2, "4 by 2"), id="C2.5 partner"
        ),
        pytest.param(
            CLASSIC, "0 bid lone, 1 pass, 2 pass", ("speak", 3, "lone by 0"), id="C2.1 all speak"
        ),
        pytest.param(
            CLASSIC, "0 pass, 1 pass, 2 pass, 3 bid 3", ("call", 3, "3 by 3"), id="C2.4 stuck"
        ),
        pytest.param(
            DOUBLE, "0 pass, 1 bid 4 S, 2 pass, 3 pass", ("play", 1, "4 by 1"), id="D3 no naming"
        ),
        pytest.param(
            DOUBLE, "0 pass, 1 pass, 2 pass, 3 bid 1 NT", ("play", 3, "1 by 3"), id="D7 stuck"
        ),
        pytest.param(
            UNTIL_PASSED,
            "0 bid 3, 1 pass, 2 pass, 3 pass",
            ("call", 0, "3 by 0"),
            id="until-passed: a bidder who is not overbid has done",
        ),
        pytest.param(
            UNTIL_PASSED,
            "0 bid 3, 1 bid 4, 2 pass, 3 pass, 0 bid 5, 1 pass",
            ("call", 0, "5 by 0"),
            id="until-passed: round and round",
        ),
        pytest.param(
            UNTIL_PASSED,
            "0 pass, 1 pass, 2 pass, 3 bid 3",
            ("call", 3, "3 by 3"),
            id="until-passed: a stuck dealer's bid ends it",
        ),
        pytest.param(
            THROWN_IN, "0 pass, 1 pass, 2 pass, 3 pass", ("over", -1, " by -1"), id="thrown-in"
        ),
    ],
)
def test_how_the_auction_ends(variant: Variant, said: str, expected: tuple[str, int, str]) -> None:
    assert asked(hand_of(variant, said=said)) == expected


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_c21_clockwise_from_the_left_of_the_dealer_once_each_the_dealer_last(dealer: int) -> None:
    hand = hand_of(dealer=dealer)
    speakers = []
    for word in ("pass", "bid 3", "pass", "pass"):
        speakers.append(int(hand.to_act))
        do(hand, word)
    assert speakers == [(dealer + step) % 4 for step in (1, 2, 3, 4)]
    assert asked(hand) == ("call", (dealer + 2) % 4, f"3 by {(dealer + 2) % 4}")


@pytest.mark.parametrize(
    ("variant", "bid", "expected"),
    [
        pytest.param(CLASSIC, "3", "call C, call D, call H, call S, call NT", id="B3 five calls"),
        pytest.param(CLASSIC, "lone", "call C, call D, call H, call S, call NT", id="B3 any bid"),
        pytest.param(
            TOKEN,
            "3",
            "call C, call D, call H, call S, call high, call low, call mid",
            id="T1.2 no free No Trump",
        ),
        pytest.param(
            TOKEN,
            "loner",
            "call C, call D, call H, call S, call high, call low, call mid",
            id="T1.3 on any contract",
        ),
        pytest.param(
            NO_TRUMP_HIGH, "4", "call C, call D, call H, call S", id="lowest_bid: not below it"
        ),
        pytest.param(
            NO_TRUMP_HIGH,
            "5",
            "call C, call D, call H, call S, call NT",
            id="lowest_bid: from there on",
        ),
    ],
)
def test_what_may_be_named(variant: Variant, bid: str, expected: str) -> None:
    hand = hand_of(variant, said=f"0 pass, 1 bid {bid}, 2 pass, 3 pass")
    assert (hand.to_act, legal(hand)) == (1, expected)


def test_naming_after_the_auction_in_double() -> None:
    variant = replace(DOUBLE, name="later", naming=Naming.AFTER_AUCTION)
    hand = hand_of(variant, said="0 bid 4, 1 bid 5, 2 pass, 3 pass")
    assert legal(hand) == "call C, call D, call H, call S, call NT"
    do(hand, "1 call S")
    assert hand.call is Call.SPADES


def test_naming_in_the_bid_in_classic() -> None:
    variant = replace(CLASSIC, name="at-once", naming=Naming.IN_BID)
    hand = hand_of(variant, said="0 bid 3 H, 1 pass, 2 pass, 3 pass")
    assert (hand.phase.value, hand.call) == ("play", Call.HEARTS)


def test_c25_the_call_that_was_overbid_is_gone() -> None:
    hand = hand_of(DOUBLE, said="0 bid 3 H, 1 bid 4 NT, 2 pass, 3 pass")
    assert hand.call is Call.NO_TRUMP


def test_a_variant_may_offer_one_call_alone() -> None:
    variant = replace(CLASSIC, name="hearts", calls=(CallRule(Call.HEARTS),))
    hand = hand_of(variant, said="bid 3, pass, pass, pass")
    assert legal(hand) == "call H"


def test_all_pass_thrown_in_scores_nothing_and_nobody_plays() -> None:
    hand = hand_of(THROWN_IN, said="pass, pass, pass, pass", ledger=Ledger(scores=(5, 7)))
    assert hand.contract is None
    assert hand.settle() == (Ledger(scores=(5, 7)), (0, 0), None)
