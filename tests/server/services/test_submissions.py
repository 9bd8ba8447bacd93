"""Submitting over gRPC: what becomes of it, what a repeat gets, what others never see."""

from __future__ import annotations

import asyncio
import hashlib
import io
import itertools
import tarfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import grpc
import pytest

from arena.hosting.archive import pack
from arena.hosting.folder import files_of
from arena.hosting.trial import StepResult, Trial
from arena.ids import VersionId
from arena.server.admission import token_hash
from arena.server.submissions import MOST_OF_OWNER
from arena.store import (
    NewSubmission,
    Request,
    Role,
    Store,
    Submission,
    VersionKind,
    VersionState,
)
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import bot_service_pb2_grpc
from arena.v1 import tournament_service_pb2 as pb_tournaments
from tests.server.services.house import ORGANISER, House, open_house, passes, refused

DEADLINE_SECONDS = 30.0

NOT_FOUND = grpc.StatusCode.NOT_FOUND
INVALID = grpc.StatusCode.INVALID_ARGUMENT

Metadata = tuple[tuple[str, str], ...]


def showing(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


ANN, BOB, OLGA = showing("ann's token"), showing("bob's token"), showing("olga's token")

MANIFEST = """\
name = "tutor"
language = "sh"
build = [["sh", "-c", "echo compiling; cp main.sh bot; chmod +x bot"]]
run = ["./bot"]
"""


@dataclass(frozen=True, slots=True)
class Sent:
    """A call of SubmitBot."""

    archive: bytes
    name: str = "tutor"
    request: str = "r1"
    chunk: int = 32 * 1024
    size: int | None = None
    sha256: str | None = None

    def pieces(self) -> Iterator[pb.SubmitBotRequest]:
        yield pb.SubmitBotRequest(
            header=pb.SubmitBotHeader(
                request_id=self.request,
                display_name=self.name,
                size=len(self.archive) if self.size is None else self.size,
                sha256=self.sha256 or hashlib.sha256(self.archive).hexdigest(),
            )
        )
        for start in range(0, len(self.archive), self.chunk):
            yield pb.SubmitBotRequest(chunk=self.archive[start : start + self.chunk])


@dataclass(frozen=True, slots=True)
class Wrong(Sent):
    """A call with other pieces than there should be."""

    archive: bytes = b""
    others: tuple[pb.SubmitBotRequest, ...] = ()

    def pieces(self) -> Iterator[pb.SubmitBotRequest]:
        yield from self.others


@dataclass(slots=True)
class Gate:
    """A check that waits to be let go on."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    tried: list[Path] = field(default_factory=list)

    async def __call__(self, trial: Trial, told: Callable[[StepResult], None]) -> None:
        self.tried.append(trial.folder)
        self.reached.set()
        await self.go.wait()
        await passes(trial, told)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder."""
    folder = tmp_path / "sources" / "tutor"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "main.sh").write_text("#!/bin/sh\necho secret of ann\n")
    return folder


async def people(house: House) -> None:
    """The authors ann and bob, and the onlooker olga."""
    for name in ("ann", "bob"):
        house.store.make_token(name, Role.AUTHOR, token_hash(f"{name}'s token"))
    house.store.make_token("olga", Role.ONLOOKER, token_hash("olga's token"))
    await house.registry.take_in()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "arena.db") as opened:
        await people(opened)
        yield opened


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
async def gated(tmp_path: Path, gate: Gate) -> AsyncIterator[House]:
    """A house whose check waits."""
    async with open_house(tmp_path / "arena.db", try_out=gate) as opened:
        await people(opened)
        yield opened
        gate.go.set()


def packed(folder: Path) -> Sent:
    return Sent(pack(folder, files_of(folder)))


