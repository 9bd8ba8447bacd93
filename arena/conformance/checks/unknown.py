"""What a bot does not know: messages, items, fields and values of a later version."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import Message

from arena.conformance.examinee import Examinee
from arena.conformance.positions import PLAY, SPEAK, positions
from arena.conformance.session import Session
from arena.conformance.steps import Step, protocol
from arena.conformance.verdicts import Finding, passed
from arena.rules.cards import Seat
from arena.rules.variants import CLASSIC, TOKEN
from arena.v1 import record_pb2, referee_pb2

# Field 1000, and field 15 as the arm of a later version; both hold a message with a text.
_FIELD: Final = b"\xc2\x3e\x04\x0a\x02hi"
_ARM: Final = b"\x7a\x04\x0a\x02hi"
_UNKNOWN_VALUE: Final = 99


async def _unknown_arm(exam: Examinee) -> Finding:
    session = await exam.session()
    await session.respond(referee_pb2.PlayResponse.FromString(_ARM))
    await session.respond(referee_pb2.PlayResponse())
    await _still_plays(session)
    return passed()


async def _unknown_item(exam: Examinee) -> Finding:
    session = await exam.session()
    await session.send(referee_pb2.Item.FromString(_ARM), referee_pb2.Item())
    await _still_plays(session)
    return passed()


async def _unknown_fields(exam: Examinee) -> Finding:
    session = await exam.session()
    position = positions(TOKEN, PLAY, 1)[0]
    table, start = session.begin(TOKEN, position.seat)
    asked, item = session.question(table, position)
    items = [*start, item]
    for one in items:
        _add_fields(one)
    await session.send(*items)
    await session.answers([asked])
    await session.send(session.finish(table))
    return passed()


def _add_fields(message: Message) -> None:
    """Give a message and all messages in it a field that nobody knows."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else (value,):
                _add_fields(inner)
    message.MergeFromString(_FIELD)


async def _unknown_enum(exam: Examinee) -> Finding:
    session = await exam.session()
    table, start = session.begin(CLASSIC, Seat(1))
    finished = session.finish(table)
    later = record_pb2.Ending(sentence="in a way that is not known yet")
    later.kind = _UNKNOWN_VALUE  # type: ignore[assignment]
    finished.game_finished.ending.CopyFrom(later)
    rejected = referee_pb2.Rejected(text="for a reason that is not known yet")
    rejected.code = _UNKNOWN_VALUE  # type: ignore[assignment]
    await session.send(*start, finished, referee_pb2.Item(rejected=rejected))
    await _still_plays(session)
    return passed()


async def _still_plays(session: Session) -> None:
    await session.ask(positions(CLASSIC, SPEAK, 1)[0], positions(CLASSIC, PLAY, 1)[0])


_HEADING: Final = protocol("Things you do not know")

UNKNOWN: Final = (
    Step("unknown-arm", "Ignores a message whose arm it does not know.", _HEADING, _unknown_arm),
    Step("unknown-item", "Ignores an item whose arm it does not know.", _HEADING, _unknown_item),
    Step("unknown-fields", "Ignores fields that it does not know.", _HEADING, _unknown_fields),
    Step(
        "unknown-enum",
        "Survives an ending and a rejection of a kind that it does not know.",
        _HEADING,
        _unknown_enum,
    ),
)
