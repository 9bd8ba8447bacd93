"""Bytes joined by hand are the bytes that protobuf makes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules import TOKEN, view_of
from arena.v1 import referee_pb2, view_pb2
from arena.wire.framing import bytes_tag, enclosed, number_tag, varint
from arena.wire.views import PublicEncoder, decision_bytes
from tests.wire.playouts import states

EDGES = [0, 1, 127, 128, 16383, 16384, 2**21 - 1, 2**21, 2**32 - 1]


@given(st.sampled_from(EDGES) | st.integers(0, 2**32 - 1))
def test_a_number_is_what_protobuf_reads_again(number: int) -> None:
    data = number_tag(referee_pb2.Item, "sequence") + varint(number)
    assert referee_pb2.Item.FromString(data).sequence == number
    if number:
        assert referee_pb2.Item(sequence=number).SerializeToString() == data


@pytest.mark.parametrize("size", [0, 1, 127, 128, 20_000])
def test_an_enclosed_message_may_be_of_any_length(size: int) -> None:
    inner = referee_pb2.Rejected(text="x" * size)
    data = enclosed(bytes_tag(referee_pb2.Item, "rejected"), inner.SerializeToString())
    assert referee_pb2.Item.FromString(data) == referee_pb2.Item(rejected=inner)


def test_the_referees_and_the_stand_ins_moves_go_into_the_private_part_only() -> None:
    hand = next(hand for hand in states(TOKEN, hands=5, seed=1) if len(hand.log) > 6)
    view = view_of(hand, hand.to_act)
    data = decision_bytes(view, hand.legal, PublicEncoder(), forced=(0, 3), stood_in=(5,))
    plain = decision_bytes(view, hand.legal, PublicEncoder())
    told = referee_pb2.Decision.FromString(data)
    assert list(told.private.forced_moves) == [0, 3]
    assert list(told.private.stand_in_moves) == [5]
    told.private.ClearField("forced_moves")
    told.private.ClearField("stand_in_moves")
    assert told == referee_pb2.Decision.FromString(plain)
    assert isinstance(told.public, view_pb2.PublicView)