async def submit(house: House, sent: Sent, metadata: Metadata = ANN) -> list[pb.SubmitBotResponse]:
    """Submit as the command does; all that was heard.

    The asynchronous client of grpc would tell of an error of its own where it is refused while it
    still writes.
    """
    address = house.arena.addresses[0]

    def call() -> list[pb.SubmitBotResponse]:
        with grpc.insecure_channel(address) as channel:
            stub = bot_service_pb2_grpc.BotServiceStub(channel)
            try:
                return list(stub.SubmitBot(sent.pieces(), metadata=metadata, timeout=60))
            except grpc.RpcError as error:
                nothing = grpc.aio.Metadata()
                raise grpc.aio.AioRpcError(
                    error.code(), nothing, nothing, error.details()
                ) from error

    # Not in the threads of the loop, which the arena works in.
    with ThreadPoolExecutor(1) as threads:
        return await asyncio.get_running_loop().run_in_executor(threads, call)


def kinds(responses: Sequence[pb.SubmitBotResponse]) -> list[str]:
    """What was heard, several messages of lines as one."""
    found = (str(response.WhichOneof("progress")) for response in responses)
    return [kind for kind, _ in itertools.groupby(found)]


def said(responses: Sequence[pb.SubmitBotResponse]) -> list[str]:
    return [line for response in responses for line in response.lines.lines]


# What becomes of it.


async def test_a_folder_comes_to_be_a_version_that_is_told_step_by_step(
    house: House, folder: Path
) -> None:
    heard = await submit(house, replace(packed(folder), chunk=100))
    assert kinds(heard) == ["received", "moved", "lines", "moved", "step", "ready"]
    assert [one.moved.state for one in heard if one.HasField("moved")] == [
        pb.SUBMISSION_STATE_BUILDING,
        pb.SUBMISSION_STATE_CHECKING,
    ]
    assert said(heard)[1:] == ["compiling"]
    (version,) = house.store.versions()
    assert (version.name, version.label, version.kind) == ("tutor", "1", VersionKind.SUBMITTED)
    assert (version.command, version.identity) == (("./bot",), heard[0].received.content_hash)
    assert heard[-1].ready.version.label == "1"
    assert house.store.bots()[0].owner == "ann"
    built = house.submissions.shelf.built(version.identity)
    assert (built / "bot").read_text() == (folder / "main.sh").read_text()


async def test_changed_content_is_another_version_and_unchanged_the_same(
    house: House, folder: Path
) -> None:
    first = await submit(house, packed(folder))
    again = await submit(house, replace(packed(folder), request="r2"))
    (folder / "main.sh").write_text("#!/bin/sh\n# better\n")
    other = await submit(house, replace(packed(folder), request="r3"))
    assert (kinds(again), again[0].received.known) == (["received", "ready"], True)
    assert again[-1].ready == first[-1].ready
    assert other[-1].ready.version.label == "2"
    assert len(house.store.submissions()) == 3


async def test_under_another_name_it_is_another_bot_and_is_not_built_again(
    house: House, folder: Path
) -> None:
    await submit(house, packed(folder))
    twin = await submit(house, replace(packed(folder), name="twin", request="r2"))
    assert kinds(twin) == ["received", "ready"]
    assert [bot.name for bot in house.store.bots()] == ["tutor", "twin"]


async def test_a_build_that_fails_is_told_with_its_log(house: House, folder: Path) -> None:
    text = MANIFEST.replace("echo compiling;", "echo it is broken >&2; exit 4;")
    (folder / "bot.toml").write_text(text)
    heard = await submit(house, packed(folder))
    assert "status 4" in heard[-1].failed.reason
    assert "it is broken" in said(heard)
    assert house.store.versions() == ()
    name = heard[0].received.submission
    log = await house.bots.GetBuildLog(pb.GetBuildLogRequest(name=name), metadata=ANN)
    assert "it is broken" in log.log.splitlines()
    found = await house.bots.GetSubmission(pb.GetSubmissionRequest(name=name), metadata=ANN)
    assert found.submission.state == pb.SUBMISSION_STATE_FAILED
    assert found.submission.reason == heard[-1].failed.reason


async def test_a_folder_that_is_no_bots_fails_without_a_word_of_where_it_lies(
    house: House, folder: Path, tmp_path: Path
) -> None:
    (folder / "bot.toml").write_text("name = 'x'")
    heard = await submit(house, packed(folder))
    assert heard[-1].failed.reason.startswith("bot.toml will not do:")
    (folder / "bot.toml").unlink()
    heard = await submit(house, replace(packed(folder), request="r2"))
    assert heard[-1].failed.reason == "bot.toml cannot be read: No such file or directory"


