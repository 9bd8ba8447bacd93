"""Refused actions: code, paragraph, sentence; nothing changes (rules C3.7)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    Action,
    ActionKind,
    Call,
    Card,
    Hand,
    IllegalAction,
    Ledger,
    Refusal,
    Seat,
    Variant,
)
from arena.rules.actions import PLAYS, action_of
from arena.rules.refusal import refuse
from arena.rules.tables import tables_of
from tests.rules.positions import action, fingerprint, hand_of, play_out, with_tokens

RICH = Ledger(tokens=(3, 3))
START = Ledger()
NAMED = "pass, pass, pass, bid 3, call H"
FOLLOW = {0: "9C", 1: "AC TC 9D TD JD 9H"}
SHOOT = "bid shoot, pass, pass, pass, call H"
SHOT = "bid shot, pass, pass, pass, call H"
GIVER = {0: "9C TC 9D TD 9S TS", 2: "JH AH AC KC AD KD"}
FIXED_TRADE = replace(CLASSIC, name="fixed", trade_optional=False)
HIGH_NT = replace(
    CLASSIC, name="high-nt", calls=(*CLASSIC.calls[:4], replace(CLASSIC.calls[4], lowest_bid="5"))
)


def anything(hand: Hand, text: str) -> Action:
    """An action of any variant by its text."""
    for variant in (hand.tables.variant, CLASSIC, TOKEN, DOUBLE):
        if text in tables_of(variant).texts:
            return tables_of(variant).texts[text]
    raise AssertionError(f"no variant has {text!r}")


def refusal_of(hand: Hand, wrong: object) -> IllegalAction:
    """The refusal, after a check that it has changed nothing."""
    before = fingerprint(hand)
    with pytest.raises(IllegalAction) as caught:
        hand.apply(wrong)  # type: ignore[arg-type]
    assert fingerprint(hand) == before
    return caught.value


Case = tuple[Variant, dict[int, str], Ledger, str, str, str, str, str]

# Variant, cards, ledger, what was said and played, the refused action; code, paragraph, words.
CASES: list[Case] = [
    # The wrong kind of action for the question.
    (CLASSIC, {}, START, "", "play 9C", "wrong-phase", "N", "which is: speak"),
    (CLASSIC, {}, START, "", "call H", "wrong-phase", "N", "which is: speak"),
    (TOKEN, {}, START, "", "shooter self", "wrong-phase", "N", "which is: speak"),
    (CLASSIC, {}, START, "bid 3, pass, pass, pass", "pass", "wrong-phase", "N", ": call"),
    (CLASSIC, {}, START, NAMED, "bid 4", "wrong-phase", "N", "which is: play"),
    (CLASSIC, {}, START, NAMED, "discard 9C", "wrong-phase", "N", "which is: play"),
    (CLASSIC, {}, START, SHOOT, "give 9C", "wrong-phase", "N", "which is: trade"),
    (CLASSIC, {}, START, f"{SHOOT}, trade 9C", "trade AD", "wrong-phase", "N", ": give"),
    (TOKEN, GIVER, START, f"{SHOT}, give JH", "play 9C", "wrong-phase", "N", ": discard"),
    (TOKEN, {}, RICH, "force opponents", "pass", "wrong-phase", "N", "which is: shooter"),
    # The auction.
    (CLASSIC, {}, START, "pass, pass, pass", "pass", "stuck-dealer", "C2.4", "must bid"),
    (CLASSIC, {}, START, "bid 4", "bid 3", "bid-too-low", "C2.2", "not above the standing 4"),
    (CLASSIC, {}, START, "bid 4", "bid 4", "bid-too-low", "C2.2", "not above the standing 4"),
    (CLASSIC, {}, START, "bid lone", "bid lone", "bid-too-low", "C2.2", "standing lone"),
    (DOUBLE, {}, START, "bid 4 H", "bid 4 NT", "bid-too-low", "C2.2", "above the standing 4"),
    (DOUBLE, {}, START, "bid solo H", "bid solo NT", "bid-too-low", "C2.2", "solo"),
    (CLASSIC, {}, START, "", "bid shot", "unknown-action", "N", "classic has no 'bid shot'"),
    (DOUBLE, {}, START, "", "bid 3", "unknown-action", "N", "double has no 'bid 3'"),
    (
        TOKEN,
        {},
        Ledger(token_debt=(True, False)),
        "",
        "bid 4",
        "debt-minimum",
        "T3.2",
        "below 5, the least",
    ),
    (
        TOKEN,
        {},
        Ledger(hlm_debt=(1, 0)),
        "",
        "bid 6",
        "debt-minimum",
        "T4.3",
        "below shot, the least",
    ),
    (
        TOKEN,
        {},
        Ledger(token_debt=(True, False), hlm_debt=(1, 0)),
        "",
        "bid 5",
        "debt-minimum",
        "T4.3",
        "below shot",
    ),
    (TOKEN, {}, START, "", "force partner", "cannot-force", "T5.1", "more than the 0 tokens"),
    (
        TOKEN,
        {},
        Ledger(tokens=(2, 9)),
        "",
        "force opponents",
        "cannot-force",
        "T5.1",
        "costs more than the 2 tokens of the side",
    ),
    (TOKEN, {}, RICH, "bid shot", "force partner", "cannot-force", "T5.1", "comes too late"),
    (TOKEN, {}, RICH, "bid loner", "force opponents", "cannot-force", "T5.1", "not below shot"),
    (CLASSIC, {}, RICH, "", "force partner", "cannot-force", "T5.1", "classic has no 'force"),
    (
        with_tokens(TOKEN, force_partner=None),
        {},
        RICH,
        "",
        "force partner",
        "cannot-force",
        "T5.1",
        "token has no 'force partner'",
    ),
    (
        with_tokens(TOKEN, force_opponents=None),
        {},
        RICH,
        "",
        "force opponents",
        "cannot-force",
        "T5.1",
        "token has no 'force opponents'",
    ),
    # The call.
    (CLASSIC, {}, START, "bid 3, pass, pass, pass", "call low", "call-not-offered", "B3", "no"),
    (
        TOKEN,
        {},
        START,
        "bid 3, pass, pass, pass",
        "call NT",
        "call-not-offered",
        "T1.2",
        "token has no 'call NT'",
    ),
    (
        HIGH_NT,
        {},
        START,
        "bid 4, pass, pass, pass",
        "call NT",
        "call-not-offered",
        "T1.3",
        "on 5 or higher only",
    ),
    (
        with_tokens(TOKEN, credit=False),
        {},
        START,
        "bid 4, pass, pass, pass",
        "call mid",
        "call-not-offered",
        "T4.1",
        "costs more than the tokens of the side",
    ),
    # The exchange.
    (CLASSIC, GIVER, START, SHOOT, "trade AC", "not-in-hand", "B4", "does not hold AC"),
    (CLASSIC, GIVER, START, f"{SHOOT}, trade 9C", "give 9C", "not-in-hand", "B4", "hold 9C"),
    (FIXED_TRADE, {}, START, SHOOT, "no trade", "wrong-phase", "B4", "may not be declined"),
    (TOKEN, GIVER, START, SHOT, "give 9C", "not-in-hand", "T1.4", "seat 2 does not hold 9C"),
    (TOKEN, GIVER, START, SHOT, "give AH", "must-give-best", "T1.5", "not the best card"),
    (TOKEN, GIVER, START, SHOT, "give AC", "must-give-best", "T1.5", "not the best card"),
    (
        TOKEN,
        GIVER,
        START,
        f"{SHOT}, give JH",
        "discard AC",
        "not-in-hand",
        "T1.4",
        "seat 0 does not hold AC",
    ),
    # The play.
    (CLASSIC, FOLLOW, START, NAMED, "play AC", "not-in-hand", "C3.4", "does not hold AC"),
    (
        CLASSIC,
        FOLLOW,
        START,
        f"{NAMED}, play 9C",
        "play 9D",
        "must-follow",
        "C3.4",
        "seat 1 holds a card of the suit led",
    ),
    (CLASSIC, FOLLOW, START, f"{NAMED}, play 9C", "play JD", "must-follow", "C3.4", "follow"),
    (CLASSIC, FOLLOW, START, f"{NAMED}, play 9C", "play 9C", "not-in-hand", "C3.4", "hold 9C"),
]


def sentence_of(case: Case) -> str:
    variant, _, _, said, wrong, code, paragraph, _ = case
    return f"{paragraph} {variant.name}: after '{said}' {wrong!r} is refused as {code}"


@pytest.mark.parametrize(
    ("variant", "held", "ledger", "said", "wrong", "code", "paragraph", "sentence"),
    [pytest.param(*case, id=sentence_of(case)) for case in CASES],
)
def test_refusals(
    variant: Variant,
    held: dict[int, str],
    ledger: Ledger,
    said: str,
    wrong: str,
    code: str,
    paragraph: str,
    sentence: str,
) -> None:
    hand = hand_of(variant, held, said=said, ledger=ledger)
    refusal = refusal_of(hand, anything(hand, wrong))
    assert (refusal.refusal.value, refusal.paragraph) == (code, paragraph)
    assert sentence in str(refusal)


def test_c36_nothing_may_be_done_after_the_last_trick() -> None:
    hand = play_out(hand_of(said=NAMED))
    refusal = refusal_of(hand, action(hand, "play 9C"))
    assert (refusal.refusal, refusal.paragraph) == (Refusal.HAND_IS_OVER, "C3.6")


@pytest.mark.parametrize(
    ("said", "seat", "text", "paragraph"),
    [
        pytest.param("", 1, "pass", "C2.1", id="C2.1 the dealer's left speaks first"),
        pytest.param("pass", 0, "bid 3", "C2.1", id="C2.1 a seat speaks once"),
        pytest.param(NAMED, 2, "play 9C", "C3.6", id="C3.6 the leader plays first"),
    ],
)
def test_another_seats_turn(said: str, seat: int, text: str, paragraph: str) -> None:
    hand = hand_of(said=said)
    refusal = refuse(hand, Seat(seat), action(hand, text))
    assert (refusal.refusal, refusal.paragraph) == (Refusal.NOT_YOUR_TURN, paragraph)
    assert f"it is the turn of seat {hand.to_act}" in str(refusal)


FOREIGN = [3, 3.0, 0, True, None, "pass", b"pass", "play 9C", Fraction(3), Card(4), Call.CLUBS]


@pytest.mark.parametrize(
    "said", ["", "bid 3, pass, pass, pass", SHOOT, f"{SHOOT}, trade 9C", NAMED]
)
@pytest.mark.parametrize("foreign", [*FOREIGN, ActionKind.PASS, Ellipsis, [], {}], ids=repr)
def test_a_foreign_value_is_no_action(said: str, foreign: object) -> None:
    hand = hand_of(held={0: "9C"}, said=said)
    refusal = refusal_of(hand, foreign)
    assert (refusal.refusal, refusal.paragraph) == (Refusal.UNKNOWN_ACTION, "N")


def test_a_lookalike_of_an_action_is_none() -> None:
    hand = hand_of(held={0: "9C"}, said=NAMED)
    lookalike = Action()
    for name in Action.__slots__:
        setattr(lookalike, name, getattr(action(hand, "play 9C"), name))
    before = fingerprint(hand)
    with pytest.raises(IllegalAction):
        hand.apply(lookalike)
    assert fingerprint(hand) == before


def test_a_bid_that_no_variant_has() -> None:
    bid = action_of(ActionKind.BID, level=2, name="ghost")
    assert refusal_of(hand_of(), bid).refusal is Refusal.UNKNOWN_ACTION


@pytest.mark.parametrize("variant", [CLASSIC, TOKEN, DOUBLE], ids=lambda variant: variant.name)
def test_after_a_refusal_the_same_seat_acts_as_if_nothing_had_been(variant: Variant) -> None:
    calm, pestered = hand_of(variant, ledger=RICH), hand_of(variant, ledger=RICH)
    everything = [*tables_of(variant).texts.values(), *PLAYS.of((1 << 24) - 1)]
    while calm.legal:
        for wrong in everything:
            if wrong not in pestered.legal:
                refusal_of(pestered, wrong)
        choice = calm.legal[len(calm.log) % len(calm.legal)]
        calm.apply(choice)
        pestered.apply(choice)
    assert fingerprint(calm) == fingerprint(pestered)
    assert calm.settle() == pestered.settle()


def test_the_codes_are_stable_and_each_has_a_case() -> None:
    elsewhere = {"hand-is-over", "not-your-turn"}
    assert {code for *_, code, _, _ in CASES} | elsewhere == {code.value for code in Refusal}
    assert {refusal.value for refusal in Refusal} == {
        "hand-is-over",
        "not-your-turn",
        "wrong-phase",
        "not-in-hand",
        "must-follow",
        "bid-too-low",
        "debt-minimum",
        "stuck-dealer",
        "cannot-force",
        "call-not-offered",
        "must-give-best",
        "unknown-action",
    }


def test_both_shooters_are_always_legal() -> None:
    hand = hand_of(TOKEN, said="force opponents", ledger=RICH)
    with pytest.raises(AssertionError, match="both shooters"):
        refuse(hand, hand.to_act, action(hand, "shooter self"))
