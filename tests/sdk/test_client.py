"""The client against a scripted arena over real gRPC: one batch in, one message out."""

from __future__ import annotations

import asyncio
import signal
from typing import Any, ClassVar

import grpc
import pytest

from arena.rules import VARIANTS, Action
from arena.sdk import Bot, View
from arena.sdk.client import Client, Lost, Patience, Refused, channel_options
from arena.sdk.options import Options, parse_address
from arena.sdk.program import FAILED, ORDERLY, REFUSED, play
from arena.sdk.session import BotError
from arena.v1 import referee_pb2
from tests.sdk.feeder import Feeder, deal
from tests.sdk.scripted import ScriptedArena, Stream, scripted_arena

CLASSIC = VARIANTS["classic"]
HASTY = Patience(first_seconds=0.01, most_seconds=0.02, total_seconds=5.0)


class First(Bot):
    """The first legal action; notes what it was asked."""

    asked: ClassVar[list[int]] = []

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        self.asked.append(view.seat)
        return legal[0]


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    First.asked.clear()


def options(address: str, **changes: Any) -> Options:
    settings: dict[str, Any] = {
        "address": parse_address(address),
        "token": "token",
        "chair": referee_pb2.CHAIR_SECOND,
        "lane": referee_pb2.LANE_B,
        "name": "first",
        "version": "v1",
        "tables": 64,
    }
    return Options(**(settings | changes))


def client_of(
    arena: ScriptedArena, bot: type[Bot] = First, patience: Patience = HASTY
) -> tuple[Client, list[str]]:
    lines: list[str] = []
    return Client(bot, options(arena.address), say=lines.append, patience=patience), lines


def opening(feeder: Feeder) -> list[referee_pb2.Item]:
    """The items that begin four tables and put a question at each."""
    items = list(feeder.opening())
    for table in (1, 2, 3, 4):
        item = feeder.decision(deal(CLASSIC)).item
        item.decision.table_id = table
        items.append(item)
    return items


def ids(request: referee_pb2.PlayRequest) -> list[int]:
    """The decisions that a request answers."""
    return [answer.decision_id for answer in request.answers.answers]


async def test_a_batch_is_answered_in_one_message_and_goodbye_ends_in_order() -> None:
    feeder = Feeder(CLASSIC)

    async def script(stream: Stream) -> None:
        request = await stream.welcome()
        hello = request.hello
        assert (request.acknowledged, hello.token, hello.protocol_version) == (0, "token", 1)
        assert (hello.bot_name, hello.bot_version, hello.tables) == ("first", "v1", 64)
        assert (hello.chair, hello.lane) == (referee_pb2.CHAIR_SECOND, referee_pb2.LANE_B)
        assert (hello.session_token, hello.hand_results) == ("", False)
        await stream.send_items(opening(feeder))
        answers = await stream.receive()
        assert ids(answers) == [1, 2, 3, 4]
        assert answers.acknowledged == feeder.sequence
        item = feeder.decision(deal(CLASSIC)).item
        await stream.send_items([item])
        answers = await stream.receive()
        assert (ids(answers), answers.acknowledged) == ([5], feeder.sequence)
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        client, lines = client_of(arena)
        await client.play()
        assert lines == []


async def test_messages_with_unknown_arms_are_ignored() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send()
        await stream.send_bytes(b"\x7a\x02\x08\x01")
        await stream.send_items(opening(Feeder(CLASSIC)))
        assert ids(await stream.receive()) == [1, 2, 3, 4]
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        await client_of(arena)[0].play()


async def test_a_session_has_no_deadline() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        assert stream.deadline is None
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        await client_of(arena)[0].play()


async def test_draining_is_told_and_play_goes_on() -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send(draining=referee_pb2.Draining(text="the server is updated"))
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.receive()
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        client, lines = client_of(arena)
        await client.play()
        assert lines == ["the arena says: the server is updated"]


@pytest.mark.parametrize(
    ("tcp", "told"),
    [
        pytest.param(True, ["dialled in", "back"], id="over the network both are told"),
        pytest.param(False, [], id="a bot that the arena starts says nothing"),
    ],
)
async def test_a_bot_says_that_it_is_there(tcp: bool, told: list[str]) -> None:
    chair, lane = referee_pb2.CHAIR_SECOND, referee_pb2.LANE_B

    async def first(stream: Stream) -> None:
        await stream.welcome(chair=chair)

    async def second(stream: Stream) -> None:
        await stream.welcome(resumed=True, chair=chair, lane=lane)
        await stream.goodbye()

    async with scripted_arena(first, second, tcp=tcp) as arena:
        client, lines = client_of(arena)
        await client.play()
        lanes = {"dialled in": "both lanes", "back": "lane B"}
        assert lines == [f"{how} at {arena.address}: second chair, {lanes[how]}" for how in told]


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


async def test_a_bug_in_act_goes_through() -> None:
    class Broken(Bot):
        def act(self, view: View, legal: tuple[Action, ...]) -> Action:
            raise ZeroDivisionError("mine")

    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.ended()

    async with scripted_arena(script) as arena:
        with pytest.raises(ZeroDivisionError, match="mine"):
            await play(Broken, options(arena.address))


async def test_a_bug_in_an_async_act_goes_through() -> None:
    class Broken(Bot):
        async def act(self, view: View, legal: tuple[Action, ...]) -> Action:
            await asyncio.sleep(0)
            raise ZeroDivisionError("mine")

    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        await stream.ended()

    async with scripted_arena(script) as arena:
        with pytest.raises(ZeroDivisionError, match="mine"):
            await play(Broken, options(arena.address))


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


async def test_what_a_slow_bot_has_answered_does_not_wait_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a clock that leaps, each decision takes longer than a slice."""
    monkeypatch.setattr("arena.sdk.client._SLICE_SECONDS", -1.0)

    async def script(stream: Stream) -> None:
        await stream.welcome()
        await stream.send_items(opening(Feeder(CLASSIC)))
        requests = [ids(await stream.receive())]
        while sum(map(len, requests)) < 4:
            requests.append(ids(await stream.receive()))
        assert len(requests) > 1
        await stream.goodbye()

    async with scripted_arena(script) as arena:
        await client_of(arena)[0].play()


@pytest.mark.parametrize(
    ("address", "keepalive", "proxy"),
    [
        ("unix:/tmp/s", None, 0),
        ("localhost:50051", None, 0),
        ("127.0.0.1:50051", None, 0),
        ("arena.example:443", 30_000, None),
    ],
)
def test_only_a_remote_arena_has_keepalive_and_proxies(
    address: str, keepalive: int | None, proxy: int | None
) -> None:
    found = dict(channel_options(parse_address(address)))
    assert found.get("grpc.keepalive_time_ms") == keepalive
    assert found.get("grpc.http2.ping_timeout_ms") == (10_000 if keepalive else None)
    assert found.get("grpc.keepalive_timeout_ms") == found.get("grpc.http2.ping_timeout_ms")
    assert found.get("grpc.enable_http_proxy") == proxy