async def test_a_bot_that_fails_the_check_is_told_the_step(tmp_path: Path, folder: Path) -> None:
    async def fails(_: Trial, told: Callable[[StepResult], None]) -> None:
        told(StepResult(1, 2, "hello", "Says hello.", "warned", "it mumbled"))
        told(StepResult(2, 2, "games", "Plays.", "failed", "it slept", ("Traceback", "Zzz")))

    async with open_house(tmp_path / "arena.db", try_out=fails) as house:
        await people(house)
        heard = await submit(house, packed(folder))
        steps = [one.step for one in heard if one.HasField("step")]
        assert [step.verdict for step in steps] == [
            pb.STEP_VERDICT_WARNED,
            pb.STEP_VERDICT_FAILED,
        ]
        assert list(steps[1].stderr) == ["Traceback", "Zzz"]
        assert heard[-1].failed.reason == "the check failed at step games: it slept"
        request = pb.GetBuildLogRequest(name=heard[0].received.submission)
        log = (await house.bots.GetBuildLog(request, metadata=ANN)).log
        assert "check 2 games failed: it slept\n    Traceback\n    Zzz\n" in log


async def test_a_mistake_of_the_arena_fails_one_submission_and_no_other(
    tmp_path: Path, folder: Path
) -> None:
    calls = []

    async def breaks(trial: Trial, told: Callable[[StepResult], None]) -> None:
        calls.append(trial)
        if len(calls) == 1:
            raise ZeroDivisionError("secret detail")
        await passes(trial, told)

    async with open_house(tmp_path / "arena.db", try_out=breaks) as house:
        await people(house)
        heard = await submit(house, packed(folder))
        assert "the arena has made a mistake, number" in heard[-1].failed.reason
        assert "secret" not in heard[-1].failed.reason
        again = await submit(house, replace(packed(folder), request="r2"))
        assert again[-1].HasField("ready")


# Repeats, and streams that end.


