"""Who calls in the tests of who may: the metadata that they show, and a bot's Hello."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import grpc

from arena.server.admission import token_hash
from arena.store import Role
from arena.v1 import referee_pb2
from tests.server.services.house import House, bot_token

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED

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


async def prepared(house: House) -> None:
    """A bot, the onlooker olga, the author vera and the organiser zoe."""
    await house.register("ann", 7)
    house.store.make_token("olga", Role.ONLOOKER, token_hash("olga's token"))
    house.store.make_token("vera", Role.AUTHOR, token_hash("vera's token"))
    house.store.make_token("zoe", Role.ORGANISER, token_hash("zoe's token"))
    await house.registry.take_in()


async def code_of(call: Awaitable[Any]) -> grpc.StatusCode:
    """How a call ends."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK
