"""Who is stronger: mirrored sets of two sample bots in this process, without arena or network.

    python -m tests.sample_bots.duel rule_of_thumb random --variant token --sets 200

A set is two whole games on the same deals; in half B every bot sits one seat further clockwise.
It is won by games, then by the sum of both point differences (docs/design, tournaments).  Bots get
``arena.rules`` views, which have the fields of the kit's lazy ones.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any, cast

from arena.rules import (
    VARIANTS,
    Action,
    Dealer,
    Game,
    Hand,
    Seat,
    Side,
    Variant,
    bot_seed,
    variant_from_toml,
    view_of,
)
from arena.sdk import Bot, Match

BOTS = Path(__file__).resolve().parents[2] / "sample_bots" / "python"
SEED = b"a seed for duels, 32 bytes long."


@cache
def load_bot(name: str) -> type[Bot]:
    """The class of a sample bot, from its folder."""
    folder = BOTS / name
    spec = importlib.util.spec_from_file_location(f"sample_bot_{name}", folder / "bot.py")
    assert spec is not None and spec.loader is not None, f"no sample bot {name}"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    # As when it is run: its own folder comes first.
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    [bot] = [
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, Bot) and found.__module__ == spec.name
    ]
    return bot


@dataclass(slots=True)
class Thought:
    """How long a bot took.

    Attributes:
        decisions: how many.
        seconds: all together.
        longest: the longest one, in seconds.
    """

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        """One more decision."""
        self.decisions += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)

    @property
    def mean_us(self) -> float:
        """Microseconds a decision."""
        return 1e6 * self.seconds / max(self.decisions, 1)


def play_hand(hand: Hand, bots: Sequence[Bot], thoughts: Sequence[Thought]) -> None:
    """Play a hand to its end; a seat with one legal action is not asked (rules A1)."""
    clock = time.thread_time
    while legal := hand.legal:
        if len(legal) == 1:
            hand.apply(legal[0])
            continue
        seat = hand.to_act
        view = cast("Any", view_of(hand, seat))
        started = clock()
        action = bots[seat].act(view, legal)
        thoughts[seat].add(clock() - started)
        hand.apply(cast("Action", action))


def play_game(
    variant: Variant, set_id: str, bots: Sequence[Bot], thoughts: Sequence[Thought]
) -> Game:
    """Play a game to its end on the deals of ``set_id``."""
    game, dealer = Game(variant), Dealer(SEED)
    while game.result is None:
        hand = game.deal(dealer.deal(variant, set_id, game.hands_played))
        play_hand(hand, bots, thoughts)
        game.score(hand)
    return game


@dataclass(frozen=True, slots=True)
class SetScore:
    """A set as the first bot sees it.

    Attributes:
        balance: 1 won, 0 drawn, -1 lost.
        points: the point difference of both halves.
        hands: of both halves.
    """

    balance: int
    points: int
    hands: int


def play_set(
    variant: Variant, set_id: str, pair: tuple[type[Bot], type[Bot]], thoughts: Sequence[Thought]
) -> SetScore:
    """Play both halves of a set; ``thoughts`` are those of the first and the second bot."""
    games = points = hands = 0
    for half, first in (("a", Side(0)), ("b", Side(1))):
        who = [(seat - first) & 1 for seat in range(4)]
        bots = [
            pair[who[seat]](Match(variant), Seat(seat), bot_seed(SEED, set_id, half, 0, seat))
            for seat in range(4)
        ]
        for bot in bots:
            bot.game_started()
        game = play_game(variant, set_id, bots, [thoughts[index] for index in who])
        assert game.result is not None
        if game.result.winner is not None:
            games += 1 if game.result.winner == first else -1
        scores = game.ledger.scores
        points += scores[first] - scores[1 - first]
        hands += game.hands_played
    balance = games or points
    return SetScore((balance > 0) - (balance < 0), points, hands)


def superiority(values: Sequence[float]) -> float:
    """The likelihood of superiority: Phi(mean / standard error)."""
    if len(values) < 2:
        return 0.5
    error = stdev(values) / math.sqrt(len(values))
    mean = fmean(values)
    if error == 0:
        return 0.5 if mean == 0 else float(mean > 0)
    return NormalDist().cdf(mean / error)


@dataclass(slots=True)
class Duel:
    """Sets of two bots and what they say."""

    scores: list[SetScore] = field(default_factory=list)
    thoughts: tuple[Thought, Thought] = field(default_factory=lambda: (Thought(), Thought()))

    @property
    def wins(self) -> tuple[int, int, int]:
        """Won, drawn and lost sets of the first bot."""
        balances = [score.balance for score in self.scores]
        return balances.count(1), balances.count(0), balances.count(-1)

    @property
    def points_per_deal(self) -> list[float]:
        """For each set, the point difference divided by its hands."""
        return [score.points / score.hands for score in self.scores]

    @property
    def likelihood_by_wins(self) -> float:
        """Likelihood of superiority by won and lost sets."""
        return superiority([score.balance for score in self.scores])

    @property
    def likelihood_by_points(self) -> float:
        """Likelihood of superiority by points."""
        return superiority(self.points_per_deal)

    def __str__(self) -> str:
        points = self.points_per_deal
        error = stdev(points) / math.sqrt(len(points)) if len(points) > 1 else 0.0
        return (
            f"{len(points)} sets, W-D-L {'-'.join(map(str, self.wins))}, points a deal "
            f"{fmean(points):+.3f} ±{error:.3f}, LOS {self.likelihood_by_wins:.5f} by wins, "
            f"{self.likelihood_by_points:.5f} by points, hands a game "
            f"{fmean(score.hands for score in self.scores) / 2:.1f}, us a decision "
            f"{self.thoughts[0].mean_us:.0f} and {self.thoughts[1].mean_us:.0f}, longest "
            f"{1e3 * self.thoughts[0].longest:.1f} and {1e3 * self.thoughts[1].longest:.1f} ms"
        )


def duel(
    variant: Variant, first: type[Bot], second: type[Bot], sets: Iterable[int], *, name: str = "d"
) -> Duel:
    """Play the sets with these numbers."""
    result = Duel()
    for number in sets:
        score = play_set(variant, f"{name}{number}", (first, second), result.thoughts)
        result.scores.append(score)
    return result


def variants_of(names: Sequence[str]) -> Iterator[Variant]:
    """Variants by name, or house rules by file."""
    for name in names or tuple(VARIANTS):
        if name in VARIANTS:
            yield VARIANTS[name]
        else:
            yield variant_from_toml(Path(name).read_text("utf-8"))


def main() -> None:
    """Print one line a variant."""
    parser = argparse.ArgumentParser(description="Mirrored sets of two sample bots.")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--variant", action="append", default=[], help="a name or a TOML file")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--name", default="d", help="begins the set ids: other names, other deals")
    given = parser.parse_args()
    pair = load_bot(given.first), load_bot(given.second)
    for variant in variants_of(given.variant):
        result = duel(variant, *pair, range(given.sets), name=given.name)
        sys.stdout.write(f"{variant.name}: {given.first} against {given.second}: {result}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
