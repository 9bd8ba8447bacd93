"""Bots that come and go, told with numbers in place of tokens, and never too often."""

from __future__ import annotations

import logging
from typing import Any

import grpc
import pytest

from arena.ids import VersionId
from arena.server.admission import Admission, Chair, Lane, Place
from arena.server.comings import Comings
from arena.server.counts import Counts
from arena.server.pulse import Pulse
from arena.server.sessions import Session
from arena.server.tally import Tally
from tests.hosting.bots import until
from tests.server.client import Client
from tests.server.hall import PLACES, Hall, token_of
from tests.server.held import SECOND, JumpingClock

PLACE = PLACES[0]


class Told:
    """The events that were told."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def fields(self) -> list[dict[str, Any]]:
        """Their names and fields."""
        return [
            {"event": record.event, "level": record.levelname} | record.fields  # type: ignore[attr-defined]
            for record in self._caplog.records
            if hasattr(record, "event")
        ]

    def names(self) -> list[str]:
        """Their names."""
        return [str(fields["event"]) for fields in self.fields()]

    async def last(self, name: str) -> dict[str, Any]:
        """The last, once it has that name."""
        await until(lambda: self.names()[-1:] == [name])
        return self.fields()[-1]


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Told:
    caplog.set_level(logging.DEBUG, "arena")
    return Told(caplog)


async def test_a_bot_dials_in_drops_comes_back_and_leaves(hall: Hall, told: Told) -> None:
    client = await hall.joined(PLACE)
    here = await told.last("bot_dialled_in")
    assert here == {
        "event": "bot_dialled_in",
        "level": "INFO",
        "bot": "ann",
        "label": "v1",
        "version": 1,
        "chair": "first",
        "lane": "a",
        "session": 1,
        "hosted": False,
    }
    await client.hang_up()
    assert await told.last("bot_dropped") == here | {"event": "bot_dropped"}
    again = hall.client()
    session_token = client.welcome.session_token
    await again.hello(token_of(1), session_token=session_token)
    assert await told.last("bot_resumed") == here | {"event": "bot_resumed"}
    await again.goodbye("good night")
    left = await told.last("bot_left")
    assert left == here | {"event": "bot_left", "reason": "the bot said goodbye"}
    assert session_token not in str(told.fields())
    assert token_of(1) not in str(told.fields())


async def test_sessions_are_numbered(hall: Hall, told: Told) -> None:
    for place in PLACES:
        await hall.joined(place)
    await until(lambda: len(told.names()) == 4)
    assert [fields["session"] for fields in told.fields()] == [1, 2, 3, 4]


async def second_hello(client: Client) -> None:
    await client.say_hello(token_of(1))


async def acknowledges_the_future(client: Client) -> None:
    client.acknowledged = 99
    await client.answer()


@pytest.mark.parametrize(
    ("breach", "reason"),
    [
        (second_hello, "a stream has one Hello, its first message"),
        (acknowledges_the_future, "item 99 was never sent"),
    ],
)
async def test_a_bot_that_is_cut_off_is_told_with_the_reason(
    hall: Hall, told: Told, breach: Any, reason: str
) -> None:
    client = await hall.joined(PLACE)
    await breach(client)
    fields = await told.last("bot_cut_off")
    assert (fields["reason"], fields["status"]) == (reason, "INVALID_ARGUMENT")


async def test_who_is_not_admitted_is_counted_and_told_as_a_detail(hall: Hall, told: Told) -> None:
    client = hall.client()
    await client.say_hello("a guess")
    assert (await client.ends())[0] is grpc.StatusCode.UNAUTHENTICATED
    fields = await told.last("stream_refused")
    assert (fields["status"], fields["level"]) == ("UNAUTHENTICATED", "DEBUG")
    assert "a guess" not in str(told.fields())
    assert hall.arena.executor.counts.streams_refused == {"UNAUTHENTICATED": 1}


def session(clock: JumpingClock, *, hosted: bool = False, version: int = 1) -> Session:
    """A session without a stream."""
    admission = Admission(VersionId(version), "ann", "v1", hosted=hosted)
    place = Place(VersionId(version), Chair.FIRST, Lane.A)
    pulse, tally = Pulse(clock), Tally()
    return Session(admission, place, tables=1, hand_results=False, pulse=pulse, tally=tally)


def flap(comings: Comings, one: Session, times: int) -> None:
    """Come and drop so many times."""
    for _ in range(times):
        with comings.told(one, 1, resumed=True):
            pass


def test_a_bot_that_flaps_fills_no_disk(told: Told) -> None:
    clock = JumpingClock()
    comings = Comings(clock, Counts())
    flap(comings, session(clock), 1000)
    assert len(told.names()) == 8
    flap(comings, session(clock, version=2), 1)
    assert len(told.names()) == 10, "another bot is told all the same"
    clock.jump(SECOND)
    flap(comings, session(clock), 1)
    assert [fields.get("unsaid") for fields in told.fields()[-2:]] == [996, 996]


def test_hosted_bots_are_a_detail(told: Told) -> None:
    clock = JumpingClock()
    flap(Comings(clock, Counts()), session(clock, hosted=True), 1)
    assert [fields["level"] for fields in told.fields()] == ["DEBUG", "DEBUG"]


def test_a_stream_that_another_one_took_over_is_not_told_as_dropped(told: Told) -> None:
    clock = JumpingClock()
    one = session(clock)
    with Comings(clock, Counts()).told(one, 1, resumed=False):
        one.stream = 2
    assert told.names() == ["bot_dialled_in"]
