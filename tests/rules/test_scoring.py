"""The points of a hand (rules C4, B2, B4, B5, T1.4, T1.6, D5)."""

from dataclasses import replace

import pytest

from arena.rules import CLASSIC, DOUBLE, TOKEN, Ledger, Settlement, Side, Variant, tables_of
from arena.rules.scoring import Contract, settle
from arena.rules.variant import BidRule
from tests.rules.positions import START, hand_of, play_out

QUIET = replace(CLASSIC, name="quiet", defenders_score=False)
FLAT = replace(
    CLASSIC,
    name="flat",
    bids=(BidRule("3", 3, made=5, set=9), BidRule("4", 4, set=1), BidRule("5", 5, made=7)),
)


def scored(
    variant: Variant,
    bid: str,
    taken: int,
    *,
    side: int = 0,
    ledger: Ledger = START,
    old_hlm_debt: tuple[int, int] | None = None,
) -> Settlement:
    """A hand in which ``side`` declared ``bid`` and took that many tricks."""
    rest = variant.hand_size - taken
    return settle(
        tables_of(variant),
        ledger,
        Contract(variant.level_of(bid), Side(side)),
        tricks=(taken, rest) if side == 0 else (rest, taken),
        old_hlm_debt=ledger.hlm_debt if old_hlm_debt is None else old_hlm_debt,
    )


@pytest.mark.parametrize(
    ("variant", "bid", "taken", "points", "made"),
    [
        pytest.param(CLASSIC, "3", 3, (3, 3), True, id="C4.2 made exactly"),
        pytest.param(CLASSIC, "3", 5, (5, 1), True, id="C4.2 the tricks taken, not the bid"),
        pytest.param(CLASSIC, "3", 6, (6, 0), True, id="C4.2 all the tricks on a 3"),
        pytest.param(CLASSIC, "3", 2, (-3, 4), False, id="C4.3 minus the bid; C4.5 defenders"),
        pytest.param(CLASSIC, "5", 4, (-5, 2), False, id="C4.3 the tricks taken count nothing"),
        pytest.param(CLASSIC, "4", 0, (-4, 6), False, id="C4.3 no trick at all"),
        pytest.param(CLASSIC, "6", 6, (6, 0), True, id="B2 6 made"),
        pytest.param(CLASSIC, "6", 5, (-6, 1), False, id="B2 6 set"),
        pytest.param(CLASSIC, "shoot", 6, (8, 0), True, id="B4 Shoot made"),
        pytest.param(CLASSIC, "shoot", 5, (-8, 1), False, id="C4.1 Shoot needs all; C4.5"),
        pytest.param(CLASSIC, "shoot", 0, (-8, 6), False, id="B4 Shoot set"),
        pytest.param(CLASSIC, "lone", 6, (12, 0), True, id="B5 Lone made"),
        pytest.param(CLASSIC, "lone", 4, (-12, 2), False, id="B5 Lone set"),
        pytest.param(TOKEN, "6", 6, (6, 0), True, id="T1.7 6 with the partner"),
        pytest.param(TOKEN, "shot", 6, (12, 0), True, id="T1.4 Shot made"),
        pytest.param(TOKEN, "shot", 5, (-12, 1), False, id="T1.4 Shot set"),
        pytest.param(TOKEN, "loner", 6, (21, 0), True, id="T1.6 Loner made"),
        pytest.param(TOKEN, "loner", 5, (-21, 1), False, id="T1.6 Loner set"),
        pytest.param(DOUBLE, "1", 1, (1, 7), True, id="D3 the minimum made"),
        pytest.param(DOUBLE, "4", 7, (7, 1), True, id="C4.2 double: the tricks taken"),
        pytest.param(DOUBLE, "4", 3, (-4, 5), False, id="C4.3 double: set"),
        pytest.param(DOUBLE, "8", 8, (8, 0), True, id="D5 8 is worth its tricks"),
        pytest.param(DOUBLE, "8", 7, (-8, 1), False, id="D5 8 set"),
        pytest.param(DOUBLE, "solo", 8, (24, 0), True, id="D5 Solo made"),
        pytest.param(DOUBLE, "solo", 7, (-24, 1), False, id="D5 Solo set"),
        pytest.param(QUIET, "3", 4, (4, 0), True, id="defenders_score false: made"),
        pytest.param(QUIET, "3", 2, (-3, 0), False, id="defenders_score false: set"),
        pytest.param(FLAT, "3", 6, (5, 0), True, id="bids.made: a fixed plus"),
        pytest.param(FLAT, "3", 1, (-9, 5), False, id="bids.set: a fixed minus"),
        pytest.param(FLAT, "4", 5, (5, 1), True, id="bids.made none: the tricks"),
        pytest.param(FLAT, "5", 4, (-5, 2), False, id="bids.set none: the bid"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_points(
    variant: Variant, bid: str, taken: int, points: tuple[int, int], made: bool, side: int
) -> None:
    result = scored(variant, bid, taken, side=side)
    assert result.points == (points if side == 0 else points[::-1])
    assert result.ledger.scores == result.points
    assert result.made is made


def test_c46_scores_have_no_floor() -> None:
    result = scored(CLASSIC, "lone", 0, ledger=Ledger(scores=(-50, 0)))
    assert result.ledger.scores == (-62, 6)


def test_c47_both_sides_score_after_the_last_trick_and_not_before() -> None:
    hand = hand_of(said="bid 3, pass, pass, pass, call H", ledger=Ledger(scores=(4, -1)))
    while len(hand.log) < 5 + 23:
        hand.apply(hand.legal[0])
        assert hand.ledger.scores == (4, -1)
    tricks = play_out(hand).tricks
    points = (tricks[0] if tricks[0] >= 3 else -3, tricks[1])
    assert hand.settle().ledger.scores == (4 + points[0], -1 + points[1])


def test_a_hand_is_not_scored_before_its_last_trick() -> None:
    hand = hand_of(said="bid 3, pass, pass, pass, call H")
    with pytest.raises(AssertionError, match="before its last trick"):
        hand.settle()


# Hands that are decided by their cards, played through.

TOP = "JH JD AH KH QH TH"
LEFT = "9H AC 9S TD QD KD"


@pytest.mark.parametrize(
    ("said", "points"),
    [
        pytest.param("bid 3, pass, pass, pass, call H", (6, 0), id="C4.2 six tricks on a 3"),
        pytest.param("bid 6, pass, pass, pass, call H", (6, 0), id="B2 a 6"),
        pytest.param("bid lone, pass, pass, pass, call H", (12, 0), id="B5 a Lone"),
        pytest.param(
            "bid shoot, pass, pass, pass, call H, no trade", (8, 0), id="B4 a Shoot without a trade"
        ),
        pytest.param(
            "bid shoot, pass, pass, pass, call H, trade TH, give 9C", (-8, 1), id="B4 a bad trade"
        ),
        pytest.param("pass, bid 3, pass, pass, call H", (6, -3), id="C4.3 set without a trick"),
    ],
)
def test_whole_hands(said: str, points: tuple[int, int]) -> None:
    held = {0: TOP, 2: "9C TC JC QC KC 9D", 1: LEFT}
    hand = play_out(hand_of(CLASSIC, held, said=said))
    assert hand.settle().points == points
