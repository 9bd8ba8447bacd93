"""Tokens and both debts (rules T2, T3, T4)."""

from dataclasses import replace

import pytest

from arena.rules import CLASSIC, TOKEN, Ledger, Side, Variant
from arena.rules.scoring import pay
from tests.rules.positions import do, hand_of, legal, play_out, with_tokens
from tests.rules.test_scoring import scored

NO_CREDIT = with_tokens(TOKEN, credit=False)
DEAR_MID = replace(
    TOKEN, name="dear-mid", calls=(*TOKEN.calls[:6], replace(TOKEN.calls[6], tokens=2))
)
SHOT_ON_CREDIT = "0 bid shot, 1 pass, 2 pass, 3 pass, 0 call high"


def moved(old: int, new: int, tokens: int = 0, *, in_debt: bool = False) -> tuple[int, bool]:
    """Stock and token debt of a side whose score goes from ``old`` to ``new`` on its own 3.

    A 3 clears no debt; a house table of points makes any change of score possible.
    """
    bid = replace(TOKEN.bids[0], made=max(new - old, 0), set=max(old - new, 0))
    variant = replace(TOKEN, name="any", bids=(bid, *TOKEN.bids[1:]))
    ledger = Ledger(scores=(old, 0), tokens=(tokens, 0), token_debt=(in_debt, False))
    result = scored(variant, "3", 6 if new >= old else 0, ledger=ledger)
    assert result.ledger.scores[0] == new
    return result.ledger.tokens[0], result.ledger.token_debt[0]


@pytest.mark.parametrize(
    ("old", "new", "gained"),
    [
        pytest.param(8, 10, 1, id="T2.2 8 to 10 gains one"),
        pytest.param(8, 22, 2, id="T2.2 8 to 22 gains two"),
        pytest.param(-5, 16, 1, id="T2.2 -5 to 16 gains one: zero is no decade"),
        pytest.param(-3, 0, 0, id="T2.2 -3 to 0 gains none"),
        pytest.param(10, 12, 0, id="T2.2 10 to 12 gains none"),
        pytest.param(9, 30, 3, id="T2.2 9 to 30 gains three"),
        pytest.param(39, 41, 1, id="T2.2 39 to 41: forty is the last decade"),
        pytest.param(41, 62, 0, id="T2.2 50 and 60 are no decades"),
        pytest.param(0, 3, 0, id="T2.2 within a decade none"),
        pytest.param(-75, -54, 0, id="T2.4 climbing back gains nothing"),
        pytest.param(-25, -4, 0, id="T2.4 climbing back costs nothing"),
    ],
)
def test_gains(old: int, new: int, gained: int) -> None:
    assert moved(old, new) == (gained, False)
    assert moved(old, new, 3) == (3 + gained, False)


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        pytest.param(20, 17, 1, id="T2.3 20 to 17 loses one"),
        pytest.param(15, -6, 1, id="T2.3 15 to -6 loses one"),
        pytest.param(12, 10, 0, id="T2.3 12 to 10 loses none"),
        pytest.param(25, 4, 2, id="T2.3 25 to 4 loses two"),
        pytest.param(10, 9, 1, id="T2.3 10 to 9 loses one"),
        pytest.param(41, 20, 2, id="T2.3 41 to 20 loses two, twenty itself stays"),
        pytest.param(3, -3, 0, id="T2.3 zero is no decade"),
        pytest.param(9, 1, 0, id="T2.3 within a decade none"),
        pytest.param(5, 5, 0, id="T2.3 the same score loses none"),
    ],
)
def test_losses(old: int, new: int, lost: int) -> None:
    assert moved(old, new, 5) == (5 - lost, False)


@pytest.mark.parametrize(
    ("old", "new", "gained"),
    [
        pytest.param(-18, -23, 1, id="T2.4 -18 to -23 one"),
        pytest.param(-17, -20, 1, id="T2.4 -17 to -20 one: reaching it counts"),
        pytest.param(-19, -40, 2, id="T2.4 -19 to -40 two"),
        pytest.param(-75, -96, 0, id="T2.4 -75 to -96 none"),
        pytest.param(-20, -22, 0, id="T2.4 -20 to -22 none: it stood there already"),
        pytest.param(-17, -19, 0, id="T2.4 -17 to -19 none"),
        pytest.param(-8, -12, 0, id="T2.4 -10 is no mark"),
        pytest.param(-59, -60, 1, id="T2.4 -60 is the last"),
        pytest.param(-1, -61, 3, id="T2.4 all three"),
    ],
)
def test_sympathy(old: int, new: int, gained: int) -> None:
    assert moved(old, new) == (gained, False)


