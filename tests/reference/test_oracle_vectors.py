"""The oracle itself: the shared vectors, the deals of S5, and its own random hands."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.reference.cards import deck
from tests.reference.deals import Stream, commitment, shuffled
from tests.reference.oracle import Hand
from tests.reference.playouts import Transcript, every_text, play
from tests.reference.shapes import Refused
from tests.reference.tables import VARIANTS
from tests.vectors.checks import failures_of
from tests.vectors.files import Vector, read_vectors
from tests.vectors.oracle_engine import OracleEngine

VECTORS = Path(__file__).parent.parent / "vectors"
ZERO_SEED = bytes(32)
BOARD_0 = "22 1 4 14 3 30 23 21 6 18 27 15 25 0 7 9 2 11 8 10 5 12 24 17 20 16 13 26 29 19 28 31"
BOARD_1 = "28 19 10 13 25 8 31 23 27 26 22 30 3 29 4 18 11 24 12 1 7 0 17 21 20 16 2 9 14 5 15 6"


@pytest.mark.parametrize(
    "vector",
    [
        pytest.param(vector, id=vector.id)
        for name in ["public.json", "games_public.json"]
        for vector in read_vectors(VECTORS / name)
    ],
)
def test_the_oracle_gives_the_shared_values(vector: Vector) -> None:
    assert failures_of(vector, OracleEngine()) == []


def test_the_commitment_of_s5() -> None:
    expected = "70c4c47b8e95f0ed374e00652636d78687a2fcbc0b152677f3a549570ab6ab7a"
    assert commitment(ZERO_SEED) == expected


@pytest.mark.parametrize(("board", "order"), [(0, BOARD_0), (1, BOARD_1)])
def test_the_shuffles_of_s5(board: int, order: str) -> None:
    assert shuffled(ZERO_SEED, "m1", board, 32) == [int(number) for number in order.split()]


def test_s3_skips_the_numbers_at_and_above_the_limit() -> None:
    n = 3_221_225_472
    raw, even = Stream(ZERO_SEED, "m1", 0), Stream(ZERO_SEED, "m1", 0)
    kept = [number for number in (raw.read() for _ in range(400)) if number < n]
    assert len(kept) < 400
    assert [even.uniform(n) for _ in kept] == kept


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_random_hand_keeps_the_deck_and_refuses_all_that_is_not_legal(variant: str) -> None:
    transcript = play(variant, 1)
    hand = Hand(variant, transcript.given)
    for step in transcript.steps:
        assert_only_the_legal_is_accepted(hand, step.before["legal"])
        hand.apply(step.seat, step.action)
        assert_deck_is_whole(hand)
    assert hand.result() == transcript.result


def assert_only_the_legal_is_accepted(hand: Hand, legal: list[str]) -> None:
    before, to_act = hand.actions(), hand.to_act()
    for seat in range(4):
        for text in every_text(hand.record["variant"]):
            if seat != to_act or text not in legal:
                with pytest.raises(Refused):
                    hand.apply(seat, text)
    assert hand.actions() == before


def assert_deck_is_whole(hand: Hand) -> None:
    """C1.3: what is held, played and discarded is the deck."""
    texts = [text for _, text in hand.actions() if text.split()[0] in ["play", "discard"]]
    seen = [text.split()[1] for text in texts] + [card for held in hand.hands() for card in held]
    assert Counter(seen) == Counter(deck(hand.record["variant"]))


def test_the_random_hands_reach_the_rare_paragraphs() -> None:
    hands = [play("token", seed) for seed in range(150)]
    for name, is_there in RARE.items():
        assert sum(is_there(hand) for hand in hands) >= 1, name


def took(text: str, hand: Transcript) -> bool:
    return any(action == text for _, action in hand.actions())


RARE: dict[str, Callable[[Transcript], bool]] = {
    "T5.1 force partner": lambda hand: took("force partner", hand),
    "T5.1 force opponents": lambda hand: took("force opponents", hand),
    "T5.3 shooter self": lambda hand: took("shooter self", hand),
    "T5.3 shooter partner": lambda hand: took("shooter partner", hand),
    "T4.1 paid call": lambda hand: took("call low", hand),
    "T4.2 call on credit": lambda hand: any(
        now > before
        for now, before in zip(
            hand.steps[-1].before["hlm_debt"], hand.given["hlm_debt"], strict=True
        )
    ),
    "T4.4 a unit cleared": lambda hand: (
        sum(hand.result["hlm_debt"]) < sum(hand.steps[-1].before["hlm_debt"])
    ),
    "T4.5 both debts": lambda hand: any(
        flag and count
        for flag, count in zip(hand.given["token_debt"], hand.given["hlm_debt"], strict=True)
    ),
    "T3.1 debt begins": lambda hand: sum(hand.result["token_debt"]) > sum(hand.given["token_debt"]),
    "T3.3 debt cleared": lambda hand: (
        sum(hand.result["token_debt"]) < sum(hand.given["token_debt"])
    ),
    "T2.4 sympathy": lambda hand: any(
        new <= mark < old
        for mark in [-20, -40, -60]
        for new, old in zip(hand.result["scores"], hand.given["scores"], strict=True)
    ),
    "C2.4 stuck dealer": lambda hand: [step.action for step in hand.steps[:3]] == ["pass"] * 3,
    "C6.1 target": lambda hand: hand.result["end"] == "target",
    "C6.2 both at once": lambda hand: min(hand.result["scores"]) >= 42,
    "C6.3 two hundred hands": lambda hand: hand.result["end"] == "max_hands",
}
