"""TrueSkill: published values, exact symmetries, and the traps of the package.

The values were computed from the closed form of the two-player update, to six digits; they agree
with those published by Moserware (Skills, UnitTests/TrueSkill) and Microsoft within their three.
"""

import math
from dataclasses import replace
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.ids import VersionId
from arena.ratings.results import Outcome, SetResult
from arena.ratings.skill import DrawRefused, Skill, SkillSettings, after_set, rate, unrated
from tests.ratings.sets import (
    ANN,
    BOB,
    CYD,
    DRAW,
    LOSS,
    WIN,
    a_set,
    fields_of,
    luck_exchanged,
    mirrored,
    repeated,
)

ARENA = SkillSettings()
NO_DRAWS = SkillSettings(draw_probability=0.0)
PUBLISHED = SkillSettings(tau=25 / 300)
CHESS = SkillSettings(mu=1200, sigma=400, beta=200, tau=4, draw_probability=0.03)
START = Skill(25, 25 / 3)

skills = st.builds(Skill, st.floats(-100, 100, allow_subnormal=False), st.floats(0.01, 25 / 3))
settings_with_draws = st.builds(
    SkillSettings, draw_probability=st.sampled_from([0.01, 0.1, 0.5, 0.99])
)


@pytest.mark.parametrize(
    ("settings", "first", "second", "outcome", "expected"),
    [
        pytest.param(
            PUBLISHED, START, START, WIN, (29.395832, 7.171476, 20.604168, 7.171476), id="a win"
        ),
        pytest.param(
            PUBLISHED, START, START, DRAW, (25.0, 6.457516, 25.0, 6.457516), id="a draw of equals"
        ),
        pytest.param(
            PUBLISHED,
            START,
            Skill(50, 12.5),
            DRAW,
            (31.662302, 7.137446, 35.010653, 7.910077),
            id="a draw that is a massive upset",
        ),
        pytest.param(
            replace(PUBLISHED, draw_probability=0.5),
            START,
            START,
            WIN,
            (30.267097, 7.076921, 19.732903, 7.076921),
            id="a win where half of the sets are drawn",
        ),
        pytest.param(
            CHESS,
            Skill(1301.0007, 42.9232),
            Skill(1188.7560, 42.5570),
            WIN,
            (1304.781599, 42.843607, 1185.038786, 42.485696),
            id="a win on the scale of chess",
        ),
        pytest.param(
            NO_DRAWS,
            START,
            START,
            WIN,
            (29.205221, 7.194481, 20.794779, 7.194481),
            id="a win without drift and without draws",
        ),
        pytest.param(
            NO_DRAWS,
            Skill(20, 1.5),
            Skill(30, 1.5),
            WIN,
            (20.726196, 1.462609, 29.273804, 1.462609),
            id="an upset without drift and without draws",
        ),
    ],
)
def test_published_values(
    settings: SkillSettings,
    first: Skill,
    second: Skill,
    outcome: Outcome,
    expected: tuple[float, float, float, float],
) -> None:
    one, other = after_set(first, second, outcome, settings)
    assert (one.mu, one.sigma, other.mu, other.sigma) == pytest.approx(expected, rel=0, abs=1e-5)