@pytest.mark.parametrize(
    ("old", "new", "tokens", "in_debt", "expected"),
    [
        pytest.param(25, 4, 1, False, (0, True), id="T3.1 one token, 25 to 4: stock 0, in debt"),
        pytest.param(25, 4, 2, False, (0, False), id="T3.1 two tokens pay for it"),
        pytest.param(12, 9, 0, False, (0, True), id="T3.1 the stock empty"),
        pytest.param(45, 4, 0, False, (0, True), id="T3.1 a flag: four losses, one debt"),
        pytest.param(8, 22, 0, True, (2, True), id="T3.5 a gained token does not repay it"),
        pytest.param(12, 9, 3, True, (2, True), id="T3.1 in debt already, a token is still lost"),
        pytest.param(15, -25, 0, False, (1, True), id="T3.1 T2.4 debt, then one of sympathy"),
        pytest.param(15, -25, 1, False, (1, False), id="T2.3 T2.4 one lost, one of sympathy"),
        pytest.param(15, -45, 0, False, (2, True), id="T2.4 sympathy does not pay the loss"),
    ],
)
def test_token_debt(
    old: int, new: int, tokens: int, in_debt: bool, expected: tuple[int, bool]
) -> None:
    assert moved(old, new, tokens, in_debt=in_debt) == expected


def test_t25_the_defenders_trick_points_cross_too() -> None:
    ledger = Ledger(scores=(18, 9), tokens=(1, 1))
    result = scored(TOKEN, "3", 2, ledger=ledger)
    assert result.ledger == Ledger((15, 13), (1, 2), (False, False), (0, 0))


def test_t25_every_crossing_counts_as_often_as_it_happens() -> None:
    ledger = Ledger(scores=(9, 0))
    for _ in range(3):
        ledger = scored(TOKEN, "3", 3, ledger=ledger).ledger
        ledger = scored(TOKEN, "3", 0, ledger=ledger).ledger
    assert (ledger.scores[0], ledger.tokens[0], ledger.token_debt[0]) == (9, 0, False)


@pytest.mark.parametrize(
    ("bid", "taken", "side", "scores", "after"),
    [
        pytest.param("5", 5, 0, (0, 0), False, id="T3.3 a 5 made clears it"),
        pytest.param("5", 1, 0, (0, 0), False, id="T3.3 a 5 set clears it"),
        pytest.param("6", 6, 0, (0, 0), False, id="T3.3 a 6 clears it"),
        pytest.param("shot", 6, 0, (0, 0), False, id="T3.3 a Shot clears it"),
        pytest.param("loner", 3, 0, (0, 0), False, id="T3.3 a Loner clears it"),
        pytest.param("4", 4, 0, (0, 0), True, id="T3.3 a 4 clears nothing"),
        pytest.param("5", 5, 1, (0, 0), True, id="T3.3 the other side's 5 clears nothing"),
        pytest.param("5", 4, 0, (12, 0), True, id="T3.4 cleared, then a crossing: in debt again"),
    ],
)
def test_token_debt_is_cleared(
    bid: str, taken: int, side: int, scores: tuple[int, int], after: bool
) -> None:
    ledger = Ledger(scores=scores, token_debt=(True, False))
    assert scored(TOKEN, bid, taken, side=side, ledger=ledger).ledger.token_debt == (after, False)


def test_t33_the_minimum_of_the_variant_clears_it() -> None:
    ledger = Ledger(token_debt=(True, False))
    variant = with_tokens(TOKEN, token_debt_minimum="4")
    assert scored(variant, "4", 4, ledger=ledger).ledger.token_debt == (False, False)


@pytest.mark.parametrize(
    ("bid", "taken", "before", "now", "after"),
    [
        pytest.param("shot", 6, 1, 1, 0, id="T4.4 a Shot made lowers it by one"),
        pytest.param("shot", 0, 1, 1, 0, id="T4.4 a Shot set too"),
        pytest.param("loner", 6, 3, 3, 2, id="T4.4 a Loner by one"),
        pytest.param("6", 6, 1, 1, 1, id="T4.4 a 6 lowers nothing"),
        pytest.param("shot", 6, 0, 1, 1, id="T4.4 a unit of this hand's call stays"),
        pytest.param("shot", 6, 1, 2, 1, id="T4.4 one old unit, one new: 1 + 1 - 1"),
        pytest.param("shot", 6, 0, 0, 0, id="T4.4 never below zero"),
    ],
)
def test_hlm_debt_is_lowered(bid: str, taken: int, before: int, now: int, after: int) -> None:
    ledger = Ledger(hlm_debt=(now, 5))
    result = scored(TOKEN, bid, taken, ledger=ledger, old_hlm_debt=(before, 5))
    assert result.ledger.hlm_debt == (after, 5)


def test_t45_one_shot_clears_the_token_debt_and_one_unit() -> None:
    ledger = Ledger(token_debt=(True, True), hlm_debt=(2, 2))
    result = scored(TOKEN, "shot", 6, side=1, ledger=ledger)
    assert (result.ledger.token_debt, result.ledger.hlm_debt) == ((True, False), (2, 1))


