"""What each seat sees, and what it does not (rules I1, B4, T1.4)."""

from dataclasses import replace

import pytest

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    Card,
    Hand,
    Ledger,
    Seat,
    Variant,
    View,
    card_text,
    view_of,
)
from arena.rules.view import cards_in
from tests.rules.positions import do, hand_of, play_out

SHOOT = "0 bid shoot, 1 pass, 2 pass, 3 pass, 0 call H"
SHOT = "0 bid shot, 1 pass, 2 pass, 3 pass, 0 call H"
MINE, PARTNERS = "9C TC 9D TD 9S TS", "AC KC AD KD AS KS"
HELD = {0: MINE, 2: PARTNERS}
GIFTS = {0: MINE, 2: "JH AC KC AD KD AS"}


def card(number: Card) -> str | None:
    return None if number < 0 else card_text(number)


def exchange_seen(hand: Hand) -> list[tuple[str | None, str | None, str | None]]:
    """For each seat, what it gave, received and discarded, as far as it knows."""
    views = [view_of(hand, Seat(seat)) for seat in range(4)]
    return [(card(v.gave), card(v.received), card(v.discarded)) for v in views]


NOTHING = (None, None, None)


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        pytest.param(SHOOT, [NOTHING] * 4, id="before the trade"),
        pytest.param(f"{SHOOT}, no trade", [NOTHING] * 4, id="declined"),
        pytest.param(
            f"{SHOOT}, trade TC",
            [("TC", None, None), NOTHING, NOTHING, NOTHING],
            id="B4 the partner chooses without having seen the declarer's card",
        ),
        pytest.param(
            f"{SHOOT}, trade TC, give AS",
            [("TC", "AS", None), NOTHING, ("AS", "TC", None), NOTHING],
            id="B4 both know both cards, nobody else sees them",
        ),
    ],
)
def test_a_trade(said: str, seen: list[tuple[str | None, ...]]) -> None:
    assert exchange_seen(hand_of(CLASSIC, HELD, said=said)) == seen


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        pytest.param(SHOT, [NOTHING] * 4, id="before the gift"),
        pytest.param(
            f"{SHOT}, give JH",
            [(None, "JH", None), NOTHING, ("JH", None, None), NOTHING],
            id="T1.4 giver and declarer know the card",
        ),
        pytest.param(
            f"{SHOT}, give JH, discard 9C",
            [(None, "JH", "9C"), NOTHING, ("JH", None, None), NOTHING],
            id="T1.4 the declarer alone knows the discard",
        ),
    ],
)
def test_a_gift(said: str, seen: list[tuple[str | None, ...]]) -> None:
    assert exchange_seen(hand_of(TOKEN, GIFTS, said=said)) == seen


def test_trade_blind_false_the_partner_sees_the_card_before_it_gives() -> None:
    open_trade = replace(CLASSIC, name="open", trade_blind=False)
    hand = hand_of(open_trade, HELD, said=f"{SHOOT}, trade TC")
    assert exchange_seen(hand) == [("TC", None, None), NOTHING, (None, "TC", None), NOTHING]


def test_i1_the_exchange_stays_known_and_hidden_to_the_end() -> None:
    hand = hand_of(TOKEN, GIFTS, said=f"{SHOT}, give JH, discard 9C")
    play_out(hand)
    assert exchange_seen(hand) == [(None, "JH", "9C"), NOTHING, ("JH", None, None), NOTHING]


@pytest.mark.parametrize(
    ("said", "last"),
    [
        pytest.param(f"{SHOOT}, no trade", "no trade", id="I1 that a trade was declined"),
        pytest.param(f"{SHOOT}, trade TC", "trade", id="I1 that one was offered, not the card"),
        pytest.param(f"{SHOOT}, trade TC, give AS", "give", id="I1 that it was made"),
    ],
)
def test_what_all_see_of_a_trade(said: str, last: str) -> None:
    hand = hand_of(CLASSIC, HELD, said=said)
    for seat in range(4):
        assert view_of(hand, Seat(seat)).moves[-1].action.text == last


def test_what_all_see_of_a_gift() -> None:
    hand = hand_of(TOKEN, GIFTS, said=f"{SHOT}, give JH, discard 9C")
    for seat in range(4):
        moves = view_of(hand, Seat(seat)).moves
        assert [(move.seat, move.action.text) for move in moves[-2:]] == [
            (2, "give"),
            (0, "discard"),
        ]


