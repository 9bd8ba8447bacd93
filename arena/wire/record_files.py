"""Reading the JSON of a record; ``records`` says what it is.

It goes through the message, which refuses what does not fit.
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
    RecordedMove,
    RecordedSeat,
    SetRecord,
    Verdict,
)
from arena.v1 import record_pb2
from arena.wire.enums import ENDING_KINDS, MOVERS, SET_OUTCOMES, UnknownValue
from arena.wire.variants import read_variant


class RecordFormatError(RulesError):
    """A file that is no record of this format."""


def read_record(text: bytes) -> SetRecord:
    """The record of a file.

    Raises:
        RecordFormatError: it is cut, no JSON, no record, or of a later format.
    """
    try:
        data = json.loads(
            text,
            object_pairs_hook=_once_each,
            parse_constant=_no_number,
            parse_float=_no_fraction,
        )
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


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A table; what is said twice could be read as one thing and shown as another."""
    data = dict(pairs)
    if len(data) != len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"{twice!r} is there twice")
    return data


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _no_fraction(text: str) -> None:
    # Protobuf would cut the fraction off where a number stands for a name.
    raise RecordFormatError(f"it is no record of a set: {text[:40]} is no whole number")


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
