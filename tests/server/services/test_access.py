"""Who may call what, with which token, how often; and what becomes of tokens that are revoked."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from arena.referee.clock import ManualClock
from arena.server.admission import Tokens, token_hash
from arena.server.limits import Limits, Rate
from arena.server.registry import Registry
from arena.server.services.turnstile import Turnstile
from arena.store import Role
from arena.v1.bot_service_pb2 import (
    GetBuildLogRequest,
    GetSubmissionRequest,
    IssueBotTokenRequest,
    ListBotsRequest,
    ListSubmissionsRequest,
    RegisterBotRequest,
    ResumeVersionRequest,
    RetireVersionRequest,
    RevokeBotTokenRequest,
    SubmitBotRequest,
)
from arena.v1.leaderboard_service_pb2 import GetLeaderboardRequest
from arena.v1.record_service_pb2 import GetRecordRequest, ListRecordsRequest
from arena.v1.tournament_service_pb2 import (
    CancelTournamentRequest,
    CreateTournamentRequest,
    GetTournamentRequest,
    ListTournamentsRequest,
    WatchTournamentRequest,
)
from arena.v1.variant_service_pb2 import GetVariantRequest, ListVariantsRequest
from tests.server.services.callers import (
    BOT,
    NOBODY,
    OLGA,
    STRANGER,
    VERA,
    ZOE,
    Metadata,
    hello,
)
from tests.server.services.house import (
    ORGANISER,
    TOKEN,
    House,
    bot_token,
    field_at_fault,
    number_of,
    open_house,
    refused,
    registration,
)

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
DENIED = grpc.StatusCode.PERMISSION_DENIED
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.fixture
async def private(tmp_path: Path) -> AsyncIterator[House]:
    """A private arena with a bot, the onlooker olga, the author vera and the organiser zoe."""
    async with open_house(tmp_path / "arena.db", private=True) as house:
        await prepared(house)
        yield house


async def prepared(house: House) -> None:
    await house.register("ann", 7)
    house.store.make_token("olga", Role.ONLOOKER, token_hash("olga's token"))
    house.store.make_token("vera", Role.AUTHOR, token_hash("vera's token"))
    house.store.make_token("zoe", Role.ORGANISER, token_hash("zoe's token"))
    await house.registry.take_in()


Call = Callable[[House, Metadata], Awaitable[Any]]

WRITING: dict[str, Call] = {
    "RegisterBot": lambda h, m: h.bots.RegisterBot(RegisterBotRequest(), metadata=m),
    "IssueBotToken": lambda h, m: h.bots.IssueBotToken(IssueBotTokenRequest(), metadata=m),
    "RevokeBotToken": lambda h, m: h.bots.RevokeBotToken(RevokeBotTokenRequest(), metadata=m),
    "CreateTournament": lambda h, m: h.tournaments.CreateTournament(
        CreateTournamentRequest(), metadata=m
    ),
    "CancelTournament": lambda h, m: h.tournaments.CancelTournament(
        CancelTournamentRequest(), metadata=m
    ),
}


async def watch(house: House, metadata: Metadata) -> None:
    call = house.tournaments.WatchTournament(WatchTournamentRequest(), metadata=metadata)
    async for _ in call:
        return


READING: dict[str, Call] = {
    "ListBots": lambda h, m: h.bots.ListBots(ListBotsRequest(), metadata=m),
    "GetTournament": lambda h, m: h.tournaments.GetTournament(GetTournamentRequest(), metadata=m),
    "ListTournaments": lambda h, m: h.tournaments.ListTournaments(
        ListTournamentsRequest(), metadata=m
    ),
    "WatchTournament": watch,
    "GetLeaderboard": lambda h, m: h.leaderboards.GetLeaderboard(
        GetLeaderboardRequest(), metadata=m
    ),
    "GetRecord": lambda h, m: h.records.GetRecord(GetRecordRequest(), metadata=m),
    "ListRecords": lambda h, m: h.records.ListRecords(ListRecordsRequest(), metadata=m),
    "GetVariant": lambda h, m: h.variants.GetVariant(GetVariantRequest(), metadata=m),
    "ListVariants": lambda h, m: h.variants.ListVariants(ListVariantsRequest(), metadata=m),
}


async def submit(house: House, metadata: Metadata) -> None:
    async for _ in house.bots.SubmitBot(iter([SubmitBotRequest()]), metadata=metadata):
        return


AUTHORS: dict[str, Call] = {
    "SubmitBot": submit,
    "GetSubmission": lambda h, m: h.bots.GetSubmission(GetSubmissionRequest(), metadata=m),
    "ListSubmissions": lambda h, m: h.bots.ListSubmissions(
        ListSubmissionsRequest(page_token="x"), metadata=m
    ),
    "GetBuildLog": lambda h, m: h.bots.GetBuildLog(GetBuildLogRequest(), metadata=m),
    "RetireVersion": lambda h, m: h.bots.RetireVersion(RetireVersionRequest(), metadata=m),
    "ResumeVersion": lambda h, m: h.bots.ResumeVersion(ResumeVersionRequest(), metadata=m),
}


async def code_of(call: Awaitable[Any]) -> grpc.StatusCode:
    """How a call ends."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


