"""How a session ends: in order, refused, lost, left, or by a bug of the bot."""

from __future__ import annotations

import asyncio
import signal

import grpc
import pytest

from arena.rules import Action
from arena.sdk import Bot, View
from arena.sdk.client import Client, Lost, Patience, Refused
from arena.sdk.program import FAILED, ORDERLY, REFUSED, play
from arena.sdk.session import BotError
from tests.sdk.dialling import CLASSIC, First, client_of, opening, options
from tests.sdk.feeder import Feeder
from tests.sdk.scripted import Stream, scripted_arena


async def test_a_goodbye_is_the_end_even_where_the_stream_stays_open() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.goodbye()
        assert await stream.ended()

    async with scripted_arena(script) as arena:
        await client_of(arena)[0].play()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "no bot has this token"),
        (grpc.StatusCode.FAILED_PRECONDITION, "chair FIRST is taken"),
        (grpc.StatusCode.INVALID_ARGUMENT, "the name is too long"),
    ],
    ids=lambda value: value.name if isinstance(value, grpc.StatusCode) else "",
)
async def test_a_refused_bot_says_why_and_exits_with_3(
    code: grpc.StatusCode, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(stream: Stream) -> None:
        await stream.receive()
        await stream.refuse(code, sentence)

    async with scripted_arena(script) as arena:
        assert await play(First, options(arena.address)) == REFUSED
        expected = f"the arena at {arena.address} refused the bot: {sentence}\n"
        assert capsys.readouterr().err == expected


async def test_a_refusal_is_not_retried() -> None:
    async def script(stream: Stream) -> None:
        await stream.receive()
        await stream.refuse(grpc.StatusCode.UNAUTHENTICATED, "no")

    async with scripted_arena(script) as arena:
        with pytest.raises(Refused, match="no"):
            await client_of(arena)[0].play()


async def test_an_arena_that_is_busy_and_says_when_to_come_again_is_asked_again() -> None:
    async def busy(stream: Stream) -> None:
        await stream.receive()
        await stream.put_off()

    async def free(stream: Stream) -> None:
        await stream.welcome()
        await stream.goodbye()

    async with scripted_arena(busy, busy, free) as arena:
        await client_of(arena)[0].play()


async def test_an_arena_that_is_not_there_is_given_up_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    patience = Patience(first_seconds=0.001, most_seconds=0.002, total_seconds=0.01)
    client = Client(First, options("unix:/nowhere/s"), say=print, patience=patience)
    with pytest.raises(Lost, match=r"lost the arena at unix:/nowhere/s: unavailable for 0\.01 s"):
        await client.play()
    assert capsys.readouterr() == ("", "")


async def test_an_arena_that_comes_back_no_more_is_given_up() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()

    patience = Patience(first_seconds=0.001, most_seconds=0.001, total_seconds=0.0)
    async with scripted_arena(script) as arena:
        with pytest.raises(Lost, match="ok for 0 seconds"):
            await client_of(arena, patience=patience)[0].play()


async def test_leaving_says_goodbye() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        client.leave()
        assert (await stream.receive()).WhichOneof("message") == "goodbye"
        assert await stream.ended()
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        client, lines = client_of(arena)
        await client.play()
        assert lines == []


async def test_leaving_while_nobody_answers_ends_at_once() -> None:
    slow = Patience(first_seconds=1e6, most_seconds=1e6, total_seconds=1e6)
    client = Client(First, options("unix:/nowhere/s"), say=print, patience=slow)
    playing = asyncio.create_task(client.play())
    await asyncio.sleep(0)
    client.leave()
    await asyncio.wait_for(playing, 5)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda n: n.name)
async def test_a_signal_says_goodbye_and_exits_with_0(number: signal.Signals) -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        signal.raise_signal(number)
        assert (await stream.receive()).WhichOneof("message") == "goodbye"
        await stream.goodbye()

    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    async with scripted_arena(script) as arena:
        assert await play(First, options(arena.address)) == ORDERLY
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


class Broken(Bot):
    """Cannot act."""

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        raise ZeroDivisionError("mine")


class BrokenLater(Bot):
    """Cannot act, as it finds out after a while."""

    async def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        await asyncio.sleep(0)
        raise ZeroDivisionError("mine")


@pytest.mark.parametrize("bot", [Broken, BrokenLater])
async def test_a_bug_in_act_goes_through(bot: type[Bot]) -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.ended()

    async with scripted_arena(script) as arena:
        with pytest.raises(ZeroDivisionError, match="mine"):
            await play(bot, options(arena.address))


@pytest.mark.parametrize("turns", [0, 1, 3, 5, 8])
async def test_a_failure_before_the_stream_is_under_way_ends_the_session(turns: int) -> None:
    """gRPC lets a write wait for ever where its call was cancelled that early."""
    client = Client(First, options("unix:/nowhere/s"), say=print)
    playing = asyncio.create_task(client.play())
    for _ in range(turns):
        await asyncio.sleep(0)
    client._fail(BotError("mine"))
    with pytest.raises(BotError, match="mine"):
        await asyncio.wait_for(playing, 10)


async def test_what_is_no_action_exits_with_1_and_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Nothing(Bot):
        def act(self, view: View, legal: tuple[Action, ...]) -> Action:
            return None  # type: ignore[return-value]

    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.ended()

    async with scripted_arena(script) as arena:
        assert await play(Nothing, options(arena.address)) == FAILED
    assert "Nothing.act returned None" in capsys.readouterr().err
