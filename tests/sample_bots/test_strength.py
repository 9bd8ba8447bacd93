"""Who is stronger, by mirrored sets: the promises of the sample bots' READMEs."""

from __future__ import annotations

import pytest

from arena.rules import VARIANTS, Variant
from tests.sample_bots.duel import Duel, SetScore, duel, load_bot, superiority


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_rule_of_thumb_beats_random(variant: Variant) -> None:
    result = duel(variant, load_bot("rule_of_thumb"), load_bot("random"), range(12))
    assert result.likelihood_by_points > 0.999, result
    assert result.likelihood_by_wins > 0.999, result


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_counting_beats_rule_of_thumb(variant: Variant) -> None:
    result = duel(variant, load_bot("counting"), load_bot("rule_of_thumb"), range(300))
    assert result.likelihood_by_points > 0.99, result
    assert result.likelihood_by_wins > 0.99, result


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_both_think_fast(variant: Variant) -> None:
    """By processor time: 150 us a decision on average, never more than 10 ms."""
    result = duel(variant, load_bot("counting"), load_bot("rule_of_thumb"), range(20))
    for thought in result.thoughts:
        assert thought.mean_us < 150, result
        assert thought.longest < 0.010, result


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 0.5),
        ([1.0], 0.5),
        ([0.0, 0.0], 0.5),
        ([1.0, 1.0], 1.0),
        ([-1.0, -1.0], 0.0),
        ([1.0, -1.0], 0.5),
        # Mean 0.5, standard error 0.5: Phi(1).
        ([1.0, 0.0], 0.841345),
    ],
)
def test_the_likelihood_of_superiority(values: list[float], expected: float) -> None:
    assert superiority(values) == pytest.approx(expected, abs=1e-6)


def test_a_duel_counts_won_drawn_and_lost_sets() -> None:
    scores = [SetScore(1, 10, 20), SetScore(0, 0, 20), SetScore(-1, -5, 10), SetScore(1, 2, 10)]
    result = Duel(scores)
    assert result.wins == (2, 1, 1)
    assert result.points_per_deal == [0.5, 0.0, -0.5, 0.2]
