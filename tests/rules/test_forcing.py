"""Forcing (rules T5)."""

from dataclasses import replace

import pytest

from arena.rules import DOUBLE, TOKEN, Call, Ledger, Variant
from arena.rules.variant import Auction, BidRule, Exchange, Naming, TokenRules
from tests.rules.positions import do, hand_of, legal, play_out, with_tokens

RICH = Ledger(tokens=(3, 3))
FORCES = "force partner, force opponents"
BIDS = "pass, bid 3, bid 4, bid 5, bid 6, bid shot, bid loner"

# Both the call in the bid and forcing: no shipped variant has this.
FORCING_DOUBLE = replace(
    DOUBLE,
    name="forcing",
    tokens=TokenRules(sympathy=(-20,), force_partner=1, force_opponents=1, forced_bid="solo"),
)


@pytest.mark.parametrize(
    ("tokens", "said", "expected"),
    [
        pytest.param((1, 3), "", BIDS, id="T5.1 one token buys nothing"),
        pytest.param((2, 0), "", f"{BIDS}, force partner", id="T5.1 two buy ForcePartner"),
        pytest.param((3, 0), "", f"{BIDS}, {FORCES}", id="T5.1 three buy either"),
        pytest.param(
            (0, 3), "0 pass", f"{BIDS}, {FORCES}", id="T5.1 no bid counts as below; own tokens"
        ),
        pytest.param(
            (0, 3),
            "0 bid 6",
            f"pass, bid shot, bid loner, {FORCES}",
            id="T5.1 over a bid one below Shot",
        ),
        pytest.param(
            (3, 0),
            "0 bid 3, 1 pass",
            f"pass, bid 4, bid 5, bid 6, bid shot, bid loner, {FORCES}",
            id="T5.1 the standing bid may be the partner's own",
        ),
        pytest.param((3, 3), "0 bid shot", "pass, bid loner", id="T5.1 not over a Shot"),
        pytest.param((3, 3), "0 bid loner", "pass", id="T5.1 not over a Loner"),
        pytest.param(
            (3, 3),
            "0 pass, 1 pass, 2 pass",
            f"{BIDS.removeprefix('pass, ')}, {FORCES}",
            id="T5.7 a stuck dealer may force",
        ),
    ],
)
def test_who_may_force(tokens: tuple[int, int], said: str, expected: str) -> None:
    assert legal(hand_of(TOKEN, said=said, ledger=Ledger(tokens=tokens))) == expected


@pytest.mark.parametrize(
    ("ledger", "expected"),
    [
        pytest.param(
            Ledger(tokens=(3, 0), token_debt=(True, False)),
            f"pass, bid 5, bid 6, bid shot, bid loner, {FORCES}",
            id="T5.1 token debt does not bar forcing",
        ),
        pytest.param(
            Ledger(tokens=(3, 0), hlm_debt=(2, 0)),
            f"pass, bid shot, bid loner, {FORCES}",
            id="T5.1 HLM debt does not bar forcing",
        ),
    ],
)
def test_debt_and_forcing(ledger: Ledger, expected: str) -> None:
    assert legal(hand_of(TOKEN, ledger=ledger)) == expected


