"""Effective suits, following, who takes a trick, who leads (rules C3, C5, B6, D2, D6)."""

from dataclasses import replace

import pytest

from arena.rules import CLASSIC, DOUBLE, TOKEN, Call, Suit, Variant
from arena.rules.variant import OpeningLead
from tests.rules.positions import do, hand_of, legal_cards, play_out, trick_hand

VARIANTS = {"classic": CLASSIC, "token": TOKEN, "double": DOUBLE}


@pytest.mark.parametrize(
    ("variant", "call", "trick", "winner"),
    [
        # C3.2, trump from the top: right, left, A, K, Q, T, 9.
        pytest.param("classic", "H", "JD JH AH 9H", 1, id="C3.2 the right bower beats the left"),
        pytest.param("classic", "C", "JS JC AC 9C", 1, id="C3.2 the same in clubs"),
        pytest.param("classic", "D", "JH JD AD 9D", 1, id="C3.2 the same in diamonds"),
        pytest.param("classic", "S", "JC JS AS 9S", 1, id="C3.2 the same in spades"),
        pytest.param("classic", "H", "AH JD KH 9H", 1, id="C3.2 the left bower beats the ace"),
        pytest.param("classic", "S", "KS AS QS JC", 3, id="C3.2 the left bower takes spades"),
        pytest.param("classic", "H", "KH AH QH TH", 1, id="C3.2 ace of trump over king"),
        pytest.param("classic", "H", "QH KH TH 9H", 1, id="C3.2 king of trump over queen"),
        pytest.param("classic", "H", "TH 9H QH KD", 2, id="C3.2 queen of trump over ten"),
        pytest.param("classic", "H", "9H TH AC AD", 1, id="C3.2 ten of trump over nine"),
        # C3.1 the left bower is trump, the other two jacks are ordinary.
        pytest.param("classic", "H", "AD JD KD QD", 1, id="C3.1 the left bower trumps its suit"),
        pytest.param("classic", "H", "JD 9H AD KD", 0, id="C3.1 the left bower led is a trump"),
        pytest.param("classic", "H", "JC QC 9C TC", 1, id="C3.1 another jack is below the queen"),
        pytest.param("classic", "H", "TS JS 9S JC", 1, id="C3.2 a plain jack is above the ten"),
        pytest.param("classic", "H", "JC JS AS AD", 0, id="C3.1 no bower of the other colour"),
        # C3.2 mate suit and plain suits.
        pytest.param("classic", "H", "TD QD KD AD", 3, id="C3.2 mate suit: A K Q T 9"),
        pytest.param("classic", "H", "9D TD AC AS", 1, id="C3.2 mate suit: ten over nine"),
        pytest.param("classic", "H", "9C TC JC QC", 3, id="C3.2 plain suit: queen over jack"),
        pytest.param("classic", "H", "KS AS QS JS", 1, id="C3.2 plain suit: ace over king"),
        # C3.5
        pytest.param("classic", "H", "AC 9H KC TC", 1, id="C3.5 the lowest trump beats any ace"),
        pytest.param("classic", "H", "AC 9H TH KC", 2, id="C3.5 the highest trump takes it"),
        pytest.param("classic", "H", "9C AS AD TC", 3, id="C3.5 another suit never wins"),
        pytest.param("classic", "H", "9C AS AD KS", 0, id="C3.5 a nine led, nobody follows"),
        pytest.param("classic", "H", "9D AS AC KS", 0, id="C3.5 a nine of the mate suit led"),
        # C3.3, B3, C5
        pytest.param("classic", "NT", "QH AH JD JH", 1, id="C3.3 no bowers without trump"),
        pytest.param("classic", "NT", "TH JH 9H AC", 1, id="C5 NT: jack over ten"),
        pytest.param("classic", "NT", "JH QH TH KH", 3, id="C5 NT: K Q J T"),
        pytest.param("classic", "NT", "9C AH AD AS", 0, id="C5 NT: aces of other suits lose"),
        pytest.param("classic", "NT", "JD QD JH AH", 1, id="C3.3 a jack stays in its suit"),
        pytest.param("token", "high", "KH AH QH JH", 1, id="C5 High: ace first"),
        pytest.param("token", "high", "9S TS JS QS", 3, id="C5 High: Q J T 9"),
        pytest.param("token", "low", "TH 9H AH KH", 1, id="C5 Low: the nine takes it"),
        pytest.param("token", "low", "JS TS QS KS", 1, id="C5 Low: ten before jack"),
        pytest.param("token", "low", "AS KS AH AD", 1, id="C5 Low: the ace is worst"),
        pytest.param("token", "low", "QC JC KC AC", 1, id="C5 Low: jack before queen"),
        pytest.param("token", "mid", "KS QS TS AS", 1, id="C5 Mid: the queen takes it"),
        pytest.param("token", "mid", "TH KH AH 9H", 1, id="C5 Mid: king next"),
        pytest.param("token", "mid", "AD TD 9D JD", 1, id="C5 Mid: the ten beats the ace"),
        pytest.param("token", "mid", "9C AC JC AH", 1, id="C5 Mid: the ace beats the nine"),
        pytest.param("token", "mid", "JC 9C QH KH", 1, id="C5 Mid: the jack is worst"),
        pytest.param("token", "mid", "JC QH KH QD", 0, id="C5 Mid: other suits never win"),
        # D2
        pytest.param("double", "H", "JH JH AH KH", 0, id="D2 the first right bower is higher"),
        pytest.param("double", "H", "JD JH JH JD", 1, id="D2 right bowers over left bowers"),
        pytest.param("double", "H", "AH JD QH JD", 1, id="D2 the first left bower is higher"),
        pytest.param("double", "H", "KH AH AH QH", 1, id="D2 the first ace of trump"),
        pytest.param("double", "H", "QH QH AC AS", 0, id="D2 the first queen of trump"),
        pytest.param("double", "H", "AC AC KC KC", 0, id="D2 twins of a plain suit"),
        pytest.param("double", "H", "QD KD KD QD", 1, id="D2 twins of the mate suit"),
        pytest.param("double", "NT", "KS AS AS QS", 1, id="D2 twins under No Trump"),
        pytest.param("double", "NT", "JD QD JH AH", 1, id="C3.3 double: no bowers in NT"),
        pytest.param("double", "C", "QS AS JS KS", 2, id="C3.1 double: left bower trumps"),
    ],
)
def test_who_takes_the_trick(variant: str, call: str, trick: str, winner: int) -> None:
    hand = trick_hand(VARIANTS[variant], call, trick)
    do(hand, ", ".join(f"{seat} play {card}" for seat, card in enumerate(trick.split())))
    assert hand.winner == winner
    assert hand.tricks == [1 - winner % 2, winner % 2]  # C1.1
    assert hand.to_act == hand.leader == winner  # C3.6