def test_i2_the_record_shows_the_exchanged_cards() -> None:
    hand = hand_of(TOKEN, GIFTS, said=f"{SHOT}, give JH, discard 9C")
    assert [move.action.text for move in hand.moves()[-2:]] == ["give JH", "discard 9C"]
    hand = hand_of(CLASSIC, HELD, said=f"{SHOOT}, trade TC, give AS")
    assert [(move.seat, move.action.text) for move in hand.moves()[-2:]] == [
        (0, "trade TC"),
        (2, "give AS"),
    ]


def test_a_view_holds_the_public_facts() -> None:
    ledger = Ledger((3, 4), (3, 1), (False, True), (0, 2))
    hand = hand_of(TOKEN, GIFTS, said="0 force partner, 1 pass, 3 pass, 2 call low", ledger=ledger)
    view = view_of(hand, Seat(1))
    # T5.1 the force took two tokens, T5.5 the call one.
    assert view.ledger == Ledger((3, 4), (0, 1), (False, True), (0, 2))
    assert (view.seat, view.dealer, view.to_act, view.phase.value) == (1, 3, 0, "give")
    assert (view.level, view.declarer, view.sitter) == (4, 2, 0)
    assert view.call is not None
    assert view.call.text == "low"
    assert [move.action.text for move in view.moves] == [
        "force partner",
        "pass",
        "pass",
        "call low",
    ]


def seen_of_play(hand: Hand) -> View:
    return view_of(hand, hand.to_act)


def test_the_current_trick_of_four() -> None:
    hand = hand_of(said="pass, pass, pass, bid 3, call H")
    sizes = []
    while hand.legal:
        sizes.append(len(seen_of_play(hand).trick))
        hand.apply(hand.legal[0])
    assert sizes == [0, 1, 2, 3] * 6
    assert view_of(hand, Seat(0)).trick == ()


def test_the_current_trick_of_three() -> None:
    hand = hand_of(said="bid lone, pass, pass, pass, call H")
    sizes = []
    while hand.legal:
        view = seen_of_play(hand)
        sizes.append(len(view.trick))
        assert [move.seat for move in view.trick[:1]] == [view.leader][: len(view.trick)]
        hand.apply(hand.legal[0])
    assert sizes == [0, 1, 2] * 6


def test_the_cards_of_a_seat_in_order_a_twin_twice() -> None:
    hand = hand_of(DOUBLE, {1: "AS JC JC QD AS KH KH JD"})
    cards = view_of(hand, Seat(1)).cards
    assert " ".join(map(card_text, cards)) == "JC JC JD QD KH KH AS AS"
    assert cards_in(0, 0) == ()


def test_a_seat_that_gave_and_received_holds_its_new_cards() -> None:
    hand = hand_of(CLASSIC, HELD, said=f"{SHOOT}, trade TC, give AS")
    assert card_text(view_of(hand, Seat(0)).cards[-1]) == "AS"
    assert "TC" in map(card_text, view_of(hand, Seat(2)).cards)


@pytest.mark.parametrize(
    ("variant", "held", "swapped", "said", "blind"),
    [
        pytest.param(
            CLASSIC,
            {0: MINE, 1: "JH QH 9H TH KH AH", 2: PARTNERS},
            {0: MINE, 1: "JH QH 9H TH KH QC", 2: PARTNERS},
            "0 bid 3, 1 pass",
            (0, 2),
            id="I1 cards of two others change places",
        ),
        pytest.param(
            CLASSIC,
            {0: MINE, 2: PARTNERS},
            {0: "9C JC 9D TD 9S TS", 2: PARTNERS},
            f"{SHOOT}, trade 9D",
            (2,),
            id="B4 the partner does not know what is offered nor what is left",
        ),
        pytest.param(
            TOKEN,
            {0: "9C TC 9D TD 9S JD", 2: "JH AC KC AD KD AS"},
            {0: "9C TC 9D TD 9S JH", 2: "JD AC KC AD KD AS"},
            f"{SHOT}, give *",
            (1, 3),
            id="T1.4 the defenders do not know the gift",
        ),
    ],
)
def test_a_swap_of_what_a_seat_may_not_know_leaves_its_view_equal(
    variant: Variant,
    held: dict[int, str],
    swapped: dict[int, str],
    said: str,
    blind: tuple[int, ...],
) -> None:
    hands = [hand_of(variant, cards, said=said.split(", give *")[0]) for cards in (held, swapped)]
    for hand in hands:
        if "*" in said:
            do(hand, hand.legal[0].text)
    assert (hands[0].held, hands[0].moves()) != (hands[1].held, hands[1].moves())
    for seat in blind:
        assert view_of(hands[0], Seat(seat)) == view_of(hands[1], Seat(seat))
