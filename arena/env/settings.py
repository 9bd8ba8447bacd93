"""What both environments are made with, and the seeds of their episodes."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from arena.env.actions import ACTIONS, number_of
from arena.env.episode import Episode, Length, Reward, seed_bytes
from arena.env.features import LENGTH, Vector
from arena.rules import Hand, Variant
from arena.sdk.local import named_variant

Mask = npt.NDArray[np.int8]

_SEED_BITS: Final = 63


@dataclass(frozen=True, slots=True)
class Settings:
    """What an episode is and what it pays.

    Attributes:
        variant: the rules.
        length: a hand or a game.
        reward: points or the result.
    """

    variant: Variant
    length: Length
    reward: Reward


def settings_of(variant: str | Variant, episode: str, reward: str) -> Settings:
    """The settings of an environment.

    Raises:
        ValueError: a word that names none; the sentence says which there are.
    """
    rules = named_variant(variant)
    lengths, rewards = [one.value for one in Length], [one.value for one in Reward]
    if episode not in lengths:
        raise ValueError(f"{episode!r} is no episode: {' or '.join(lengths)}")
    if reward not in rewards:
        raise ValueError(f"{reward!r} is no reward: {' or '.join(rewards)}")
    return Settings(rules, Length(episode), Reward(reward))


class Episodes:
    """Episodes one after the other; a seed begins them anew."""

    __slots__ = ("_number", "_seed", "_settings")

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seed = b""
        self._number = 0

    def next(self, seed: int | None) -> Episode:
        """The first episode of a seed, or without one the next of the last seed."""
        if seed is not None or not self._seed:
            number = secrets.randbits(_SEED_BITS) if seed is None else seed
            self._seed, self._number = seed_bytes(number), 0
        number, self._number = self._number, self._number + 1
        settings = self._settings
        return Episode(settings.variant, settings.length, seed=self._seed, number=number)


def observation_space() -> spaces.Space[Vector]:
    """The space of ``features``: a ``Box``."""
    return cast("spaces.Space[Vector]", spaces.Box(-1.0, 1.0, (LENGTH,), np.float32))


def action_space() -> spaces.Space[int]:
    """The space of the numbers of actions: a ``Discrete``."""
    return cast("spaces.Space[int]", spaces.Discrete(ACTIONS))


def no_actions() -> Mask:
    """A mask that allows nothing."""
    return np.zeros(ACTIONS, np.int8)


def mask_of(hand: Hand) -> Mask:
    """Ones at the numbers of the actions that are legal now."""
    mask = no_actions()
    mask[[number_of(action) for action in hand.legal]] = 1
    return mask
