"""The three variants that ship, as data (rules B, T, D)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from arena.rules.calls import CALLS_BY_TEXT, Call
from arena.rules.cards import RANK_TEXTS, Rank
from arena.rules.variant import (
    BidRule,
    CallRule,
    Exchange,
    Naming,
    OpeningLead,
    TokenRules,
    Variant,
)


def _ranks(text: str) -> tuple[Rank, ...]:
    return tuple(Rank(RANK_TEXTS.index(letter)) for letter in text)


def _free(call: str, order: str = "") -> CallRule:
    return CallRule(CALLS_BY_TEXT[call], order=_ranks(order))


_SUITS: Final = (_free("C"), _free("D"), _free("H"), _free("S"))
_NO_TRUMP: Final = _free("NT", "AKQJT9")

CLASSIC: Final = Variant(
    name="classic",
    ranks=tuple(Rank),
    copies=1,
    hand_size=6,
    bids=(
        BidRule("3", 3),
        BidRule("4", 4),
        BidRule("5", 5),
        BidRule("6", 6),
        BidRule("shoot", 6, alone=True, exchange=Exchange.TRADE, made=8, set=8),
        BidRule("lone", 6, alone=True, made=12, set=12),
    ),
    calls=(*_SUITS, _NO_TRUMP),
    target=32,
)

TOKEN: Final = replace(
    CLASSIC,
    name="token",
    bids=(
        *CLASSIC.bids[:4],
        BidRule("shot", 6, alone=True, exchange=Exchange.GIFT, made=12, set=12),
        BidRule("loner", 6, alone=True, made=21, set=21),
    ),
    calls=(
        *_SUITS,
        CallRule(Call.HIGH, tokens=1, order=_ranks("AKQJT9")),
        CallRule(Call.LOW, tokens=1, order=_ranks("9TJQKA")),
        CallRule(Call.MID, tokens=1, order=_ranks("QKTA9J")),
    ),
    target=42,
    tokens=TokenRules(
        decades=(10, 20, 30, 40),
        sympathy=(-20, -40, -60),
        token_debt_minimum="5",
        credit=True,
        hlm_debt_minimum="shot",
        force_partner=2,
        force_opponents=3,
        forced_bid="shot",
    ),
)

DOUBLE: Final = Variant(
    name="double",
    ranks=_ranks("JQKA"),
    copies=2,
    hand_size=8,
    bids=(
        *(BidRule(str(number), number) for number in range(1, 9)),
        BidRule("solo", 8, alone=True, made=24, set=24),
    ),
    calls=(*_SUITS, _NO_TRUMP),
    naming=Naming.IN_BID,
    opening_lead=OpeningLead.DECLARER,
    hands=8,
)

VARIANTS: Final = MappingProxyType({v.name: v for v in (CLASSIC, TOKEN, DOUBLE)})
"""The shipped variants by name."""
