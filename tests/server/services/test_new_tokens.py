"""What commands here do with tokens beside a running arena: those they make are good at once."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from arena.server.admission import token_hash
from arena.server.registry import keep_taking_in
from arena.store import Role
from arena.v1.bot_service_pb2 import RevokeBotTokenRequest
from tests.server.services.callers import STRANGER, VERA, ZOE, hello
from tests.server.services.house import ORGANISER, House, bot_token, refused, registration

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED


async def test_what_a_command_here_revokes_is_known_soon(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.registry.LOOK_SECONDS", 0.01)
    await house.register("ann")
    call = await hello(house, bot_token(1))
    assert (await call.read()).HasField("welcome")
    looking = asyncio.create_task(keep_taking_in(house.store, house.registry, house.scheduler))
    (version,) = house.store.versions()
    await asyncio.to_thread(house.store.set_bot_token, version.id, None, by="local:me")
    assert await call.code() is UNAUTHENTICATED
    looking.cancel()
    await asyncio.wait([looking])


# What a command here makes is good at once.


async def test_a_token_made_here_is_good_at_the_next_call(house: House) -> None:
    await asyncio.to_thread(
        house.store.make_token, "zoe", Role.ORGANISER, token_hash("zoe's token"), by="local:me"
    )
    await house.bots.RegisterBot(registration("ann", 1), metadata=ZOE)
    assert [version.name for version in house.store.versions()] == ["ann"]


async def test_an_author_s_token_made_here_is_good_for_a_stream_of_requests(house: House) -> None:
    house.store.make_token("vera", Role.AUTHOR, token_hash("vera's token"), by="local:me")
    call = house.bots.SubmitBot(metadata=VERA)
    await call.done_writing()
    assert await call.code() is not UNAUTHENTICATED


async def test_a_bot_s_token_made_here_is_good_at_the_next_hello(house: House) -> None:
    await house.register("ann", 1)
    (version,) = house.store.versions()
    house.store.set_bot_token(version.id, token_hash(bot_token(2)), by="local:me")
    call = await hello(house, bot_token(2))
    assert (await call.read()).HasField("welcome")


async def test_strangers_share_one_look_and_learn_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.registry.GATHER_SECONDS", 0.2)
    looks, taken = 0, house.registry.take_in

    async def counted() -> None:
        nonlocal looks
        looks += 1
        await taken()

    monkeypatch.setattr(house.registry, "take_in", counted)
    house.store.make_token("olga", Role.ONLOOKER, token_hash("olga's token"), by="local:me")
    calls = [house.bots.RegisterBot(registration("ann", 1), metadata=STRANGER) for _ in range(20)]
    for call in calls:
        await refused(call, UNAUTHENTICATED)
    assert looks == 1


async def test_a_reading_that_is_old_does_not_bring_a_token_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = await house.register("ann")
    read, go_on = asyncio.Event(), asyncio.Event()
    loop, versions = asyncio.get_running_loop(), house.store.versions

    def slowly() -> object:
        found = versions()
        loop.call_soon_threadsafe(read.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
        return found

    monkeypatch.setattr(house.store, "versions", slowly)
    taking = asyncio.create_task(house.registry.take_in())
    await read.wait()
    request = RevokeBotTokenRequest(version=version)
    revoking = asyncio.ensure_future(house.bots.RevokeBotToken(request, metadata=ORGANISER))
    await asyncio.wait([revoking], timeout=0.2)  # it waits until the other has come to its end
    go_on.set()
    await asyncio.gather(revoking, taking)
    assert house.arena.lobby.tokens.find(bot_token(1)) is None
