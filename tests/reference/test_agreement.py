"""The arena's engine and the oracle, step by step over the same random hands.

After every action both must say the same of everything: whose turn, what is legal, contract,
trick, tokens, debts, scores, end; all that is not legal must be refused; and what a view tells a
seat must be what the oracle says that the seat may know (I1).
"""

import random
from collections.abc import Mapping, Sequence

import pytest

from arena.rules import Card, Move, Seat, card_text, view_of
from tests.reference.knowledge import Known
from tests.reference.oracle import Hand
from tests.reference.playouts import Transcript, every_text, play
from tests.reference.shapes import Given
from tests.reference.tables import VARIANTS
from tests.vectors import files
from tests.vectors.arena_engine import ArenaEngine, ArenaHand, contract_facts
from tests.vectors.engine import Refused
from tests.vectors.oracle_engine import OracleEngine

HANDS = 150
SLOW_HANDS = 3_000


def arena_hand(variant: str, given: Given) -> ArenaHand:
    return ArenaEngine().hand(
        variant,
        files.Given(
            dealer=given["dealer"],
            hands=tuple(tuple(hand) for hand in given["hands"]),
            scores=(given["scores"][0], given["scores"][1]),
            tokens=(given["tokens"][0], given["tokens"][1]),
            token_debt=(given["token_debt"][0], given["token_debt"][1]),
            hlm_debt=(given["hlm_debt"][0], given["hlm_debt"][1]),
            hands_played=given.get("hands_played", 0),
        ),
    )


def claims_of(facts: Mapping[str, object], state: Mapping[str, object]) -> Mapping[str, object]:
    """What the engine says of the keys that the oracle speaks of."""
    return {key: facts[key] for key in state}


def assert_same_steps(transcript: Transcript) -> None:
    position = arena_hand(transcript.variant, transcript.given)
    for number, step in enumerate(transcript.steps):
        where = (transcript.variant, number, step.seat, step.action)
        assert claims_of(position.facts(), step.before) == step.before, where
        position.apply(step.seat, step.action)
    assert claims_of(position.facts(), transcript.after) == transcript.after


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_say_the_same_after_every_action(variant: str) -> None:
    for seed in range(HANDS):
        assert_same_steps(play(variant, seed))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("variant", VARIANTS)
def test_both_say_the_same_over_many_hands(variant: str) -> None:
    for seed in range(HANDS, HANDS + SLOW_HANDS):
        assert_same_steps(play(variant, seed))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_engine_refuses_all_that_the_oracle_does_not_list(variant: str) -> None:
    for seed in range(10):
        transcript = play(variant, seed)
        position = arena_hand(variant, transcript.given)
        for step in transcript.steps:
            assert_all_else_is_refused(position, step.seat, step.before["legal"])
            position.apply(step.seat, step.action)
        assert_all_else_is_refused(position, 0, [])


def assert_all_else_is_refused(position: ArenaHand, to_act: int, legal: Sequence[str]) -> None:
    before = position.fingerprint()
    for seat in range(4):
        for text in [*every_text(position.hand.tables.variant.name), "bid", "play", "play 1H"]:
            if seat != to_act or text not in legal:
                with pytest.raises(Refused):
                    position.apply(seat, text)
    assert position.fingerprint() == before


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_view_holds_what_the_oracle_says_the_seat_may_know(variant: str) -> None:
    for seed in range(25):
        transcript = play(variant, seed)
        oracle, position = Hand(variant, transcript.given), arena_hand(variant, transcript.given)
        for step in transcript.steps:
            for seat in range(4):
                assert_view_is_known(position, oracle.known(seat))
            oracle.apply(step.seat, step.action)
            position.apply(step.seat, step.action)


def assert_view_is_known(position: ArenaHand, known: Known) -> None:
    view = view_of(position.hand, Seat(known["seat"]))
    moved = {"trade": known["gave"], "give": known["gave"], "discard": known["discarded"]}
    assert [shown(move, view.seat, moved) for move in view.moves] == known["actions"]
    assert sorted(card_text(card) for card in view.cards) == known["cards"]
    assert text_or_none(view.gave) == known["gave"]
    assert text_or_none(view.received) == known["received"]
    assert text_or_none(view.discarded) == known["discarded"]
    assert contract_facts(position.hand) == known["contract"]
    assert view.dealer == known["dealer"]
    assert [list(pair) for pair in view.ledger] == [
        known["scores"],
        known["tokens"],
        known["token_debt"],
        known["hlm_debt"],
    ]


def shown(move: Move, seat: int, moved: Mapping[str, str | None]) -> tuple[int, str]:
    """The view blanks the seat's own exchange too and tells the card beside; put it back."""
    text = move.action.text
    if move.seat == seat and text in moved:
        return (move.seat, f"{text} {moved[text]}")
    return (move.seat, text)


def text_or_none(card: Card) -> str | None:
    return card_text(card) if card >= 0 else None


def test_whole_random_games_go_the_same_way() -> None:
    for number, variant in enumerate(VARIANTS):
        chance = random.Random(number)
        seed = chance.randbytes(32)
        ours = ArenaEngine().game(variant, seed, "agreement", 3)
        theirs = OracleEngine().game(variant, seed, "agreement", 3)
        while not theirs.final()["over"]:
            seat, legal = theirs.legal()
            assert (seat, sorted(ours.legal()[1])) == (ours.legal()[0], legal)
            assert seat is not None
            text = chance.choice(legal)
            ours.apply(seat, text)
            theirs.apply(seat, text)
            assert ours.dealt() == theirs.dealt()
        assert list(ours.scored()) == list(theirs.scored())
        assert ours.final() == theirs.final()
