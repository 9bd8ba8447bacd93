"""Trade, gift and discard (rules B4, B5, T1.4 to T1.6, D5)."""

from dataclasses import replace

import pytest

from arena.rules import CLASSIC, DOUBLE, TOKEN, Ledger, Rank, Variant
from arena.rules.variant import BidRule, Exchange, Gift, GiftFallback, GiftTie
from tests.rules.positions import do, hand_of, held_by, legal, legal_cards, play_out

SHOOT = "0 bid shoot, 1 pass, 2 pass, 3 pass, 0 call H"
MINE = "9C TC 9D TD 9S TS"
PARTNERS = "AC KC AD KD AS KS"


def shot(call: str) -> str:
    return f"0 bid shot, 1 pass, 2 pass, 3 pass, 0 call {call}"


# B4: the trade.


def test_b4_the_declarer_chooses_any_own_card_or_declines() -> None:
    hand = hand_of(held={0: MINE}, said=SHOOT)
    assert hand.to_act == 0
    assert legal(hand) == ("no trade, trade 9C, trade TC, trade 9D, trade TD, trade 9S, trade TS")


def test_b4_the_partner_chooses_any_own_card() -> None:
    hand = hand_of(held={0: MINE, 2: PARTNERS}, said=f"{SHOOT}, 0 trade TC")
    assert hand.to_act == 2
    assert legal(hand) == "give KC, give AC, give KD, give AD, give KS, give AS"


def test_b4_both_cards_change_hands_at_once() -> None:
    hand = hand_of(held={0: MINE, 2: PARTNERS}, said=f"{SHOOT}, 0 trade TC")
    assert held_by(hand, 0) == MINE, "the offered card stays until the partner has chosen"
    do(hand, "2 give AS")
    assert held_by(hand, 0) == "9C 9D TD 9S TS AS"
    assert held_by(hand, 2) == "TC KC AC KD AD KS"
    assert (hand.phase.value, hand.to_act) == ("play", 0)


def test_b4_declined_no_card_moves() -> None:
    hand = hand_of(held={0: MINE, 2: PARTNERS}, said=f"{SHOOT}, 0 no trade")
    assert (held_by(hand, 0), hand.phase.value) == (MINE, "play")
    assert legal_cards(hand) == MINE


def test_b4_the_traded_card_is_played_by_its_new_owner() -> None:
    hand = hand_of(held={0: MINE, 2: PARTNERS}, said=f"{SHOOT}, 0 trade TC, 2 give AS, 0 play AS")
    assert held_by(hand, 0) == "9C 9D TD 9S TS"


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        pytest.param(CLASSIC, "bid lone, pass, pass, pass, call H", id="B5 no trade on a Lone"),
        pytest.param(CLASSIC, "bid 6, pass, pass, pass, call H", id="B2 no trade on a 6"),
        pytest.param(TOKEN, "bid loner, pass, pass, pass, call H", id="T1.6 no card moves"),
        pytest.param(DOUBLE, "bid solo H, pass, pass, pass", id="D5 no exchange on a Solo"),
        pytest.param(DOUBLE, "bid 8 H, pass, pass, pass", id="D5 nor on an 8"),
    ],
)
def test_no_exchange(variant: Variant, said: str) -> None:
    assert hand_of(variant, said=said).phase.value == "play"


def test_trade_optional_false_the_declarer_may_not_decline() -> None:
    variant = replace(CLASSIC, name="must-trade", trade_optional=False)
    hand = hand_of(variant, {0: MINE}, said=SHOOT)
    assert legal(hand) == "trade 9C, trade TC, trade 9D, trade TD, trade 9S, trade TS"


# T1.4, T1.5: the gift.


