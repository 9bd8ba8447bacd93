"""The environment in which one seat learns and bots play the others: Gymnasium's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import gymnasium

from arena.env.actions import actions_by_number
from arena.env.episode import Episode
from arena.env.features import Vector, features
from arena.env.render import render_modes, table_text
from arena.env.settings import (
    Episodes,
    Mask,
    action_space,
    checked_seat,
    checked_seed,
    mask_of,
    observation_space,
    settings_of,
)
from arena.rules import Action, Seat, Variant, tables_of, view_of
from arena.rules.cards import SEATS, partner_of, side_of
from arena.sdk.bot import Bot, wants_hands
from arena.sdk.local import LocalView, finished_hand, local_bot
from arena.sdk.values import FinishedGame, Match
from arena.sdk.view import View

Policy = Callable[[View, tuple[Action, ...]], Action]
"""A function of a view and the legal actions, as ``Bot.act`` is."""

Player = type[Bot] | Policy
"""Who plays a seat: a bot's class, or a function."""

ILLEGAL_REWARD: Final = -1.0


class AnyMove(Bot):
    """Takes any legal action, each as likely as any other."""

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return legal[self.rng.randrange(len(legal))]


class SeatEnv(gymnasium.Env[Vector, int]):
    """One seat of a table.

    A forbidden action is not made: the first legal one is, as the kit does for a bot, with
    ``illegal_reward`` on top and ``info["illegal"]`` true.

    Args:
        variant: ``classic``, ``token``, ``double`` or a variant of your own.
        seat: the one that learns, 0 to 3.
        partner: plays the seat across.
        opponents: plays the two others.
        episode: ``hand`` or ``game``.
        reward: ``points`` after each hand, or the ``result`` at the end.
        illegal_reward: what a forbidden action costs.
        render_mode: ``ansi`` for a ``render`` that returns the table as text.

    Raises:
        ValueError: a setting that is none.
    """

    metadata: dict[str, Any] = {"render_modes": render_modes(), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        seat: int = 0,
        partner: Player = AnyMove,
        opponents: Player = AnyMove,
        episode: str = "hand",
        reward: str = "points",
        illegal_reward: float = ILLEGAL_REWARD,
        render_mode: str | None = None,
    ) -> None:
        self.settings = settings_of(variant, episode, reward, render_mode)
        self.seat = checked_seat(seat)
        for role, player in (("partner", partner), ("opponents", opponents)):
            _check_player(role, player)
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._players = {
            Seat(other): partner if other == partner_of(self.seat) else opponents
            for other in range(SEATS)
            if other != self.seat
        }
        self._illegal_reward = illegal_reward
        self._tables = tables_of(self.settings.variant)
        self._actions = actions_by_number(self._tables)
        self._episodes = Episodes(self.settings)
        self._episode: Episode | None = None
        self._policies: dict[Seat, Policy] = {}
        self._bots: tuple[Bot, ...] = ()

    @property
    def episode(self) -> Episode:
        """The episode under way; for tests and tools, not for agents: it has all cards."""
        assert self._episode is not None, "reset comes before anything else"
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Begin an episode: the first of ``seed``, or the next one; ``options`` are not used.

        Raises:
            ValueError: the seed is no whole number from 0.
        """
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        self._begin(seed)
        while self.episode.over:  # it was over before the seat had a choice
            self._begin(None)
        return self._observation(), self._info(illegal=False)

    def _begin(self, seed: int | None) -> None:
        self._episode = self._episodes.next(seed)
        self._seat_players()
        self._play_others()

    def step(self, action: int) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Do an action for the seat, then let the others play until it has a choice again."""
        episode = self.episode
        assert not episode.over, "the episode is over: reset begins the next one"
        chosen = self._actions.get(int(action))
        illegal = chosen is None or chosen not in episode.hand.allowed
        earned = self._illegal_reward if illegal else 0.0
        earned += self._apply(episode.hand.legal[0] if chosen is None or illegal else chosen)
        earned += self._play_others()
        return self._observation(), earned, episode.over, False, self._info(illegal=illegal)

    def action_masks(self) -> Mask:
        """Ones at the numbers of the legal actions; none when the episode is over."""
        return mask_of(self.episode.hand)

    def render(self) -> str | None:
        """The table as text, all cards shown; None without a render mode."""
        return None if self.render_mode is None else table_text(self.episode.hand)

    def _observation(self) -> Vector:
        return features(self._tables, view_of(self.episode.hand, self.seat))

    def _info(self, *, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "illegal": illegal}

    def _seat_players(self) -> None:
        match, episode = Match(self.settings.variant), self.episode
        self._policies = {}
        bots = []
        for seat, player in self._players.items():
            if isinstance(player, type):
                bot = local_bot(player, match, seat, seed=episode.seed, set_id=episode.set_id)
                bots.append(bot)
                self._policies[seat] = _plain(bot)
            else:
                self._policies[seat] = player
        self._bots = tuple(bots)

    def _play_others(self) -> float:
        earned = 0.0
        episode = self.episode
        while not episode.over and episode.hand.to_act != self.seat:
            hand = episode.hand
            view = LocalView(view_of(hand, hand.to_act))
            earned += self._apply(self._policies[hand.to_act](view, hand.legal))
        return earned

    def _apply(self, action: Action) -> float:
        episode = self.episode
        episode.apply(action)
        self._tell()
        return episode.rewards(self.settings.reward)[side_of(self.seat)]

    def _tell(self) -> None:
        episode = self.episode
        for bot in self._bots:
            if wants_hands(type(bot)):
                for one in episode.scored:
                    bot.hand_finished(finished_hand(one.hand, one.dealt, one.settlement))
            if episode.over:
                scores = episode.scored[-1].settlement.ledger.scores
                bot.game_finished(FinishedGame(episode.winner, scores, None))


def _check_player(role: str, player: object) -> None:
    is_bot = isinstance(player, type) and issubclass(player, Bot)
    if not is_bot and (isinstance(player, type) or not callable(player)):
        raise ValueError(
            f"{player!r} cannot be the {role}: give a class that derives from arena.sdk.Bot, "
            "or a function of a view and the legal actions"
        )


def _plain(bot: Bot) -> Policy:
    """The ``act`` of a bot, which must not be ``async``: nobody waits in an environment."""

    def act(view: View, legal: tuple[Action, ...]) -> Action:
        action = bot.act(view, legal)
        if not isinstance(action, Action):
            raise TypeError(
                f"{type(bot).__name__}.act returned {action!r}; in an environment it must be a "
                "plain function that returns one of the legal actions"
            )
        return action

    return act
