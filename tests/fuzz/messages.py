"""Messages of any type, out of its descriptor: a service that is new is covered by itself."""

from __future__ import annotations

import random
from typing import Any, Final

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

from arena.v1 import (
    leaderboard_service_pb2,
    referee_pb2,
    tournament_service_pb2,
    variant_service_pb2,
)
from tests.server.services.house import bot_token, registration

GUESTS: Final = (3, 4, 5)
"""Bots of the fuzzer: their numbers, which are those of their tokens."""

KNOWN_TEXTS: Final = (
    *(bot_token(number) for number in GUESTS),
    *(f"bots/{number}/versions/{number}" for number in GUESTS),
    *("tournaments/1", "tournaments/999", "tournaments/1/records/r1:1-2:1", "variants/classic"),
    *("variants/classic/leaderboard", "tournaments/1/leaderboard", "bots/3", "cup", "guest3"),
    *(
        "classic",
        "token",
        "a",
        "",
        " ",
        "\0",
        "é",
        "\u202e",
        "x" * 129,
        "9" * 25,
        "../../etc",
        "%s",
    ),
)
NUMBERS: Final = (0, 1, 2, 3, 7, 16, 64, 1024, 1025, 100_000)

REAL: Final[dict[str, Message]] = {
    message.DESCRIPTOR.full_name: message
    for message in (
        referee_pb2.PlayRequest(
            hello=referee_pb2.Hello(
                token=bot_token(GUESTS[0]), protocol_version=1, chair=referee_pb2.CHAIR_SECOND
            )
        ),
        registration("guest6", 6),
        tournament_service_pb2.CreateTournamentRequest(
            request_id="create cup",
            display_name="cup",
            entrants=[
                tournament_service_pb2.TournamentEntrant(bot=f"guest{n}") for n in GUESTS[:2]
            ],
        ),
        tournament_service_pb2.GetTournamentRequest(name="tournaments/1"),
        tournament_service_pb2.WatchTournamentRequest(name="tournaments/1"),
        tournament_service_pb2.CancelTournamentRequest(name="tournaments/1"),
        leaderboard_service_pb2.GetLeaderboardRequest(name="variants/classic/leaderboard"),
        variant_service_pb2.GetVariantRequest(name="variants/classic"),
    )
}
"""Requests that are answered, by the name of their type; what is drawn is added to them."""

texts = st.sampled_from(KNOWN_TEXTS) | st.text(max_size=20)
_BOUNDS: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def _numbers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.sampled_from((*NUMBERS, low, high)) | st.integers(low, high)


def _values(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """Values of a field that is no message."""
    kind = field.cpp_type
    if kind in _BOUNDS:
        return _numbers(*_BOUNDS[kind])
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        assert field.enum_type is not None
        known = [value.number for value in field.enum_type.values]
        return st.sampled_from([*known, max(known) + 1, -1])
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return st.floats(width=32)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.binary(max_size=40)
    assert kind == FieldDescriptor.CPPTYPE_STRING
    return texts


@st.composite
def messages(draw: st.DrawFn, descriptor: Descriptor, depth: int = 4) -> Message:
    """A message with any fields set to anything that they can hold."""
    message = message_factory.GetMessageClass(descriptor)()
    fields = [field for field in descriptor.fields if depth or field.message_type is None]
    if not fields:
        return message
    most = draw(st.sampled_from([0, 1, 1, 2, 6]))
    for field in draw(
        st.lists(st.sampled_from(fields), max_size=most, unique_by=lambda f: f.number)
    ):
        _set(draw, message, field, depth)
    return message


def _set(draw: st.DrawFn, message: Message, field: FieldDescriptor, depth: int) -> None:
    inner = field.message_type
    if inner is not None and inner.GetOptions().map_entry:
        raise NotImplementedError(f"{field.full_name} is a map: teach the fuzzer maps")
    if field.is_repeated:
        values = messages(inner, depth - 1) if inner is not None else _values(field)
        getattr(message, field.name).extend(draw(st.lists(values, max_size=3)))
    elif inner is not None:
        part = getattr(message, field.name)
        part.SetInParent()
        part.MergeFrom(draw(messages(inner, depth - 1)))
    else:
        setattr(message, field.name, draw(_values(field)))


@st.composite
def payloads(draw: st.DrawFn, descriptor: Descriptor) -> bytes:
    """The bytes of a message, or what is left of them, or any bytes."""
    kind = draw(st.sampled_from(["message"] * 4 + ["real"] * 2 + ["mutated", "bytes", "long"]))
    if kind == "bytes":
        return draw(st.binary(max_size=60))
    if kind == "long":
        return b"\x0a" + b"\xff" * draw(st.sampled_from([65_530, 65_537, 70_000]))
    real = REAL.get(descriptor.full_name)
    data = draw(messages(descriptor)).SerializeToString()
    if real is not None and kind == "real":
        return real.SerializeToString() + data[: draw(st.sampled_from([0, 0, 1000]))]
    if real is not None and draw(st.booleans()):
        data = real.SerializeToString()
    return mutated(data, draw(st.integers(0, 2**32))) if kind == "mutated" else data


def mutated(data: bytes, seed: int) -> bytes:
    """The data with some bytes changed, left out or put in."""
    chance, changed = random.Random(seed), bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randint(0, len(changed))
        cut = chance.randint(0, 2)
        changed[place : place + cut] = chance.randbytes(chance.randint(0, 2))
    return bytes(changed)
