"""The store's side for submissions; see `arena.store.store`."""

from collections.abc import Collection

import sqlalchemy as sa

from arena.ids import SubmissionId, VersionId
from arena.store import audit, bots, requests, submissions
from arena.store.access import Action
from arena.store.schema import SubmissionRow, VersionRow
from arena.store.transactions import Transactions
from arena.store.values import (
    NewSubmission,
    NewVersion,
    Request,
    Submission,
    SubmissionState,
    Version,
    VersionState,
)


class Submitting(Transactions):
    """What authors send, and what is scheduled of it."""

    def begin_submission(self, new: NewSubmission, request: Request | None = None) -> Submission:
        """Store what an author has sent; who did is in the audit log.

        A request that was met before gives what it gave then. Raises Conflict when the bot's name
        belongs to another owner or looks like another, or the request's id stands for another
        content.
        """
        deed = audit.Deed(new.owner, Action.SUBMIT_BOT, f"bot {new.name}")
        with self._acting(deed) as session:
            known, now = requests.answer(session, request), self._now_us()
            if known is not None:
                deed.outcome = audit.UNCHANGED
                return submissions.submission(session, SubmissionId(known))
            begun = submissions.begin(session, new, now)
            requests.remember(session, request, begun.id, now)
            return begun

    def refuse_taken_name(self, name: str, owner: str) -> None:
        """Raises Conflict where `begin_submission` would for a bot of that name and owner."""
        with self._reading() as session:
            submissions.refuse_taken(session, name, owner)

    def submission_of(self, request: Request) -> Submission | None:
        """What a request led to, None for a new one.

        Raises Conflict when its id stands for another content.
        """
        with self._reading() as session:
            known = requests.answer(session, request)
            return None if known is None else submissions.submission(session, SubmissionId(known))

    def move_submission(
        self, submission: SubmissionId, state: SubmissionState, reason: str = ""
    ) -> Submission:
        """Say how far a submission has come.

        Raises Unknown when there is none, Rejected when it is over.
        """
        with self._writing() as session:
            return submissions.move(session, submission, state, reason, self._now_us())

    def finish_submission(
        self, submission: SubmissionId, new: NewVersion
    ) -> tuple[Submission, Version]:
        """Make a submission a version, or the version of that bot that its content is already.

        One that was paused may play again. Raises Unknown when there is no such submission,
        Rejected when it is over or its content was retired, Conflict when the bot's name has come
        to belong to somebody else or to look like another.
        """
        with self._writing() as session:
            return submissions.finish(session, submission, new, self._now_us())

    def unfinished_submissions(self) -> tuple[Submission, ...]:
        """Those that are not over, the oldest first."""
        over = [state for state in SubmissionState if state.is_over]
        with self._reading() as session:
            found = submissions.submissions(session, SubmissionRow.state.not_in(over))
        return found[::-1]

    def submission(self, submission: SubmissionId) -> Submission:
        """One submission. Raises Unknown when there is none."""
        with self._reading() as session:
            return submissions.submission(session, submission)

    def contents_of(self, owner: str) -> tuple[str, ...]:
        """The contents, by their hashes, of all that an owner has submitted."""
        with self._reading() as session:
            return submissions.contents_of(session, owner)

    def needless_contents(self, owner: str) -> tuple[str, ...]:
        """Those that nothing will ever need: each version of them is retired, in no tournament."""
        with self._reading() as session:
            return submissions.contents_of(session, owner, submissions.needless())

    def submissions(
        self,
        *,
        owner: str | None = None,
        among: Collection[SubmissionId] | None = None,
        name: str | None = None,
        before: int | None = None,
        most: int | None = None,
    ) -> tuple[Submission, ...]:
        """Submissions, newest first; of an owner, among some, of a bot, below a number, so many."""
        conditions: list[sa.ColumnElement[bool]] = []
        if owner is not None:
            conditions.append(SubmissionRow.owner == owner)
        if among is not None:
            conditions.append(SubmissionRow.id.in_(among))
        if name is not None:
            conditions.append(SubmissionRow.name == name)
        if before is not None:
            conditions.append(SubmissionRow.id < before)
        with self._reading() as session:
            return submissions.submissions(session, *conditions, most=most)

    def set_version_state(
        self, version: VersionId, state: VersionState, note: str = "", *, by: str | None = None
    ) -> Version:
        """Pause or retire a submitted version, or have it play again; `note` is for its author.

        Raises Unknown when there is no such version, Rejected when it was not submitted, or was
        retired.
        """
        action = Action.RETIRE_BOT if state is VersionState.RETIRED else Action.RESUME_BOT
        deed = audit.Deed(by, action, f"version {version}")
        with self._acting(deed) as session:
            for found in bots.versions(session, VersionRow.id == version).values():
                deed.subject = audit.version_words(found.name, found.label)
            if not submissions.set_version_state(session, version, state, note):
                deed.outcome = audit.UNCHANGED
            session.flush()
            return bots.versions(session, VersionRow.id == version)[version]
