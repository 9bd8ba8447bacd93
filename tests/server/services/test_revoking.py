"""What becomes of tokens that are revoked or replaced, and of the calls that showed them."""

from __future__ import annotations

import grpc
import pytest

from arena.server.admission import token_hash
from arena.v1.bot_service_pb2 import IssueBotTokenRequest, ListBotsRequest, RevokeBotTokenRequest
from arena.v1.tournament_service_pb2 import CreateTournamentRequest, WatchTournamentRequest
from tests.server.services.callers import OLGA, UNAUTHENTICATED, ZOE, code_of, hello
from tests.server.services.house import (
    ORGANISER,
    House,
    bot_token,
    field_at_fault,
    number_of,
    refused,
    registration,
)


async def test_a_revoked_person_is_nobody(private: House) -> None:
    private.store.revoke_token("zoe")
    await private.registry.take_in()
    call = private.bots.RegisterBot(registration("bob", 2), metadata=ZOE)
    await refused(call, UNAUTHENTICATED)
    assert (
        await code_of(private.bots.ListBots(ListBotsRequest(), metadata=OLGA)) is grpc.StatusCode.OK
    )


async def test_who_is_revoked_while_watching_sees_no_more(private: House) -> None:
    made = await private.create()
    request = WatchTournamentRequest(name=made.name)
    call = private.tournaments.WatchTournament(request, metadata=OLGA)
    assert await call.read() != grpc.aio.EOF
    private.store.revoke_token("olga")
    await private.registry.take_in()
    private.situations.change(number_of(made.name), note="secret")
    assert await call.code() is UNAUTHENTICATED
    with pytest.raises(grpc.aio.AioRpcError):
        await call.read()


async def test_a_revoked_bot_is_cut_off_and_stays_out(house: House) -> None:
    version = await house.register("ann")
    call = await hello(house, bot_token(1))
    assert (await call.read()).HasField("welcome")
    request = RevokeBotTokenRequest(version=version)
    for _ in range(2):
        response = await house.bots.RevokeBotToken(request, metadata=ORGANISER)
        assert response.version.revoked
        assert not response.version.online
    assert await call.code() is UNAUTHENTICATED
    assert "revoked" in await call.details()
    again = await hello(house, bot_token(1))
    assert await again.code() is UNAUTHENTICATED
    await house.bots.RegisterBot(registration("ann"), metadata=ORGANISER)  # a repeat
    assert await (await hello(house, bot_token(1))).code() is UNAUTHENTICATED


async def test_a_new_token_takes_the_place_of_the_old_one_and_cuts_its_sessions_off(
    house: House,
) -> None:
    version = await house.register("ann")
    call = await hello(house, bot_token(1))
    assert (await call.read()).HasField("welcome")
    request = IssueBotTokenRequest(request_id="a", version=version, token=bot_token(9))
    responses = [await house.bots.IssueBotToken(request, metadata=ORGANISER) for _ in range(2)]
    assert responses[0] == responses[1]
    assert await call.code() is UNAUTHENTICATED
    assert (await (await hello(house, bot_token(9))).read()).HasField("welcome")
    assert await (await hello(house, bot_token(1))).code() is UNAUTHENTICATED


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (RevokeBotTokenRequest(version="bots/1/versions/9"), grpc.StatusCode.NOT_FOUND),
        (RevokeBotTokenRequest(version="bots/9/versions/1"), grpc.StatusCode.NOT_FOUND),
        (RevokeBotTokenRequest(version="bots/2/versions/2"), grpc.StatusCode.FAILED_PRECONDITION),
    ],
    ids=["no such version", "another bot's", "one that the arena starts"],
)
async def test_what_has_no_token_cannot_be_revoked(
    house: House, request_: RevokeBotTokenRequest, code: grpc.StatusCode
) -> None:
    await house.register("ann")
    entrants = [{"version": "bots/1/versions/1"}, {"bot": "random"}]
    request = CreateTournamentRequest(request_id="c", display_name="cup", entrants=entrants)  # type: ignore[arg-type]
    await house.tournaments.CreateTournament(request, metadata=ORGANISER)
    await refused(house.bots.RevokeBotToken(request_, metadata=ORGANISER), code)
    assert house.store.versions()[0].token_hash == token_hash(bot_token(1))


async def test_a_new_token_must_be_one_and_free(house: House) -> None:
    version = await house.register("ann")
    await house.register("bob", 2)
    request = IssueBotTokenRequest(request_id="a", version=version, token="short")
    assert await field_at_fault(house.bots.IssueBotToken(request, metadata=ORGANISER)) == "token"
    request.token = bot_token(2)
    call = house.bots.IssueBotToken(request, metadata=ORGANISER)
    await refused(call, grpc.StatusCode.ALREADY_EXISTS)
