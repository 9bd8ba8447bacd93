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
from arena.env.render import render_modes
from arena.rules import Hand, Seat, Variant
from arena.rules.cards import SEATS
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


def settings_of(
    variant: str | Variant, episode: str, reward: str, render_mode: str | None
) -> Settings:
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
    modes = render_modes()
    if render_mode is not None and render_mode not in modes:
        raise ValueError(f"{render_mode!r} is no render mode: {' or '.join(modes)}, or None")
    return Settings(rules, Length(episode), Reward(reward))


class Episodes:
    """Episodes one after the other; a seed begins them anew."""

    __slots__ = ("_number", "_seed", "_settings")

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seed = b""
        self._number = 0

    def next(self, seed: int | None) -> Episode:
        """The first episode of a seed, or without one the next of the last seed.

        Raises:
            ValueError: the seed is no whole number from 0.
        """
        if seed is not None or not self._seed:
            number = secrets.randbits(_SEED_BITS) if seed is None else checked_seed(seed)
            self._seed, self._number = seed_bytes(number), 0
        number, self._number = self._number, self._number + 1
        settings = self._settings
        return Episode(settings.variant, settings.length, seed=self._seed, number=number)


def checked_seed(seed: int) -> int:
    """A seed that ``reset`` may take.

    Raises:
        ValueError: it is no whole number from 0.
    """
    if not _is_whole(seed) or seed < 0:
        raise ValueError(f"{seed!r} is no seed: a whole number from 0, or None")
    return int(seed)


def checked_seat(seat: int) -> Seat:
    """A seat of the table.

    Raises:
        ValueError: there is none of that number.
    """
    if not _is_whole(seat) or not 0 <= seat < SEATS:
        raise ValueError(f"{seat!r} is no seat: 0 to {SEATS - 1}")
    return Seat(int(seat))


def _is_whole(number: object) -> bool:
    """Whether it is an integer, of Python's or NumPy's."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


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
