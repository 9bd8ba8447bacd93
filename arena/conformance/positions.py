"""Questions of every kind in every variant, from hands played at random; always the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Final

from arena.rules.actions import Action, ActionKind
from arena.rules.calls import Call
from arena.rules.cards import Rank, Seat
from arena.rules.deal import Dealer
from arena.rules.dealing import deal_hand
from arena.rules.hand import Hand, Phase
from arena.rules.scoring import Ledger
from arena.rules.tables import tables_of
from arena.rules.variant import (
    AllPass,
    Auction,
    BidRule,
    CallRule,
    Exchange,
    Gift,
    GiftFallback,
    Naming,
    OpeningLead,
    TokenRules,
    Variant,
)
from arena.rules.variants import CLASSIC

SEED: Final = b"the seed of the conformance hand"
MOST_HANDS: Final = 20_000

_FORCES: Final = (ActionKind.FORCE_PARTNER, ActionKind.FORCE_OPPONENTS)

HOUSE: Final = replace(
    CLASSIC,
    name="check-house",
    auction=Auction.UNTIL_PASSED,
    all_pass=AllPass.THROWN_IN,
    trade_optional=False,
    trade_blind=False,
    opening_lead=OpeningLead.DECLARER,
    defenders_score=False,
    target=20,
    first_dealer=2,
)
"""A house rule: fields of ``classic`` with their other values."""

_MIDDLE: Final = (Rank.QUEEN, Rank.KING, Rank.TEN, Rank.ACE, Rank.NINE, Rank.JACK)

STRANGER: Final = Variant(
    name="check-stranger",
    ranks=tuple(Rank),
    copies=2,
    hand_size=12,
    bids=(
        BidRule("low2", 2),
        BidRule("mid7", 7, made=10, set=9),
        BidRule("all", 12),
        BidRule("gifted", 12, alone=True, exchange=Exchange.GIFT, made=30, set=15),
        BidRule("traded", 12, alone=True, exchange=Exchange.TRADE, made=40),
        BidRule("alone", 12, alone=True, made=50, set=50),
    ),
    calls=(
        CallRule(Call.DIAMONDS),
        CallRule(Call.SPADES),
        CallRule(Call.LOW, lowest_bid="mid7", order=tuple(Rank)),
        CallRule(Call.MID, order=_MIDDLE),
    ),
    auction=Auction.UNTIL_PASSED,
    naming=Naming.IN_BID,
    gift=Gift.ANY,
    gift_without_trump=GiftFallback.BEST_RANK,
    opening_lead=OpeningLead.DECLARER,
    hands=5,
    tokens=TokenRules(
        decades=(7, 19),
        sympathy=(-5,),
        token_debt_minimum="mid7",
        hlm_debt_minimum="all",
        force_partner=1,
        force_opponents=2,
        forced_bid="mid7",
    ),
)
"""Unlike anything that ships: no bot was compiled for it."""

RICH: Final = Ledger(scores=(11, 23), tokens=(4, 5), hlm_debt=(0, 1))
"""A ledger under which everything can be said that the token economy has."""


@dataclass(frozen=True, slots=True)
class Position:
    """A hand at a point where a seat has a choice.

    Attributes:
        hand: not to be changed.
        seat: who is to act.
        forced: places in the log of its own moves that the referee made (rules A1).
    """

    hand: Hand
    seat: Seat
    forced: tuple[int, ...] = ()

    @property
    def variant(self) -> Variant:
        """The rules."""
        return self.hand.tables.variant


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    Attributes:
        name: as steps are named after it.
        fits: whether a hand's question is of it.
    """

    name: str
    fits: Callable[[Hand], bool]


def _phase(phase: Phase) -> Kind:
    return Kind(phase.value, lambda hand: hand.phase is phase)


SPEAK: Final = _phase(Phase.SPEAK)
SHOOTER: Final = _phase(Phase.SHOOTER)
CALL: Final = _phase(Phase.CALL)
TRADE: Final = _phase(Phase.TRADE)
GIVE: Final = _phase(Phase.GIVE)
DISCARD: Final = _phase(Phase.DISCARD)
PLAY: Final = _phase(Phase.PLAY)
FORCE: Final = Kind("force", lambda hand: any(action.kind in _FORCES for action in hand.legal))


@lru_cache
def positions(variant: Variant, kind: Kind, count: int) -> tuple[Position, ...]:
    """Questions of one kind, each from a hand of its own.

    Args:
        variant: the rules.
        kind: of the question.
        count: how many.
    """
    found: list[Position] = []
    for board in range(MOST_HANDS):
        here = [one for one in _course(variant, board) if kind.fits(one.hand)]
        if here:
            found.append(Random(board).choice(here))
        if len(found) == count:
            return tuple(found)
    raise AssertionError(f"{variant.name} has no {kind.name}")


def _course(variant: Variant, board: int) -> Iterator[Position]:
    """All questions of one hand that is played at random."""
    chance = Random(board)
    cards = Dealer(SEED).deal(variant, "check", board)
    ledger = RICH if variant.tokens.decades else Ledger(scores=(3, 9))
    dealer = Seat(board % 4)
    hand = deal_hand(tables_of(variant), cards, dealer=dealer, ledger=ledger, number=board % 3)
    forced: dict[Seat, tuple[int, ...]] = {}
    while legal := hand.legal:
        seat = hand.to_act
        if len(legal) == 1:
            forced[seat] = (*forced.get(seat, ()), len(hand.log))
        else:
            yield Position(hand.copy(), seat, forced.get(seat, ()))
        hand.apply(_chosen(hand, chance))


def _chosen(hand: Hand, chance: Random) -> Action:
    """At random, with a liking for what is rare: forces, and bids with an exchange."""
    bids = hand.tables.variant.bids
    rare = [
        action
        for action in hand.legal
        if action.kind in _FORCES
        or (action.kind is ActionKind.BID and bids[action.level].exchange is not Exchange.NONE)
    ]
    return chance.choice(rare if rare and chance.random() < 0.3 else hand.legal)
