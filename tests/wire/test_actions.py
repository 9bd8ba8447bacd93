"""Actions on the wire: every action of every variant both ways, and what an answer may hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules import CLASSIC, DOUBLE, TOKEN, VARIANTS, Action, ActionKind, Variant, tables_of
from arena.rules.cards import CARDS, SEATS
from arena.rules.view import cards_in
from arena.v1 import action_pb2, cards_pb2
from arena.wire.actions import ACTIONS, MOVES, WIRE_KINDS, ActionReader, key_of, wire_cards

ALL = [(variant, action) for variant in VARIANTS.values() for action in tables_of(variant).texts]
IDS = [f"{variant.name}: {action}" for variant, action in ALL]

READERS = {variant: ActionReader(tables_of(variant)) for variant in VARIANTS.values()}

FIELDS = {
    ActionKind.BID: {"bid", "call"},
    ActionKind.CALL: {"call"},
    ActionKind.TRADE: {"card"},
    ActionKind.GIVE: {"card"},
    ActionKind.DISCARD: {"card"},
    ActionKind.PLAY: {"card"},
}
"""The fields that a kind uses, as the contract's comments say; the rest use none."""

NOISE = {"card": 24, "bid": 20, "call": 8}


def used(action: Action) -> set[str]:
    """The fields that this action uses; a bid names a call only where its variant says so."""
    fields = FIELDS.get(action.kind, set())
    return fields - {"call"} if action.kind is ActionKind.BID and action.call is None else fields


@pytest.mark.parametrize(("variant", "text"), ALL, ids=IDS)
def test_every_action_goes_both_ways(variant: Variant, text: str) -> None:
    action = tables_of(variant).parse(text)
    parsed = action_pb2.Action.FromString(ACTIONS[action].SerializeToString())
    assert READERS[variant].read(parsed) is action


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_an_action_sets_the_fields_that_its_kind_uses_and_no_other(variant: Variant) -> None:
    for action in tables_of(variant).texts.values():
        fields = {field.name for field, _ in ACTIONS[action].ListFields()} - {"kind"}
        assert fields == used(action), action


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_fields_that_the_kind_does_not_use_are_ignored(variant: Variant) -> None:
    for action in tables_of(variant).texts.values():
        noisy = action_pb2.Action()
        noisy.CopyFrom(ACTIONS[action])
        for field in NOISE.keys() - used(action):
            setattr(noisy, field, NOISE[field])
        assert READERS[variant].read(noisy) is action


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_no_two_actions_of_a_variant_look_alike(variant: Variant) -> None:
    texts = tables_of(variant).texts
    assert len({key_of(action) for action in texts.values()}) == len(texts)


def test_the_numbers_of_an_action_are_those_of_the_enums() -> None:
    low = tables_of(TOKEN).parse("call low")
    jack = tables_of(TOKEN).parse("play JH")
    solo = tables_of(DOUBLE).parse("bid solo NT")
    assert key_of(low) == (action_pb2.ACTION_KIND_CALL, 0, 0, cards_pb2.CALL_LOW)
    assert key_of(jack) == (action_pb2.ACTION_KIND_PLAY, cards_pb2.CARD_JH, 0, 0)
    assert key_of(solo) == (action_pb2.ACTION_KIND_BID, 0, 9, cards_pb2.CALL_NO_TRUMP)


UNKNOWN = {
    "no kind": (CLASSIC, action_pb2.Action()),
    "a kind of a later version": (CLASSIC, action_pb2.Action.FromString(b"\x08\x63")),
    "a play without a card": (CLASSIC, action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY)),
    "a card that no deck has": (CLASSIC, action_pb2.Action.FromString(b"\x08\x0c\x10\x19")),
    "a negative card": (
        CLASSIC,
        action_pb2.Action.FromString(b"\x08\x0c\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
    ),
    "a bid without a place": (CLASSIC, action_pb2.Action(kind=action_pb2.ACTION_KIND_BID)),
    "a bid above the ladder": (
        CLASSIC,
        action_pb2.Action(kind=action_pb2.ACTION_KIND_BID, bid=7),
    ),
    "the largest bid there is": (
        CLASSIC,
        action_pb2.Action(kind=action_pb2.ACTION_KIND_BID, bid=2**32 - 1),
    ),
    "a call that the variant lacks": (
        CLASSIC,
        action_pb2.Action(kind=action_pb2.ACTION_KIND_CALL, call=cards_pb2.CALL_MID),
    ),
    "a call without a call": (CLASSIC, action_pb2.Action(kind=action_pb2.ACTION_KIND_CALL)),
    "a bid without its call where bids name calls (D3)": (
        DOUBLE,
        action_pb2.Action(kind=action_pb2.ACTION_KIND_BID, bid=4),
    ),
    "a bid with a call that the variant lacks (D3)": (
        DOUBLE,
        action_pb2.Action(kind=action_pb2.ACTION_KIND_BID, bid=4, call=cards_pb2.CALL_LOW),
    ),
    "naming the call afterwards where no rank of it is on offer (T1.2)": (
        TOKEN,
        action_pb2.Action(kind=action_pb2.ACTION_KIND_CALL, call=cards_pb2.CALL_NO_TRUMP),
    ),
}


@pytest.mark.parametrize(("variant", "sent"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_names_no_action_of_the_variant_reads_as_none(
    variant: Variant, sent: action_pb2.Action
) -> None:
    assert READERS[variant].read(sent) is None


NUMBERS = st.integers(0, 30) | st.integers(0, 2**31 - 1)


@given(st.sampled_from(list(READERS)), NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_any_four_numbers_read_as_an_action_of_the_variant_or_as_none(
    variant: Variant, kind: int, card: int, bid: int, call: int
) -> None:
    sent = action_pb2.Action(kind=kind, card=card, bid=bid, call=call)  # type: ignore[arg-type]
    action = READERS[variant].read(sent)
    assert action is None or action in tables_of(variant).texts.values()
    assert action is None or WIRE_KINDS[action.kind] == kind


def test_there_is_a_wire_kind_for_every_kind_and_the_other_way_round() -> None:
    assert set(WIRE_KINDS) == set(ActionKind)
    assert set(WIRE_KINDS.values()) == set(action_pb2.ActionKind.values()) - {0}


@pytest.mark.parametrize("seat", range(SEATS))
def test_a_move_is_the_action_and_its_seat(seat: int) -> None:
    action = tables_of(CLASSIC).parse("bid 4")
    assert MOVES[action][seat] == action_pb2.Move(seat=seat, action=ACTIONS[action])


MASKS = st.integers(0, (1 << CARDS) - 1)


@given(MASKS, MASKS)
def test_masks_become_the_cards_in_order_a_twin_twice(held: int, twins: int) -> None:
    twins &= held
    assert wire_cards(held, twins) == bytes(card + 1 for card in cards_in(held, twins))
