"""Enums of the rules and of the contract are the same lists."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from arena.rules import Call, Phase, Rank, Refusal
from arena.rules.record import EndingKind, Mover, SetOutcome
from arena.v1 import cards_pb2, record_pb2, referee_pb2, variant_pb2, view_pb2
from arena.wire import enums
from arena.wire.enums import EnumCodec, UnknownValue

CODECS: dict[str, EnumCodec[Any]] = {
    name: codec for name, codec in vars(enums).items() if isinstance(codec, EnumCodec)
}

WIRE_ENUMS: list[tuple[EnumCodec[Any], Any, set[int]]] = [
    (enums.CALLS, cards_pb2.Call, set()),
    (enums.RANKS, variant_pb2.Rank, set()),
    (enums.PHASES, view_pb2.Phase, set()),
    (enums.ENDING_KINDS, record_pb2.EndingKind, set()),
    (enums.MOVERS, record_pb2.Mover, set()),
    (enums.SET_OUTCOMES, record_pb2.SetOutcome, set()),
    (
        enums.REFUSALS,
        referee_pb2.RejectionCode,
        # About the message rather than the rules.
        {
            referee_pb2.REJECTION_CODE_UNKNOWN_DECISION,
            referee_pb2.REJECTION_CODE_STALE,
            referee_pb2.REJECTION_CODE_UNKNOWN_ARM,
        },
    ),
    (enums.AUCTIONS, variant_pb2.Auction, set()),
    (enums.NAMINGS, variant_pb2.Naming, set()),
    (enums.ALL_PASSES, variant_pb2.AllPass, set()),
    (enums.EXCHANGES, variant_pb2.Exchange, set()),
    (enums.GIFTS, variant_pb2.Gift, set()),
    (enums.GIFT_FALLBACKS, variant_pb2.GiftFallback, set()),
    (enums.GIFT_TIES, variant_pb2.GiftTie, set()),
    (enums.OPENING_LEADS, variant_pb2.OpeningLead, set()),
    (enums.BOTH_REACHES, variant_pb2.BothReach, set()),
    (enums.TIES, variant_pb2.Tie, set()),
]


def test_every_codec_is_in_the_table_above() -> None:
    assert {id(codec) for codec, _, _ in WIRE_ENUMS} == {id(codec) for codec in CODECS.values()}


@pytest.mark.parametrize(("codec", "wire", "others"), WIRE_ENUMS, ids=CODECS)
def test_a_codec_knows_every_value_of_the_contract_but_the_unspecified_one(
    codec: EnumCodec[Any], wire: Any, others: set[int]
) -> None:
    numbers = {codec.number(member) for member in codec.members}
    assert numbers == set(wire.values()) - {0} - others
    for member in codec.members:
        assert codec.member(codec.number(member)) is member


LEFT_OUT: list[tuple[EnumCodec[Any], type[Enum], set[Enum]]] = [
    (enums.PHASES, Phase, {Phase.OVER}),
    (enums.REFUSALS, Refusal, {Refusal.HAND_IS_OVER, Refusal.NOT_YOUR_TURN}),
    (enums.ENDING_KINDS, EndingKind, set()),
    (enums.MOVERS, Mover, set()),
    (enums.SET_OUTCOMES, SetOutcome, set()),
    (enums.RANKS, Rank, set()),
    (enums.CALLS, Call, set()),
]


@pytest.mark.parametrize(("codec", "kind", "without"), LEFT_OUT)
def test_only_what_no_bot_can_meet_has_no_number(
    codec: EnumCodec[Any], kind: type[Enum], without: set[Enum]
) -> None:
    assert set(codec.members) == set(kind) - without


@pytest.mark.parametrize("number", [0, 99, -1])
def test_a_number_that_names_nothing_is_refused_by_name(number: int) -> None:
    with pytest.raises(UnknownValue, match=rf"^{number} is no EndingKind"):
        enums.ENDING_KINDS.member(number)
