"""The entries of an Items message as serialised parts, to be joined once a message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.referee.clock import Micros
from arena.server.remote import RemoteSeat
from arena.v1 import referee_pb2
from arena.wire.framing import bytes_tag, enclosed, number_tag, varint
from arena.wire.views import decision_bytes

_ITEMS_TAG: Final = bytes_tag(referee_pb2.PlayResponse, "items")
_ITEM_TAG: Final = bytes_tag(referee_pb2.Items, "items")
_SEQUENCE_TAG: Final = number_tag(referee_pb2.Item, "sequence")
_DECISION_TAG: Final = bytes_tag(referee_pb2.Item, "decision")
_FRAME: Final = len(_SEQUENCE_TAG) + len(_DECISION_TAG)
_DECISION_ID_TAG: Final = number_tag(referee_pb2.Decision, "decision_id")
_BANK_TAG: Final = number_tag(referee_pb2.Decision, "bank_left_ms")
_TIME_TAG: Final = number_tag(referee_pb2.Decision, "time_left_ms")
_LATENCY_TAG: Final = number_tag(referee_pb2.Decision, "last_latency_us")


def items_response(parts: Iterable[bytes]) -> bytes:
    """A serialised PlayResponse whose items have these parts."""
    return enclosed(_ITEMS_TAG, b"".join(parts))


def event_parts(event: referee_pb2.Item) -> tuple[bytes, ...]:
    """An event, which has its sequence number."""
    item = event.SerializeToString()
    return _ITEM_TAG, varint(len(item)), item


def decision_parts(seat: RemoteSeat, number: int, bank: Micros, limit: Micros) -> tuple[bytes, ...]:
    """A seat's question.

    Args:
        seat: whose question, which has its decision id.
        number: the item's sequence number.
        bank: what is left of the seat's bank.
        limit: what is left of the most that the decision may take.
    """
    question = seat.question
    decision = decision_bytes(
        question.view,
        question.legal,
        seat.public,
        forced=question.forced,
        stood_in=question.stood_in,
        own=(
            _DECISION_ID_TAG,
            varint(seat.decision_id),
            seat.table_bytes,
            _BANK_TAG,
            varint(bank // 1000),
            _TIME_TAG,
            varint((bank if bank < limit else limit) // 1000),
            _LATENCY_TAG,
            varint(question.last_latency),
        ),
    )
    sequence, length = varint(number), varint(len(decision))
    size = _FRAME + len(sequence) + len(length) + len(decision)
    return _ITEM_TAG, varint(size), _SEQUENCE_TAG, sequence, _DECISION_TAG, length, decision
