"""TrueSkill ratings of versions, recomputed from all results in canonical order.

The package `trueskill` is used here and nowhere else. Its traps are handled here too: a draw with
draw probability 0 (wrong sigma without a word), ratings too far apart for floating point, and a
draw between equals that depends on the order of its arguments in the last digits.

Model: Herbrich, Minka, Graepel, "TrueSkill: a Bayesian skill rating system" (NIPS 2006).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

import trueskill

from arena.ids import VersionId
from arena.ratings.results import Outcome, SetResult, in_order

LEAST_DRAW_PROBABILITY, GREATEST_DRAW_PROBABILITY = 0.01, 0.99
"""Bounds unless it is 0. Below 0.01 the package's sigma after a draw is wrong by more than 1e-5; at
1e-6 it is wrong by up to 0.3, or a variance comes out negative (measured against the closed form).
"""

GREATEST_RATIO = 10.0
"""Of sigma to beta; beyond it the draw margin is too narrow for the package.
Sensible ratios of sigma to beta are 1 to 2.
"""

LEAST_SCALE, GREATEST_SCALE = 1e-6, 1e6
"""Bounds of mu, sigma and beta that keep every square within floating point."""


def _within(least: float, number: float, greatest: float, name: str) -> None:
    if not least <= number <= greatest:
        raise ValueError(f"{name} must be from {least:g} to {greatest:g}, not {number:g}")


class DrawRefused(ValueError):
    """A drawn set was to be rated although the settings say that draws are impossible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSettings:
    """The constants of the rating, recorded with a ladder; all on one arbitrary scale of skill.

    `mu`, `sigma`: mean and standard deviation of an unrated version. `beta`: standard deviation of
    one set's performance. `tau`: what sigma gains per set; 0 because programs do not drift.
    `draw_probability`: of a set between equals. Raises ValueError, naming the field, for values out
    of bounds.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3.0
    beta: float = 25.0 / 6.0
    tau: float = 0.0
    draw_probability: float = 0.10

    def __post_init__(self) -> None:
        """Refuse what the arithmetic cannot carry; NaN fails every comparison, so NaN too."""
        _within(-GREATEST_SCALE, self.mu, GREATEST_SCALE, "mu")
        _within(LEAST_SCALE, self.sigma, GREATEST_SCALE, "sigma")
        _within(self.sigma / GREATEST_RATIO, self.beta, GREATEST_SCALE, "beta (for this sigma)")
        _within(0.0, self.tau, self.sigma, "tau (for this sigma)")
        if self.draw_probability != 0.0:
            _within(
                LEAST_DRAW_PROBABILITY,
                self.draw_probability,
                GREATEST_DRAW_PROBABILITY,
                "draw_probability (when it is not 0)",
            )


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a skill: normal, mean `mu`, standard deviation `sigma`."""

    mu: float
    sigma: float

    @property
    def conservative(self) -> float:
        """The headline rating, mu - 3 sigma: the skill is above it with probability 99.87 %."""
        return self.mu - 3.0 * self.sigma


DEFAULT_SETTINGS = SkillSettings()


def unrated(settings: SkillSettings) -> Skill:
    """The skill of a version before its first set."""
    return Skill(settings.mu, settings.sigma)


def rate(
    results: Iterable[SetResult], settings: SkillSettings = DEFAULT_SETTINGS
) -> dict[VersionId, Skill]:
    """The skill of every version that played, by ascending id, whatever the order of `results`.

    Raises DrawRefused for a drawn set when the draw probability is 0, ValueError for a set that is
    there twice.
    """
    skills: dict[VersionId, Skill] = {}
    start = unrated(settings)
    for result in in_order(results):
        before = skills.get(result.first, start), skills.get(result.second, start)
        try:
            after = after_set(*before, result.outcome, settings)
        except DrawRefused as refusal:
            raise DrawRefused(f"{result.label}: {refusal}") from None
        skills[result.first], skills[result.second] = after
    return dict(sorted(skills.items()))


def after_set(
    first: Skill, second: Skill, outcome: Outcome, settings: SkillSettings
) -> tuple[Skill, Skill]:
    """Both skills after one set between them.

    Exchanging the two sides exchanges the two values to the last digit. Raises DrawRefused for a
    draw when the draw probability is 0.
    """
    match outcome:
        case Outcome.FIRST_WINS:
            return _posterior(first, second, settings, drawn=False)
        case Outcome.SECOND_WINS:
            second, first = _posterior(second, first, settings, drawn=False)
            return first, second
        case Outcome.DRAW:
            return _after_draw(first, second, settings)
        case _:
            assert_never(outcome)


def _after_draw(first: Skill, second: Skill, settings: SkillSettings) -> tuple[Skill, Skill]:
    """A draw; the weaker goes first, because the package's last digits depend on the order."""
    if settings.draw_probability == 0.0:
        raise DrawRefused("a draw cannot be rated with draw_probability 0: set it above 0")
    if (second.mu, second.sigma) < (first.mu, first.sigma):
        second, first = _after_draw(second, first, settings)
        return first, second
    new_first, new_second = _posterior(first, second, settings, drawn=True)
    if first.mu == second.mu:  # by symmetry neither mean moves; the package's rounding moves them
        new_first, new_second = Skill(first.mu, new_first.sigma), Skill(second.mu, new_second.sigma)
    return (new_first, new_first) if first == second else (new_first, new_second)


def _posterior(
    winner: Skill, loser: Skill, settings: SkillSettings, *, drawn: bool
) -> tuple[Skill, Skill]:
    """The package's answer; unchanged skills when they are too far apart for it.

    Beyond about 38 standard deviations the densities underflow and the package raises
    FloatingPointError, for the favourite's win as for an upset: there is no information left in
    floating point, so nothing moves.
    """
    one, other = trueskill.Rating(winner.mu, winner.sigma), trueskill.Rating(loser.mu, loser.sigma)
    try:
        one, other = trueskill.rate_1vs1(one, other, drawn=drawn, env=_model(settings))
    except FloatingPointError:
        return winner, loser
    return _narrowed(winner, one, settings), _narrowed(loser, other, settings)


def _narrowed(before: Skill, after: trueskill.Rating, settings: SkillSettings) -> Skill:
    """The package's rating as ours; a set never makes us know less, whatever the rounding."""
    return Skill(float(after.mu), min(float(after.sigma), math.hypot(before.sigma, settings.tau)))


@lru_cache(maxsize=16)
def _model(settings: SkillSettings) -> trueskill.TrueSkill:
    """The package's environment for these settings; its global one is never touched."""
    return trueskill.TrueSkill(
        mu=settings.mu,
        sigma=settings.sigma,
        beta=settings.beta,
        tau=settings.tau,
        draw_probability=settings.draw_probability,
    )
