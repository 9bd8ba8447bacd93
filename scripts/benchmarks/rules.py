"""Random play through the public rules API against OpenSpiel's euchre driven from Python.

All cases run in one process, turn and turn about in a new order each time; CPU time; the median
of the repetitions. Only the ratios carry over to another machine. Both sides pick their actions
by the same line, and both read the result of each hand.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from random import Random
from statistics import median
from types import ModuleType
from typing import Any

from arena.rules import CLASSIC, DOUBLE, TOKEN, Dealer, Hand, Ledger, Variant, deal_hand, tables_of

VARIANTS = (CLASSIC, TOKEN, DOUBLE)
HANDS = 150
REPETITIONS = 41
COPIES = 1_000
MID_HAND = 12

# Wanted: at least this many times OpenSpiel's hands a second; at most so many steps a copy.
WANTED_FRESH = {"classic": 1.3, "token": 1.1, "double": 1.1}
WANTED_COPIED = 0.8
WANTED_COPY_STEPS = 2.0

DRIVEN = """\
How each side was driven
  both      legal[int(random() * len(legal))] picks; the result of every hand is read.
  arena     fresh: random.shuffle of the deck, deal_hand, apply until legal is empty, settle.
            copied: copy() of a dealt hand, the same loop. token: 3 tokens a side, so that
            forces and paid calls are in it.
  OpenSpiel euchre, all default parameters, by the loop of its documentation: until is_terminal,
            at a chance node one of chance_outcomes, else one of legal_actions; returns.
            copied: clone() of a dealt state, the same loop without the chance nodes.
  Its hands have 5 tricks of 20 cards dealt; ours 6 of 24 (classic, token) and 8 of 32."""


@dataclass(frozen=True, slots=True)
class Case:
    """One way of doing one thing.

    Attributes:
        name: as printed.
        run: does it ``count`` times.
        count: times a repetition.
    """

    name: str
    run: Callable[[int], None]
    count: int = HANDS


@dataclass(frozen=True, slots=True)
class Ratio:
    """One wanted ratio and what was measured.

    Attributes:
        what: in words.
        measured: the ratio.
        wanted: its bound.
        at_least: whether the bound is the least; else it is the most.
    """

    what: str
    measured: float
    wanted: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether the bound holds."""
        if self.at_least:
            return self.measured >= self.wanted
        return self.measured <= self.wanted


# The arena's side.


def ledger_of(variant: Variant) -> Ledger:
    """What the sides own: three tokens each where there are tokens."""
    return Ledger(tokens=(3, 3)) if tables_of(variant).uses_tokens else Ledger()


def fresh_hands(variant: Variant, chance: Random) -> Callable[[int], None]:
    """Hands from a shuffled deck."""
    tables, size, ledger = tables_of(variant), variant.hand_size, ledger_of(variant)
    random, shuffle = chance.random, chance.shuffle
    deck = list(tables.deck)

    def run(count: int) -> None:
        for _ in range(count):
            shuffle(deck)
            dealt = [deck[at : at + size] for at in range(0, 4 * size, size)]
            hand = deal_hand(tables, dealt, ledger=ledger)
            while legal := hand.legal:
                hand.apply(legal[int(random() * len(legal))])
            hand.settle()

    return run


def checkable_hands(variant: Variant, chance: Random) -> Callable[[int], None]:
    """The same with deals by deal-v1, which anyone can check, instead of a shuffle."""
    tables, ledger, random = tables_of(variant), ledger_of(variant), chance.random
    dealer = Dealer(bytes(32))

    def run(count: int) -> None:
        for board in range(count):
            hand = deal_hand(tables, dealer.deal(variant, "bench", board), ledger=ledger)
            while legal := hand.legal:
                hand.apply(legal[int(random() * len(legal))])
            hand.settle()

    return run


def dealt_hand(variant: Variant, chance: Random) -> Hand:
    deck, size = list(tables_of(variant).deck), variant.hand_size
    chance.shuffle(deck)
    dealt = [deck[at : at + size] for at in range(0, 4 * size, size)]
    return deal_hand(tables_of(variant), dealt, ledger=ledger_of(variant))


def copied_hands(variant: Variant, chance: Random) -> Callable[[int], None]:
    """Hands from copies of hands dealt before."""
    dealt = [dealt_hand(variant, chance) for _ in range(HANDS)]
    random = chance.random

    def run(count: int) -> None:
        for start in dealt[:count]:
            hand = start.copy()
            while legal := hand.legal:
                hand.apply(legal[int(random() * len(legal))])
            hand.settle()

    return run


