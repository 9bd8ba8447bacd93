"""A good bot over raw stubs, made of small parts so that a bad one can differ in one of them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any, Final

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc import aio

from arena.v1 import action_pb2, referee_pb2, referee_pb2_grpc

RETRY_SECONDS: Final = 0.05
EVENTS_UNTOLD: Final = 200
"""Events after which it acknowledges although it has nothing to answer."""
USAGE: Final = 2
REFUSED: Final = 3

# Internal: what grpc.aio says where a write met the end of the stream.
BROKEN: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL)

Decision = referee_pb2.Decision
Items = list[referee_pb2.Item]


class Left(Exception):
    """The bot goes, for whatever reason."""


class GoodBot:
    """Answers the first legal action.

    Attributes:
        acknowledged: the last item taken in.
        streams: how many it has opened.
        given: its answers, by decision id.
    """

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self.token = token
        self.secret = ""
        self.acknowledged = 0
        self.told = 0
        self.streams = 0
        self.given: dict[int, action_pb2.Action] = {}
        self.asked: dict[int, Decision] = {}
        self.call: Any = None
        self.leaving = asyncio.Event()

    # Streams.

    async def play(self) -> int:
        """Play until the end; the exit code."""
        async with self.channel() as channel:
            stub: Any = referee_pb2_grpc.RefereeServiceStub(channel)
            while True:
                self.call = stub.Play()
                self.streams += 1
                try:
                    await self.converse()
                except aio.AioRpcError as error:
                    code = self.broken(error)
                    if code is not None:
                        return code
                except (asyncio.InvalidStateError, asyncio.CancelledError):
                    if (task := asyncio.current_task()) is not None and task.cancelling():
                        raise
                except Left:
                    self.call.cancel()
                    return 0
                if self.leaving.is_set():
                    return 0
                await asyncio.sleep(RETRY_SECONDS)

    def channel(self) -> aio.Channel:
        """How it dials."""
        options = (
            ("grpc.enable_http_proxy", 0),
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 200),
        )
        if not self.address.startswith("tls:"):
            return aio.insecure_channel(self.address, options=options)
        with open(os.environ["ARENA_TLS_CA"], "rb") as file:  # noqa: PTH123
            credentials = grpc.ssl_channel_credentials(file.read())
        return aio.secure_channel(self.address.removeprefix("tls:"), credentials, options=options)

    async def converse(self) -> None:
        """One stream."""
        await self.call.write(self.hello())
        while isinstance(response := await self.call.read(), referee_pb2.PlayResponse):
            await self.take(response)

    def broken(self, error: aio.AioRpcError) -> int | None:
        """The stream has ended with a status: the exit code, None to dial again."""
        code = error.code()
        if code in BROKEN or retries(error):
            return None
        if code is grpc.StatusCode.FAILED_PRECONDITION and self.secret:
            self.begin_anew()
            return None
        say(f"refused: {error.details()}")
        return REFUSED

    def begin_anew(self) -> None:
        """The session is gone."""
        self.secret = ""
        self.acknowledged = self.told = 0
        self.given.clear()

    def hello(self) -> referee_pb2.PlayRequest:
        """What opens a stream."""
        hello = referee_pb2.Hello(
            token=self.token,
            protocol_version=1,
            bot_name="good",
            bot_version="1",
            chair=referee_pb2.CHAIR_FIRST,
            tables=16,
            session_token=self.secret,
        )
        return referee_pb2.PlayRequest(
            acknowledged=self.acknowledged if self.secret else 0, hello=hello
        )

    async def leave(self) -> None:
        """SIGTERM has come."""
        self.leaving.set()
        await self.send(goodbye=referee_pb2.Goodbye(text="asked to stop"))
        await self.call.done_writing()

    async def send(self, **arm: Any) -> None:
        """Send a request."""
        self.told = self.acknowledged
        await self.call.write(referee_pb2.PlayRequest(acknowledged=self.acknowledged, **arm))

    # Messages.

    async def take(self, response: referee_pb2.PlayResponse) -> None:
        """Take in a message."""
        match response.WhichOneof("message"):
            case "welcome":
                self.secret = response.welcome.session_token
            case "items":
                await self.take_items(list(response.items.items))
            case "draining":
                await self.drain(response.draining.text)
            case "goodbye":
                raise Left
            case _:
                await self.take_unknown(response)

    async def drain(self, text: str) -> None:
        """The server will stop."""

    async def take_unknown(self, response: referee_pb2.PlayResponse) -> None:
        """A message of a later version."""

    async def take_items(self, items: Items) -> None:
        """Take in all items, then answer."""
        due = []
        for item in items:
            due += await self.take_item(item)
            self.acknowledged = max(self.acknowledged, item.sequence)
        if due:
            await self.answer(due)
        elif self.acknowledged - self.told >= EVENTS_UNTOLD:
            await self.acknowledge()

    async def acknowledge(self) -> None:
        """Acknowledge without an answer."""
        await self.send(answers=referee_pb2.Answers())

    async def take_item(self, item: referee_pb2.Item) -> list[Decision]:
        """Take in an item; what is to be answered."""
        match item.WhichOneof("item"):
            case "decision":
                self.asked[item.decision.decision_id] = item.decision
                return [item.decision]
            case "rejected":
                return await self.rejected(item.rejected)
            case "match_start":
                await self.match_started(item.match_start)
            case "game_finished":
                await self.game_finished(item.game_finished)
            case "match_finished":
                await self.match_finished()
            case None:
                await self.take_unknown_item(item)
            case _:
                pass
        return []

    async def take_unknown_item(self, item: referee_pb2.Item) -> None:
        """An item of a later version."""

    async def match_started(self, start: referee_pb2.MatchStart) -> None:
        """A match begins."""

    async def game_finished(self, finished: referee_pb2.GameFinished) -> None:
        """A game is over."""

    async def match_finished(self) -> None:
        """A match is over."""

    async def rejected(self, rejected: referee_pb2.Rejected) -> list[Decision]:
        """An answer was refused; what is to be answered again."""
        if not rejected.open:
            return []
        self.given.pop(rejected.decision_id, None)
        return [self.asked[rejected.decision_id]]

    async def answer(self, due: list[Decision]) -> None:
        """Answer all."""
        answers = []
        for decision in due:
            action = self.given.get(decision.decision_id)
            if action is None:
                action = self.given[decision.decision_id] = self.act(decision)
            answers.append(referee_pb2.Answer(decision_id=decision.decision_id, action=action))
        await self.send(answers=referee_pb2.Answers(answers=answers))

    def act(self, decision: Decision) -> action_pb2.Action:
        """The action to take."""
        return decision.legal[0]


def retries(error: aio.AioRpcError) -> bool:
    """Whether the arena says when to try again."""
    for key, value in error.trailing_metadata():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            details = status_pb2.Status.FromString(value).details
            return any(detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR) for detail in details)
    return False


def say(line: str) -> None:
    """Say something to the bot's author."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


class Program:
    """A bot as a process.

    Attributes:
        bot: its class.
    """

    bot: type[GoodBot] = GoodBot

    def run(self) -> int:
        """Play; the exit code."""
        address, token = os.environ.get("ARENA_ADDR", ""), os.environ.get("ARENA_TOKEN", "")
        if not token or ":" not in address:
            return self.misused()
        return asyncio.run(self.play(self.bot(address, token)))

    def misused(self) -> int:
        """Address or token are missing or wrong."""
        say("set ARENA_ADDR and ARENA_TOKEN")
        return USAGE

    async def play(self, bot: GoodBot) -> int:
        """Play until the end, or until SIGTERM."""
        loop = asyncio.get_running_loop()
        playing = asyncio.create_task(bot.play())

        def stop() -> None:
            leaving.append(asyncio.create_task(self.stop(bot, playing)))

        leaving: list[asyncio.Task[None]] = []
        loop.add_signal_handler(signal.SIGTERM, stop)
        try:
            return await playing
        except asyncio.CancelledError:
            return 0

    async def stop(self, bot: GoodBot, playing: asyncio.Task[int]) -> None:
        """SIGTERM has come."""
        if bot.secret:
            await bot.leave()
        else:
            playing.cancel()
