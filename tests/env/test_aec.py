"""The environment of four learners: PettingZoo's own tests, secrecy, rewards, deals."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from arena.env import ACTIONS, FIELDS, LENGTH, actions_by_number, env, number_of, raw_env, slice_of
from arena.env.aec import AGENTS, BidEuchre
from arena.env.episode import seed_bytes
from arena.rules import (
    DOUBLE,
    TOKEN,
    VARIANTS,
    Dealer,
    IllegalAction,
    Phase,
    Seat,
    Variant,
    tables_of,
    view_of,
)
from arena.rules.tables import NOBODY
from arena.sdk import Knowledge
from tests.strategies import variants

ENOUGH = 1000
HOUSE = replace(DOUBLE, name="house", bids=DOUBLE.bids[-2:], hands=2)
RULES = {**VARIANTS, "house": HOUSE}
EVERY_EPISODE = [(name, episode) for name in RULES for episode in ("hand", "game")]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "episode"), EVERY_EPISODE)
def test_pettingzoo_finds_nothing_wrong(
    name: str, episode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(env(RULES[name], episode=episode), num_cycles=60)  # type: ignore[no-untyped-call]
    assert capsys.readouterr().out.endswith("Passed API test\n")


@pytest.mark.parametrize(("name", "episode"), EVERY_EPISODE)
def test_a_seed_repeats_everything(name: str, episode: str) -> None:
    def make() -> object:
        return env(RULES[name], episode=episode)

    seed_test(make, num_cycles=40)  # type: ignore[no-untyped-call]


def played(environment: BidEuchre, rng: random.Random, *, episodes: int) -> Iterator[str]:
    """Play at random; yields the selected agent before each of its actions."""
    for number in range(episodes):
        environment.reset(seed=11 if number == 0 else None)
        for agent in environment.agent_iter():
            if environment.terminations[agent]:
                environment.step(None)
                continue
            yield agent
            mask = environment.infos[agent]["action_mask"]
            environment.step(rng.choice(np.flatnonzero(mask).tolist()))


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_unseen_cards_change_no_observation(variant: Variant) -> None:
    rng = random.Random(4)
    # In games, so that there are tokens and debts; a random one of token may take 200 hands.
    environment = raw_env(variant, episode="game")
    compared = 0
    for agent in played(environment, rng, episodes=4):
        if compared > ENOUGH:
            return
        episode = environment.episode
        real, mask = episode.hand, environment.infos[agent]["action_mask"]
        for watcher in AGENTS:
            seat = Seat(AGENTS.index(watcher))
            seen = environment.observe(watcher)
            other = Knowledge(real.tables, view_of(real, seat)).draw(rng)
            episode.hand = other
            assert np.array_equal(environment.observe(watcher), seen)
            compared += other.held != real.held
            episode.hand = real
        assert np.array_equal(mask, environment.infos[agent]["action_mask"])
    pytest.fail("too few hands were compared")


def test_own_cards_do_change_it() -> None:
    environment = raw_env()
    environment.reset(seed=1)
    one = [environment.observe(agent) for agent in AGENTS]
    environment.reset(seed=2)
    assert all(
        not np.array_equal(mine[slice_of("held")], environment.observe(agent)[slice_of("held")])
        for agent, mine in zip(AGENTS, one, strict=True)
    )


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_an_agent_is_asked_only_where_it_has_a_choice(variant: Variant) -> None:
    environment = raw_env(variant)
    alone = 0
    for agent in played(environment, random.Random(2), episodes=60):
        hand = environment.episode.hand
        mask = environment.infos[agent]["action_mask"]
        assert np.flatnonzero(mask).tolist() == [number_of(action) for action in hand.legal]
        assert mask.sum() >= 2
        assert AGENTS.index(agent) == hand.to_act
        if hand.phase is Phase.PLAY:
            assert hand.to_act != hand.sitter
            alone += hand.sitter != NOBODY
        assert all(
            environment.infos[other]["action_mask"].sum() == 0 for other in AGENTS if other != agent
        )
    assert alone > 10


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_points_add_up_to_the_score(variant: Variant) -> None:
    environment = raw_env(variant, episode="game")
    environment.reset(seed=11)
    total = dict.fromkeys(AGENTS, 0.0)
    rng = random.Random(5)
    for agent in environment.agent_iter():
        _, reward, terminated, truncated, info = environment.last(observe=False)
        total[agent] += reward
        assert not truncated
        choices = np.flatnonzero(info["action_mask"]).tolist()
        environment.step(None if terminated else rng.choice(choices))
    scores = environment.episode.scored[-1].settlement.ledger.scores
    lead = scores[0] - scores[1]
    assert lead != 0
    assert list(total.values()) == [lead, -lead, lead, -lead]


@pytest.mark.parametrize("episode", ["hand", "game"])
def test_a_result_is_one_or_nothing(episode: str) -> None:
    environment = raw_env("double", episode=episode, reward="result")
    results = set()
    rng = random.Random(1)
    for _ in range(6 if episode == "game" else 40):
        environment.reset(seed=_)
        while not any(environment.terminations.values()):
            assert set(environment.rewards.values()) == {0.0}
            mask = environment.infos[environment.agent_selection]["action_mask"]
            environment.step(rng.choice(np.flatnonzero(mask).tolist()))
        winner = environment.episode.winner
        lead = 0.0 if winner is None else 1.0 if winner == 0 else -1.0
        assert list(environment.rewards.values()) == [lead, -lead, lead, -lead]
        results.add(lead)
    assert {1.0, -1.0} <= results


def test_deals_are_those_of_the_rules() -> None:
    environment = raw_env("double")
    environment.reset(seed=7)
    dealer = Dealer(seed_bytes(7))
    for number in range(3):
        hand = environment.episode.hand
        cards = dealer.deal(DOUBLE, f"episode-{number}", 0)
        assert [tuple(sorted(cards[s])) for s in range(4)] == [
            view_of(hand, Seat(s)).cards for s in range(4)
        ]
        environment.reset()
    dealers = set()
    for seed in range(30):
        environment.reset(seed=seed)
        dealers.add(environment.episode.hand.dealer)
    assert dealers == {0, 1, 2, 3}


def test_without_a_seed_deals_differ() -> None:
    one, other = raw_env(), raw_env()
    one.reset()
    other.reset()
    assert one.episode.hand.held != other.episode.hand.held


@given(variants())
def test_every_action_of_every_variant_has_a_number(variant: Variant) -> None:
    tables = tables_of(variant)
    numbered = actions_by_number(tables)
    assert sorted(map(id, numbered.values())) == sorted(map(id, tables.texts.values()))
    assert all(0 <= number < ACTIONS for number in numbered)


def test_the_numbers_are_those_of_the_guide() -> None:
    token, double = tables_of(TOKEN).texts, tables_of(DOUBLE).texts
    found = {text: number_of(token[text]) for text in ("pass", "bid 3", "bid loner", "play AS")}
    assert found == {"pass": 0, "bid 3": 1, "bid loner": 46, "play AS": ACTIONS - 1}
    assert number_of(double["bid 1 C"]) == 2
    texts = ("force partner", "call C", "shooter self", "no trade", "trade 9C", "give 9C")
    assert [number_of(token[text]) for text in texts] == [181, 183, 191, 193, 194, 218]
    assert [number_of(token[text]) for text in ("discard 9C", "play 9C")] == [242, 266]


def test_a_forbidden_action_ends_the_episode() -> None:
    environment = env()
    environment.reset(seed=3)
    agent = environment.agent_selection
    environment.step(ACTIONS - 1)
    assert environment.rewards[agent] == -1
    assert all(environment.terminations.values())


def test_without_wrappers_it_raises() -> None:
    environment = raw_env()
    environment.reset(seed=3)
    before = environment.observe(environment.agent_selection)
    with pytest.raises(IllegalAction, match="does not answer the question"):
        environment.step(ACTIONS - 1)
    with pytest.raises(ValueError, match="classic has no action of number 181"):
        raw = raw_env()
        raw._actions.pop(181)
        raw.reset()
        raw.step(181)
    assert np.array_equal(environment.observe(environment.agent_selection), before)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"variant": "chess"}, "'chess' is no variant: classic, token, double"),
        ({"episode": "trick"}, "'trick' is no episode: hand or game"),
        ({"reward": "money"}, "'money' is no reward: points or result"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        env(**wrong)


def test_it_can_be_looked_at() -> None:
    environment = raw_env("token", render_mode="ansi")
    environment.reset(seed=1)
    text = environment.render()
    assert text is not None
    assert text.splitlines()[0].startswith("hand 1, dealer ")
    assert text.count("seat") == 4
    assert raw_env().render_mode is None
    assert environment.observe("seat_0").shape == (LENGTH,)


@pytest.mark.parametrize("package", ["numpy", "gymnasium", "pettingzoo"])
def test_without_the_extra_one_sentence_says_so(package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import arena.env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith("ModuleNotFoundError: arena.env needs numpy, gymnasium and pettingzoo")
    assert f"{package} is not installed" in last
    assert "'.[env]'" in last


def test_the_guide_lists_every_part_of_an_observation() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "bots" / "learning.md").read_text()
    listed = {
        name: int(length)
        for names, length in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (\d+)", guide, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", names)
    }
    assert listed == FIELDS
    assert sum(FIELDS.values()) == LENGTH
    assert f"`Discrete({ACTIONS})`" in guide
