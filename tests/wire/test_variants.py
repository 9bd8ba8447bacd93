"""A variant as a message says all that the variant says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    VARIANTS,
    Variant,
    VariantError,
    variant_hash,
)
from arena.v1 import variant_pb2
from arena.wire.enums import UnknownValue
from arena.wire.variants import read_variant, variant_message
from tests.strategies import house_variants


def there_and_back(variant: Variant) -> Variant:
    data = variant_message(variant).SerializeToString()
    return read_variant(variant_pb2.Variant.FromString(data))


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_a_shipped_variant_comes_back_equal(variant: Variant) -> None:
    assert there_and_back(variant) == variant


@given(house_variants())
def test_house_rules_come_back_equal_and_with_their_ladder(variant: Variant) -> None:
    again = there_and_back(variant)
    assert again == variant
    assert variant_hash(again) == variant_hash(variant)


def with_call(variant: Variant, **changes: object) -> Variant:
    *others, last = variant.calls
    return replace(variant, calls=(*others, replace(last, **changes)))  # type: ignore[arg-type]


HOUSE = {
    "a call that only higher bids may name (T1.3)": with_call(TOKEN, lowest_bid="5"),
    "a call whose lowest bid is the ladder's first": with_call(TOKEN, lowest_bid="3"),
    "a free call": with_call(TOKEN, tokens=0),
    "a price of zero points": replace(
        CLASSIC, bids=(*CLASSIC.bids[:-1], replace(CLASSIC.bids[-1], made=0, set=0))
    ),
    "a fixed number of hands to a ladder of one bid": replace(
        DOUBLE, hands=1, bids=DOUBLE.bids[-1:]
    ),
    "another first dealer and limit": replace(CLASSIC, first_dealer=3, max_hands=1),
}


@pytest.mark.parametrize("variant", HOUSE.values(), ids=HOUSE)
def test_corner_cases_come_back_equal(variant: Variant) -> None:
    assert there_and_back(variant) == variant


def test_bids_are_named_by_their_place_from_one() -> None:
    message = variant_message(TOKEN)
    assert message.tokens.token_debt_minimum == 3  # "5"
    assert message.tokens.forced_bid == 5  # "shot"
    assert [bid.name for bid in message.bids][message.tokens.hlm_debt_minimum - 1] == "shot"


def test_what_is_not_there_is_absent() -> None:
    message = variant_message(CLASSIC)
    assert not message.HasField("hands")
    assert not message.bids[0].HasField("made")
    assert not message.tokens.HasField("force_partner")
    assert message.bids[-1].HasField("made")


def no_place(message: variant_pb2.Variant) -> None:
    message.tokens.forced_bid = 7


def place_zero(message: variant_pb2.Variant) -> None:
    message.tokens.forced_bid = 0


def later_enum(message: variant_pb2.Variant) -> None:
    message.auction = 9  # type: ignore[assignment]


def later_rank(message: variant_pb2.Variant) -> None:
    message.ranks[0] = 9  # type: ignore[call-overload]


def no_hand(message: variant_pb2.Variant) -> None:
    message.hand_size = 0


def both_ends(message: variant_pb2.Variant) -> None:
    message.hands = 8


BROKEN: dict[str, tuple[Callable[[variant_pb2.Variant], None], type[Exception], str]] = {
    "a place past the ladder": (no_place, UnknownValue, "7 is no place on a ladder of 6 bids"),
    "place 0": (place_zero, UnknownValue, "0 is no place on a ladder of 6 bids"),
    "an enum value of a later version": (later_enum, UnknownValue, "9 is no Auction"),
    "a rank of a later version": (later_rank, UnknownValue, "9 is no Rank"),
    "a hand of no cards": (no_hand, VariantError, "hand_size must be 6"),
    "two ends": (both_ends, VariantError, "target or hands"),
}


@pytest.mark.parametrize(("spoil", "error", "words"), BROKEN.values(), ids=BROKEN)
def test_a_message_that_makes_no_sense_is_refused(
    spoil: Callable[[variant_pb2.Variant], None], error: type[Exception], words: str
) -> None:
    message = variant_message(TOKEN)
    spoil(message)
    with pytest.raises(error, match=words):
        read_variant(message)


def test_an_empty_message_is_no_variant() -> None:
    with pytest.raises((UnknownValue, VariantError)):
        read_variant(variant_pb2.Variant())
