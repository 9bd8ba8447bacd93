"""The environment of one learner among bots: Gymnasium's own check, the bots, forbidden actions."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from arena.env import ACTIONS, AnyMove, SeatEnv, raw_env
from arena.env.features import Vector
from arena.env.settings import Mask
from arena.rules import VARIANTS, view_of
from arena.rules.cards import partner_of
from arena.sdk import Action, Bot, FinishedGame, FinishedHand, View


def make(variant: str, episode: str) -> gymnasium.Env[object, object]:
    made = gymnasium.make(
        "arena.env:BidEuchre-v0", variant=variant, episode=episode, render_mode="ansi"
    )
    return made.unwrapped


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("episode", ["hand", "game"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_gymnasium_finds_nothing_wrong(variant: str, episode: str) -> None:
    check_env(make(variant, episode))


def first(mask: Mask) -> int:
    return int(np.flatnonzero(mask)[0])


def playthrough(environment: SeatEnv, *, seed: int) -> tuple[list[float], list[Vector]]:
    """Play an episode with the first legal actions: rewards and observations."""
    observation, info = environment.reset(seed=seed)
    rewards, observations, over = [], [observation], False
    while not over:
        assert environment.action_masks().tolist() == info["action_mask"].tolist()
        assert info["action_mask"].sum() >= 2
        observation, reward, over, truncated, info = environment.step(first(info["action_mask"]))
        assert not truncated
        rewards.append(reward)
        observations.append(observation)
    return rewards, observations


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seed_repeats_an_episode(variant: str) -> None:
    one = playthrough(SeatEnv(variant, episode="game", seat=3), seed=5)
    other = playthrough(SeatEnv(variant, episode="game", seat=3), seed=5)
    assert one[0] == other[0]
    assert np.array_equal(one[1], other[1])
    assert any(one[0])


class Noting(Bot):
    """Writes down what it is told; plays the first legal action."""

    seats: ClassVar[list[int]] = []
    hands: ClassVar[list[FinishedHand]] = []
    games: ClassVar[list[FinishedGame]] = []

    def game_started(self) -> None:
        self.seats.append(self.seat)

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        assert view.seat == self.seat
        assert len(legal) >= 2
        assert set(view.cards) <= set(self.tables.deck)
        assert view.time_left_ms > 0
        assert view.forced_moves == ()
        return legal[0]

    def hand_finished(self, hand: FinishedHand) -> None:
        self.hands.append(hand)

    def game_finished(self, game: FinishedGame) -> None:
        self.games.append(game)


def test_bots_are_told_what_the_arena_tells() -> None:
    for told in (Noting.seats, Noting.hands, Noting.games):
        told.clear()
    environment = SeatEnv("double", seat=1, partner=Noting, episode="game")
    rewards, _ = playthrough(environment, seed=2)
    assert Noting.seats == [partner_of(environment.seat)]
    assert len(Noting.hands) == 8
    assert sum(hand.points[1] - hand.points[0] for hand in Noting.hands) == sum(rewards)
    (game,) = Noting.games
    assert game.scores == Noting.hands[-1].ledger.scores
    assert all(len(hand.dealt[0]) == 8 for hand in Noting.hands)


def test_a_function_can_play() -> None:
    asked = []

    def last(view: View, legal: tuple[Action, ...]) -> Action:
        asked.append((view.seat, view.to_act))
        return legal[-1]

    environment = SeatEnv(seat=0, partner=AnyMove, opponents=last)
    playthrough(environment, seed=9)
    assert asked
    assert {seat for seat, _ in asked} <= {1, 3}
    assert all(seat == to_act for seat, to_act in asked)


class Waiting(Bot):
    async def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return legal[0]


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
def test_an_async_bot_is_refused_with_a_sentence() -> None:
    with pytest.raises(TypeError, match=r"Waiting\.act returned .* plain function"):
        playthrough(SeatEnv(opponents=Waiting), seed=1)


def test_a_forbidden_action_costs_and_the_first_legal_one_is_made() -> None:
    one, other = SeatEnv(illegal_reward=-5), SeatEnv()
    _, info = one.reset(seed=4)
    other.reset(seed=4)
    wrong = one.step(ACTIONS - 1)
    right = other.step(first(info["action_mask"]))
    assert np.array_equal(wrong[0], right[0])
    assert wrong[1] == right[1] - 5
    assert (wrong[4]["illegal"], right[4]["illegal"]) == (True, False)


def test_the_observation_is_of_its_own_seat() -> None:
    environment = SeatEnv(seat=2)
    environment.reset(seed=4)
    assert environment.episode.hand.to_act == 2
    mine = view_of(environment.episode.hand, environment.seat)
    held = [card for card in range(24) if environment._observation()[card]]
    assert tuple(held) == mine.cards


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a seat that there is not": ({"seat": 4}, "4 is no seat: 0 to 3"),
    "a seat below 0": ({"seat": -1}, "-1 is no seat: 0 to 3"),
    "half a seat": ({"seat": 1.5}, "1.5 is no seat: 0 to 3"),
    "a word for a seat": ({"seat": "north"}, "'north' is no seat: 0 to 3"),
    "a variant that there is not": ({"variant": "chess"}, "'chess' is no variant"),
    "a list of variants": ({"variant": ["token"]}, r"\['token'\] is no variant"),
    "an unknown episode": ({"episode": "set"}, "'set' is no episode"),
    "an unknown reward": ({"reward": "money"}, "'money' is no reward"),
    "an unknown render mode": ({"render_mode": "human"}, "'human' is no render mode: ansi, or"),
    "a class that is no bot": ({"partner": int}, "cannot be the partner: give a class"),
    "a word for a bot": ({"opponents": "random"}, "'random' cannot be the opponents"),
}


@pytest.mark.parametrize(("settings", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_setting_is_one_sentence(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SeatEnv(**settings)


@pytest.mark.parametrize("seed", [-1, 1.5, "x", True])
def test_a_wrong_seed_is_one_sentence(seed: Any) -> None:
    for environment in (SeatEnv(), raw_env()):
        with pytest.raises(ValueError, match=f"{seed!r} is no seed: a whole number from 0"):
            environment.reset(seed=seed)


def test_numbers_of_numpy_are_numbers() -> None:
    environment, plain = SeatEnv(seat=np.int64(1)), SeatEnv(seat=1)  # type: ignore[arg-type]
    one, _ = environment.reset(seed=np.int64(4))  # type: ignore[arg-type]
    other, _ = plain.reset(seed=4)
    assert np.array_equal(one, other)