@pytest.mark.parametrize(
    ("variant", "call", "led", "held", "legal"),
    [
        pytest.param("classic", "H", "JD", "9H AD KD QC TC 9C", "9H", id="C3.1 left bower led"),
        pytest.param("classic", "H", "AD", "JD 9H KD QC TC 9C", "KD", id="C3.1 left: no diamond"),
        pytest.param(
            "classic", "H", "AD", "JD 9H QC TC 9C KS", "9C TC QC JD 9H KS", id="C3.4 void: anything"
        ),
        pytest.param("classic", "H", "9H", "JD AD KD QC TC 9C", "JD", id="C3.1 left follows trump"),
        pytest.param("classic", "H", "9H", "JH JD AH QC TC 9C", "JD JH AH", id="C3.4 any trump"),
        pytest.param("classic", "S", "KS", "JC AC KC QC TC 9C", "JC", id="C3.1 left in spades"),
        pytest.param("classic", "C", "9S", "JS AS KH QH TH 9H", "AS", id="C3.1 JS leaves spades"),
        pytest.param("classic", "C", "9H", "JH JD KH JS JC 9C", "JH KH", id="C3.1 ordinary jacks"),
        pytest.param("classic", "H", "9C", "AC JC AH KH JH JD", "JC AC", id="C3.4 no overtaking"),
        pytest.param("classic", "NT", "9D", "JD JH AD AH KH QH", "JD AD", id="C3.3 JD a diamond"),
        pytest.param("classic", "NT", "9H", "JD JH AD QH KD QD", "JH QH", id="C3.3 JD no heart"),
        pytest.param("token", "mid", "QC", "JS JC 9C AS KS QS", "9C JC", id="C3.3 Mid: no bowers"),
        pytest.param("double", "H", "QH", "JD JD AD AC AC KC KS KS", "JD", id="D1 a twin once"),
        pytest.param(
            "double", "H", "QD", "JD JD AC AC KC KS KS QS", "KC AC JD QS KS", id="D1 void"
        ),
    ],
)
def test_what_may_follow(variant: str, call: str, led: str, held: str, legal: str) -> None:
    house = VARIANTS[variant]
    auction = "bid 1 " + call + ", pass, pass, pass"
    if variant != "double":
        auction = f"pass, pass, pass, bid 3, call {call}"
    hand = hand_of(house, {0: led, 1: held}, said=f"{auction}, 0 play {led}")
    assert legal_cards(hand) == legal


