"""The environment in which all four seats learn: PettingZoo's agent-environment cycle."""

from __future__ import annotations

from typing import Any, Final

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena.env.actions import actions_by_number
from arena.env.episode import Episode
from arena.env.features import Vector, features
from arena.env.render import render_modes, table_text
from arena.env.settings import (
    Episodes,
    action_space,
    mask_of,
    no_actions,
    observation_space,
    settings_of,
)
from arena.rules import Seat, Variant, tables_of, view_of
from arena.rules.cards import SEATS, side_of

AGENTS: Final = tuple(f"seat_{seat}" for seat in range(SEATS))
"""The agents, by seat; partners sit across: seat_0 with seat_2, seat_1 with seat_3."""

ILLEGAL_REWARD: Final = -1.0


def env(
    variant: str | Variant = "classic",
    *,
    episode: str = "hand",
    reward: str = "points",
    render_mode: str | None = None,
) -> AECEnv[str, Vector, int]:
    """The environment with PettingZoo's usual wrappers.

    An action that the mask forbids ends the episode, and its agent is rewarded with -1.

    Args:
        variant: ``classic``, ``token``, ``double`` or a variant of your own.
        episode: ``hand`` or ``game``.
        reward: ``points`` after each hand, or the ``result`` at the end.
        render_mode: ``ansi`` for a ``render`` that returns the table as text.
    """
    raw = raw_env(variant, episode=episode, reward=reward, render_mode=render_mode)
    terminating = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    bounded = wrappers.AssertOutOfBoundsWrapper(terminating)
    return wrappers.OrderEnforcingWrapper(bounded)


def raw_env(
    variant: str | Variant = "classic",
    *,
    episode: str = "hand",
    reward: str = "points",
    render_mode: str | None = None,
) -> BidEuchre:
    """The environment without wrappers: a forbidden action raises an error."""
    return BidEuchre(variant, episode=episode, reward=reward, render_mode=render_mode)


class BidEuchre(AECEnv[str, Vector, int]):
    """Bid Euchre as an AEC environment.

    An agent is only selected when it has a choice: single legal actions are made by themselves
    (rules A1), and a seat that sits out is passed over.  ``infos[agent]["action_mask"]`` has ones
    for the agent that is selected only.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "bid_euchre_v0",
        "render_modes": render_modes(),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        episode: str = "hand",
        reward: str = "points",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.settings = settings_of(variant, episode, reward, render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = []
        self.observation_spaces = {agent: observation_space() for agent in AGENTS}
        self.action_spaces = {agent: action_space() for agent in AGENTS}
        self._tables = tables_of(self.settings.variant)
        self._actions = actions_by_number(self._tables)
        self._episodes = Episodes(self.settings)
        self._episode: Episode | None = None

    def observation_space(self, agent: str) -> spaces.Space[Vector]:
        """The same box for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[int]:
        """The numbers of all actions of all variants."""
        return self.action_spaces[agent]

    @property
    def episode(self) -> Episode:
        """The episode under way; for tests and tools, not for agents: it has all cards."""
        assert self._episode is not None, "reset comes before anything else"
        return self._episode

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: the first of ``seed``, or the next one; ``options`` are not used.

        Raises:
            ValueError: the seed is no whole number from 0.
        """
        self._episode = self._episodes.next(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._select()

    def step(self, action: int | None) -> None:
        """Do the action of that number for the selected agent; None for one that is done.

        Raises:
            ValueError: the variant has no action of that number.
            IllegalAction: it is not legal now.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        chosen = None if action is None else self._actions.get(int(action))
        if chosen is None:
            raise ValueError(f"{self.settings.variant.name} has no action of number {action}")
        episode = self.episode
        episode.apply(chosen)
        self._cumulative_rewards[agent] = 0.0
        earned = episode.rewards(self.settings.reward)
        self.rewards = {one: earned[side_of(_seat(one))] for one in AGENTS}
        self.terminations = dict.fromkeys(AGENTS, episode.over)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        episode = self.episode
        self.agent_selection = AGENTS[0 if episode.over else episode.hand.to_act]
        self.infos = {agent: {"action_mask": no_actions()} for agent in AGENTS}
        self.infos[self.agent_selection]["action_mask"] = mask_of(episode.hand)

    def observe(self, agent: str) -> Vector:
        """What that agent sees now."""
        return features(self._tables, view_of(self.episode.hand, _seat(agent)))

    def render(self) -> str | None:
        """The table as text, all cards shown; None without a render mode."""
        return None if self.render_mode is None else table_text(self.episode.hand)

    def close(self) -> None:
        """Nothing is held open."""


def _seat(agent: str) -> Seat:
    return Seat(AGENTS.index(agent))