def copies_in_mid_hand(variant: Variant, chance: Random) -> Callable[[int], None]:
    """Copies alone, of hands some way into the play."""
    hands = [dealt_hand(variant, chance) for _ in range(20)]
    for hand in hands:
        for _ in range(MID_HAND):
            hand.apply(chance.choice(hand.legal))

    def run(count: int) -> None:
        for _ in range(count // len(hands)):
            for hand in hands:
                hand.copy()

    return run


def steps_a_hand(variant: Variant, hands: int = 2_000) -> float:
    """The mean number of actions of a random hand."""
    chance, steps = Random(4), 0
    for _ in range(hands):
        hand = dealt_hand(variant, chance)
        while hand.legal:
            hand.apply(chance.choice(hand.legal))
        steps += len(hand.log)
    return steps / hands


# OpenSpiel's side. It has no types.


def documented(game: Any, chance: Random) -> Callable[[int], None]:
    """The loop of its documentation; a chance outcome is picked as both sides pick."""
    random = chance.random

    def run(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    action = outcomes[int(random() * len(outcomes))][0]
                else:
                    legal = state.legal_actions()
                    action = legal[int(random() * len(legal))]
                state.apply_action(action)
            state.returns()

    return run


def documented_with_numpy(game: Any, chance: Random) -> Callable[[int], None]:
    """The same with chance to the letter: ``numpy.random.choice`` with the probabilities."""
    import numpy as np

    np.random.seed(1)
    choose, random = np.random.choice, chance.random

    def run(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, probabilities = zip(*state.chance_outcomes(), strict=True)
                    action = choose(actions, p=probabilities)
                else:
                    legal = state.legal_actions()
                    action = legal[int(random() * len(legal))]
                state.apply_action(action)
            state.returns()

    return run


def lean(game: Any, chance: Random) -> Callable[[int], None]:
    """Dealing by ``legal_actions``, which a chance node happens to have too."""
    random = chance.random

    def run(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while legal := state.legal_actions():
                state.apply_action(legal[int(random() * len(legal))])
            state.returns()

    return run


def dealt_states(game: Any, chance: Random) -> list[Any]:
    states = []
    for _ in range(HANDS):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(chance.choice(state.legal_actions()))
        states.append(state)
    return states


def cloned(game: Any, chance: Random) -> Callable[[int], None]:
    """Clones of dealt states, asked ``is_terminal`` as documented."""
    states, random = dealt_states(game, chance), chance.random

    def run(count: int) -> None:
        for start in states[:count]:
            state = start.clone()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
            state.returns()

    return run


def cloned_lean(game: Any, chance: Random) -> Callable[[int], None]:
    """Clones of dealt states, until ``legal_actions`` is empty."""
    states, random = dealt_states(game, chance), chance.random

    def run(count: int) -> None:
        for start in states[:count]:
            state = start.clone()
            while legal := state.legal_actions():
                state.apply_action(legal[int(random() * len(legal))])
            state.returns()

    return run


# Measuring and printing.

FRESH, NUMPY, LEAN = "chance_outcomes", "chance_outcomes, numpy", "legal_actions only"
CLONED, CLONED_LEAN = "clone", "clone, legal_actions only"


def cases(pyspiel: ModuleType) -> Iterator[Case]:
    """All that is timed."""
    game = pyspiel.load_game("euchre")
    yield Case(FRESH, documented(game, Random(1)))
    yield Case(NUMPY, documented_with_numpy(game, Random(1)), HANDS // 5)
    yield Case(LEAN, lean(game, Random(1)))
    yield Case(CLONED, cloned(game, Random(1)))
    yield Case(CLONED_LEAN, cloned_lean(game, Random(1)))
    for variant in VARIANTS:
        yield Case(f"{variant.name} fresh", fresh_hands(variant, Random(1)))
        yield Case(f"{variant.name} deal-v1", checkable_hands(variant, Random(1)))
        yield Case(f"{variant.name} copied", copied_hands(variant, Random(1)))
        yield Case(f"{variant.name} copy", copies_in_mid_hand(variant, Random(1)), COPIES)


def timed(case: Case) -> float:
    """CPU microseconds for one of what the case does."""
    begin = time.process_time_ns()
    case.run(case.count)
    return (time.process_time_ns() - begin) / case.count / 1000


def measure(todo: list[Case], repetitions: int) -> dict[str, float]:
    """The median of each case, all of them turn and turn about."""
    order, times = list(todo), {case.name: list[float]() for case in todo}
    for case in todo:
        timed(case)
    gc.collect()
    for repetition in range(repetitions):
        Random(repetition).shuffle(order)
        for case in order:
            times[case.name].append(timed(case))
    return {name: median(taken) for name, taken in times.items()}


def ratios(us: dict[str, float], steps: dict[str, float]) -> Iterator[Ratio]:
    """The wanted ratios, by hands a second."""
    for name, wanted in WANTED_FRESH.items():
        yield Ratio(f"{name}, fresh hands", us[FRESH] / us[f"{name} fresh"], wanted)
    for name in WANTED_FRESH:
        measured = us[CLONED] / us[f"{name} copied"]
        yield Ratio(f"{name}, from copies of dealt hands", measured, WANTED_COPIED)
    for name in WANTED_FRESH:
        measured = us[f"{name} copy"] / (us[f"{name} copied"] / steps[name])
        what = f"{name}, a mid-hand copy in steps"
        yield Ratio(what, measured, WANTED_COPY_STEPS, at_least=False)


def versions() -> dict[str, str]:
    """What was measured with what."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "open_spiel": version("open_spiel"),
        "arena": version("bid-euchre-arena"),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def table(us: dict[str, float], steps: dict[str, float]) -> Iterator[str]:
    """One line a case: microseconds and hands a second, and what each variant is worth."""
    yield f"{'OpenSpiel euchre':32}{'us a hand':>10}{'hands/s':>10}"
    for name in (FRESH, NUMPY, LEAN, CLONED, CLONED_LEAN):
        yield f"  {name:30}{us[name]:10.2f}{1e6 / us[name]:10,.0f}"
    ours = f"{'arena':32}{'us a hand':>10}{'hands/s':>10}"
    yield f"{ours}{'times ' + FRESH:>24}{'times ' + LEAN:>26}"
    for variant in VARIANTS:
        for way, fair, harder in (
            ("fresh", FRESH, LEAN),
            ("deal-v1", FRESH, LEAN),
            ("copied", CLONED, CLONED_LEAN),
        ):
            name = f"{variant.name} {way}"
            line = f"  {name:30}{us[name]:10.2f}{1e6 / us[name]:10,.0f}"
            yield f"{line}{us[fair] / us[name]:24.2f}{us[harder] / us[name]:26.2f}"
    yield "(copied: times clone, and times clone by legal_actions only)"
    yield f"{'arena, one operation':32}{'us':>10}{'a hand':>10}"
    for variant in VARIANTS:
        name = variant.name
        step = us[f"{name} copied"] / steps[name]
        yield f"  {name + ' step, played from a copy':30}{step:10.2f}{steps[name]:10.1f}"
        yield f"  {name + ' copy in mid-hand':30}{us[f'{name} copy']:10.2f}"


def verdicts(found: list[Ratio]) -> Iterator[str]:
    """One line a wanted ratio."""
    yield f"{'Wanted':40}{'measured':>10}{'wanted':>10}"
    for ratio in found:
        bound = f"{'>=' if ratio.at_least else '<='} {ratio.wanted}"
        met = "met" if ratio.met else "NOT MET"
        yield f"  {ratio.what:38}{ratio.measured:10.2f}{bound:>10}  {met}"


def as_data(us: dict[str, float], steps: dict[str, float], found: list[Ratio]) -> dict[str, Any]:
    """Everything for a program."""
    rows = [
        {"what": r.what, "measured": r.measured, "wanted": r.wanted, "at_least": r.at_least}
        | {"met": r.met}
        for r in found
    ]
    return {"versions": versions(), "microseconds": us, "steps_a_hand": steps, "ratios": rows}


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench rules", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--repetitions", type=int, default=REPETITIONS, help=f"of each case ({REPETITIONS})"
    )
    found = parser.parse_args(arguments)
    if found.repetitions < 1:
        parser.error("--repetitions must be at least 1")
    return found


def main(arguments: list[str]) -> int:
    """Measure and print; a ratio that is not met is printed, not a failure."""
    chosen = options(arguments)
    try:
        import pyspiel
    except ImportError as error:
        print(f"scripts/bench rules: open_spiel is needed and missing: {error}", file=sys.stderr)
        return 1
    us = measure(list(cases(pyspiel)), chosen.repetitions)
    steps = {variant.name: steps_a_hand(variant) for variant in VARIANTS}
    found = list(ratios(us, steps))
    if chosen.json:
        print(json.dumps(as_data(us, steps, found), indent=2))
        return 0
    named = ", ".join(f"{name} {text}" for name, text in versions().items())
    print(f"Random play, CPU time, median of {chosen.repetitions} interleaved repetitions of")
    print(f"{HANDS} hands in one process ({named})\n")
    for block in (DRIVEN.splitlines(), table(us, steps), verdicts(found)):
        print("\n".join(block) + "\n")
    return 0
