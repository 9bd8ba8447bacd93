"""Records as JSON and as messages.

The JSON is that of ``arena.v1.SetRecord`` with the field names of the proto, every field present
(``null`` where an optional one is absent) and no 64-bit number.  It is written straight from the
values, since a record is written for every set and the generic printer costs ten times as much;
a test compares both.  Reading goes through the message, which refuses what does not fit.
"""

from __future__ import annotations

import json
from typing import Any

from google.protobuf import json_format

from arena.rules.cards import Seat, Side
from arena.rules.errors import RulesError
from arena.rules.game import GameEnd
from arena.rules.record import (
    FORMAT,
    Ending,
    Entrant,
    Faults,
    GameRecord,
    HandRecord,
    HandResult,
    Mover,
    RecordedMove,
    RecordedSeat,
    SetRecord,
    Verdict,
)
from arena.v1 import record_pb2
from arena.wire.enums import ENDING_KINDS, MOVERS, SET_OUTCOMES, UnknownValue
from arena.wire.variants import read_variant, variant_message


class RecordFormatError(RulesError):
    """A file that is no record of this format."""


Data = dict[str, Any]

_MOVER_NAMES = {mover: f"MOVER_{mover.name}" for mover in Mover}


def record_json(record: SetRecord, *, timing: bool = True) -> bytes:
    """The record as one line of JSON with a line feed at its end.

    Args:
        record: what to write.
        timing: without it, two runs of one seed give the same bytes.
    """
    data = record_data(record)
    if timing:
        data["timing"] = timing_data(record)
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True).encode("ascii") + b"\n"


def record_data(record: SetRecord) -> Data:
    """The record as plain data in the form of the JSON, without ``timing``."""
    return {
        "format": record.format,
        "variant": json_format.MessageToDict(
            variant_message(record.variant),
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        ),
        "set_id": record.set_id,
        "commitment": record.commitment,
        "entrants": [{"name": e.name, "version": e.version} for e in record.entrants],
        "halves": [_game_data(half) for half in record.halves],
        "outcome": f"SET_OUTCOME_{record.verdict.outcome.name}",
        "points": record.verdict.points,
        "hands": record.verdict.hands,
        "counts_points": record.verdict.counts_points,
    }


def game_json(game: GameRecord) -> bytes:
    """One half as JSON."""
    return json.dumps(_game_data(game), separators=(",", ":")).encode("ascii")


def timing_data(record: SetRecord) -> Data:
    """The times of a record, in the shape of its halves and hands."""
    return {
        "halves": [
            {"hands": [{"decision_us": list(hand.times_us)} for hand in half.hands]}
            for half in record.halves
        ]
    }


def _game_data(game: GameRecord) -> Data:
    return {
        "half": game.half,
        "deal_set": game.deal_set,
        "seats": [{"entrant": s.entrant, "faults": s.faults._asdict()} for s in game.seats],
        "hands": [hand_data(hand) for hand in game.hands],
        "ending": ending_data(game.ending),
        "winner": game.winner,
        "end": "" if game.end is None else game.end.value,
        "scores": list(game.scores),
    }


def ending_data(ending: Ending) -> Data:
    """An ending as plain data."""
    return {
        "kind": f"ENDING_KIND_{ending.kind.name}",
        "seat": ending.seat,
        "sentence": ending.sentence,
    }


def hand_data(hand: HandRecord) -> Data:
    """A hand as plain data."""
    names = _MOVER_NAMES
    return {
        "board": hand.board,
        "dealer": hand.dealer,
        "dealt": [{"cards": list(cards)} for cards in hand.dealt],
        "moves": [
            {"seat": seat, "action": action, "mover": names[mover]}
            for seat, action, mover in hand.moves
        ],
        "result": None if hand.result is None else hand.result._asdict(),
    }


def hand_message(hand: HandRecord) -> record_pb2.HandRecord:
    """The message of a hand."""
    return json_format.ParseDict(hand_data(hand), record_pb2.HandRecord())


def ending_message(ending: Ending) -> record_pb2.Ending:
    """The message of an ending."""
    return record_pb2.Ending(
        kind=ENDING_KINDS.number(ending.kind), seat=ending.seat, sentence=ending.sentence
    )


