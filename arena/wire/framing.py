"""Protobuf's wire format, as far as the hot path needs it: tags, lengths and varints.

Building a decision out of message objects costs several times what its bytes cost to join, and
a server builds tens of thousands a second.  Two facts of the format carry it: a sub-message is
its field's tag, its length and its bytes; and the bytes of two messages of one type, put
together, are the bytes of both merged.  Tags come from the descriptors, and tests parse what is
built here and compare it with messages built field by field.
"""

from __future__ import annotations

from typing import Any, Final

_VARINT: Final = 0
_LENGTH: Final = 2


def _varint(number: int) -> bytes:
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)


_KNOWN: Final = tuple(_varint(number) for number in range(1 << 14))
# The two low groups of a longer one, each with the mark that more follows.
_LOW: Final = tuple(bytes((n & 127 | 128, n >> 7 | 128)) for n in range(1 << 14))


def varint(number: int) -> bytes:
    """An unsigned number as a base-128 varint."""
    if number < 16384:
        return _KNOWN[number]
    return _LOW[number & 16383] + varint(number >> 14)


def number_tag(message: Any, field: str) -> bytes:
    """The tag of a field that holds a number, of a message class."""
    return varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | _VARINT)


def bytes_tag(message: Any, field: str) -> bytes:
    """The tag of a field that holds a sub-message or a packed list, of a message class."""
    return varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | _LENGTH)


def enclosed(tag: bytes, payload: bytes) -> bytes:
    """A sub-message or packed list as a field."""
    return b"".join((tag, varint(len(payload)), payload))
