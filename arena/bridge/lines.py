"""Lines of JSON: what a program is told, and what its own lines mean.

A line to the program is a ``PlayResponse`` in protobuf's JSON with the field names of the proto and
without white space.  A line from it is a ``PlayRequest``, or in short one answer::

    {"answers": {"answers": [{"decision_id": 7, "action": {"kind": "ACTION_KIND_PASS"}}]}}
    {"decision_id": 7, "action": {"kind": "ACTION_KIND_PASS"}}
    {"decision_id": 7, "index": 0}
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

from arena.v1 import action_pb2, referee_pb2

_SHOWN_CHARACTERS: Final = 80
_MAX_ID: Final = 2**32 - 1
_ANSWER_FIELDS: Final = frozenset({"decision_id", "action", "index"})


class LineError(Exception):
    """A line that says nothing; the text says why, to be put behind "its line ... "."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of the program.

    Attributes:
        decision_id: the question it answers.
        action: the action; None where an index is given, or where it is no action at all.
        index: the place of the action in ``legal``, from 0; None where an action is given.
    """

    decision_id: int
    action: action_pb2.Action | None
    index: int | None


@dataclass(frozen=True, slots=True)
class Replies:
    """Answers, perhaps none."""

    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Parting:
    """The program ends the session."""


@dataclass(frozen=True, slots=True)
class Chatter:
    """What is not meant for the arena, such as debugging output."""


Said = Replies | Parting | Chatter


def json_of(message: Message) -> str:
    """A message as JSON of one line."""
    data = MessageToDict(message, preserving_proto_field_name=True)
    return json.dumps(data, separators=(",", ":"))


def line_of(response: referee_pb2.PlayResponse) -> str:
    """A message of the arena as a line."""
    return f"{json_of(response)}\n"


def items_line(items: Iterable[str]) -> str:
    """The line of items that are JSON already."""
    return f'{{"items":{{"items":[{",".join(items)}]}}}}\n'


def shown(line: bytes) -> str:
    """A line as a sentence shows it: its beginning, on one line."""
    text = line.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}...")


def read_line(line: bytes) -> Said:
    """What a line of the program means.

    Raises:
        LineError: it is meant for the arena, but is nothing that can be said to it.
    """
    if not line.lstrip().startswith(b"{"):
        return Chatter()
    try:
        data = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise LineError("is no JSON") from None
    if "decision_id" in data:
        return Replies((_reply(data),))
    if "answers" in data:
        return Replies(_replies(data["answers"]))
    if "goodbye" in data:
        return Parting()
    if "hello" in data:
        raise LineError("is a hello, which the bridge says itself")
    if list(data) == ["acknowledged"]:
        return Replies(())  # the bridge acknowledges itself
    raise LineError("is neither an answer nor a goodbye")


def _replies(answers: Any) -> tuple[Reply, ...]:
    inner = answers.get("answers", []) if isinstance(answers, dict) else None
    if not isinstance(inner, list):
        raise LineError('has no list of answers: {"answers":{"answers":[...]}}')
    return tuple([_reply(answer) for answer in inner])


def _reply(data: Any) -> Reply:
    """One answer; with an action that is none where there is something else in its place."""
    if not isinstance(data, dict) or not data.keys() <= _ANSWER_FIELDS or len(data) != 2:
        raise LineError("has an answer without decision_id and either action or index")
    decision_id = _number(data.get("decision_id"))
    if decision_id is None:
        raise LineError("has an answer whose decision_id is no number")
    if "index" not in data:
        return Reply(decision_id, _action(data["action"]), None)
    index = _number(data["index"])
    if index is None:
        raise LineError("has an answer whose index is no number from 0")
    return Reply(decision_id, None, index)


def _number(value: Any) -> int | None:
    """A number of the contract, which protobuf's JSON also takes as text; None for none."""
    is_text = isinstance(value, str) and value.isdecimal() and len(value) <= len(str(_MAX_ID))
    if is_text or (isinstance(value, float) and value.is_integer()):
        value = int(value)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value <= _MAX_ID else None


def _action(data: Any) -> action_pb2.Action | None:
    if not isinstance(data, dict):
        return None
    try:
        return ParseDict(data, action_pb2.Action())
    except (ParseError, RecursionError, OverflowError, SystemError):
        # The last two: numbers without a bound, and text that is no Unicode.
        return None
