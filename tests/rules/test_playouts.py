"""Random hands of every shipped variant with all invariants checked, in games that go on.

The ordinary suite plays 2,000 hands a variant; ``--slow`` plays 100,000 and prints what they
held.  Every step checks the state, and many a refusal, a copy and what a seat sees; every hand
its end, its replay, its rotation and one renaming of the suits.
"""

import sys
import time
from collections import Counter
from random import Random

import pytest

from arena.rules import (
    TOKEN,
    VARIANTS,
    Action,
    ActionKind,
    Game,
    Hand,
    Ledger,
    Seat,
    Variant,
    tables_of,
)
from arena.rules.actions import PASS
from tests.rules import invariants
from tests.rules.invariants import RELABELINGS, Step

HANDS = 2_000
SLOW_HANDS = 100_000

PHASES = {
    "classic": {"speak", "call", "trade", "give", "play"},
    "token": {"speak", "shooter", "call", "give", "discard", "play"},
    "double": {"speak", "play"},
}


def opening(variant: Variant, chance: Random) -> Ledger:
    """What both sides own before a game: scores, tokens and debts of a long one."""
    if variant.target is None:
        return Ledger()
    most = variant.target - 1
    near = chance.random() < 0.5
    scores = tuple(most - chance.randrange(4 if near else 90) for _ in range(2))
    if variant is not TOKEN:
        return Ledger((scores[0], scores[1]))
    return Ledger(
        (scores[0], scores[1]),
        (chance.choice([0, 1, 3, 5, 9]), chance.choice([0, 1, 3, 5, 9])),
        (chance.random() < 0.3, chance.random() < 0.3),
        (chance.choice([0, 0, 0, 1, 2]), chance.choice([0, 0, 0, 1, 2])),
    )


class Playouts:
    """Games one after another; counts what happened in them."""

    def __init__(self, variant: Variant, chance: Random) -> None:
        self.variant = variant
        self.chance = chance
        self.everything = tuple(tables_of(variant).texts.values())
        self.seen: Counter[str] = Counter()
        self.game = self.next_game()

    def next_game(self) -> Game:
        """A game from 0-0 now and then, else one that may end soon."""
        chance, variant = self.chance, self.variant
        if variant.target is None or chance.random() < 0.05:
            return Game(variant)
        return Game(
            variant,
            ledger=opening(variant, chance),
            dealer=Seat(chance.randrange(4)),
            hands_played=variant.max_hands - chance.choice([1, 2, 5, 20]),
        )

    def choose(self, hand: Hand) -> Action:
        """Any legal action; a pass half of the times, so that not every hand is played alone."""
        chance, legal = self.chance, hand.legal
        self.check_decision(hand)
        if legal[0] is PASS and chance.random() < 0.5:
            return PASS
        return chance.choice(legal)

    def check_decision(self, hand: Hand) -> None:
        """Some refusals, copies and views a hand."""
        chance = self.chance
        self.seen[hand.phase.value] += 1
        if chance.random() < 0.3:
            invariants.check_refused(hand, chance.choices(self.everything, k=3))
        if chance.random() < 0.1:
            invariants.check_copy(hand, chance)
        if chance.random() < 0.2:
            seat = Seat(chance.randrange(4))
            invariants.check_hidden(hand, seat, chance)
            invariants.check_own_cards(hand, self.deal[seat], seat)

    def hand(self) -> None:
        """One hand, scored in its game."""
        game, size = self.game, self.variant.hand_size
        deck = list(game.tables.deck)
        self.chance.shuffle(deck)
        self.deal = [deck[seat * size : (seat + 1) * size] for seat in range(4)]
        hand = game.deal(self.deal)
        start = hand.copy()
        steps = invariants.play(hand, self.choose)
        self.check_hand(start, hand, steps)
        self.check_game(hand)
        self.seen["hands"] += 1
        self.seen["actions"] += len(steps)

    def check_hand(self, start: Hand, hand: Hand, steps: list[Step]) -> None:
        """The end, the replay, the rotation and a renaming."""
        settled = invariants.check_end(hand)
        invariants.check_replay(start, hand)
        invariants.check_rotation(self.deal, hand, steps)
        names = self.chance.choice(RELABELINGS)
        invariants.check_relabeling(self.deal, hand, steps, names)
        self.seen["made" if settled.made else "set"] += 1
        self.seen["alone" if hand.sitter < 4 else "together"] += 1
        self.seen.update(
            step.action.kind.value
            for step in steps
            if step.action.kind in (ActionKind.FORCE_PARTNER, ActionKind.FORCE_OPPONENTS)
        )

    def check_game(self, hand: Hand) -> None:
        """The game takes the hand's score; the deal passes unless it is over (C1.2)."""
        game = self.game
        dealer = game.dealer
        settled = game.score(hand)
        assert game.ledger == settled.ledger
        self.seen["token debt"] += any(game.ledger.token_debt)
        self.seen["HLM debt"] += any(game.ledger.hlm_debt)
        if game.result is None:
            assert game.dealer == (dealer + 1) % 4
            return
        assert game.dealer == dealer
        self.seen["games"] += 1
        self.seen[game.result.end.value] += 1
        self.game = self.next_game()


def played(variant: Variant, hands: int, seed: int) -> Counter[str]:
    playouts = Playouts(variant, Random(seed))
    for _ in range(hands):
        playouts.hand()
    return playouts.seen


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_random_hands_hold_all_invariants(variant: Variant) -> None:
    seen = played(variant, HANDS, seed=1)
    assert PHASES[variant.name] == {phase for phase in PHASES["token"] | {"trade"} if seen[phase]}
    assert min(seen[what] for what in ("made", "set", "alone", "together", "games")) > 50
    if variant is TOKEN:
        assert min(seen[what] for what in ("force partner", "force opponents")) > 20
        assert min(seen[what] for what in ("token debt", "HLM debt")) > 50


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_very_many_random_hands_hold_all_invariants(
    variant: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = time.process_time()
    seen = played(variant, SLOW_HANDS, seed=2)
    seconds = time.process_time() - begin
    counts = ", ".join(f"{number:,} {what}" for what, number in sorted(seen.items()))
    with capsys.disabled():
        sys.stdout.write(f"\n{variant.name}: all invariants held ({seconds:.0f} s): {counts}\n")
    assert seen["hands"] == SLOW_HANDS
