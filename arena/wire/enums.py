"""Enums of the rules and of the wire, value for value, by name.

``EndingKind.ARENA_FAULT`` is ``ENDING_KIND_ARENA_FAULT``: the names are the table, and a value
that one side lacks fails at import.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, TypeVar

from arena.rules.calls import Call
from arena.rules.cards import Rank
from arena.rules.errors import Refusal
from arena.rules.hand import Phase
from arena.rules.record import EndingKind, Mover, SetOutcome
from arena.rules.variant import (
    AllPass,
    Auction,
    BothReach,
    Exchange,
    Gift,
    GiftFallback,
    GiftTie,
    Naming,
    OpeningLead,
    Tie,
)
from arena.v1 import cards_pb2, record_pb2, referee_pb2, variant_pb2, view_pb2

E = TypeVar("E", bound=Enum)


class UnknownValue(ValueError):
    """A wire number that names no value here: from another version, or nonsense."""


class EnumCodec(Generic[E]):
    """One enum, both ways."""

    __slots__ = ("_from_wire", "_name", "_to_wire")

    def __init__(
        self, kind: type[E], wire: Any, prefix: str, *, without: tuple[E, ...] = ()
    ) -> None:
        self._name = kind.__name__
        self._to_wire: dict[E, int] = {
            member: wire.Value(f"{prefix}_{member.name}")
            for member in kind
            if member not in without
        }
        self._from_wire = {number: member for member, number in self._to_wire.items()}

    @property
    def members(self) -> tuple[E, ...]:
        """The values that have a wire number."""
        return tuple(self._to_wire)

    def number(self, member: E) -> Any:
        """The wire number."""
        return self._to_wire[member]

    def member(self, number: int) -> E:
        """The value of a wire number.

        Raises:
            UnknownValue: there is none.
        """
        member = self._from_wire.get(number)
        if member is None:
            raise UnknownValue(f"{number} is no {self._name} that this version knows")
        return member


CALLS = EnumCodec(Call, cards_pb2.Call, "CALL")
RANKS = EnumCodec(Rank, variant_pb2.Rank, "RANK")
PHASES = EnumCodec(Phase, view_pb2.Phase, "PHASE", without=(Phase.OVER,))
ENDING_KINDS = EnumCodec(EndingKind, record_pb2.EndingKind, "ENDING_KIND")
MOVERS = EnumCodec(Mover, record_pb2.Mover, "MOVER")
SET_OUTCOMES = EnumCodec(SetOutcome, record_pb2.SetOutcome, "SET_OUTCOME")
REFUSALS = EnumCodec(
    Refusal,
    referee_pb2.RejectionCode,
    "REJECTION_CODE",
    without=(Refusal.HAND_IS_OVER, Refusal.NOT_YOUR_TURN),
)
AUCTIONS = EnumCodec(Auction, variant_pb2.Auction, "AUCTION")
NAMINGS = EnumCodec(Naming, variant_pb2.Naming, "NAMING")
ALL_PASSES = EnumCodec(AllPass, variant_pb2.AllPass, "ALL_PASS")
EXCHANGES = EnumCodec(Exchange, variant_pb2.Exchange, "EXCHANGE")
GIFTS = EnumCodec(Gift, variant_pb2.Gift, "GIFT")
GIFT_FALLBACKS = EnumCodec(GiftFallback, variant_pb2.GiftFallback, "GIFT_FALLBACK")
GIFT_TIES = EnumCodec(GiftTie, variant_pb2.GiftTie, "GIFT_TIE")
OPENING_LEADS = EnumCodec(OpeningLead, variant_pb2.OpeningLead, "OPENING_LEAD")
BOTH_REACHES = EnumCodec(BothReach, variant_pb2.BothReach, "BOTH_REACH")
TIES = EnumCodec(Tie, variant_pb2.Tie, "TIE")