def test_every_call_stands_in_one_of_the_lists(house: House) -> None:
    stubs = (house.bots, house.tournaments, house.leaderboards, house.records, house.variants)
    # ListIncidents is for whoever shows a bot's token, too: test_incidents
    named = {*WRITING, *READING, *AUTHORS, "ListIncidents"}
    assert {name for stub in stubs for name in vars(stub)} == named


@pytest.mark.parametrize("method", WRITING)
async def test_only_organisers_write(private: House, method: str) -> None:
    ends = [
        await code_of(WRITING[method](private, who))
        for who in (NOBODY, STRANGER, BOT, OLGA, VERA, ZOE, ORGANISER)
    ]
    assert ends[:5] == [UNAUTHENTICATED, UNAUTHENTICATED, DENIED, DENIED, DENIED]
    assert set(ends[5:]) == {grpc.StatusCode.INVALID_ARGUMENT}, "the request is looked at"


@pytest.mark.parametrize("method", AUTHORS)
async def test_only_authors_and_organisers_submit(private: House, method: str) -> None:
    ends = [
        await code_of(AUTHORS[method](private, who))
        for who in (NOBODY, STRANGER, BOT, OLGA, VERA, ZOE, ORGANISER)
    ]
    assert ends[:4] == [UNAUTHENTICATED, UNAUTHENTICATED, DENIED, DENIED]
    assert set(ends[4:]) == {grpc.StatusCode.INVALID_ARGUMENT}, "the request is looked at"


@pytest.mark.parametrize("method", READING)
async def test_in_a_private_arena_only_people_read(private: House, method: str) -> None:
    ends = [
        await code_of(READING[method](private, who))
        for who in (NOBODY, STRANGER, BOT, OLGA, VERA, ZOE, ORGANISER)
    ]
    assert ends[:3] == [UNAUTHENTICATED, UNAUTHENTICATED, DENIED]
    assert set(ends[3:]) <= {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT}


