"""Submissions: received, queued, worked on one at a time, followed by whoever asks."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, assert_never

from arena.events import Event, event_log, new_error_id
from arena.hosting.manifest import read_manifest
from arena.hosting.room import NO_ROOM, is_no_room
from arena.hosting.shelf import Part, Shelf
from arena.hosting.trial import StepResult
from arena.hosting.workshop import NotMade, Workshop
from arena.ids import SubmissionId
from arena.server.allowance import forget_old_logs, room_of
from arena.server.feed import Feed
from arena.server.happenings import Failed, Happening, Moved, Ready, Received, Said, Waiting
from arena.store import (
    NewSubmission,
    NewVersion,
    Rejected,
    Request,
    Store,
    StoreError,
    Submission,
    SubmissionState,
    VersionKind,
)

MOST_OF_OWNER: Final = 3
MOST: Final = 32
"""Submissions that are not over, of one owner and of all."""
MOST_UPLOADS: Final = 8
MOST_UPLOADS_OF_OWNER: Final = 2
"""Archives that are being sent."""
TELLING_SECONDS: Final = 30.0
"""How often those that wait are told their places."""

log = event_log(__name__)


class TooMany(Exception):
    """There are so many submissions that no other is taken now; the sentence says of what."""


@dataclass(slots=True)
class _Work:
    """A submission that is not over."""

    submission: Submission
    part: Part
    hold: contextlib.ExitStack
    feed: Feed[Happening] = field(default_factory=Feed)


class Submissions:
    """The submissions of a server. Made and used within its event loop.

    Args:
        store: has them.
        workshop: makes bots of them.
    """

    def __init__(self, store: Store, workshop: Workshop) -> None:
        self._store = store
        self._workshop = workshop
        self._works: dict[SubmissionId, _Work] = {}
        self._queue: deque[_Work] = deque()
        self._current: _Work | None = None
        self._current_since = 0.0
        self._uploads: Counter[str] = Counter()
        self._more = asyncio.Event()
        # Who begins one sees whether it has been begun: of equal requests one is worked on.
        self._one_by_one = asyncio.Lock()

    @property
    def shelf(self) -> Shelf:
        """Where bots are kept."""
        return self._workshop.shelf

    async def take_up(self) -> None:
        """Work again on what an arena that ended has received and not finished.

        For whoever holds the claim, before anybody asks. What was begun is taken up once: it may
        be what ended the arena.

        Raises:
            StoreError: the store cannot be read or written.
            OSError: a folder cannot be made.
        """
        for submission in await asyncio.to_thread(self._store.unfinished_submissions):
            with contextlib.ExitStack() as hold:
                part = hold.enter_context(self.shelf.part())
                if await self._take_up(submission, part):
                    self._enter(_Work(submission, part, hold.pop_all()))
        await asyncio.to_thread(self.shelf.forget_all_but, self._works.keys())

    async def _take_up(self, submission: Submission, part: Part) -> bool:
        """Whether it is there to be worked on; it has failed otherwise."""
        number, waited = submission.id, submission.state is SubmissionState.RECEIVED
        if not await asyncio.to_thread(self.shelf.take_up, number, part, keep=waited):
            await self._failed(submission, _interrupted(submission.state), "")
            return False
        await asyncio.to_thread(self._store.move_submission, number, SubmissionState.RECEIVED)
        log.info(Event.SUBMISSION_TAKEN_UP, **_ids(submission))
        return True

    # Receiving.

    @contextlib.contextmanager
    def uploading(self, owner: str) -> Iterator[None]:
        """Somebody sends an archive while the block runs.

        Raises:
            TooMany: too many do, or too many submissions are not over.
        """
        self._refuse_too_many(owner)
        if self._uploads[owner] >= MOST_UPLOADS_OF_OWNER:
            raise TooMany(f"{MOST_UPLOADS_OF_OWNER} of your archives are being sent")
        if self._uploads.total() >= MOST_UPLOADS:
            raise TooMany(f"{MOST_UPLOADS} archives are being sent, as many as the arena takes")
        self._uploads[owner] += 1
        try:
            yield
        finally:
            self._uploads[owner] -= 1
            if not self._uploads[owner]:
                del self._uploads[owner]

    def _refuse_too_many(self, owner: str) -> None:
        of_owner = sum(work.submission.owner == owner for work in self._works.values())
        if of_owner >= MOST_OF_OWNER:
            raise TooMany(f"{MOST_OF_OWNER} of your submissions are not over yet")
        if len(self._works) >= MOST:
            raise TooMany(f"{MOST} submissions wait, as many as the arena takes")

    async def begin(
        self, name: str, owner: str, request: Request, part: Part, hold: contextlib.ExitStack
    ) -> Submission:
        """Take what was received.

        Args:
            name: the bot's.
            owner: whose it is.
            request: a repeat of it leads to the same submission.
            part: with the archive.
            hold: keeps the part; it is closed once that is needed no more.

        Raises:
            ArchiveError: it is refused.
            StoreError: it is refused, or cannot be stored.
            TooMany: too many are not over.
            OSError: it cannot be written.
        """
        content = await self._workshop.unpack(part)
        new = NewSubmission(name=name, owner=owner, content_hash=content)
        async with self._one_by_one:
            self._refuse_too_many(owner)
            known = await asyncio.to_thread(self._store.submission_of, request)
            if known is not None:
                return known
            submission = await asyncio.to_thread(self._store.begin_submission, new, request)
            with contextlib.suppress(OSError):  # it cannot be taken up again, and that is all
                await asyncio.to_thread(self.shelf.keep_received, part, submission.id)
            self._enter(_Work(submission, part, hold.pop_all()))
            return submission

    def _enter(self, work: _Work) -> None:
        self._works[work.submission.id] = work
        known = self.shelf.has(work.submission.content_hash)
        work.feed.put(Received(work.submission, known))
        self._queue.append(work)
        self._tell_places()
        self._more.set()

    def _tell_places(self) -> None:
        ahead = 0 if self._current is None else 1
        worked = int(monotonic() - self._current_since) if ahead else 0
        for number, work in enumerate(self._queue):
            if number + ahead:
                work.feed.put(Waiting(number + ahead, worked))

    async def _keep_telling_places(self) -> None:
        """Who waits sees that the one that is worked on has not been forgotten."""
        while True:
            await asyncio.sleep(TELLING_SECONDS)
            self._tell_places()

    async def follow(self, submission: Submission) -> AsyncIterator[list[Happening]]:
        """What happens to a submission, from the start to the end.

        Of one that is over, how it began and how it ended; of one that the next arena takes up, as
        this one ends, how it began.
        """
        async with self._one_by_one:  # it may be stored, and just about to be entered
            work = self._works.get(submission.id)
        if work is not None:
            async for batch in work.feed.follow():
                yield batch
            return
        now = await asyncio.to_thread(self._store.submission, submission.id)
        yield [Received(now, known=False)]
        if now.state.is_over:
            yield [await self._end_of(now)]

    async def _end_of(self, submission: Submission) -> Happening:
        if submission.version is None:
            return Failed(submission.reason)
        return Ready(await asyncio.to_thread(self._store.version, submission.version))

    # Working.

    async def run(self) -> None:
        """Work on one after the other, until cancelled."""
        telling = asyncio.create_task(self._keep_telling_places())
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                while self._queue:
                    self._current = self._queue.popleft()
                    self._current_since = monotonic()
                    await self._work(self._current)
                    self._current = None
                    self._tell_places()
        finally:
            telling.cancel()
            await asyncio.wait([telling])
            for work in self._works.values():
                work.hold.close()
                work.feed.close()
            self._workshop.close()

    async def _work(self, work: _Work) -> None:
        """Have one come to its end; no error ends the others."""
        end: Happening
        try:
            end = await self._made(work)
        except NotMade as error:
            end = await self._failed(work.submission, str(error), error.log)
        except Rejected as error:  # the name has come to belong to somebody else, for example
            end = await self._failed(work.submission, str(error), "")
        except (OSError, StoreError) as error:
            log.error(Event.SUBMISSION_STOPPED, reason=str(error), **_ids(work.submission))
            reason = (
                NO_ROOM if is_no_room(error) else "the arena could not write it: submit it again"
            )
            end = await self._failed(work.submission, reason, "")
        except Exception as error:  # the boundary of a submission: others are worked on
            number = new_error_id()
            log.error(Event.BUG, place="submission", error_id=number, exc_info=error)
            reason = f"the arena has made a mistake, number {number} in its log"
            end = await self._failed(work.submission, reason, "")
        work.feed.put(end)
        work.feed.close()
        del self._works[work.submission.id]
        await asyncio.to_thread(self._forget, work)

    def _forget(self, work: _Work) -> None:
        """Have nothing left of it but what was kept; what stays goes at the next start."""
        try:
            work.hold.close()
            self.shelf.forget(work.submission.id)
        except OSError as error:
            log.error(Event.SUBMISSION_STOPPED, reason=str(error), **_ids(work.submission))

    async def _made(self, work: _Work) -> Happening:
        submission = work.submission
        content = submission.content_hash
        known = self.shelf.has(content)
        log.info(Event.SUBMISSION_KNOWN if known else Event.SUBMISSION_BEGUN, **_ids(submission))
        if not known:
            await self._unpack_again(work)
            label = f"{self._workshop.containment.arena}-s{submission.id}"
            most = self._workshop.terms.author_bytes
            room = await asyncio.to_thread(room_of, submission.owner, most, self._store, self.shelf)
            await self._workshop.make(
                work.part, content, label, _Told(work, self._store), room=room
            )
        manifest = await asyncio.to_thread(read_manifest, self.shelf.source(content))
        new = NewVersion(
            name=submission.name,
            owner=submission.owner,
            kind=VersionKind.SUBMITTED,
            identity=content,
            command=manifest.run,
            directory=self.shelf.relative(content),
        )
        _, version = await asyncio.to_thread(self._store.finish_submission, submission.id, new)
        log.info(
            Event.SUBMISSION_READY, version=version.id, label=version.label, **_ids(submission)
        )
        return Ready(version)

    async def _unpack_again(self, work: _Work) -> None:
        """Unpack what was taken up.

        Raises:
            NotMade: the end of the arena has damaged it.
        """
        if work.part.source.exists():
            return
        if not await self._workshop.unpack_again(work.part, work.submission.content_hash):
            raise NotMade(_interrupted(work.submission.state), "")

    async def _failed(self, submission: Submission, reason: str, said: str) -> Failed:
        """Have a submission failed; its log ends with the reason."""
        number = submission.id
        log.info(Event.SUBMISSION_FAILED, reason=reason, **_ids(submission))
        try:
            await asyncio.to_thread(self.shelf.keep_failed, number, f"{said}{reason}\n")
            await asyncio.to_thread(forget_old_logs, submission.owner, self._store, self.shelf)
            await asyncio.to_thread(
                self._store.move_submission, number, SubmissionState.FAILED, reason
            )
        except (OSError, StoreError) as error:
            log.error(Event.SUBMISSION_STOPPED, reason=str(error), **_ids(submission))
        return Failed(reason)


class _Told:
    """Passes on how the work at a submission goes on."""

    def __init__(self, work: _Work, store: Store) -> None:
        self._work = work
        self._store = store

    async def building(self) -> None:
        """The commands of the build run from here on."""
        await self._moved(SubmissionState.BUILDING)

    async def checking(self) -> None:
        """The steps of the check run from here on."""
        await self._moved(SubmissionState.CHECKING)

    def said(self, lines: Sequence[str]) -> None:
        """The build has said something."""
        self._work.feed.put(*map(Said, lines))

    def tried(self, result: StepResult) -> None:
        """A step of the check is over."""
        self._work.feed.put(result)

    async def _moved(self, state: SubmissionState) -> None:
        await asyncio.to_thread(self._store.move_submission, self._work.submission.id, state)
        self._work.feed.put(Moved(state))


def _interrupted(state: SubmissionState) -> str:
    """What the author is told of what nobody can go on with."""
    match state:
        case SubmissionState.BUILDING:
            when = "while it was being built"
        case SubmissionState.CHECKING:
            when = "while it was being checked"
        case SubmissionState.RECEIVED | SubmissionState.READY | SubmissionState.FAILED:
            when = "before it was built"
        case _:
            assert_never(state)
    return f"the arena ended {when}: submit it again"


def _ids(submission: Submission) -> dict[str, object]:
    return {
        "submission": submission.id,
        "bot": submission.name,
        "owner": submission.owner,
        "content": submission.content_hash,
    }
