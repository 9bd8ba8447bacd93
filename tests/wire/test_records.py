"""Records as JSON: that of the contract's message, whole, and refused where it is anything else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.sets import lost_unplayed
from arena.rules import RulesError
from arena.rules.record import EndingKind, Entrant, SetRecord
from arena.rules.verify import verify
from arena.v1 import record_pb2
from arena.wire.record_files import RecordFormatError, read_record
from arena.wire.records import (
    ending_message,
    game_json,
    hand_message,
    record_json,
)
from tests.referee.games import SHORT, plan_of
from tests.rules.recorded import SHORT_VARIANTS, completed, faulty, forfeited

RECORDS = {
    **{f"a finished set of {name}": completed(name) for name in SHORT_VARIANTS},
    "a forfeited set": forfeited(),
    "a set that the arena broke": faulty(),
    "an unplayed set": lost_unplayed(plan_of(SHORT), 0, EndingKind.CRASH, 'it said "no"\n\u20ac'),
}
EACH_RECORD = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)


def without_nulls(data: Any) -> Any:
    """The data without the optional fields that are absent."""
    if isinstance(data, dict):
        return {key: without_nulls(value) for key, value in data.items() if value is not None}
    return [without_nulls(value) for value in data] if isinstance(data, list) else data


def message_of(text: bytes) -> record_pb2.SetRecord:
    return json_format.Parse(text, record_pb2.SetRecord())


# Writing.


@EACH_RECORD
@pytest.mark.parametrize("timing", [True, False], ids=["with times", "without times"])
def test_the_json_is_that_of_the_message_but_that_absent_fields_are_null(
    record: SetRecord, *, timing: bool
) -> None:
    text = record_json(record, timing=timing)
    printed = json_format.MessageToDict(
        message_of(text),
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )
    assert printed == without_nulls(json.loads(text))


def missing(data: Any, descriptor: Descriptor, path: str) -> Iterator[str]:
    """The fields of the message that the data lack, and keys that are no fields."""
    yield from (f"{path}.{key}" for key in data.keys() - descriptor.fields_by_name.keys())
    for field in descriptor.fields:
        if field.name not in data:
            yield f"{path}.{field.name}"
            continue
        value = data[field.name]
        if field.message_type is not None and value is not None:
            for item in value if field.is_repeated else [value]:
                yield from missing(item, field.message_type, f"{path}.{field.name}")


@EACH_RECORD
def test_every_field_is_there_also_where_it_says_nothing(record: SetRecord) -> None:
    data = json.loads(record_json(record))
    # The variant goes through the generic printer, which leaves out absent optional fields.
    variant = data.pop("variant")
    found = set(missing(data, record_pb2.SetRecord.DESCRIPTOR, "set"))
    assert found == {"set.variant"}
    assert variant == without_nulls(variant)


@EACH_RECORD
def test_times_stand_in_one_field_and_nowhere_else(record: SetRecord) -> None:
    timed = json.loads(record_json(record))
    timing = timed.pop("timing")
    assert timed == json.loads(record_json(record, timing=False))
    for half, times in zip(record.halves, timing["halves"], strict=True):
        for hand, of_hand in zip(half.hands, times["hands"], strict=True):
            assert of_hand["decision_us"] == list(hand.times_us)
            assert len(hand.times_us) == len(hand.moves)


WIDE = {
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT64,
    FieldDescriptor.CPPTYPE_DOUBLE,
    FieldDescriptor.CPPTYPE_FLOAT,
}


def all_fields(descriptor: Descriptor) -> Iterator[FieldDescriptor]:
    for field in descriptor.fields:
        yield field
        if field.message_type is not None:
            yield from all_fields(field.message_type)


def test_there_are_no_64_bit_numbers_which_json_would_print_as_text() -> None:
    fields = list(all_fields(record_pb2.SetRecord.DESCRIPTOR))
    assert len(fields) > 60
    assert not [field.full_name for field in fields if field.cpp_type in WIDE]


@EACH_RECORD
def test_a_record_is_one_line_of_ascii(record: SetRecord) -> None:
    text = record_json(record)
    assert text.count(b"\n") == 1
    assert text.endswith(b"}\n")
    assert text.isascii()


def test_a_game_and_a_hand_alone_are_the_parts_of_the_set() -> None:
    record = completed()
    data = json.loads(record_json(record))
    half = record.halves[1]
    assert json.loads(game_json(half)) == data["halves"][1]
    message = message_of(record_json(record))
    assert hand_message(half.hands[0]) == message.halves[1].hands[0]
    assert (
        ending_message(forfeited().halves[0].ending)
        == message_of(record_json(forfeited())).halves[0].ending
    )


# Reading.


@EACH_RECORD
def test_a_record_comes_back_equal(record: SetRecord) -> None:
    assert read_record(record_json(record)) == record


@EACH_RECORD
def test_without_its_times_it_comes_back_with_zeros(record: SetRecord) -> None:
    again = read_record(record_json(record, timing=False))
    assert record_json(again, timing=False) == record_json(record, timing=False)
    for half in again.halves:
        assert all(hand.times_us == (0,) * len(hand.moves) for hand in half.hands)


def test_fields_in_the_names_of_json_are_read_too() -> None:
    """What protobuf's printers of other languages write by default."""
    printed = json_format.MessageToJson(message_of(record_json(completed())))
    assert '"setId"' in printed
    assert read_record(printed.encode()) == completed()


