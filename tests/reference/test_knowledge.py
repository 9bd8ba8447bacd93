"""What the oracle tells a seat: I1 while the hand lasts, I2 after it."""

import pytest

from tests.reference.oracle import Hand
from tests.reference.playouts import play
from tests.reference.shapes import Action, Given
from tests.reference.tables import VARIANTS

GIVEN: Given = {
    "dealer": 0,
    "hands": [
        ["AC", "KC", "QC", "TC", "9C", "AS"],
        ["JH", "JD", "AH", "KH", "QH", "9S"],
        ["KS", "QS", "JS", "TS", "JC", "AD"],
        ["TH", "9H", "KD", "QD", "TD", "9D"],
    ],
    "scores": [0, 0],
    "tokens": [0, 0],
    "token_debt": [False, False],
    "hlm_debt": [0, 0],
}
SHOOT: list[Action] = [
    (1, "bid shoot"),
    (2, "pass"),
    (3, "pass"),
    (0, "pass"),
    (1, "call H"),
    (1, "trade 9S"),
    (3, "give TH"),
]
SHOT: list[Action] = [
    (1, "bid shot"),
    (2, "pass"),
    (3, "pass"),
    (0, "pass"),
    (1, "call H"),
    (3, "give TH"),
    (1, "discard 9S"),
]


def hand_after(variant: str, actions: list[Action]) -> Hand:
    hand = Hand(variant, GIVEN)
    for seat, text in actions:
        hand.apply(seat, text)
    return hand


@pytest.mark.parametrize(
    ("variant", "actions", "seat", "seen", "gave", "received", "discarded"),
    [
        pytest.param(
            *("classic", SHOOT[:6], 3, ["trade"], None, None, None),
            id="B4b: the partner chooses without having seen the declarer's card",
        ),
        pytest.param(
            *("classic", SHOOT, 1, ["trade 9S", "give"], "9S", "TH", None),
            id="B4c: the declarer knows what came and went",
        ),
        pytest.param(
            *("classic", SHOOT, 3, ["trade", "give TH"], "TH", "9S", None),
            id="B4c: so does the partner",
        ),
        pytest.param(
            *("classic", SHOOT, 0, ["trade", "give"], None, None, None),
            id="B4c: nobody else sees the cards",
        ),
        pytest.param(
            *("token", SHOT, 1, ["give", "discard 9S"], None, "TH", "9S"),
            id="T1.4: the declarer knows the card received and the one discarded",
        ),
        pytest.param(
            *("token", SHOT, 3, ["give TH", "discard"], "TH", None, None),
            id="T1.4: the giver does not see the discard",
        ),
        pytest.param(
            *("token", SHOT, 2, ["give", "discard"], None, None, None),
            id="I1: the others know that cards moved, not which",
        ),
    ],
)
def test_a_seat_knows_of_the_exchange(
    variant: str,
    actions: list[Action],
    seat: int,
    seen: list[str],
    gave: str | None,
    received: str | None,
    discarded: str | None,
) -> None:
    known = hand_after(variant, actions).known(seat)
    assert [text for _, text in known["actions"][5:]] == seen
    assert (known["gave"], known["received"], known["discarded"]) == (gave, received, discarded)
    assert known["opened"] is None
    assert known["sits_out"] == 3


def test_own_cards_are_those_held_now() -> None:
    hand = hand_after("token", SHOT)
    assert hand.known(1)["cards"] == sorted(["JH", "JD", "AH", "KH", "QH", "TH"])
    assert hand.known(3)["cards"] == sorted(["9H", "KD", "QD", "TD", "9D"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_after_the_last_card_everything_of_the_hand_is_open(variant: str) -> None:
    transcript = play(variant, 2)
    hand = Hand(variant, transcript.given)
    for seat, text in transcript.actions():
        assert hand.known(seat)["opened"] is None
        hand.apply(seat, text)
    for seat in range(4):
        assert hand.known(seat)["opened"] == (transcript.given["hands"], transcript.actions())
        assert hand.known(seat)["scores"] == transcript.result["scores"]
