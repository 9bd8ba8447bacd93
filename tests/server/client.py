"""A scripted client: one stream, driven message by message, over raw stubs."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from grpc import aio

from arena.v1 import referee_pb2, referee_pb2_grpc

WAIT_SECONDS = 20.0
PROTOCOL = 1


class Client:
    """The bot's end of one stream.

    Attributes:
        welcome: the Welcome, once it came.
        items: every item that came, in order.
        last: the last response.
        acknowledged: what the next request acknowledges.
    """

    def __init__(self, address: str, credentials: grpc.ChannelCredentials | None = None) -> None:
        options = (("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1))
        if credentials is None:
            self._channel = aio.insecure_channel(address, options=options)
        else:
            self._channel = aio.secure_channel(address, credentials, options=options)
        self.call: Any = referee_pb2_grpc.RefereeServiceStub(self._channel).Play()
        self.welcome = referee_pb2.Welcome()
        self.items: list[referee_pb2.Item] = []
        self.last = referee_pb2.PlayResponse()
        self.acknowledged = 0

    # Saying.

    async def send(self, **arm: Any) -> None:
        """Send one request."""
        await self.call.write(referee_pb2.PlayRequest(acknowledged=self.acknowledged, **arm))

    async def say_hello(self, token: str, **fields: Any) -> None:
        """Send a Hello and wait for nothing."""
        fields = {"protocol_version": PROTOCOL, "chair": referee_pb2.CHAIR_FIRST} | fields
        await self.send(hello=referee_pb2.Hello(token=token, **fields))

    async def hello(self, token: str, **fields: Any) -> referee_pb2.Welcome:
        """Send a Hello and wait for the Welcome."""
        await self.say_hello(token, **fields)
        response = await self.receive()
        assert response.WhichOneof("message") == "welcome", response
        self.welcome = response.welcome
        return self.welcome

    async def answer(self, *answers: referee_pb2.Answer) -> None:
        """Send answers in one message."""
        await self.send(answers=referee_pb2.Answers(answers=answers))

    async def first(self, *decisions: referee_pb2.Decision) -> None:
        """Answer with the first legal action of each."""
        await self.answer(
            *(
                referee_pb2.Answer(decision_id=decision.decision_id, action=decision.legal[0])
                for decision in decisions
            )
        )

    async def goodbye(self, text: str = "") -> None:
        """Say goodbye."""
        await self.send(goodbye=referee_pb2.Goodbye(text=text))

    async def hang_up(self) -> None:
        """Drop the stream, as a crash would."""
        self.call.cancel()
        await self._channel.close()

    async def half_close(self) -> None:
        """Say no more."""
        await self.call.done_writing()

    # Hearing.

    async def receive(self) -> referee_pb2.PlayResponse:
        """The next response; fails where the stream ends instead."""
        async with asyncio.timeout(WAIT_SECONDS):
            response = await self.call.read()
        assert isinstance(response, referee_pb2.PlayResponse), await self.status()
        self._keep(response)
        return response

    async def receive_patiently(self) -> referee_pb2.PlayResponse:
        """The next response, however long it takes; fails where the stream ends instead."""
        try:
            response = await self.call.read()
        except aio.AioRpcError as error:
            raise AssertionError(error.details()) from error
        assert isinstance(response, referee_pb2.PlayResponse), "the stream has ended"
        self._keep(response)
        return response

    def _keep(self, response: referee_pb2.PlayResponse) -> None:
        self.last = response
        self.items += response.items.items

    async def message(self) -> list[referee_pb2.Item]:
        """The items of the next message."""
        response = await self.receive()
        assert response.WhichOneof("message") == "items", response
        return list(response.items.items)

    async def until(self, arm: str) -> referee_pb2.Item:
        """The next item of that kind; what comes before and beside it is kept in ``items``."""
        while True:
            for item in await self.message():
                if item.WhichOneof("item") == arm:
                    return item

    async def decision(self) -> referee_pb2.Decision:
        """The next decision."""
        return (await self.until("decision")).decision

    async def rejected(self) -> referee_pb2.Rejected:
        """The next rejection."""
        return (await self.until("rejected")).rejected

    async def ends(self) -> tuple[grpc.StatusCode, str]:
        """The status and sentence with which the stream ends; what comes before is passed over."""
        async with asyncio.timeout(WAIT_SECONDS):
            try:
                while await self.call.read() is not aio.EOF:
                    pass
            except aio.AioRpcError:
                pass
            return await self.status()

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """The status and sentence of a stream that has ended."""
        async with asyncio.timeout(WAIT_SECONDS):
            return await self.call.code(), await self.call.details() or ""

    async def play(self) -> None:
        """Answer every decision with its first legal action until the stream ends."""
        try:
            while isinstance(response := await self.call.read(), referee_pb2.PlayResponse):
                self._keep(response)
                decisions = [i.decision for i in response.items.items if i.HasField("decision")]
                if decisions:
                    await self.first(*decisions)
        except (aio.AioRpcError, asyncio.InvalidStateError):
            return