@pytest.mark.parametrize(
    ("said", "tokens", "expected"),
    [
        pytest.param(
            "0 force partner", (1, 3), (1, "pass, bid loner"), id="T5.1 ForcePartner costs 2"
        ),
        pytest.param(
            "0 force opponents",
            (0, 3),
            (1, "shooter self, shooter partner"),
            id="T5.1 ForceOpponents costs 3; T5.3 the forcer's left-hand opponent decides",
        ),
        pytest.param(
            "0 bid 3, 1 force partner", (3, 1), (2, "pass, bid loner"), id="T5.1 by its own side"
        ),
        pytest.param(
            "0 pass, 1 pass, 2 pass, 3 force opponents",
            (3, 0),
            (0, "shooter self, shooter partner"),
            id="T5.7 the stuck dealer forces; one that has passed decides",
        ),
        # T5.2: the forced seat has spoken.
        pytest.param(
            "0 force partner, 1 pass",
            (1, 3),
            (3, "pass, bid loner"),
            id="T5.2 the forced seat does not speak any more",
        ),
        pytest.param(
            "0 force partner, 1 pass, 3 pass",
            (1, 3),
            (2, "call C, call D, call H, call S, call high, call low, call mid"),
            id="T5.5 the forced seat names the call",
        ),
        pytest.param(
            "0 pass, 1 pass, 2 force partner, 3 pass",
            (1, 3),
            (0, "call C, call D, call H, call S, call high, call low, call mid"),
            id="T5.2 a seat that has passed can be forced",
        ),
        pytest.param(
            "0 bid 4, 1 pass, 2 force partner, 3 pass",
            (1, 3),
            (0, "call C, call D, call H, call S, call high, call low, call mid"),
            id="T5.2 a seat that has bid can be forced",
        ),
        # T5.3: deciding is not speaking.
        pytest.param(
            "0 force opponents, 1 shooter partner",
            (0, 3),
            (1, "pass, bid loner"),
            id="T5.3 the decider that named its partner still speaks",
        ),
        pytest.param(
            "0 force opponents, 1 shooter partner, 1 bid loner",
            (0, 3),
            (2, "pass"),
            id="T5.3 it may bid Loner over its partner's Shot",
        ),
        pytest.param(
            "0 force opponents, 1 shooter self",
            (0, 3),
            (2, "pass, bid loner"),
            id="T5.2 the decider that named itself has spoken",
        ),
        pytest.param(
            "0 pass, 1 force opponents, 2 shooter partner",
            (3, 0),
            (2, "pass, bid loner"),
            id="T5.2 a partner that has passed can be named",
        ),
        pytest.param(
            "0 pass, 1 pass, 2 pass, 3 force opponents, 0 shooter partner",
            (3, 0),
            (2, "call C, call D, call H, call S, call high, call low, call mid"),
            id="T5.3 a decider that has spoken does not speak again",
        ),
        pytest.param(
            "0 force partner, 1 bid loner, 3 pass",
            (1, 3),
            (1, "call C, call D, call H, call S, call high, call low, call mid"),
            id="T5.4 a Loner beats a forced Shot",
        ),
        pytest.param(
            "0 force partner, 1 bid loner",
            (1, 3),
            (3, "pass"),
            id="T5.2 the forced seat may not answer the Loner",
        ),
    ],
)
def test_what_follows_a_force(
    said: str, tokens: tuple[int, int], expected: tuple[int, str]
) -> None:
    hand = hand_of(TOKEN, said=said, ledger=RICH)
    assert hand.ledger.tokens == tokens
    assert (hand.to_act, legal(hand)) == expected


def test_t54_others_bid_within_their_own_sides_debts() -> None:
    ledger = Ledger(tokens=(3, 0), token_debt=(False, True), hlm_debt=(0, 1))
    hand = hand_of(TOKEN, said="0 force partner", ledger=ledger)
    assert legal(hand) == "pass, bid loner"


def test_t52_under_force_opponents_the_standing_bid_changes_at_the_choice() -> None:
    hand = hand_of(TOKEN, said="0 bid 3, 1 force opponents", ledger=RICH)
    assert (hand.level, hand.declarer) == (0, 0)
    assert hand.contract is None, "no contract yet"
    do(hand, "2 shooter partner")
    assert (hand.level, hand.declarer) == (4, 0)


def test_t53_there_is_no_contract_before_the_choice_though_nobody_is_left_to_speak() -> None:
    said = "0 bid 3, 1 pass, 2 pass, 3 force opponents"
    hand = hand_of(TOKEN, said=said, ledger=RICH)
    assert (hand.phase.value, hand.contract) == ("shooter", None)
    do(hand, "0 shooter self")
    assert hand.contract == (4, 0)


def test_t51_no_refund_when_the_force_is_overbid() -> None:
    hand = hand_of(TOKEN, said="0 force partner, 1 bid loner, 3 pass", ledger=RICH)
    assert hand.ledger.tokens == (1, 3)


def test_t55_a_paid_call_costs_the_declarers_side() -> None:
    said = "0 force opponents, 1 shooter self, 2 pass, 3 pass, 1 call low"
    hand = hand_of(TOKEN, said=said, ledger=RICH)
    assert hand.ledger.tokens == (0, 2)