def test_c34_whoever_leads_may_play_any_card() -> None:
    hand = hand_of(held={0: "JH 9C AD TS KS QC"}, said="pass, pass, pass, bid 3, call H")
    assert legal_cards(hand) == "9C QC AD JH TS KS"


def test_c34_a_trump_already_played_changes_nothing_for_the_next() -> None:
    held = {0: "9C", 1: "9H AD KD QD TD 9D", 2: "AC TC 9S TS QS JS", 3: "AS KS KC QC JC QH"}
    hand = hand_of(held=held, said="pass, pass, pass, bid 3, call H, play 9C, play 9H")
    assert legal_cards(hand) == "TC AC"


def test_d1_playing_one_of_two_leaves_one() -> None:
    hand = hand_of(DOUBLE, {0: "QH QH AC"}, said="bid 1 S, pass, pass, pass, play QH")
    assert hand.held[0] >> 15 & 1 == 1
    assert hand.twins[0] >> 15 & 1 == 0


def test_c36_all_tricks_are_played_out_though_the_contract_is_lost() -> None:
    hand = hand_of(CLASSIC, said="bid lone, pass, pass, pass, call H")
    play_out(hand)
    assert sum(hand.tricks) == 6
    assert hand.held[0] == hand.held[1] == hand.held[3] == 0
    assert hand.held[2].bit_count() == 6  # C2.6: the partner played none


@pytest.mark.parametrize(
    ("variant", "said", "leader"),
    [
        pytest.param(CLASSIC, "pass, pass, pass, bid 3, call H", 0, id="B6 left of the dealer"),
        pytest.param(CLASSIC, "pass, bid 3, pass, pass, call H", 0, id="B6 not the declarer"),
        pytest.param(CLASSIC, "bid lone, pass, pass, pass, call H", 0, id="B6 declarer leads"),
        pytest.param(CLASSIC, "pass, bid lone, pass, pass, call H", 0, id="B6 sitter elsewhere"),
        pytest.param(
            CLASSIC, "pass, pass, bid lone, pass, call H", 1, id="B6 left of dealer sits out: next"
        ),
        pytest.param(
            CLASSIC, "pass, bid shoot, pass, pass, call H, no trade", 0, id="B6 the dealer sits out"
        ),
        pytest.param(TOKEN, "pass, pass, bid loner, pass, call H", 1, id="B6 holds for token"),
        pytest.param(DOUBLE, "pass, bid 3 H, pass, pass", 1, id="D6 the declarer leads"),
        pytest.param(DOUBLE, "pass, pass, bid solo H, pass", 2, id="D6 a soloist leads"),
        pytest.param(
            replace(CLASSIC, opening_lead=OpeningLead.DECLARER),
            "pass, pass, bid 3, pass, call H",
            2,
            id="opening_lead declarer: the declarer leads in classic",
        ),
        pytest.param(
            replace(DOUBLE, opening_lead=OpeningLead.LEFT_OF_DEALER),
            "pass, bid 3 H, pass, pass",
            0,
            id="opening_lead left-of-dealer: seat 0 leads in double",
        ),
    ],
)
def test_who_leads_first(variant: Variant, said: str, leader: int) -> None:
    hand = hand_of(variant, said=said)
    assert (hand.to_act, hand.leader) == (leader, leader)
    assert hand.phase.value == "play"


@pytest.mark.parametrize(
    ("said", "seats"),
    [
        pytest.param("bid lone, pass, pass, pass, call H", [0, 1, 3], id="seat 2 sits out"),
        pytest.param("pass, bid lone, pass, pass, call H", [0, 1, 2], id="seat 3 sits out"),
        pytest.param("pass, pass, bid lone, pass, call H", [1, 2, 3], id="seat 0 sits out"),
        pytest.param("pass, pass, pass, bid lone, call H", [0, 2, 3], id="seat 1 sits out"),
        pytest.param("pass, pass, pass, bid 3, call H", [0, 1, 2, 3], id="nobody sits out"),
    ],
)
def test_c26_a_trick_of_an_alone_hand_has_three_cards(said: str, seats: list[int]) -> None:
    hand = hand_of(said=said)
    players = []
    while not sum(hand.tricks):
        players.append(int(hand.to_act))
        hand.apply(hand.legal[0])
    assert players == seats


def test_c15_mates_are_of_one_colour() -> None:
    mates = {suit.name: suit.mate.name for suit in Suit}
    assert mates == {
        "CLUBS": "SPADES",
        "DIAMONDS": "HEARTS",
        "HEARTS": "DIAMONDS",
        "SPADES": "CLUBS",
    }


def test_c33_only_four_calls_have_a_trump_suit() -> None:
    assert [call.text for call in Call if call.trump is not None] == ["C", "D", "H", "S"]