def test_the_constants_are_those_of_the_design() -> None:
    assert (ARENA.mu, ARENA.sigma, ARENA.beta) == (25, 25 / 3, 25 / 6)
    assert (ARENA.tau, ARENA.draw_probability) == (0, 0.10)
    assert unrated(ARENA) == START
    assert START.conservative == 0
    assert Skill(30, 2).conservative == 24


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"mu": math.inf}, "mu must be from -1e.06 to 1e.06, not inf"),
        ({"mu": -2e6}, "mu must be from -1e.06 to 1e.06, not -2e.06"),
        ({"sigma": 0}, "sigma must be from 1e-06 to 1e.06, not 0"),
        ({"beta": math.nan}, r"beta \(for this sigma\) must be from 0.833333 to 1e.06, not nan"),
        ({"sigma": 50, "beta": 4.9}, r"beta \(for this sigma\) must be from 5 to 1e.06, not 4.9"),
        ({"tau": -0.1}, r"tau \(for this sigma\) must be from 0 to 8.33333, not -0.1"),
        ({"tau": 9}, r"tau \(for this sigma\) must be from 0 to 8.33333, not 9"),
        ({"draw_probability": 1}, r"draw_probability \(when .* from 0.01 to 0.99, not 1"),
        ({"draw_probability": 1e-3}, r"draw_probability \(when it is not 0\) must be from 0.01"),
        ({"draw_probability": -0.1}, r"draw_probability \(when it is not 0\) must be from 0.01"),
    ],
)
def test_settings_that_the_arithmetic_cannot_carry_are_refused(
    changes: dict[str, float], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        SkillSettings(**changes)


# A draw where draws are impossible: the package raises sigma from 8.333 to 9.588 without a word.


def test_a_draw_with_draw_probability_0_is_refused() -> None:
    with pytest.raises(DrawRefused, match="a draw cannot be rated with draw_probability 0"):
        after_set(START, START, DRAW, NO_DRAWS)


def test_the_refusal_of_a_draw_names_the_set() -> None:
    with pytest.raises(DrawRefused, match=r"^set r1:1-2:1 of tournament 1: a draw cannot"):
        rate(repeated(WIN, DRAW), NO_DRAWS)


def test_without_draws_draw_probability_0_is_as_good_as_any() -> None:
    assert rate(repeated(WIN, LOSS), NO_DRAWS).keys() == {ANN, BOB}


# Ratings too far apart for floating point: no information, nothing moves.

FAR, FAR_BELOW = Skill(2_000.0, 1.25), Skill(-2_000.0, 1.5)


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize(("first", "second"), [(FAR, FAR_BELOW), (FAR_BELOW, FAR)])
def test_skills_too_far_apart_stay_as_they_are(
    first: Skill, second: Skill, outcome: Outcome
) -> None:
    assert after_set(first, second, outcome, ARENA) == (first, second)


def test_an_upset_within_reach_of_floating_point_moves_both() -> None:
    winner, loser = after_set(Skill(-100.0, 1.0), Skill(100.0, 1.0), WIN, ARENA)
    assert winner.mu > -100 + 4
    assert loser.mu < 100 - 4


@given(
    st.sampled_from(Outcome),
    st.sampled_from([1e-6, 1.0, 1e6]),
    st.sampled_from([0.1, 1.0, 1e6]),
    st.sampled_from([0.01, 0.99]),
    st.floats(-60, 60),
    st.floats(1e-3, 1),
)
def test_the_bounds_of_the_settings_keep_the_arithmetic_sound(
    outcome: Outcome, sigma: float, ratio: float, draw_probability: float, gap: float, known: float
) -> None:
    beta = min(1e6, sigma * ratio)
    settings = SkillSettings(mu=0, sigma=sigma, beta=beta, draw_probability=draw_probability)
    one, other = Skill(gap * math.hypot(beta, sigma), sigma), Skill(0.0, sigma * known)
    for before, after in zip((one, other), after_set(one, other, outcome, settings), strict=True):
        assert math.isfinite(after.mu)
        assert 0 < after.sigma <= before.sigma


def test_a_narrow_margin_is_as_exact_as_promised() -> None:
    """The closed form at a gap of 0: v = 0, w = eps phi(eps) / (Phi(eps) - 1/2)."""
    eps, share = NormalDist().inv_cdf(0.505) * math.sqrt(1 / 5), 2 / 5
    w = eps * NormalDist().pdf(eps) / (NormalDist().cdf(eps) - 0.5)
    one, _ = after_set(START, START, DRAW, SkillSettings(draw_probability=0.01))
    assert one.sigma == pytest.approx(START.sigma * math.sqrt(1 - share * w), abs=1e-5)


# Draws.


@given(skills, st.floats(0.01, 25 / 3), settings_with_draws)
def test_a_draw_of_equal_means_moves_neither(
    skill: Skill, sigma: float, settings: SkillSettings
) -> None:
    one, other = after_set(skill, Skill(skill.mu, sigma), DRAW, settings)
    assert (one.mu, other.mu) == (skill.mu, skill.mu)


@given(skills, settings_with_draws)
@example(  # the package gives two sigmas here that differ in the last digit
    Skill(-75.06875149378176, 0.9608818641635898), SkillSettings(beta=1.0, draw_probability=0.5)
)
def test_a_draw_of_equals_leaves_equals(skill: Skill, settings: SkillSettings) -> None:
    one, other = after_set(skill, skill, DRAW, settings)
    assert one == other


@given(skills, skills, st.sampled_from(Outcome), settings_with_draws)
@example(  # the package raises the loser's sigma by rounding here
    Skill(14.680144211535293, 0.047252668791634166),
    Skill(-84.5772440998042, 7.024201396595471),
    WIN,
    ARENA,
)
def test_no_set_ever_raises_sigma(
    one: Skill, other: Skill, outcome: Outcome, settings: SkillSettings
) -> None:
    after = after_set(one, other, outcome, settings)
    assert after[0].sigma <= one.sigma
    assert after[1].sigma <= other.sigma


def test_drift_may_raise_sigma_by_its_own_amount_only() -> None:
    drifting = SkillSettings(tau=3.0)
    favourite, _ = after_set(Skill(60.0, 4.0), Skill(0.0, 1.0), WIN, drifting)
    assert favourite.sigma == pytest.approx(5.0)


def test_twenty_draws_and_nothing_else_move_nobody() -> None:
    rated = rate(repeated(*[DRAW] * 20))
    assert rated[ANN] == rated[BOB]
    assert rated[ANN].mu == 25
    assert rated[ANN].sigma < rate(repeated(*[DRAW] * 19))[ANN].sigma


# Symmetries, to the last digit.


@given(skills, skills, st.sampled_from(Outcome), settings_with_draws)
def test_exchanged_sides_give_exchanged_values(
    one: Skill, other: Skill, outcome: Outcome, settings: SkillSettings
) -> None:
    there = after_set(one, other, outcome, settings)
    back = after_set(other, one, outcome.mirrored(), settings)
    assert back == (there[1], there[0])


@given(fields_of(4), st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(results: list[SetResult], chance: Random) -> None:
    shuffled = list(results)
    chance.shuffle(shuffled)
    assert list(rate(shuffled).items()) == list(rate(results).items())


@given(fields_of(4))
def test_the_side_that_tells_a_set_does_not_matter(results: list[SetResult]) -> None:
    assert rate(mirrored(results)) == rate(results)


@given(fields_of(2))
def test_exchanged_luck_exchanges_the_skills_of_two(results: list[SetResult]) -> None:
    was, now = rate(results), rate(luck_exchanged(results))
    assert (now.get(ANN), now.get(BOB)) == (was.get(BOB), was.get(ANN))


@given(fields_of(4), st.permutations([7, 8, 9, 1]))
def test_names_do_not_matter(results: list[SetResult], names: list[int]) -> None:
    name = {VersionId(101 + k): VersionId(number) for k, number in enumerate(names)}
    renamed = [replace(s, first=name[s.first], second=name[s.second]) for s in results]
    assert rate(renamed) == {name[version]: skill for version, skill in rate(results).items()}


def test_later_sets_start_from_earlier_ones() -> None:
    first, second = a_set(ANN, BOB, WIN), a_set(BOB, CYD, LOSS, round_number=2)
    ann, bob = after_set(START, START, WIN, ARENA)
    cyd, bob = after_set(START, bob, WIN, ARENA)
    assert rate([second, first]) == {ANN: ann, BOB: bob, CYD: cyd}


def test_versions_come_by_ascending_id() -> None:
    assert list(rate([a_set(CYD, BOB), a_set(BOB, ANN)])) == [ANN, BOB, CYD]


def test_no_results_rate_nobody() -> None:
    assert rate([]) == {}


def test_a_forfeit_counts_in_the_rating() -> None:
    assert rate([a_set(forfeit=True)]) == rate([a_set()])