def read_record(text: bytes) -> SetRecord:
    """The record of a file.

    Raises:
        RecordFormatError: it is cut, no JSON, no record, or of a later format.
    """
    try:
        data = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_number)
    except (UnicodeDecodeError, ValueError) as error:
        raise RecordFormatError(_not_json(text, error)) from error
    except RecursionError as error:
        raise RecordFormatError("it is nested too deeply") from error
    if not _is_text(text, data):
        raise RecordFormatError("it holds half a character")
    if not isinstance(data, dict) or "format" not in data:
        raise RecordFormatError("it is no record of a set")
    if data["format"] != FORMAT:
        raise RecordFormatError(
            f"it was written in format {data['format']}; this program reads format {FORMAT}"
        )
    try:
        message = json_format.ParseDict(data, record_pb2.SetRecord())
        return _read_set(message)
    except (json_format.ParseError, UnknownValue, RulesError) as error:
        # Protobuf's sentences may have several lines.
        reason = " ".join(str(error).split())
        raise RecordFormatError(f"it is no record of a set: {reason}") from error


def _is_text(text: bytes, data: object) -> bool:
    """Whether no escape stands for half a surrogate pair, over which protobuf stumbles."""
    if b"\\ud" not in text.lower():
        return True
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _once_each(pairs: list[tuple[str, Any]]) -> Data:
    """A table; what is said twice could be read as one thing and shown as another."""
    data = dict(pairs)
    if len(data) != len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"{twice!r} is there twice")
    return data


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _not_json(text: bytes, error: Exception) -> str:
    if not text.strip():
        return "it is empty"
    if isinstance(error, json.JSONDecodeError):
        # Inside a text the position is where it began; inside a word, up to four letters back.
        inside = error.msg.startswith("Unterminated string")
        if inside or error.pos >= len(text.rstrip()) - len("fals"):
            return f"it is cut off at byte {len(text)}"
    return f"it is no JSON: {error}"


def _read_set(message: record_pb2.SetRecord) -> SetRecord:
    timing = message.timing.halves
    halves = []
    for index, half in enumerate(message.halves):
        times = timing[index].hands if index < len(timing) else ()
        halves.append(_read_game(half, [tuple(hand.decision_us) for hand in times]))
    return SetRecord(
        variant=read_variant(message.variant),
        set_id=message.set_id,
        commitment=message.commitment,
        entrants=tuple(Entrant(e.name, e.version) for e in message.entrants),
        halves=tuple(halves),
        verdict=Verdict(
            SET_OUTCOMES.member(message.outcome),
            message.points,
            message.hands,
            message.counts_points,
        ),
        format=message.format,
    )


def _read_game(message: record_pb2.GameRecord, times: list[tuple[int, ...]]) -> GameRecord:
    hands = [
        _read_hand(hand, times[index] if index < len(times) else (0,) * len(hand.moves))
        for index, hand in enumerate(message.hands)
    ]
    ends = {end.value: end for end in GameEnd}
    if message.end and message.end not in ends:
        raise UnknownValue(f"{message.end!r} is no end of a game that this version knows")
    return GameRecord(
        half=message.half,
        deal_set=message.deal_set,
        seats=tuple(
            RecordedSeat(seat.entrant, _read_faults(seat.faults)) for seat in message.seats
        ),
        hands=tuple(hands),
        ending=Ending(
            ENDING_KINDS.member(message.ending.kind),
            Seat(message.ending.seat) if message.ending.HasField("seat") else None,
            message.ending.sentence,
        ),
        winner=Side(message.winner) if message.HasField("winner") else None,
        end=ends.get(message.end),
        scores=_pair(message.scores, "scores"),
    )


def _read_faults(message: record_pb2.Faults) -> Faults:
    return Faults(*(getattr(message, kind) for kind in Faults._fields))


def _read_hand(message: record_pb2.HandRecord, times: tuple[int, ...]) -> HandRecord:
    if len(times) != len(message.moves):
        raise UnknownValue(f"there are {len(times)} times for {len(message.moves)} moves")
    return HandRecord(
        board=message.board,
        dealer=Seat(message.dealer),
        dealt=tuple(tuple(hand.cards) for hand in message.dealt),
        moves=tuple(
            RecordedMove(Seat(move.seat), move.action, MOVERS.member(move.mover))
            for move in message.moves
        ),
        result=_read_result(message.result) if message.HasField("result") else None,
        times_us=times,
    )


def _read_result(message: record_pb2.HandResult) -> HandResult:
    return HandResult(
        made=message.made if message.HasField("made") else None,
        tricks=_pair(message.tricks, "tricks"),
        points=_pair(message.points, "points"),
        scores=_pair(message.scores, "scores"),
        tokens=_pair(message.tokens, "tokens"),
        token_debt=_pair(message.token_debt, "token_debt"),
        hlm_debt=_pair(message.hlm_debt, "hlm_debt"),
    )


def _pair(values: Any, name: str) -> tuple[Any, Any]:
    if len(values) != 2:
        raise UnknownValue(f"{name} has {len(values)} entries and should have 2, one a side")
    return values[0], values[1]
