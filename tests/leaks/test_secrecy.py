"""No message to a seat depends on a card that it may not know (rules I1).

Games are played at tables of real sessions by bots that also answer wrongly, run out of time, lose
their stream, crash and are replaced. Then hands are played again in which cards that a seat may
not know are others; that seat must be sent the same bytes, in the same messages.
"""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from arena.rules import CLASSIC, DOUBLE, TOKEN, VARIANTS, Variant, card_text
from arena.rules.variant import Auction, Exchange, Gift, GiftTie
from tests.leaks.comparing import Leak, compare_game
from tests.leaks.defects import DEFECTS, Defect
from tests.leaks.replay import retell
from tests.leaks.script import HandScript, play
from tests.leaks.worlds import World, Worlds
from tests.reference.knowledge import Known
from tests.reference.oracle import Hand as Oracle
from tests.reference.shapes import Given

GAMES = 12
SLOW_GAMES = 2000
FEW = 6
MOST_TRIES = 150
"""Games within which a planted leak has to show."""

HOUSE = {
    "a trade with open cards": replace(CLASSIC, name="open", trade_blind=False),
    "an auction until all have passed": replace(
        CLASSIC, name="rounds", auction=Auction.UNTIL_PASSED, max_hands=20
    ),
    "any gift, and the first suit among equals": replace(
        TOKEN, name="gifts", gift=Gift.ANY, gift_tie=GiftTie.FIRST_SUIT, max_hands=30
    ),
    "a trade of two decks": replace(
        DOUBLE,
        name="traded",
        bids=(*DOUBLE.bids[:8], replace(DOUBLE.bids[8], exchange=Exchange.TRADE)),
    ),
}

log = logging.getLogger(__name__)


async def compared(variant: Variant, games: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in range(games):
        await compare_game(variant, seed, counts)
    log.info("%s: %s", variant.name, dict(counts))
    return counts


def expect_all_paths(variant: Variant, counts: Counter[str]) -> None:
    """That the games had what could leak: a comparison of nothing proves nothing."""
    wanted = [
        "games ended by a forfeit",
        "whole games again",
        "worlds with other forced moves",
        "worlds with other faults",
    ]
    if variant is not DOUBLE:
        wanted += ["hands with an exchange", "worlds with other exchanged cards"]
    if variant is TOKEN:
        wanted += ["hands with a force", "hands in debt"]
    assert all(counts[name] > 0 for name in wanted), counts
    assert counts["worlds compared"] > 10 * counts["games"]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
async def test_no_message_depends_on_a_card_that_its_seat_may_not_know(variant: Variant) -> None:
    expect_all_paths(variant, await compared(variant, GAMES))


@pytest.mark.parametrize("variant", HOUSE.values(), ids=HOUSE)
async def test_nor_does_one_under_house_rules(variant: Variant) -> None:
    counts = await compared(variant, FEW)
    assert counts["worlds compared"] > counts["games"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
async def test_nor_in_thousands_of_games(variant: Variant) -> None:
    expect_all_paths(variant, await compared(variant, SLOW_GAMES))


async def expect_repeatable(variant: Variant) -> None:
    """That a hand told again as it was is told in the same bytes: so what differs is a leak."""
    script = await play(variant, 0)
    for number in range(min(2, len(script.hands))):
        once, again = await retell(script, number), await retell(script, number)
        assert once.messages == again.messages
        assert any(once.messages)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
async def test_a_hand_told_again_is_told_in_the_same_bytes(variant: Variant) -> None:
    await expect_repeatable(variant)


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)
async def test_a_leak_that_is_planted_is_found(
    defect: Defect, monkeypatch: pytest.MonkeyPatch
) -> None:
    defect.plant(monkeypatch)
    await expect_repeatable(defect.variant)
    with pytest.raises(Leak):
        await compared(defect.variant, MOST_TRIES)


# The worlds themselves, judged by the oracle of the rules.


def known(variant: Variant, hand: HandScript, world: World | None, seat: int, until: int) -> Known:
    """What a seat may know by then, by the oracle: in a world, or as the hand was played."""
    ledger = hand.opening.ledger
    given: Given = {
        "dealer": hand.opening.dealer,
        "hands": [
            [card_text(card) for card in cards] for cards in (world.deal if world else hand.deal)
        ],
        "scores": list(ledger.scores),
        "tokens": list(ledger.tokens),
        "token_debt": list(ledger.token_debt),
        "hlm_debt": list(ledger.hlm_debt),
        "hands_played": hand.opening.number,
    }
    oracle = Oracle(variant.name, given)
    for who, action in (world.moves if world else hand.moves)[:until]:
        oracle.apply(who, action.text)
    return oracle.known(seat)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
async def test_the_oracle_says_that_the_seat_cannot_tell_the_worlds(variant: Variant) -> None:
    chance = Random(1)
    told_apart = found = 0
    for seed in range(FEW):
        script = await play(replace(variant, max_hands=4), seed)
        for hand in script.hands[:4]:
            for seat in range(4):
                until = chance.randint(0, len(hand.moves) - 1)
                world = Worlds(variant, script.policy, hand, chance).other(seat, until)
                if world is None:
                    continue
                found += 1
                here = known(variant, hand, None, seat, until)
                assert known(variant, hand, world, seat, until) == here
                told_apart += any(
                    known(variant, hand, world, other, until)
                    != known(variant, hand, None, other, until)
                    for other in range(4)
                )
    assert found > 20
    assert told_apart > found * 0.8, "the worlds differ, and somebody else can tell"