@pytest.mark.parametrize(
    ("ledger", "call", "after"),
    [
        pytest.param(
            Ledger(tokens=(2, 4)), "high", Ledger(tokens=(1, 4)), id="T4.1 it must be paid"
        ),
        pytest.param(Ledger(tokens=(1, 0)), "low", Ledger(), id="T4.1 the last token"),
        pytest.param(Ledger(), "mid", Ledger(hlm_debt=(1, 0)), id="T4.2 named on credit"),
        pytest.param(
            Ledger(hlm_debt=(2, 0)), "mid", Ledger(hlm_debt=(3, 0)), id="T4.2 units stack"
        ),
        pytest.param(Ledger(tokens=(2, 4)), "H", Ledger(tokens=(2, 4)), id="T1.2 a suit is free"),
    ],
)
def test_the_price_of_a_call(ledger: Ledger, call: str, after: Ledger) -> None:
    hand = hand_of(TOKEN, said="bid shot, pass, pass, pass", ledger=ledger)
    do(hand, f"call {call}")
    assert (hand.ledger, hand.opening) == (after, ledger)


def test_t41_the_price_is_the_declaring_sides() -> None:
    hand = hand_of(TOKEN, said="pass, bid 3, pass, pass, call high", ledger=Ledger(tokens=(2, 2)))
    assert hand.ledger.tokens == (2, 1)


def test_t44_only_units_from_before_the_call_are_cleared_by_the_hand() -> None:
    hand = play_out(hand_of(TOKEN, said=SHOT_ON_CREDIT, ledger=Ledger(hlm_debt=(1, 0))))
    assert hand.ledger.hlm_debt == (2, 0)
    assert hand.settle().ledger.hlm_debt == (1, 0)


def test_t44_the_first_unit_stays_after_its_own_shot() -> None:
    hand = play_out(hand_of(TOKEN, said=SHOT_ON_CREDIT))
    assert hand.settle().ledger.hlm_debt == (1, 0)


@pytest.mark.parametrize(
    ("variant", "tokens", "expected"),
    [
        pytest.param(
            NO_CREDIT, 0, "call C, call D, call H, call S", id="credit false: not without a token"
        ),
        pytest.param(
            NO_CREDIT,
            1,
            "call C, call D, call H, call S, call high, call low, call mid",
            id="credit false: with one",
        ),
        pytest.param(
            replace(DEAR_MID, tokens=NO_CREDIT.tokens),
            1,
            "call C, call D, call H, call S, call high, call low",
            id="credit false: a call that costs two",
        ),
    ],
)
def test_credit(variant: Variant, tokens: int, expected: str) -> None:
    ledger = Ledger(tokens=(tokens, 9))
    hand = hand_of(variant, said="bid 3, pass, pass, pass", ledger=ledger)
    assert legal(hand) == expected


@pytest.mark.parametrize(
    ("tokens", "after"),
    [
        pytest.param(3, Ledger(tokens=(1, 0)), id="paid whole"),
        pytest.param(1, Ledger(tokens=(1, 0), hlm_debt=(1, 0)), id="or on credit whole"),
    ],
)
def test_a_price_of_two(tokens: int, after: Ledger) -> None:
    ledger = Ledger(tokens=(tokens, 0))
    hand = hand_of(DEAR_MID, said="bid 3, pass, pass, pass, call mid", ledger=ledger)
    assert hand.ledger == after


def test_t21_a_price_is_never_taken_from_an_empty_stock() -> None:
    with pytest.raises(AssertionError, match="could not pay"):
        pay(Ledger(tokens=(1, 0)), Side(0), 2)


def test_variants_without_tokens_carry_the_ledger_along() -> None:
    ledger = Ledger((9, 0), (1, 2), (True, False), (3, 4))
    result = scored(CLASSIC, "lone", 6, ledger=ledger)
    assert result.ledger == Ledger((21, 0), (1, 2), (True, False), (3, 4))


@pytest.mark.parametrize(
    ("rules", "old", "new", "tokens"),
    [
        pytest.param({"decades": (5, 15)}, 0, 12, 1, id="decades of another kind"),
        pytest.param({"decades": (5, 15)}, 0, 21, 2, id="two of them"),
        pytest.param({"sympathy": (-5,)}, 0, -12, 1, id="sympathy sooner"),
        pytest.param({"sympathy": ()}, 0, -21, 0, id="no sympathy"),
        pytest.param({"decades": ()}, 0, 12, 0, id="no decades"),
    ],
)
def test_house_crossings(rules: dict[str, object], old: int, new: int, tokens: int) -> None:
    variant = with_tokens(TOKEN, **rules)
    bid = {12: ("shot", 6), 21: ("loner", 6), -12: ("shot", 0), -21: ("loner", 0)}[new]
    result = scored(variant, *bid, ledger=Ledger(scores=(old, 0)))
    assert (result.ledger.scores[0], result.ledger.tokens[0]) == (new, tokens)
