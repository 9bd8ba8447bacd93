"""Records as JSON and as messages.

The JSON is that of ``arena.v1.SetRecord`` with the field names of the proto, every field present
(``null`` where an optional one is absent) and no 64-bit number.  It is written straight from the
values, each move from a fragment made once: a record is written for every set, and the generic
printer costs fifty times as much.  A test compares both.  ``record_files`` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from google.protobuf import json_format

from arena.rules.record import (
    Ending,
    GameRecord,
    HandRecord,
    RecordedMove,
    SetRecord,
)
from arena.rules.variant import Variant
from arena.v1 import record_pb2
from arena.wire.enums import ENDING_KINDS
from arena.wire.variants import variant_message

_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def record_json(record: SetRecord, *, timing: bool = True) -> bytes:
    """The record as one line of JSON with a line feed at its end.

    Args:
        record: what to write.
        timing: without it, two runs of one seed give the same bytes.
    """
    fields = [
        ("format", _encode(record.format)),
        ("variant", _variant_json(record.variant)),
        ("set_id", _encode(record.set_id)),
        ("commitment", _encode(record.commitment)),
        ("entrants", _encode([{"name": e.name, "version": e.version} for e in record.entrants])),
        ("halves", _array(_game_json(half) for half in record.halves)),
        ("outcome", _encode(f"SET_OUTCOME_{record.verdict.outcome.name}")),
        ("points", _encode(record.verdict.points)),
        ("hands", _encode(record.verdict.hands)),
        ("counts_points", _encode(record.verdict.counts_points)),
    ]
    if timing:
        fields.append(("timing", _encode(_timing_data(record))))
    return _object(fields).encode("ascii") + b"\n"


def record_data(record: SetRecord, *, timing: bool = True) -> dict[str, Any]:
    """The same as plain data."""
    data: dict[str, Any] = json.loads(record_json(record, timing=timing))
    return data


def game_json(game: GameRecord) -> bytes:
    """One half as JSON."""
    return _game_json(game).encode("ascii")


def hand_message(hand: HandRecord) -> record_pb2.HandRecord:
    """The message of a hand."""
    return json_format.Parse(_hand_json(hand), record_pb2.HandRecord())


def ending_message(ending: Ending) -> record_pb2.Ending:
    """The message of an ending."""
    return record_pb2.Ending(
        kind=ENDING_KINDS.number(ending.kind), seat=ending.seat, sentence=ending.sentence
    )


def _object(fields: Iterable[tuple[str, str]]) -> str:
    return "{" + ",".join(f'"{name}":{text}' for name, text in fields) + "}"


def _array(texts: Iterable[str]) -> str:
    return "[" + ",".join(texts) + "]"


@lru_cache(maxsize=64)
def _variant_json(variant: Variant) -> str:
    return _encode(
        json_format.MessageToDict(
            variant_message(variant),
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        )
    )


def _game_json(game: GameRecord) -> str:
    seats = [{"entrant": s.entrant, "faults": s.faults._asdict()} for s in game.seats]
    ending = game.ending
    return _object(
        (
            ("half", _encode(game.half)),
            ("deal_set", _encode(game.deal_set)),
            ("seats", _encode(seats)),
            ("hands", _array(map(_hand_json, game.hands))),
            ("ending", _encode({**ending._asdict(), "kind": f"ENDING_KIND_{ending.kind.name}"})),
            ("winner", _encode(game.winner)),
            ("end", _encode("" if game.end is None else game.end.value)),
            ("scores", _encode(game.scores)),
        )
    )


def _hand_json(hand: HandRecord) -> str:
    return _object(
        (
            ("board", _encode(hand.board)),
            ("dealer", _encode(hand.dealer)),
            ("dealt", _encode([{"cards": cards} for cards in hand.dealt])),
            ("moves", _array(map(_FRAGMENTS.__getitem__, hand.moves))),
            ("result", _encode(None if hand.result is None else hand.result._asdict())),
        )
    )


class _MoveFragments(dict[RecordedMove, str]):
    """The JSON of moves; made at the first look-up."""

    def __missing__(self, move: RecordedMove) -> str:
        seat, action, mover = move
        text = _encode({"seat": seat, "action": action, "mover": f"MOVER_{mover.name}"})
        self[move] = text
        return text


_FRAGMENTS: Final = _MoveFragments()


def _timing_data(record: SetRecord) -> dict[str, Any]:
    """The times, in the shape of halves and hands."""
    return {
        "halves": [
            {"hands": [{"decision_us": hand.times_us} for hand in half.hands]}
            for half in record.halves
        ]
    }
