"""Who calls in the tests of who may: the metadata that they show, and a bot's Hello."""

from __future__ import annotations

from typing import Any

from arena.v1 import referee_pb2
from tests.server.services.house import House, bot_token

Metadata = tuple[tuple[str, str], ...]


def showing(token: str) -> Metadata:
    """The metadata of whoever shows a token."""
    return (("authorization", f"Bearer {token}"),)


NOBODY: Metadata = ()
STRANGER = showing("5" * 64)
BOT = showing(bot_token(7))
OLGA = showing("olga's token")
VERA = showing("vera's token")
ZOE = showing("zoe's token")


async def hello(house: House, token: str) -> Any:
    """A stream that has said Hello, and been welcomed or not."""
    call = house.referee.Play()
    said = referee_pb2.Hello(token=token, protocol_version=1, chair=referee_pb2.CHAIR_FIRST)
    await call.write(referee_pb2.PlayRequest(hello=said))
    return call
