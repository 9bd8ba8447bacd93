"""Random hands from random positions, with everything the oracle said on the way.

For the comparison with the real engine: `play` chooses the position and the actions so that what
is rare under fair play (alone bids, forces, paid calls, exchanges, both debts at once, the last
hand of a game) happens often.
"""

import random
from dataclasses import dataclass

from tests.reference.cards import SUITS, deck
from tests.reference.oracle import Hand
from tests.reference.shapes import Action, Given, Result, State
from tests.reference.tables import (
    BIDS,
    CALLS,
    FORCE_COST,
    HAND_SIZE,
    HANDS_OF_A_DOUBLE_GAME,
    MAX_HANDS,
    TARGET,
)


@dataclass(frozen=True, slots=True)
class Step:
    """What the oracle said before an action (with the legal list), and the action."""

    before: State
    seat: int
    action: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole random hand. `after` is what the oracle says after the last card."""

    variant: str
    given: Given
    steps: list[Step]
    after: State
    result: Result

    def actions(self) -> list[Action]:
        """Seat and text, in order."""
        return [(step.seat, step.action) for step in self.steps]


def play(variant: str, seed: int) -> Transcript:
    """One random hand; the same variant and seed give the same transcript anywhere."""
    chance = random.Random(f"{variant}:{seed}")
    given = random_position(variant, chance)
    hand = Hand(variant, given)
    shunned = chance.choice([[], ["alone", "force partner", "force opponents"]])
    steps = []
    while not hand.is_finished():
        before = hand.state()
        seat, action = before["to_act"], choose(before["legal"], shunned, chance)
        assert seat is not None
        hand.apply(seat, action)
        steps.append(Step(before, seat, action))
    return Transcript(variant, given, steps, hand.state(), hand.result())


def random_position(variant: str, chance: random.Random) -> Given:
    """A deal with any dealer, and scores, tokens and debts that a long game might have led to."""
    cards = deck(variant)
    chance.shuffle(cards)
    size = HAND_SIZE[variant]
    is_token = variant == "token"
    limit = HANDS_OF_A_DOUBLE_GAME if variant == "double" else MAX_HANDS
    return {
        "dealer": chance.randrange(4),
        "hands": [cards[seat * size : seat * size + size] for seat in range(4)],
        "scores": random_scores(variant, chance),
        "tokens": [chance.choice([0, 0, 1, 2, 3, 4, 5]) * is_token for _ in range(2)],
        "token_debt": [is_token and chance.random() < 0.3 for _ in range(2)],
        "hlm_debt": [chance.choice([0, 0, 0, 1, 2]) * is_token for _ in range(2)],
        "hands_played": chance.choice([limit - 1, limit - 2, chance.randrange(limit)]),
    }


def random_scores(variant: str, chance: random.Random) -> list[int]:
    """Both sides; one time in five both one good hand from the target (C6.2)."""
    target = TARGET.get(variant, 80)
    if chance.random() < 0.2:
        return [target - chance.randint(1, 3), target - chance.randint(1, 3)]
    return [random_score(target, chance), random_score(target, chance)]


def random_score(target: int, chance: random.Random) -> int:
    """Below the target, often near it, near a decade or near a mark of T2.4."""
    near = chance.choice([target, 42, 40, 30, 20, 10, 0, -20, -40, -60]) + chance.randint(-6, 6)
    return min(near, target - 1)


def kind_of(action: str) -> str:
    """Kinds between which the choice is even: bids, alone bids, each force, each other verb."""
    words = action.split()
    if words[0] == "bid":
        return "alone" if not words[1].isdigit() else "bid"
    if words[0] == "call":
        return "trump" if words[1] in SUITS else "other call"
    if words[0] == "force":
        return action
    return words[0]


def choose(legal: list[str], shunned: list[str], chance: random.Random) -> str:
    """First a kind of action, each as likely, then one of that kind; passes and low bids often.

    A calm hand shuns the kinds that make a declarer play alone, unless there is no other.
    """
    kinds = sorted({kind_of(action) for action in legal})
    kinds = [kind for kind in kinds if kind not in shunned] or kinds
    if "pass" in kinds and chance.random() < 0.3:
        return "pass"
    kind = chance.choice(kinds)
    actions = [action for action in legal if kind_of(action) == kind]
    if kind == "bid" and chance.random() < 0.6:
        lowest = min(action.split()[1] for action in actions)
        actions = [action for action in actions if action.split()[1] == lowest]
    return chance.choice(actions)


def every_text(variant: str) -> list[str]:
    """Each action that the variant's notation can name; all but the legal must be refused."""
    texts = ["pass"] + [f"call {call}" for call in CALLS[variant]]
    for bid in BIDS[variant]:
        if variant == "double":
            texts += [f"bid {bid} {call}" for call in CALLS[variant]]
        else:
            texts.append(f"bid {bid}")
    if variant == "token":
        texts += [*FORCE_COST, "shooter self", "shooter partner"]
    verbs = {"classic": ["trade", "give"], "token": ["give", "discard"], "double": []}
    for card in sorted(set(deck(variant))):
        texts += [f"{verb} {card}" for verb in ["play", *verbs[variant]]]
    if variant == "classic":
        texts.append("no trade")
    return sorted(texts)
