"""A stream that ends and the next one: what is resumed, begun anew, sent once."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import grpc
import pytest

from arena.rules import Action
from arena.sdk import Bot, View
from arena.v1 import referee_pb2
from tests.sdk.dialling import CLASSIC, First, client_of, ids, opening
from tests.sdk.feeder import Feeder, deal
from tests.sdk.scripted import Stream, scripted_arena


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    First.asked.clear()


async def test_a_dropped_stream_is_resumed_and_no_question_is_asked_twice() -> None:
    feeder = Feeder(CLASSIC)
    items = opening(feeder)

    async def first(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(items)
        # The answers arrive, but the stream ends before the arena has taken them.
        await stream.receive()

    async def second(stream: Stream) -> None:
        request = await stream.welcome(resumed=True)
        assert request.hello.session_token == "secret"
        assert request.acknowledged == len(items)
        # Two decisions are still open for the arena; a new one comes along.
        await stream.send_items([*items[-2:], feeder.decision(deal(CLASSIC)).item])
        answers = await stream.receive()
        assert ids(answers) == [3, 4, 5]
        await stream.goodbye()

    async with scripted_arena(first, second) as arena:
        await client_of(arena)[0].play()
    assert len(First.asked) == 5


async def test_patience_begins_when_the_arena_goes_not_when_it_last_spoke() -> None:
    async def first(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.receive()
        client._alive_at -= 1000  # a long silence, as between two tournaments

    async def second(stream: Stream) -> None:
        await stream.welcome(resumed=True)
        await stream.goodbye()

    async with scripted_arena(first, second) as arena:
        client = client_of(arena)[0]
        await client.play()


async def test_a_session_that_cannot_be_resumed_is_begun_anew() -> None:
    async def first(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.receive()

    async def second(stream: Stream) -> None:
        assert (await stream.receive()).hello.session_token == "secret"
        await stream.refuse(grpc.StatusCode.FAILED_PRECONDITION, "the session is over")

    async def third(stream: Stream) -> None:
        request = await stream.welcome()
        assert (request.acknowledged, request.hello.session_token) == (0, "")
        await stream.send_items(opening(Feeder(CLASSIC)))
        answers = await stream.receive()
        assert (ids(answers), answers.acknowledged) == ([1, 2, 3, 4], 9)
        await stream.goodbye()

    async with scripted_arena(first, second, third) as arena:
        await client_of(arena)[0].play()
    assert len(First.asked) == 8


async def test_a_stream_that_ends_while_the_bot_thinks_is_resumed() -> None:
    """A plain ``act`` keeps the loop; the answer then meets a call that is already over."""

    class Ending(First):
        call: ClassVar[Any]

        def act(self, view: View, legal: tuple[Action, ...]) -> Action:
            if len(self.asked) < 4:
                self.call.cancel()
            return super().act(view, legal)

    feeder = Feeder(CLASSIC)
    items = opening(feeder)

    async def first(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(items)
        assert await stream.ended()

    async def second(stream: Stream) -> None:
        await stream.welcome(resumed=True)
        await stream.send_items(items[-4:])
        assert ids(await stream.receive()) == [1, 2, 3, 4]
        await stream.goodbye()

    async with scripted_arena(first, second) as arena:
        client, _ = client_of(arena, Ending)
        converse = client._converse

        async def watched(call: Any) -> Any:
            Ending.call = call
            return await converse(call)

        client._converse = watched  # type: ignore[method-assign]
        await client.play()
    assert len(First.asked) == 4


class Late(Bot):
    """Answers when it is told to."""

    go: ClassVar[asyncio.Event]

    async def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        await self.go.wait()
        return legal[0]


async def answers_before_the_welcome(stream: Stream) -> None:
    """Take a Hello and let the bot answer what it was asked on the stream before."""
    assert (await stream.receive()).hello.session_token == "secret"
    Late.go.set()
    for _ in range(20):
        await asyncio.sleep(0)


def one_question(feeder: Feeder) -> list[referee_pb2.Item]:
    """The items that begin one table and put a question at it."""
    return [*feeder.opening(seats=(1,)), feeder.decision(deal(CLASSIC)).item]


async def test_an_answer_that_was_ready_before_a_resume_is_sent_once() -> None:
    Late.go = asyncio.Event()
    feeder = Feeder(CLASSIC)
    items = one_question(feeder)

    async def first(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(items)

    async def second(stream: Stream) -> None:
        await answers_before_the_welcome(stream)
        await stream.send(welcome=referee_pb2.Welcome(session_token="secret", resumed=True))
        await stream.send_items(items[-1:])
        assert ids(await stream.receive()) == [1]
        await stream.send_items([feeder.decision(deal(CLASSIC)).item])
        assert ids(await stream.receive()) == [2]
        await stream.goodbye()

    async with scripted_arena(first, second) as arena:
        await client_of(arena, Late)[0].play()


async def test_an_answer_of_an_earlier_session_is_never_sent() -> None:
    Late.go = asyncio.Event()
    later = Feeder(CLASSIC)
    later.decisions = 100

    async def first(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(one_question(Feeder(CLASSIC)))

    async def second(stream: Stream) -> None:
        await answers_before_the_welcome(stream)
        await stream.send(welcome=referee_pb2.Welcome(session_token="other"))
        await stream.send_items(one_question(later))
        assert ids(await stream.receive()) == [101]
        await stream.goodbye()

    async with scripted_arena(first, second) as arena:
        await client_of(arena, Late)[0].play()