@pytest.mark.parametrize("method", READING)
async def test_else_everybody_reads(house: House, method: str) -> None:
    for who in (NOBODY, STRANGER):
        end = await code_of(READING[method](house, who))
        assert end in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        (BOT, "this call is for an organiser, and that is the token of a bot"),
        (OLGA, "this call is for an organiser, and that is the token of an onlooker"),
        (VERA, "this call is for an organiser, and that is the token of an author"),
        (STRANGER, "that is no organiser's token of this arena, or no longer"),
    ],
    ids=["a bot", "an onlooker", "an author", "a stranger"],
)
async def test_who_may_not_is_told_in_a_sentence(
    private: House, who: Metadata, sentence: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await private.bots.RegisterBot(registration("bob", 2), metadata=who)
    assert caught.value.details() == sentence
    assert len(private.store.bots()) == 1


# Revoking.


async def test_a_revoked_person_is_nobody(private: House) -> None:
    private.store.revoke_token("zoe")
    await private.registry.take_in()
    call = private.bots.RegisterBot(registration("bob", 2), metadata=ZOE)
    await refused(call, UNAUTHENTICATED)
    assert await code_of(READING["ListBots"](private, OLGA)) is grpc.StatusCode.OK


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


# The log of what they did.


async def test_the_log_tells_which_token_it_was(private: House) -> None:
    version = "bots/1/versions/1"
    await private.bots.RegisterBot(registration("bob", 8), metadata=ZOE)
    await private.bots.RevokeBotToken(RevokeBotTokenRequest(version=version), metadata=ZOE)
    again = registration("bob", 9)
    again.request_id = "other"
    await code_of(private.bots.RegisterBot(again, metadata=ZOE))
    await private.create("cup")
    request = CancelTournamentRequest(name="tournaments/1")
    await private.tournaments.CancelTournament(request, metadata=ORGANISER)
    told = [(one.who, one.action, one.subject) for one in private.store.audit_log()]
    assert told[0] == ("organiser", "register bot", "bot ann version 1")
    assert told[1:4] == [
        ("zoe", "register bot", "bot bob version 1"),
        ("zoe", "revoke bot token", "bot ann version 1"),
        ("zoe", "register bot", "bot bob version 1"),
    ]
    assert private.store.audit_log()[3].outcome.startswith("refused: version '1' of bot 'bob'")
    assert told[-2:] == [
        ("organiser", "create tournament", "tournament cup"),
        ("organiser", "cancel tournament", "tournament cup"),
    ]
    everything = repr(private.store.audit_log())
    assert [word for word in (TOKEN, bot_token(8), "zoe's") if word in everything] == []


async def test_no_token_gets_into_the_log_of_the_server(
    private: House, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await code_of(private.bots.RegisterBot(registration("bob", 2), metadata=STRANGER))
        version = await private.register("bob", 2)
        request = RevokeBotTokenRequest(version=version)
        await private.bots.RevokeBotToken(request, metadata=ZOE)
    assert "the token of bot bob 1 has been revoked" in caplog.messages
    assert [word for word in ("5" * 64, bot_token(2), "zoe's token") if word in caplog.text] == []


# Limits.


class Context:
    """As much of a call as the turnstile looks at."""

    def __init__(self, peer: str = "ipv4:192.0.2.7:50123", metadata: Metadata = ()) -> None:
        self._peer = peer
        self._metadata = metadata

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> Metadata:
        return self._metadata


async def test_a_caller_may_call_so_often(house: House) -> None:
    clock = ManualClock()
    await prepared(house)
    turnstile = Turnstile(house.arena.lobby.tokens, clock, Limits(asking=Rate(2, 3)))

    def ends(context: Context) -> str:
        try:
            with turnstile.passing(context):  # type: ignore[arg-type]
                return "passed"
        except Exception as error:
            return str(error)

    far, beside = Context(), Context("ipv4:192.0.2.7:9")
    assert [ends(far), ends(beside), ends(Context(metadata=STRANGER))] == ["passed"] * 3
    assert ends(far) == "too many calls: try again in 0.5 s"
    assert ends(Context("ipv4:192.0.2.8:9")) == "passed"
    assert {ends(Context(metadata=OLGA)) for _ in range(3)} == {"passed"}
    assert ends(Context("ipv4:192.0.2.8:9", OLGA)).startswith("too many calls")
    assert {ends(Context("unix:")) for _ in range(9)} == {"passed"}
    await clock.advance(500_000)
    assert [ends(far), ends(far)[:14]] == ["passed", "too many calls"]


def test_only_so_many_calls_run() -> None:
    turnstile = Turnstile(Tokens(), ManualClock(), Limits(calls=1))
    context: Any = Context()
    full = pytest.raises(Exception, match="1 calls run, as many as the arena takes")
    with turnstile.passing(context), full, turnstile.passing(context):
        pass
    with turnstile.passing(context):
        pass


async def test_a_refusal_says_when_to_come_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.limits.Buckets.take", lambda *_: 1_500_000)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await house.bots.ListBots(ListBotsRequest(), metadata=ORGANISER)
    assert caught.value.code() is EXHAUSTED
    assert caught.value.details() == "too many calls: try again in 1.5 s"
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    assert status is not None
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in status.details)
    assert retry.retry_delay.ToMilliseconds() == 1500


def test_a_registry_knows_the_organiser_from_the_start(house: House) -> None:
    assert isinstance(house.registry, Registry)
    bearer = house.arena.lobby.tokens.bearer(TOKEN)
    assert bearer is not None
    assert (bearer.name, bearer.role) == ("organiser", Role.ORGANISER)
