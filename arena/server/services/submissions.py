"""The calls of BotService for authors: submitting, and looking after what was submitted."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc

from arena.hosting.entries import ArchiveError
from arena.hosting.naming import UnfitName, refuse_unfit_name
from arena.referee.clock import Clock
from arena.server.admission import Bearer
from arena.server.services import messages, names
from arena.server.services.access import Access
from arena.server.services.errors import denied, invalid, not_found, not_now, too_much
from arena.server.services.paging import Pages, page_size
from arena.server.services.progress import progress_messages, submission_message
from arena.server.services.receiving import Incoming
from arena.server.submissions import Submissions, TooMany
from arena.store import (
    Rejected,
    Request,
    Role,
    Store,
    Submission,
    Version,
    VersionState,
)
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import bot_service_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
Pieces = AsyncIterator[pb.SubmitBotRequest]


class SubmissionCalls(bot_service_pb2_grpc.BotServiceServicer):
    """Takes submissions and tells of them.

    Args:
        store: where they are.
        pages: gives out page tokens.
        access: knows organisers and authors.
        submissions: works on them; None where nothing is taken.
        clock: the server's.
    """

    def __init__(
        self,
        store: Store,
        pages: Pages,
        access: Access,
        submissions: Submissions | None,
        clock: Clock,
    ) -> None:
        self._store = store
        self._pages = pages
        self._access = access
        self._submissions = submissions
        self._clock = clock

    async def SubmitBot(
        self, request_iterator: Pieces, context: Context
    ) -> AsyncIterator[pb.SubmitBotResponse]:
        """Take a bot's folder, and tell what becomes of it."""
        owner = self._access.require_author(context).name
        submissions = self._taking()
        incoming = Incoming(request_iterator, self._clock)
        header = await incoming.header()
        request = _request(header, owner)
        submission = await asyncio.to_thread(self._store.submission_of, request)
        if submission is None:
            submission = await self._receive(header, request, owner, incoming)
        async for batch in submissions.follow(submission):
            for message in progress_messages(batch):
                yield message

    async def _receive(
        self, header: pb.SubmitBotHeader, request: Request, owner: str, incoming: Incoming
    ) -> Submission:
        """Receive an archive and have it worked on."""
        submissions = self._taking()
        name = _fit_name(header.display_name)
        await asyncio.to_thread(self._store.refuse_taken_name, name, owner)  # before all is sent
        with contextlib.ExitStack() as hold, _refusing(), submissions.uploading(owner):
            part = hold.enter_context(submissions.shelf.part())
            await incoming.archive(header, part)
            return await submissions.begin(name, owner, request, part, hold)

    async def GetSubmission(
        self, request: pb.GetSubmissionRequest, context: Context
    ) -> pb.GetSubmissionResponse:
        """What became of a submission."""
        found = await self._own(request.name, self._access.require_author(context))
        return pb.GetSubmissionResponse(submission=submission_message(found))

    async def ListSubmissions(
        self, request: pb.ListSubmissionsRequest, context: Context
    ) -> pb.ListSubmissionsResponse:
        """Submissions, newest first."""
        bearer = self._access.require_author(context)
        owner = None if bearer.role is Role.ORGANISER else bearer.name
        scope = f"submissions\0{owner or ''}\0{request.display_name}"
        position = self._pages.position(scope, request.page_token)
        before, most = int(position) if position else None, page_size(request.page_size)
        name = request.display_name or None
        found = await asyncio.to_thread(
            lambda: self._store.submissions(owner=owner, name=name, before=before, most=most)
        )
        full = len(found) == most
        return pb.ListSubmissionsResponse(
            submissions=map(submission_message, found),
            next_page_token=self._pages.token(scope, str(found[-1].id)) if full else "",
        )

    async def GetBuildLog(
        self, request: pb.GetBuildLogRequest, context: Context
    ) -> pb.GetBuildLogResponse:
        """What the build and the check of a submission said."""
        found = await self._own(request.name, self._access.require_author(context))
        shelf = self._taking().shelf
        log = await asyncio.to_thread(shelf.log, found.id, found.content_hash)
        return pb.GetBuildLogResponse(log=log)

    async def RetireVersion(
        self, request: pb.RetireVersionRequest, context: Context
    ) -> pb.RetireVersionResponse:
        """Have a version never scheduled again."""
        bearer = self._access.require_author(context)
        version = await self._set_state(request.version, VersionState.RETIRED, bearer)
        return pb.RetireVersionResponse(version=messages.version_message(version, online=False))

    async def ResumeVersion(
        self, request: pb.ResumeVersionRequest, context: Context
    ) -> pb.ResumeVersionResponse:
        """Have a version that was paused scheduled again."""
        bearer = self._access.require_author(context)
        version = await self._set_state(request.version, VersionState.ACTIVE, bearer)
        return pb.ResumeVersionResponse(version=messages.version_message(version, online=False))

    async def _set_state(self, name: str, state: VersionState, bearer: Bearer) -> Version:
        bot, number = names.parse_version("version", name)
        bots = await asyncio.to_thread(self._store.bots)
        of_bot = {one.id: one for one in bots}
        if bot not in of_bot:
            raise not_found(f"there is no version {name}")
        if not bearer.looks_after(of_bot[bot].owner):
            raise denied(f"{of_bot[bot].name} belongs to somebody else")
        if (await asyncio.to_thread(self._store.version, number)).bot != bot:
            raise not_found(f"there is no version {name}")
        return await asyncio.to_thread(
            lambda: self._store.set_version_state(number, state, by=bearer.name)
        )

    async def _own(self, name: str, bearer: Bearer) -> Submission:
        """A submission of the caller's; that of another is not there."""
        number = names.parse_submission("name", name)
        found = await asyncio.to_thread(self._store.submission, number)
        if not bearer.looks_after(found.owner):
            raise not_found(f"there is no submission {number}")
        return found

    def _taking(self) -> Submissions:
        if self._submissions is None:
            raise not_now("this arena takes no submissions")
        return self._submissions


# Receiving.


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """What is wrong with an archive as a status."""
    try:
        yield
    except ArchiveError as error:
        raise invalid("chunk", str(error)) from error
    except TooMany as error:
        raise too_much(str(error), retry_ms=10_000) from error


def _fit_name(name: str) -> str:
    """The name that a bot is to have."""
    try:
        refuse_unfit_name(name)
    except UnfitName as error:
        raise invalid("header.display_name", str(error)) from error
    return name


def _request(header: pb.SubmitBotHeader, owner: str) -> Request:
    """What makes a repeat known, of the same owner alone: others may choose the same id."""
    content = header.SerializeToString(deterministic=True)
    method = f"SubmitBot {owner}"
    try:
        return Request(method, header.request_id, hashlib.sha256(content).hexdigest())
    except Rejected as error:
        raise invalid("header.request_id", str(error)) from error
