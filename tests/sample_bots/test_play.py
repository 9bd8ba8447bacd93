"""Sample bots are legal everywhere, repeatable, and need nothing but their view."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any, cast

import pytest

from arena.rules import VARIANTS, Action, ActionKind, Game, Rank, Seat, Variant, bot_seed
from arena.rules.variant import (
    AllPass,
    Auction,
    BothReach,
    Gift,
    GiftFallback,
    GiftTie,
    Naming,
    OpeningLead,
    TokenRules,
)
from arena.sdk import Bot, Match, View
from tests.sample_bots.duel import BOTS, SEED, Thought, load_bot, play_game, play_set
from tests.sdk.feeder import Feeder, session_for
from tests.sdk.feeder import play_game as feed_game

NAMES = ("counting", "first_legal", "random", "rule_of_thumb")
CLASSIC, TOKEN, DOUBLE = (VARIANTS[name] for name in ("classic", "token", "double"))

HOUSES: dict[str, Variant] = {
    "bidding goes round until passed": replace(
        CLASSIC, name="rounds", auction=Auction.UNTIL_PASSED, opening_lead=OpeningLead.DECLARER
    ),
    "hands may be thrown in and defenders score nothing": replace(
        DOUBLE, name="thrown-in", all_pass=AllPass.THROWN_IN, defenders_score=False
    ),
    "trades are open and must be made": replace(
        CLASSIC, name="open-trade", trade_optional=False, trade_blind=False
    ),
    "the partner gives what it likes": replace(
        TOKEN, name="any-gift", gift=Gift.ANY, both_reach=BothReach.HIGHER_SCORE
    ),
    "the partner gives the first suit's best": replace(
        TOKEN,
        name="first-suit",
        gift_without_trump=GiftFallback.BEST_RANK,
        gift_tie=GiftTie.FIRST_SUIT,
    ),
    "no call on credit": replace(
        TOKEN, name="no-credit", tokens=replace(TOKEN.tokens, credit=False)
    ),
    "forcing is cheap": replace(
        TOKEN, name="cheap", tokens=replace(TOKEN.tokens, force_partner=1, force_opponents=1)
    ),
    "two copies of 24 cards, the call in the bid": replace(
        DOUBLE,
        name="big",
        ranks=tuple(Rank),
        hand_size=12,
        bids=(*DOUBLE.bids[2:8], replace(DOUBLE.bids[8], tricks=12)),
    ),
    "two copies, the call afterwards": replace(
        DOUBLE, name="after", naming=Naming.AFTER_AUCTION, target=20, hands=None
    ),
    "jacks only": replace(
        CLASSIC,
        name="jacks",
        ranks=(Rank.JACK,),
        hand_size=1,
        bids=(replace(CLASSIC.bids[0], name="1", tricks=1),),
        target=3,
        tokens=TokenRules(),
    ),
}


def mixed_game(variant: Variant, number: int) -> Game:
    """A game of all four sample bots, each in another seat from game to game."""
    set_id = f"legal{number}"
    bots = [
        load_bot(NAMES[(seat + number) % 4])(
            Match(variant), Seat(seat), bot_seed(SEED, set_id, "a", 0, seat)
        )
        for seat in range(4)
    ]
    for bot in bots:
        bot.game_started()
    # The engine raises at the first illegal action.
    return play_game(variant, set_id, bots, [Thought() for _ in range(4)])


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_all_bots_are_legal_in_whole_games(variant: Variant) -> None:
    for number in range(200):
        assert mixed_game(variant, number).result is not None


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_all_bots_are_legal_in_many_games(variant: Variant) -> None:
    for number in range(800):
        assert mixed_game(variant, 1000 + number).result is not None


@pytest.mark.parametrize("variant", HOUSES.values(), ids=HOUSES)
def test_all_bots_play_house_rules(variant: Variant) -> None:
    for number in range(8):
        assert mixed_game(variant, number).result is not None


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_bot_repeats_itself(name: str, variant: Variant) -> None:
    pair = load_bot(name), load_bot("random")
    scores = [play_set(variant, "again", pair, (Thought(), Thought())) for _ in range(2)]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("name", ["counting", "rule_of_thumb"])
def test_over_the_wire_a_bot_plays_as_in_process(name: str, variant: Variant) -> None:
    """The kit's lazy view and the engine's own view lead to the same actions."""
    answers: list[Action] = []

    class Listening(load_bot(name)):  # type: ignore[misc]
        def act(self, view: View, legal: tuple[Action, ...]) -> Action:
            answers.append(super().act(view, legal))
            return answers[-1]

    feeder, session = Feeder(variant), session_for(Listening)
    for item in feeder.opening():
        session.take(item)
    local = [load_bot(name)(Match(variant), Seat(seat), b"") for seat in range(4)]
    for bot in local:
        bot.game_started()
    expected = [
        local[asked.view.seat].act(cast("View", asked.view), asked.legal)
        for asked in feed_game(session, feeder, name="wire", hands=10)
    ]
    assert len(answers) > 100
    assert answers == expected


def test_a_force_is_seen_now_and_then() -> None:
    """The games above do reach forcing (T5), or they would show little of it."""
    kinds: set[ActionKind] = set()
    for number in range(12):
        bots = [load_bot("counting")(Match(TOKEN), Seat(seat), b"") for seat in range(4)]
        for bot in bots:
            bot.game_started()
        watched = [_Watching(bot, kinds) for bot in bots]
        play_game(TOKEN, f"force{number}", cast("Any", watched), [Thought() for _ in range(4)])
    assert {ActionKind.FORCE_OPPONENTS, ActionKind.GIVE, ActionKind.DISCARD} <= kinds


class _Watching:
    """Notes the kinds of a bot's actions."""

    def __init__(self, bot: Bot, kinds: set[ActionKind]) -> None:
        self._bot, self._kinds = bot, kinds

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        action = cast("Action", self._bot.act(view, legal))
        self._kinds.add(action.kind)
        return action


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_is_a_program(name: str) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ARENA_")}
    environment["PYTHONPATH"] = str(BOTS.parents[1])
    done = subprocess.run(
        [sys.executable, BOTS / name / "bot.py"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("bot.py: where is the arena? set ARENA_ADDR")
