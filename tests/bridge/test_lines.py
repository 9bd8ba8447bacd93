"""What lines mean: requests, the short forms, and what is none of these."""

from __future__ import annotations

import json

import pytest
from google.protobuf.json_format import MessageToDict

from arena.bridge.lines import (
    Chatter,
    LineError,
    Parting,
    Replies,
    Reply,
    items_line,
    json_of,
    line_of,
    read_line,
    shown,
)
from arena.v1 import action_pb2, referee_pb2

PASS = action_pb2.Action(kind=action_pb2.ACTION_KIND_PASS)
PASS_JSON = '{"kind":"ACTION_KIND_PASS"}'


def test_a_message_is_one_line_with_the_names_of_the_proto() -> None:
    response = referee_pb2.PlayResponse()
    response.items.items.add(sequence=3).match_start.opponent = "Zoë\n"
    line = line_of(response)
    assert (
        line == '{"items":{"items":[{"sequence":3,"match_start":{"opponent":"Zo\\u00eb\\n"}}]}}\n'
    )


def test_items_make_the_line_that_their_message_would() -> None:
    response = referee_pb2.PlayResponse()
    for number in (1, 2):
        response.items.items.add(sequence=number).match_finished.match_id = 7
    assert items_line(map(json_of, response.items.items)) == line_of(response)


@pytest.mark.parametrize("number", ["7", '"7"', "7.0"])
def test_an_answer_in_any_of_its_forms(number: str) -> None:
    answer = f'{{"decision_id":{number},"action":{PASS_JSON}}}'
    request = f'{{"acknowledged":3,"answers":{{"answers":[{answer}]}}}}'
    for line in (answer, request, f"  {answer}\r"):
        assert read_line(line.encode()) == Replies((Reply(7, PASS, None),))


def test_an_answer_by_index() -> None:
    assert read_line(b'{"decision_id":7,"index":2}') == Replies((Reply(7, None, 2),))


def test_what_protobuf_writes_is_read() -> None:
    request = referee_pb2.PlayRequest(acknowledged=4)
    for number in (1, 2):
        request.answers.answers.add(decision_id=number, action=PASS)
    for names in (True, False):
        data = MessageToDict(request, preserving_proto_field_name=names)
        if names:
            expected = Replies((Reply(1, PASS, None), Reply(2, PASS, None)))
            assert read_line(json.dumps(data).encode()) == expected


@pytest.mark.parametrize(
    "action",
    [
        '{"kind":"ACTION_KIND_WIN"}',
        '"pass"',
        "{}",
        "[]",
        '{"kind":1e400}',
        '{"card":Infinity}',
        '{"kind":"\\ud800"}',
    ],
)
def test_what_is_no_action_is_an_answer_all_the_same(action: str) -> None:
    said = read_line(f'{{"decision_id":7,"action":{action}}}'.encode())
    assert isinstance(said, Replies)
    assert said.replies[0].decision_id == 7
    assert not said.replies[0].action or said.replies[0].action == action_pb2.Action()


def test_an_acknowledgement_says_nothing() -> None:
    assert read_line(b'{"acknowledged":3}') == Replies(())
    assert read_line(b'{"acknowledged":3,"answers":{}}') == Replies(())


def test_a_goodbye() -> None:
    assert read_line(b'{"goodbye":{}}') == Parting()


@pytest.mark.parametrize("line", [b"", b"  ", b"thinking...", b"[1]", b"\xff", b"null"])
def test_other_lines_are_chatter(line: bytes) -> None:
    assert read_line(line) == Chatter()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "is no JSON"),
        (b'{"decision_id":1', "is no JSON"),
        (b'{"x":"\xff"}', "is no JSON"),
        (b'{"x":' + b"[" * 100_000, "is no JSON"),
        (b'{"x":' + b"9" * 100_000 + b"}", "is no JSON"),
        (b'{"x":1}', "is neither an answer nor a goodbye"),
        (b'{"hello":{}}', "is a hello, which the bridge says itself"),
        (b'{"items":{}}', "is neither an answer nor a goodbye"),
        (b'{"answers":[]}', "has no list of answers"),
        (b'{"answers":{"answers":7}}', "has no list of answers"),
        (b'{"answers":{"answers":[7]}}', "has an answer without decision_id"),
        (b'{"decision_id":7}', "has an answer without decision_id"),
        (b'{"decision_id":7,"card":1}', "has an answer without decision_id"),
        (b'{"decision_id":7,"index":0,"action":{}}', "has an answer without decision_id"),
        (b'{"decision_id":"x","index":0}', "decision_id is no number"),
        (b'{"decision_id":true,"index":0}', "decision_id is no number"),
        (b'{"decision_id":-1,"index":0}', "decision_id is no number"),
        (b'{"decision_id":4294967296,"index":0}', "decision_id is no number"),
        (b'{"decision_id":7,"index":-1}', "index is no number from 0"),
        (b'{"decision_id":7,"index":1.5}', "index is no number from 0"),
        (b'{"decision_id":7,"index":null}', "index is no number from 0"),
    ],
)
def test_what_cannot_be_said_is_refused_with_the_reason(line: bytes, why: str) -> None:
    with pytest.raises(LineError, match=why):
        read_line(line)


def test_a_line_is_shown_by_its_beginning() -> None:
    assert shown(b"a\tb\xff") == r"'a\tb\\xff'"
    assert shown(b"x" * 1_000_000) == f"'{'x' * 80}...'"
