"""Who sees and looks after submissions and their versions, and what others never see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from arena.ids import VersionId
from arena.store import VersionState
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import tournament_service_pb2 as pb_tournaments
from tests.server.services.callers import OLGA, Metadata, showing
from tests.server.services.house import ORGANISER, House, refused
from tests.server.services.submissions.sending import ANN, BOB, packed, submit

NOT_FOUND = grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ((), grpc.StatusCode.UNAUTHENTICATED),
        (showing("nobody's"), grpc.StatusCode.UNAUTHENTICATED),
        (OLGA, grpc.StatusCode.PERMISSION_DENIED),
    ],
)
async def test_only_authors_and_organisers_submit_and_look(
    house: House, folder: Path, metadata: Metadata, code: grpc.StatusCode
) -> None:
    heard = await submit(house, packed(folder))
    name = heard[0].received.submission
    version = pb.RetireVersionRequest(version=heard[-1].ready.version.name)
    bots = house.bots
    for call in (
        submit(house, replace(packed(folder), request="r2"), metadata),
        bots.GetSubmission(pb.GetSubmissionRequest(name=name), metadata=metadata),
        bots.ListSubmissions(pb.ListSubmissionsRequest(), metadata=metadata),
        bots.GetBuildLog(pb.GetBuildLogRequest(name=name), metadata=metadata),
        bots.RetireVersion(version, metadata=metadata),
        bots.ListIncidents(pb.ListIncidentsRequest(display_name="tutor"), metadata=metadata),
    ):
        await refused(call, code)
    assert house.store.versions()[0].state is VersionState.ACTIVE


async def test_another_author_sees_neither_source_nor_log_nor_note(
    house: House, folder: Path
) -> None:
    heard = await submit(house, packed(folder))
    name = heard[0].received.submission
    version = heard[-1].ready.version.name
    number = house.store.versions()[0].id
    house.store.set_version_state(number, VersionState.PAUSED, "it crashed")
    bots = house.bots
    for call in (
        bots.GetSubmission(pb.GetSubmissionRequest(name=name), metadata=BOB),
        bots.GetBuildLog(pb.GetBuildLogRequest(name=name), metadata=BOB),
    ):
        await refused(call, NOT_FOUND)
    for change in (
        bots.RetireVersion(pb.RetireVersionRequest(version=version), metadata=BOB),
        bots.ResumeVersion(pb.ResumeVersionRequest(version=version), metadata=BOB),
    ):
        told = await refused(change, grpc.StatusCode.PERMISSION_DENIED)
        assert told == "tutor belongs to somebody else"
    faults = bots.ListIncidents(pb.ListIncidentsRequest(display_name="tutor"), metadata=BOB)
    await refused(faults, grpc.StatusCode.PERMISSION_DENIED)
    listed = await bots.ListSubmissions(pb.ListSubmissionsRequest(), metadata=BOB)
    assert list(listed.submissions) == []
    for metadata, note, content in (
        (BOB, "", ""),
        (OLGA, "", ""),
        ((), "", ""),
        (ANN, "it crashed", heard[0].received.content_hash),
        (ORGANISER, "it crashed", heard[0].received.content_hash),
    ):
        (bot,) = (await bots.ListBots(pb.ListBotsRequest(), metadata=metadata)).bots
        (seen,) = bot.versions
        assert (seen.note, seen.content_hash) == (note, content)
        assert (seen.state, seen.submitted) == (pb.VERSION_STATE_PAUSED, True)


async def test_owners_and_organisers_look_after_versions(house: House, folder: Path) -> None:
    heard = await submit(house, packed(folder))
    version, bots = heard[-1].ready.version.name, house.bots
    house.store.set_version_state(VersionId(1), VersionState.PAUSED, "it crashed")
    resumed = await bots.ResumeVersion(pb.ResumeVersionRequest(version=version), metadata=ANN)
    assert (resumed.version.state, resumed.version.note) == (pb.VERSION_STATE_ACTIVE, "")
    await bots.ListIncidents(pb.ListIncidentsRequest(display_name="tutor"), metadata=ANN)
    for metadata in (ANN, ORGANISER):
        retired = await bots.RetireVersion(
            pb.RetireVersionRequest(version=version), metadata=metadata
        )
        assert retired.version.state == pb.VERSION_STATE_RETIRED
    resume = bots.ResumeVersion(pb.ResumeVersionRequest(version=version), metadata=ANN)
    assert "for good" in await refused(resume, grpc.StatusCode.FAILED_PRECONDITION)
    again = await submit(house, replace(packed(folder), request="r2"))
    assert "retired" in again[-1].failed.reason


async def test_one_that_is_paused_or_retired_is_not_entered(house: House, folder: Path) -> None:
    await submit(house, packed(folder))
    (folder / "main.sh").write_text("#!/bin/sh\n# newer\n")
    await submit(house, replace(packed(folder), request="r2"))
    await house.register("guest")

    async def entered(request: str) -> str:
        entrants = [pb_tournaments.TournamentEntrant(bot=name) for name in ("tutor", "guest")]
        response = await house.tournaments.CreateTournament(
            pb_tournaments.CreateTournamentRequest(
                request_id=request, display_name=request, entrants=entrants
            ),
            metadata=ORGANISER,
        )
        return str(response.tournament.entries[0].label)

    assert await entered("a") == "2"
    house.store.set_version_state(VersionId(2), VersionState.PAUSED, "it crashed")
    assert await entered("b") == "1", "the newest that may play"
    house.store.set_version_state(VersionId(1), VersionState.RETIRED)
    told = await refused(entered("c"), grpc.StatusCode.FAILED_PRECONDITION)
    assert told.endswith("may have it go on: arena bot resume tutor --label 2")
    house.store.set_version_state(VersionId(2), VersionState.RETIRED)
    told = await refused(entered("d"), grpc.StatusCode.FAILED_PRECONDITION)
    assert "version '2' is retired and plays no more" in told


async def test_submissions_are_listed_page_by_page(house: House, folder: Path) -> None:
    for number in range(3):
        (folder / "main.sh").write_text(f"#!/bin/sh\n# {number}\n")
        await submit(house, replace(packed(folder), request=f"r{number}"))
    await submit(house, replace(packed(folder), name="bob", request="b"), BOB)
    request, found = pb.ListSubmissionsRequest(page_size=2), []
    while True:
        page = await house.bots.ListSubmissions(request, metadata=ANN)
        found += [one.name for one in page.submissions]
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert found == ["submissions/3", "submissions/2", "submissions/1"]
    all_of_them = await house.bots.ListSubmissions(pb.ListSubmissionsRequest(), metadata=ORGANISER)
    assert [one.owner for one in all_of_them.submissions] == ["bob", "ann", "ann", "ann"]