TEXT = record_json(completed())
CUT_IN_A_WORD = TEXT.index(b"true") + 3


@pytest.mark.parametrize(
    "part", [1, 7, len(TEXT) // 2, len(TEXT) - 100, len(TEXT) - 2, CUT_IN_A_WORD]
)
def test_a_cut_file_is_refused_as_cut(part: int) -> None:
    with pytest.raises(RecordFormatError, match=rf"^it is cut off at byte {part}$"):
        read_record(TEXT[:part])


DATA = json.loads(TEXT)


def changed(**fields: Any) -> bytes:
    return json.dumps({**DATA, **fields}).encode()


def in_half(**fields: Any) -> bytes:
    return changed(halves=[{**DATA["halves"][0], **fields}, DATA["halves"][1]])


FOREIGN: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "it is empty"),
    "a file of blanks": (b" \n\n", "it is empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00", "it is no JSON"),
    "a text": (b"bid 4\nplay JH\n", "it is no JSON"),
    "a list": (b"[1, 2]", "it is no record of a set"),
    "a number": (b"12", "it is no record of a set"),
    "null": (b"null", "it is no record of a set"),
    "another JSON file": (b'{"name": "x"}', "it is no record of a set"),
    "a newer format": (changed(format=2), "it was written in format 2; this program reads format"),
    "a format that is a text": (changed(format="1"), "it was written in format 1"),
    "a format that is true": (changed(format=True), "True is not acceptable"),
    "nothing but a format": (b'{"format": 1}', "it is no record of a set"),
    "a field that nobody knows": (changed(colour="red"), "colour"),
    "an outcome of a later version": (changed(outcome="SET_OUTCOME_LOST"), "SET_OUTCOME_LOST"),
    "an outcome by a number of a later version": (changed(outcome=99), "99 is no SetOutcome"),
    "no outcome": (changed(outcome=0), "0 is no SetOutcome"),
    "a number too large": (changed(hands=2**32), "hands"),
    "a number far too large": (changed(hands=10**400), "it is no record of a set"),
    "digits without end": (b'{"format": 1, "hands": ' + b"9" * 5000 + b"}", "it is no JSON"),
    "a number that is none": (changed(points=float("nan")), "it is no JSON: NaN is no number"),
    "half a number": (changed(points=0.5), "it is no record of a set: 0.5 is no whole number"),
    "an outcome and a half": (changed(outcome=1.5), "1.5 is no whole number"),
    "a number beyond all": (b'{"format": 1, "points": 1e400}', "1e400 is no whole number"),
    "a game that ended in no known way": (in_half(end="by-lightning"), "'by-lightning' is no end"),
    "three scores": (in_half(scores=[1, 2, 3]), "scores has 3 entries and should have 2"),
    "no scores": (in_half(scores=[]), "scores has 0 entries"),
    "an ending without a kind": (in_half(ending={}), "0 is no EndingKind"),
    "rules that make no sense": (
        changed(variant={**DATA["variant"], "hand_size": 7}),
        "hand_size must be 6",
    ),
    "half a character": (changed(commitment="\ud800"), "it holds half a character"),
    "deep nesting": (b'{"format":1,"halves":' + b"[" * 100_000, "it is nested too deeply"),
}


@pytest.mark.parametrize(("text", "words"), FOREIGN.values(), ids=FOREIGN)
def test_what_is_no_record_is_refused_with_a_sentence(text: bytes, words: str) -> None:
    with pytest.raises(RecordFormatError) as refused:
        read_record(text)
    sentence = str(refused.value)
    assert words in sentence
    assert "\n" not in sentence


def test_characters_of_all_planes_may_be_in_a_name() -> None:
    """Also one that JSON writes as a pair of escapes."""
    entrants = (Entrant("\U0001f0a1", "v1"), Entrant("\u00e4", ""))
    record = replace(completed(), entrants=entrants)
    assert b"\\ud83c\\udca1" in record_json(record)
    assert read_record(record_json(record)) == record


def test_two_keys_of_one_name_are_refused() -> None:
    doubled = TEXT.replace(b'"format":1', b'"format":1,"points":3', 1)
    with pytest.raises(RecordFormatError, match="'points' is there twice"):
        read_record(doubled)


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything that is no list or table, and to the lists and tables too."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key)


PATHS = [
    path for path in leaves(json.loads(record_json(completed("double"), timing=False))) if path
]
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 40)
    | st.sampled_from([2**31, -(2**31), 2**32, 10**30, 1e300, 0.5])
    | st.sampled_from(["", "JH", "a", "b", "pass", "MOVER_BOT", "target", "0", "\ud800"])
    | st.sampled_from([[], {}, [0], [[]], [None], {"seat": 0}])
)


@given(st.sampled_from(PATHS), VALUES)
@settings(max_examples=150)
def test_whatever_one_field_is_changed_to_it_is_refused_with_a_sentence_or_holds(
    path: tuple[Any, ...], value: Any
) -> None:
    data = json.loads(record_json(completed("double"), timing=False))
    *parents, last = path
    place = data
    for key in parents:
        place = place[key]
    place[last] = value
    try:
        verify(read_record(json.dumps(data).encode()))
    except RulesError as error:
        assert str(error)


def test_times_that_do_not_belong_to_the_moves_are_refused() -> None:
    timing = json.loads(TEXT)["timing"]
    timing["halves"][0]["hands"][1]["decision_us"].append(5)
    with pytest.raises(RecordFormatError, match="times"):
        read_record(changed(timing=timing))
