"""What a guest says in a game, message by message: all valid, in any order, sensible or not."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from hypothesis import strategies as st

from arena.rules import CLASSIC, tables_of
from arena.rules.record import GameRecord
from arena.server.admission import Chair
from arena.v1 import referee_pb2
from arena.wire.actions import ACTIONS
from tests.fuzz.efforts import tried
from tests.fuzz.guests import Party, play_with
from tests.fuzz.messages import GUESTS, mutated
from tests.hosting.bots import until
from tests.server.client import Client
from tests.server.services.house import bot_token

_ACTIONS: Final = [ACTIONS[action] for action in tables_of(CLASSIC).texts.values()]
KINDS: Final = ("first", "first", "first", "answers", "acknowledge", "hello", "goodbye", "arm")
ENDS: Final = ("half-close", "cancel", "resume")


@dataclass(frozen=True)
class Line:
    """One message: its kind, and numbers that choose what is in it."""

    kind: str
    number: int
    action: int


lines = st.builds(Line, st.sampled_from(KINDS), st.integers(0, 6), st.integers(0, 200))
scripts = st.tuples(st.lists(lines, max_size=12), st.sampled_from(ENDS))
Script = tuple[list[Line], str]


def message_of(line: Line, client: Client, name: str) -> bytes:
    """Its bytes, by what the guest was told so far."""
    said = referee_pb2.PlayRequest()
    asked = [item.decision for item in client.items if item.HasField("decision")]
    last = client.items[-1].sequence if client.items else 0
    match line.kind:
        case "first" if asked:
            answer = referee_pb2.Answer(
                decision_id=asked[-1].decision_id, action=asked[-1].legal[0]
            )
            said.answers.answers.append(answer)
        case "first" | "answers":
            action = _ACTIONS[line.action % len(_ACTIONS)]
            said.answers.answers.extend(
                referee_pb2.Answer(decision_id=number, action=action)
                for number in range(line.number, line.number + line.action % 4)
            )
        case "acknowledge":
            said.acknowledged = max(0, last - line.number + (line.action == 0))
            said.answers.SetInParent()
        case "hello":
            said.hello.token, said.hello.protocol_version = name, 1
        case "goodbye":
            said.goodbye.text = "x" * line.action
        case _:
            return mutated(said.SerializeToString() + b"\x32\x00", line.action)
    return said.SerializeToString()


async def perform(party: Party, number: int, script: Script) -> GameRecord:
    """A guest comes, says its lines in a game, and leaves in its way."""
    tried("guests in a game")
    said, end = script
    token = bot_token(GUESTS[number])
    client = Client(party.address)
    await client.hello(token, chair=int(Chair.FIRST), tables=2)
    guest = party.house.arena.lobby.by_token(client.welcome.session_token)
    assert guest is not None
    game = asyncio.create_task(play_with(party, guest))
    hearing = asyncio.create_task(_hear(client))
    for line in said:
        await _say(client, message_of(line, client, token), busy=line.number > 2)
    if end == "half-close":
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await client.half_close()
    else:
        client.call.cancel()
    again = await _resumed(party, client, token) if end == "resume" else None
    record = await game
    for one in (client, again):
        if one is not None:
            await one.hang_up()
    await asyncio.wait([hearing])
    await until(lambda: not guest.connected)
    return record


async def _hear(client: Client) -> None:
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
        while isinstance(response := await client.call.read(), referee_pb2.PlayResponse):
            client.items += response.items.items


async def _say(client: Client, message: bytes, *, busy: bool) -> None:
    tried("messages of guests")
    raw: Any = referee_pb2.PlayRequest()
    with contextlib.suppress(DecodeError):
        raw.ParseFromString(message)
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await client.call.write(raw)
    if not busy:
        await asyncio.sleep(0.002)  # it hears what it is asked


async def _resumed(party: Party, lost: Client, token: str) -> Client:
    """Come back as far as the session lets it, and say nothing more."""
    client = Client(party.address)
    await client.say_hello(token, chair=int(Chair.FIRST), session_token=lost.welcome.session_token)
    with contextlib.suppress(AssertionError, grpc.aio.AioRpcError):
        await client.receive()
    return client