async def test_a_repeat_joins_what_is_stored_and_not_yet_entered(
    gated: House, gate: Gate, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, stored, looked = gated.store, threading.Event(), threading.Event()
    begin, look = store.begin_submission, store.submission_of

    def slow_begin(new: NewSubmission, request: Request) -> Submission:
        submission = begin(new, request)
        stored.set()
        assert looked.wait(DEADLINE_SECONDS)
        return submission

    def seen_look(request: Request) -> Submission | None:
        found = look(request)
        if found is not None:
            looked.set()
        return found

    monkeypatch.setattr(Store, "begin_submission", lambda _, *words: slow_begin(*words))
    monkeypatch.setattr(Store, "submission_of", lambda _, request: seen_look(request))
    gate.go.set()
    first = asyncio.create_task(submit(gated, packed(folder)))
    assert await asyncio.to_thread(stored.wait, DEADLINE_SECONDS)
    repeat = await submit(gated, packed(folder))
    assert said(repeat) == said(await first)
    assert repeat[-1].HasField("ready")


async def test_a_repeat_under_the_request_id_joins_and_hears_all(
    gated: House, gate: Gate, folder: Path
) -> None:
    sent = packed(folder)
    calls = [asyncio.create_task(submit(gated, sent)) for _ in range(6)]
    await gate.reached.wait()
    late = asyncio.create_task(submit(gated, sent))
    gate.go.set()
    heard = await asyncio.gather(*calls, late)
    assert all(one[-1].HasField("ready") for one in heard)
    assert all(said(one) == said(heard[0]) for one in heard)
    assert len(gated.store.submissions()) == len(gated.store.versions()) == len(gate.tried) == 1
    after = await submit(gated, sent)
    assert kinds(after) == ["received", "ready"]
    assert len(gated.store.submissions()) == 1


async def test_the_same_request_id_with_another_content_is_refused(
    house: House, folder: Path
) -> None:
    await submit(house, packed(folder))
    other = replace(packed(folder), name="other")
    told = await refused(submit(house, other), grpc.StatusCode.ALREADY_EXISTS)
    assert "another content" in told


async def test_who_stops_listening_stops_no_build(gated: House, gate: Gate, folder: Path) -> None:
    sent = packed(folder)
    call = gated.bots.SubmitBot(sent.pieces(), metadata=ANN)
    await anext(aiter(call))
    call.cancel()
    await gate.reached.wait()
    gate.go.set()
    assert (await submit(gated, sent))[-1].HasField("ready")
    assert len(gate.tried) == 1


async def test_others_wait_and_are_told_their_place(gated: House, gate: Gate, folder: Path) -> None:
    first = asyncio.create_task(submit(gated, packed(folder)))
    await gate.reached.wait()
    (folder / "main.sh").write_text("#!/bin/sh\n# of bob\n")
    call = gated.bots.SubmitBot(replace(packed(folder), name="bob").pieces(), metadata=BOB)
    heard = aiter(call)
    assert (await anext(heard)).HasField("received")
    assert (await anext(heard)).waiting.ahead == 1
    gate.go.set()
    assert [one async for one in heard][-1].HasField("ready")
    await first


async def test_an_owner_may_have_so_many_that_are_not_over(
    gated: House, gate: Gate, folder: Path
) -> None:
    archive = packed(folder)
    calls = [
        gated.bots.SubmitBot(replace(archive, request=f"r{n}").pieces(), metadata=ANN)
        for n in range(MOST_OF_OWNER)
    ]
    for call in calls:
        assert (await anext(aiter(call))).HasField("received")
    one_more = submit(gated, replace(archive, request="more"))
    assert "not over yet" in await refused(one_more, grpc.StatusCode.RESOURCE_EXHAUSTED)
    gate.go.set()
    for call in calls:
        assert [one async for one in call][-1].HasField("ready")
    assert (await submit(gated, replace(archive, request="more")))[-1].HasField("ready")


# What is refused.


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"size": 0}, "header.size"),
        ({"size": 17 * 1024 * 1024}, "header.size"),
        ({"size": 10}, "has more than the 10 bytes said"),
        ({"size": 999_999}, "the header says 999999"),
        ({"sha256": "5" * 64}, "header.sha256"),
        ({"sha256": "S" * 64}, "header.sha256"),
        ({"chunk": 40_000, "archive": bytes(50_000)}, "chunk"),
        ({"name": ""}, "header.display_name"),
        ({"name": "a\nb"}, "header.display_name"),
        ({"request": ""}, "header.request_id"),
        ({"archive": b"no archive"}, "no gzip file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-",
)
async def test_what_is_not_as_it_should_be_is_refused(
    house: House, folder: Path, change: dict[str, object], word: str
) -> None:
    sent = replace(packed(folder), **change)  # type: ignore[arg-type]
    assert word in await refused(submit(house, sent), INVALID)
    assert house.store.submissions() == ()
    names = [path.name for path in house.submissions.shelf.folder("").iterdir()]
    assert names == [".failed"]


async def test_a_hostile_entry_is_named(house: House) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo("../../etc/cron"))
    told = await refused(submit(house, Sent(archive.getvalue())), INVALID)
    assert "'../../etc/cron' leads out of the folder" in told


async def test_a_stream_without_a_header_first_is_refused(house: House, folder: Path) -> None:
    pieces = list(packed(folder).pieces())
    for wrong in ([], pieces[1:], [pieces[0], pieces[0]], [pb.SubmitBotRequest()]):
        assert await refused(submit(house, Wrong(others=tuple(wrong))), INVALID)


async def test_a_name_of_another_owner_is_refused(house: House, folder: Path) -> None:
    await submit(house, packed(folder))
    mine = submit(house, replace(packed(folder), request="r2"), BOB)
    assert "somebody else" in await refused(mine, grpc.StatusCode.ALREADY_EXISTS)


# What others see.


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
        bots.RetireVersion(pb.RetireVersionRequest(version=version), metadata=BOB),
        bots.ResumeVersion(pb.ResumeVersionRequest(version=version), metadata=BOB),
    ):
        await refused(call, NOT_FOUND)
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
    assert told.endswith("is paused after repeated crashes, until its author has it go on")
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