@pytest.mark.parametrize(
    ("call", "partner", "gifts"),
    [
        pytest.param("H", "JH JD AH 9C TC KC", "JH", id="T1.5 the right bower first"),
        pytest.param("H", "JD AH KH 9C TC KC", "JD", id="T1.5 then the left bower"),
        pytest.param("C", "JS AC KC 9H TH KH", "JS", id="T1.5 the left bower in clubs"),
        pytest.param("H", "AH KH QH 9C TC KC", "AH", id="T1.5 then the ace"),
        pytest.param("H", "KH QH TH 9C TC KC", "KH", id="T1.5 then the king"),
        pytest.param("H", "QH TH 9H 9C TC KC", "QH", id="T1.5 then the queen"),
        pytest.param("H", "TH 9H AC 9C TC KC", "TH", id="T1.5 then the ten"),
        pytest.param("H", "9H AD AC 9C TC KC", "9H", id="T1.5 the nine of trump before any ace"),
        pytest.param(
            "H", "AD KD AC 9C TC KS", "9C TC AC KD AD KS", id="T1.5 no trump: any one card"
        ),
        pytest.param("S", "JC AS AD KD QD TD", "JC", id="T1.5 the left bower is a trump"),
        pytest.param("H", "JS JC AC KC QC TC", "TC JC QC KC AC JS", id="T1.5 black jacks are not"),
        pytest.param("high", "AC AD KS QS TS 9S", "AC AD", id="T1.5 High: a card of the best rank"),
        pytest.param("high", "JH JD QS TS 9S 9C", "QS", id="T1.5 High: no bowers"),
        pytest.param("low", "9C 9S AC AD AS AH", "9C 9S", id="T1.5 Low: the nines are best"),
        pytest.param("low", "TC JC QC TD KS AS", "TC TD", id="T1.5 Low: then the tens"),
        pytest.param("mid", "AC KD TS QH QS JH", "QH QS", id="T1.5 Mid: the queens are best"),
        pytest.param("mid", "AC AD TS JH 9S JC", "TS", id="T1.5 Mid: the ten before the ace"),
        pytest.param("mid", "AC 9D JS JH 9S JC", "AC", id="T1.5 Mid: the ace before the nine"),
        pytest.param("mid", "9C JD JS JH 9S JC", "9C 9S", id="T1.5 Mid: the jacks come last"),
    ],
)
def test_what_the_partner_gives(call: str, partner: str, gifts: str) -> None:
    hand = hand_of(TOKEN, {2: partner}, said=shot(call), ledger=Ledger(tokens=(1, 0)))
    assert (hand.phase.value, hand.to_act) == ("give", 2)
    assert legal_cards(hand) == gifts


@pytest.mark.parametrize(
    ("changes", "call", "gifts"),
    [
        pytest.param({"gift": Gift.ANY}, "S", "9C TC JC AC KD AD", id="gift any: any card"),
        pytest.param({"gift": Gift.ANY}, "high", "9C TC JC AC KD AD", id="gift any: in High"),
        pytest.param(
            {"gift_without_trump": GiftFallback.BEST_RANK},
            "H",
            "AC AD",
            id="gift_without_trump best-rank: an ace",
        ),
        pytest.param(
            {"gift_without_trump": GiftFallback.BEST_RANK},
            "S",
            "JC",
            id="gift_without_trump best-rank: a trump all the same",
        ),
        pytest.param(
            {"gift_without_trump": GiftFallback.BEST_RANK, "gift_tie": GiftTie.FIRST_SUIT},
            "H",
            "AC",
            id="gift_tie first-suit: the ace of clubs",
        ),
        pytest.param({"gift_tie": GiftTie.FIRST_SUIT}, "high", "AC", id="gift_tie in High"),
        pytest.param({"gift_tie": GiftTie.FIRST_SUIT}, "mid", "KD", id="gift_tie: one king"),
    ],
)
def test_house_rules_of_the_gift(changes: dict[str, object], call: str, gifts: str) -> None:
    variant: Variant = replace(TOKEN, name="house", **changes)  # type: ignore[arg-type]
    hand = hand_of(variant, {2: "9C TC JC AC AD KD"}, said=shot(call))
    assert legal_cards(hand) == gifts


