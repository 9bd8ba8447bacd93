"""Who may call what, with which token, and what the log tells of it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from arena.server.registry import Registry
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
    UNAUTHENTICATED,
    VERA,
    ZOE,
    Metadata,
    code_of,
)
from tests.server.services.house import ORGANISER, TOKEN, House, bot_token, registration
from tests.server.services.submissions.sending import Wrong, submit

DENIED = grpc.StatusCode.PERMISSION_DENIED


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


AUTHORS: dict[str, Call] = {
    "SubmitBot": lambda h, m: submit(h, Wrong(others=(SubmitBotRequest(),)), m),
    "GetSubmission": lambda h, m: h.bots.GetSubmission(GetSubmissionRequest(), metadata=m),
    "ListSubmissions": lambda h, m: h.bots.ListSubmissions(
        ListSubmissionsRequest(page_token="x"), metadata=m
    ),
    "GetBuildLog": lambda h, m: h.bots.GetBuildLog(GetBuildLogRequest(), metadata=m),
    "RetireVersion": lambda h, m: h.bots.RetireVersion(RetireVersionRequest(), metadata=m),
    "ResumeVersion": lambda h, m: h.bots.ResumeVersion(ResumeVersionRequest(), metadata=m),
}


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


def test_a_registry_knows_the_organiser_from_the_start(house: House) -> None:
    assert isinstance(house.registry, Registry)
    bearer = house.arena.lobby.tokens.bearer(TOKEN)
    assert bearer is not None
    assert (bearer.name, bearer.role) == ("organiser", Role.ORGANISER)
