"""BotService: who may register, what a repeat gets, what is kept, how lists are walked."""

import asyncio
import sqlite3
from contextlib import closing
from typing import Any

import grpc
import pytest

from arena.v1 import referee_pb2
from arena.v1.bot_service_pb2 import (
    VERSION_KIND_REMOTE,
    ListBotsRequest,
    RegisterBotRequest,
)
from tests.server.services.house import (
    ORGANISER,
    TOKEN,
    House,
    bot_token,
    field_at_fault,
    refused,
    registration,
)

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
CONFLICT = grpc.StatusCode.ALREADY_EXISTS


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param((), id="none"),
        pytest.param((("authorization", "Bearer wrong"),), id="another token"),
        pytest.param((("authorization", TOKEN),), id="the token without its scheme"),
        pytest.param((*ORGANISER, *ORGANISER), id="two tokens"),
        pytest.param((("authorization", "Bearer "),), id="an empty token"),
    ],
)
async def test_without_the_organisers_token_nothing_is_written(
    house: House, metadata: tuple[tuple[str, str], ...]
) -> None:
    call = house.bots.RegisterBot(registration("ann"), metadata=metadata)
    assert "organiser's token" in await refused(call, UNAUTHENTICATED)
    assert house.store.bots() == ()


async def test_a_registered_bot_comes_back(house: House) -> None:
    request = registration("ann")
    request.owner, request.version_label = "zoe", "v2"
    response = await house.bots.RegisterBot(request, metadata=ORGANISER)
    (version,) = response.bot.versions
    assert (response.bot.display_name, response.bot.owner) == ("ann", "zoe")
    assert (version.name, version.label) == (response.version, "v2")
    assert (version.kind, version.online) == (VERSION_KIND_REMOTE, False)
    assert version.create_time.ToMicroseconds() == house.store.versions()[0].created_us
    listed = await house.bots.ListBots(ListBotsRequest())
    assert list(listed.bots) == [response.bot]


async def test_only_the_hash_of_a_token_is_kept(house: House) -> None:
    await house.register("ann")
    with closing(sqlite3.connect(house.store.path)) as connection:
        dump = "\n".join(connection.iterdump())
    assert "ann" in dump
    assert bot_token(1) not in dump


async def test_a_repeat_gets_the_first_version(house: House) -> None:
    first, again = [await house.register("ann") for _ in range(2)]
    assert first == again
    assert len(house.store.versions()) == 1


async def test_ten_equal_calls_at_once_register_one_version(house: House) -> None:
    versions = await asyncio.gather(*(house.register("ann") for _ in range(10)))
    assert len(set(versions)) == len(house.store.versions()) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        pytest.param({"display_name": "bob"}, "another content", id="a request id used before"),
        pytest.param(
            {"request_id": "2", "owner": "zoe"}, "belongs to somebody else", id="another's name"
        ),
        pytest.param(
            {"request_id": "2", "token": bot_token(2)}, "another token", id="a label used before"
        ),
        pytest.param(
            {"request_id": "2", "display_name": "bob"}, "make a new one", id="another's token"
        ),
    ],
)
async def test_what_is_taken_is_refused(house: House, changes: dict[str, Any], words: str) -> None:
    await house.register("ann")
    request = registration("ann")
    request.MergeFrom(RegisterBotRequest(**changes))
    assert words in await refused(house.bots.RegisterBot(request, metadata=ORGANISER), CONFLICT)
    assert len(house.store.versions()) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("display_name", ""),
        ("display_name", "x" * 65),
        ("display_name", "line\nfeed"),
        ("display_name", "\u202eltr"),
        ("owner", " zoe"),
        ("version_label", "x" * 65),
        ("request_id", ""),
        ("token", ""),
        ("token", "ab" * 31),
        ("token", "AB" * 32),
        ("token", "ab" * 32 + "\n"),
    ],
)
async def test_a_field_out_of_bounds_is_named(house: House, field: str, value: str) -> None:
    request = registration("ann")
    setattr(request, field, value)
    assert await field_at_fault(house.bots.RegisterBot(request, metadata=ORGANISER)) == field
    assert house.store.bots() == ()


async def hello(house: House, token: str) -> referee_pb2.PlayResponse:
    call = house.referee.Play(
        iter(
            [
                referee_pb2.PlayRequest(
                    hello=referee_pb2.Hello(
                        token=token, protocol_version=1, chair=referee_pb2.CHAIR_FIRST
                    )
                )
            ]
        )
    )
    async for response in call:
        return response
    raise AssertionError("no response")


async def test_a_bot_is_admitted_from_the_moment_of_its_registration(house: House) -> None:
    await refused(hello(house, bot_token(1)), UNAUTHENTICATED)
    await house.register("ann")
    assert (await hello(house, bot_token(1))).HasField("welcome")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 0])
async def test_a_walk_meets_each_bot_once_whoever_comes_meanwhile(house: House, size: int) -> None:
    for number in range(1, 8):
        await house.register(f"bot{number}", number)
    seen: list[str] = []
    token, newcomers = "", iter(range(100, 200))
    while True:
        request = ListBotsRequest(page_size=size, page_token=token)
        page = await house.bots.ListBots(request)
        seen += [bot.display_name for bot in page.bots]
        token = page.next_page_token
        if not token or len(seen) > 20:
            break
        if len(seen) < 4:
            newcomer = next(newcomers)
            await house.register(f"a{newcomer}", newcomer)
    assert len(seen) == len(set(seen)) == len(house.store.bots())


async def test_a_list_can_be_narrowed_to_a_name(house: House) -> None:
    for number, name in enumerate(["ann", "bob"], start=1):
        await house.register(name, number)
    page = await house.bots.ListBots(ListBotsRequest(display_name="bob"))
    assert [bot.display_name for bot in page.bots] == ["bob"]


async def test_a_token_of_no_list_or_of_another_is_refused(house: House) -> None:
    for number in range(1, 4):
        await house.register(f"bot{number}", number)
    page = await house.bots.ListBots(ListBotsRequest(page_size=1))
    good = page.next_page_token
    turned = good[:-2] + ("A" if good[-2] != "A" else "B") + good[-1]
    for token in ("garbage", "1", "ä", "x" * 5000, turned, good + "AAAA"):
        request = ListBotsRequest(page_size=1, page_token=token)
        assert await field_at_fault(house.bots.ListBots(request)) == "page_token"
    other = ListBotsRequest(page_size=1, page_token=good, display_name="bot2")
    assert await field_at_fault(house.bots.ListBots(other)) == "page_token"
    same = ListBotsRequest(page_size=1, page_token=good)
    assert [b.display_name for b in (await house.bots.ListBots(same)).bots] == ["bot2"]