def test_t14_the_declarer_holds_seven_and_discards_any() -> None:
    held = {0: MINE, 2: "JH JD AH KC AC QC"}
    hand = hand_of(TOKEN, held, said=f"{shot('H')}, 2 give JH")
    assert (hand.phase.value, hand.to_act) == ("discard", 0)
    assert legal_cards(hand) == "9C TC 9D TD JH 9S TS"
    assert held_by(hand, 2) == "QC KC AC JD AH"


@pytest.mark.parametrize(
    ("discard", "left"),
    [
        pytest.param("9C", "TC 9D TD JH 9S TS", id="T1.4 an own card"),
        pytest.param("JH", "9C TC 9D TD 9S TS", id="T1.4 the received card itself"),
    ],
)
def test_t14_after_the_discard_the_play_begins_with_six(discard: str, left: str) -> None:
    held = {0: MINE, 2: "JH JD AH KC AC QC"}
    hand = hand_of(TOKEN, held, said=f"{shot('H')}, 2 give JH, 0 discard {discard}")
    assert (hand.phase.value, hand.to_act, held_by(hand, 0)) == ("play", 0, left)
    play_out(hand)
    assert sum(hand.tricks) == 6


def test_t14_the_gift_is_mandatory() -> None:
    hand = hand_of(TOKEN, {2: "9C TC QC KC AC 9S"}, said=shot("H"))
    assert "no trade" not in legal(hand)
    assert len(hand.legal) == 6


# An exchange with two of each card: no shipped variant has one.

SOLO_WITH_GIFT = replace(
    DOUBLE,
    name="gift",
    bids=(*DOUBLE.bids[:-1], BidRule("solo", 8, alone=True, exchange=Exchange.GIFT, made=24)),
)
SOLO_WITH_TRADE = replace(
    DOUBLE,
    name="trade",
    bids=(*DOUBLE.bids[:-1], BidRule("solo", 8, alone=True, exchange=Exchange.TRADE, made=24)),
)
EIGHT = "JC QC KC AC JD QD KD JH"
OTHER_EIGHT = "JC QC KC AC JD QD KD JH"
SOLO = "0 bid solo H, 1 pass, 2 pass, 3 pass"


def test_d1_a_given_twin_makes_a_pair_and_one_of_a_pair_is_discarded() -> None:
    held = {0: EIGHT, 2: OTHER_EIGHT}
    hand = hand_of(SOLO_WITH_GIFT, held, said=f"{SOLO}, 2 give JH")
    assert held_by(hand, 0) == "JC QC KC AC JD QD KD JH JH"
    do(hand, "0 discard JH")
    assert held_by(hand, 0) == EIGHT


def test_d1_a_trade_of_twins_leaves_one_each() -> None:
    held = {0: "JC JC QC KC AC JD QD KD", 2: "QC KC AC JD QD KD JH JH"}
    hand = hand_of(SOLO_WITH_TRADE, held, said=f"{SOLO}, 0 trade JC, 2 give JH")
    assert held_by(hand, 0) == "JC QC KC AC JD QD KD JH"
    assert held_by(hand, 2) == "JC QC KC AC JD QD KD JH"


def test_c5_a_deck_may_lack_ranks_and_the_order_skips_them() -> None:
    short = replace(
        TOKEN,
        name="short",
        ranks=(Rank.TEN, Rank.JACK, Rank.ACE),
        hand_size=3,
        bids=(BidRule("2", 2), BidRule("shot", 3, alone=True, exchange=Exchange.GIFT, made=5)),
        tokens=replace(TOKEN.tokens, token_debt_minimum="2"),
    )
    hand = hand_of(short, {2: "JC AC TC"}, said=shot("mid"))
    assert legal_cards(hand) == "TC"
