"""The audit log within a transaction: entries are added, never changed."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.access import Action, AuditEntry
from arena.store.schema import AuditRow

DONE = "done"
UNCHANGED = "unchanged"


@dataclass(slots=True)
class Deed:
    """What somebody is about to do, to be written when it is done or refused.

    Attributes:
        who: the actor; None where no organiser acts, and nothing is to be written.
        action: what.
        subject: on what; may be told more exactly once it is known.
        outcome: what became of it.
    """

    who: str | None
    action: Action
    subject: str
    outcome: str = DONE


def version_words(name: str, label: str | None) -> str:
    """A version as the subject of a deed."""
    return f"bot {name}" if label is None else f"bot {name} version {label}"


def append(session: Session, deed: Deed, who: str, now_us: int) -> None:
    """Write a deed of somebody into the log."""
    row = AuditRow(
        at_us=now_us,
        who=who,
        action=deed.action.value,
        subject=deed.subject,
        outcome=deed.outcome,
    )
    session.add(row)


def entries(session: Session, after: int, most: int | None) -> tuple[AuditEntry, ...]:
    """The entries after a sequence number, oldest first; the newest `most` where that is given."""
    query = sa.select(AuditRow).where(AuditRow.sequence > after).order_by(AuditRow.sequence.desc())
    rows = session.scalars(query.limit(most)).all()
    return tuple(_entry(row) for row in reversed(rows))


def newest(session: Session) -> int:
    """The sequence number of the last entry, 0 before the first."""
    return session.scalar(sa.select(sa.func.max(AuditRow.sequence))) or 0


def _entry(row: AuditRow) -> AuditEntry:
    return AuditEntry(
        sequence=row.sequence,
        at_us=row.at_us,
        who=row.who,
        action=row.action,
        subject=row.subject,
        outcome=row.outcome,
    )
