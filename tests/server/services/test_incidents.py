"""A bot's faults over gRPC: for organisers, and for whoever has the bot's token."""

from __future__ import annotations

from dataclasses import replace

import grpc

from arena.ids import VersionId
from arena.referee.incident import Incident
from arena.referee.seat import FaultKind
from arena.server.admission import Admission, Chair, Lane, token_hash
from arena.store import TournamentState
from arena.v1 import record_pb2
from arena.v1.bot_service_pb2 import ListIncidentsRequest, ListIncidentsResponse
from tests.server.services.house import (
    ORGANISER,
    House,
    bot_token,
    field_at_fault,
    finished,
    number_of,
    refused,
)

FAULT = Incident(
    0, FaultKind.ILLEGAL, "illegal answer", "a", 3, 7, 2, "play 9C", 9_000, 1_500, 2_000_999, "why"
)
UNPLAYED = Incident(0, FaultKind.CRASH, "it exited", "a")


def as_bot(number: int) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {bot_token(number)}"),)


async def faulty(house: House) -> None:
    """A tournament of bot1 and bot2 with three sets in which bot1 was at fault."""
    number = number_of((await house.create()).name)
    house.store.set_state(number, TournamentState.RUNNING)
    for repeat, incident in ((1, FAULT), (2, UNPLAYED), (3, FAULT)):
        one = replace(finished(f"r1:1-2:{repeat}"), incidents=(incident,))
        house.store.add_sets(number, [one])


async def ask(
    house: House, metadata: tuple[tuple[str, str], ...], **fields: object
) -> ListIncidentsResponse:
    request = ListIncidentsRequest(**fields)  # type: ignore[arg-type]
    return await house.bots.ListIncidents(request, metadata=metadata)


async def test_an_author_sees_the_faults_of_the_bot_whose_token_is_shown(house: House) -> None:
    await faulty(house)
    found = (await ask(house, as_bot(1))).incidents
    assert [one.record[-1] for one in found] == ["3", "2", "1"]
    first = found[0]
    assert first.kind == record_pb2.ENDING_KIND_ILLEGAL
    assert (first.sentence, first.answer, first.stderr) == ("illegal answer", "play 9C", "why")
    assert (first.half, first.board, first.move, first.seat) == ("a", 3, 7, 2)
    assert (first.took_ms, first.charged_ms, first.bank_ms) == (9, 1, 2000)
    assert first.version_label == "1"
    assert not found[1].HasField("board")
    assert not found[1].HasField("seat")
    assert list((await ask(house, as_bot(2))).incidents) == []
    for named in ({"parent": "bots/1"}, {"display_name": "bot1"}):
        assert len((await ask(house, as_bot(1), **named)).incidents) == 3
        assert len((await ask(house, ORGANISER, **named)).incidents) == 3


async def test_an_organiser_sees_those_of_any_bot_and_must_name_one(house: House) -> None:
    await faulty(house)
    assert len((await ask(house, ORGANISER, parent="bots/1")).incidents) == 3
    assert await field_at_fault(ask(house, ORGANISER)) == "parent"
    assert await field_at_fault(ask(house, ORGANISER, parent="bot 1")) == "parent"
    sentence = await refused(ask(house, ORGANISER, parent="bots/9"), grpc.StatusCode.NOT_FOUND)
    assert sentence == "there is no bot bots/9"


async def test_pages_go_set_by_set(house: House) -> None:
    await faulty(house)
    page = await ask(house, as_bot(1), page_size=2)
    assert [one.record[-1] for one in page.incidents] == ["3", "2"]
    page = await ask(house, as_bot(1), page_size=2, page_token=page.next_page_token)
    assert [one.record[-1] for one in page.incidents] == ["1"]
    assert page.next_page_token == ""


async def test_nobody_else_sees_them(house: House) -> None:
    await faulty(house)
    denied = await refused(
        ask(house, as_bot(2), parent="bots/1"), grpc.StatusCode.PERMISSION_DENIED
    )
    assert denied == "faults are for organisers and the bot's author, who shows its token"
    named = ask(house, as_bot(2), display_name="bot1")
    assert await refused(named, grpc.StatusCode.PERMISSION_DENIED) == denied
    await refused(ask(house, (), parent="bots/1"), grpc.StatusCode.UNAUTHENTICATED)


async def test_a_process_that_the_arena_started_is_no_author(house: House) -> None:
    await faulty(house)
    admission = Admission(VersionId(1), "bot1", "1", Chair.FIRST, Lane.A, hosted=True)
    house.arena.lobby.tokens.add(token_hash(bot_token(99)), admission)
    await refused(ask(house, as_bot(99)), grpc.StatusCode.PERMISSION_DENIED)
