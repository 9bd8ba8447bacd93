"""Submissions within a transaction: what authors have uploaded, and what became of it."""

from __future__ import annotations

import unicodedata

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.ids import BotId, SubmissionId, VersionId
from arena.store import bots
from arena.store.errors import Conflict, Rejected, Unknown
from arena.store.schema import BotRow, EntryRow, SubmissionRow, VersionRow
from arena.store.values import (
    NewSubmission,
    NewVersion,
    Submission,
    SubmissionState,
    Version,
    VersionKind,
    VersionState,
)


def begin(session: Session, new: NewSubmission, now_us: int) -> Submission:
    """Store a submission in its first state.

    Raises:
        Conflict: the bot's name belongs to somebody else, or looks like that of another bot.
    """
    refuse_taken(session, new.name, new.owner)
    row = SubmissionRow(
        name=new.name,
        owner=new.owner,
        content_hash=new.content_hash,
        state=SubmissionState.RECEIVED,
        reason="",
        version_id=None,
        created_us=now_us,
        changed_us=now_us,
    )
    session.add(row)
    session.flush()
    return _submission(row, None)


def refuse_taken(session: Session, name: str, owner: str) -> None:
    """Refuse a name that is not the owner's to give: see `begin`."""
    known = session.scalar(sa.select(BotRow.owner).where(BotRow.name == name))
    if known not in (None, owner):
        raise Conflict(f"the bot name {name!r} belongs to somebody else: choose another")
    _refuse_look_alike(session, name)


def move(
    session: Session, number: SubmissionId, state: SubmissionState, reason: str, now_us: int
) -> Submission:
    """Move a submission on. Raises Unknown where there is none, Rejected where it is over."""
    row = _row(session, number)
    if row.state.is_over:
        raise Rejected(f"submission {number} is {row.state.value}, and stays so")
    row.state, row.reason, row.changed_us = state, reason, now_us
    return _submission(row, None)


def finish(
    session: Session, number: SubmissionId, new: NewVersion, now_us: int
) -> tuple[Submission, Version]:
    """Make a submission a version, or the version that its content is already.

    One that was paused may play again.

    Raises:
        Unknown: there is no such submission.
        Rejected: it is over, or its content is a version that was retired.
        Conflict: the bot's name belongs to somebody else by now, or looks like that of another.
    """
    _refuse_look_alike(session, new.name)
    version = bots.register_version(session, new, now_us)
    if version.state is VersionState.RETIRED:
        raise Rejected(
            f"this content is version {version.label!r}, which was retired: change something"
        )
    row = session.get_one(VersionRow, version.id)
    row.state, row.note = VersionState.ACTIVE, ""
    move(session, number, SubmissionState.READY, "", now_us)
    _row(session, number).version_id = version.id
    session.flush()
    return submission(session, number), bots.version_of(row, version.name)


def submissions(
    session: Session, *conditions: sa.ColumnElement[bool], most: int | None = None
) -> tuple[Submission, ...]:
    """The newest submissions that meet the conditions, newest first."""
    query = (
        sa.select(SubmissionRow, VersionRow.bot_id)
        .outerjoin(VersionRow, VersionRow.id == SubmissionRow.version_id)
        .where(*conditions)
        .order_by(SubmissionRow.id.desc())
        .limit(most)
    )
    return tuple(_submission(row, bot) for row, bot in session.execute(query))


def submission(session: Session, number: SubmissionId) -> Submission:
    """One submission. Raises Unknown where there is none."""
    for found in submissions(session, SubmissionRow.id == number):
        return found
    raise Unknown(f"there is no submission {number}")


def contents_of(
    session: Session, owner: str, *conditions: sa.ColumnElement[bool]
) -> tuple[str, ...]:
    """The contents of an owner's submitted versions that meet the conditions."""
    query = (
        sa.select(VersionRow.identity)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(BotRow.owner == owner, VersionRow.kind == VersionKind.SUBMITTED, *conditions)
        .distinct()
        .order_by(VersionRow.identity)
    )
    return tuple(session.scalars(query))


def needless() -> sa.ColumnElement[bool]:
    """Whether nobody will ever play a content: each version of it is retired, in no tournament."""
    needed = sa.select(VersionRow.identity).where(
        VersionRow.kind == VersionKind.SUBMITTED,
        sa.or_(
            VersionRow.state != VersionState.RETIRED,
            VersionRow.id.in_(sa.select(EntryRow.version_id)),
        ),
    )
    return VersionRow.identity.not_in(needed)


def set_version_state(session: Session, version: VersionId, state: VersionState, note: str) -> bool:
    """Say whether a version is scheduled; False where that is so already.

    Raises:
        Unknown: there is no such version.
        Rejected: it was retired, which is for good, or was never submitted.
    """
    row = session.get(VersionRow, version)
    if row is None:
        raise Unknown(f"there is no version {version}")
    if row.kind is not VersionKind.SUBMITTED:
        raise Rejected(f"version {row.label!r} was not submitted: it is neither paused nor retired")
    if row.state is state:
        return False
    if row.state is VersionState.RETIRED:
        raise Rejected(f"version {row.label!r} was retired, which is for good")
    row.state, row.note = state, note
    return True


def _refuse_look_alike(session: Session, name: str) -> None:
    """Refuse a name that people would take for that of another bot. Raises Conflict."""
    for other in session.scalars(sa.select(BotRow.name)):
        if other != name and _looks(other) == _looks(name):
            raise Conflict(
                f"the bot name {name!r} differs from {other!r} by its case alone, or looks the "
                "same: choose another"
            )


def _looks(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _row(session: Session, number: SubmissionId) -> SubmissionRow:
    row = session.get(SubmissionRow, number)
    if row is None:
        raise Unknown(f"there is no submission {number}")
    return row


def _submission(row: SubmissionRow, bot: int | None) -> Submission:
    return Submission(
        id=SubmissionId(row.id),
        name=row.name,
        owner=row.owner,
        content_hash=row.content_hash,
        state=row.state,
        reason=row.reason,
        version=None if row.version_id is None else VersionId(row.version_id),
        bot=None if bot is None else BotId(bot),
        created_us=row.created_us,
        changed_us=row.changed_us,
    )