def test_t55_or_hlm_debt() -> None:
    said = "0 force opponents, 1 shooter self, 2 pass, 3 pass, 1 call low"
    hand = hand_of(TOKEN, said=said, ledger=Ledger(tokens=(3, 0)))
    assert hand.ledger == Ledger(hlm_debt=(0, 1))


def test_t56_a_forced_shot_has_the_gift_and_the_score_of_a_shot() -> None:
    hand = hand_of(TOKEN, said="0 force partner, 1 pass, 3 pass, 2 call H", ledger=RICH)
    assert (hand.phase.value, hand.to_act, hand.sitter) == ("give", 0, 0)
    settled = play_out(hand).settle()
    assert settled.points[0] == (12 if settled.made else -12)


def test_t56_a_forced_shot_meets_the_minimum_and_clears_both_debts() -> None:
    ledger = Ledger(tokens=(3, 0), token_debt=(False, True), hlm_debt=(0, 1))
    said = "0 force opponents, 1 shooter partner, 1 pass, 2 pass, 3 call H"
    hand = play_out(hand_of(TOKEN, said=said, ledger=ledger))
    after = hand.settle().ledger
    assert (after.token_debt[1], after.hlm_debt[1]) == (False, 0)


@pytest.mark.parametrize(
    ("variant", "tokens", "expected"),
    [
        pytest.param(
            with_tokens(TOKEN, force_opponents=None),
            9,
            f"{BIDS}, force partner",
            id="force_opponents none: it does not exist",
        ),
        pytest.param(
            with_tokens(TOKEN, force_partner=None),
            9,
            f"{BIDS}, force opponents",
            id="force_partner none: it does not exist",
        ),
        pytest.param(
            with_tokens(TOKEN, force_partner=1, force_opponents=1),
            1,
            f"{BIDS}, {FORCES}",
            id="prices of one",
        ),
        pytest.param(
            with_tokens(TOKEN, force_partner=5), 4, f"{BIDS}, force opponents", id="a price of 5"
        ),
    ],
)
def test_house_prices(variant: Variant, tokens: int, expected: str) -> None:
    assert legal(hand_of(variant, ledger=Ledger(tokens=(tokens, 0)))) == expected


def test_forced_bid_of_a_house_rule() -> None:
    hand = hand_of(with_tokens(TOKEN, forced_bid="5"), said="0 force partner", ledger=RICH)
    assert legal(hand) == "pass, bid 6, bid shot, bid loner"
    assert (hand.level, hand.declarer) == (2, 2)


def test_a_force_clears_the_call_of_the_bid_it_overrides() -> None:
    said = "0 bid 3 H, 1 force opponents, 2 shooter self, 3 pass"
    hand = hand_of(FORCING_DOUBLE, said=said, ledger=RICH)
    assert (hand.to_act, legal(hand)) == (2, "call C, call D, call H, call S, call NT")
    do(hand, "2 call NT")
    assert (hand.call, hand.declarer, hand.phase.value) == (Call.NO_TRUMP, 2, "play")


def test_forcing_where_bidders_speak_again() -> None:
    variant = replace(TOKEN, name="rounds", auction=Auction.UNTIL_PASSED)
    said = "0 bid 3, 1 bid 4, 2 pass, 3 force partner"
    hand = hand_of(variant, said=said, ledger=RICH)
    assert (hand.to_act, legal(hand)) == (0, "pass, bid loner")
    do(hand, "0 bid loner")
    assert (hand.to_act, hand.phase.value) == (0, "call"), "forcer and forced have spoken"


def test_naming_in_bid_still_begins_with_the_bid() -> None:
    variant = replace(FORCING_DOUBLE, name="later", naming=Naming.AFTER_AUCTION)
    assert hand_of(variant, said="0 bid 3, 1 pass, 2 pass, 3 pass").phase.value == "call"


def test_forcing_to_a_bid_with_a_trade() -> None:
    trade = BidRule("shot", 6, alone=True, exchange=Exchange.TRADE, made=12, set=12)
    variant = replace(TOKEN, name="trading", bids=(*TOKEN.bids[:4], trade, TOKEN.bids[5]))
    hand = hand_of(variant, said="0 force partner, 1 pass, 3 pass, 2 call H", ledger=RICH)
    assert (hand.phase.value, hand.to_act) == ("trade", 2)
