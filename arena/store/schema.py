"""The tables. Change them together with a new revision in `migrations`; a test compares the two.

Times are microseconds since 1970 in UTC, so that no database and no time zone can shift them.
Enums are strings under a named check. Every constraint has a name: without one it could never be
dropped on SQLite.
"""

from enum import Enum
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from arena.ratings.results import Outcome
from arena.store.access import Role
from arena.store.values import (
    PlayFormat,
    ScheduleKind,
    SubmissionState,
    TournamentState,
    VersionKind,
    VersionState,
)

NAMING: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# SQLite numbers rows by itself only in a column that is called INTEGER.
Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Hash = sa.String(64)


def choice(kind: type[Enum], name: str) -> sa.Enum:
    """One of the values of an enum, as a string under a check called `name`."""
    return sa.Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=32,
        values_callable=lambda members: [member.value for member in members],
    )


class Base(DeclarativeBase):
    """The tables' registry and their naming convention."""

    metadata = sa.MetaData(naming_convention=NAMING)


class BotRow(Base):
    """A name with an owner."""

    __tablename__ = "bots"
    __table_args__ = (sa.UniqueConstraint("name"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(64))
    owner: Mapped[str] = mapped_column(sa.String(64))
    created_us: Mapped[int] = mapped_column(sa.BigInteger)


class VersionRow(Base):
    """One form of a bot; `command` is its argv as a JSON list."""

    __tablename__ = "versions"
    __table_args__ = (
        sa.UniqueConstraint("bot_id", "label"),
        sa.UniqueConstraint("bot_id", "identity"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    bot_id: Mapped[int] = mapped_column(sa.ForeignKey("bots.id"))
    label: Mapped[str] = mapped_column(sa.String(64))
    kind: Mapped[VersionKind] = mapped_column(choice(VersionKind, "kind"))
    identity: Mapped[str] = mapped_column(Hash)
    command: Mapped[str] = mapped_column(sa.Text)
    directory: Mapped[str | None] = mapped_column(sa.Text)
    token_hash: Mapped[str | None] = mapped_column(Hash)
    created_us: Mapped[int] = mapped_column(sa.BigInteger)
    state: Mapped[VersionState] = mapped_column(choice(VersionState, "state"))
    note: Mapped[str] = mapped_column(sa.Text)


class SubmissionRow(Base):
    """A bot's folder that an author has sent, and what became of it."""

    __tablename__ = "submissions"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(64))
    owner: Mapped[str] = mapped_column(sa.String(64), index=True)
    content_hash: Mapped[str] = mapped_column(Hash)
    state: Mapped[SubmissionState] = mapped_column(choice(SubmissionState, "state"))
    reason: Mapped[str] = mapped_column(sa.Text)
    version_id: Mapped[int | None] = mapped_column(sa.ForeignKey("versions.id"))
    created_us: Mapped[int] = mapped_column(sa.BigInteger)
    changed_us: Mapped[int] = mapped_column(sa.BigInteger)


class TournamentRow(Base):
    """One variant, one schedule, one format; `variant` and `settings` are JSON."""

    __tablename__ = "tournaments"
    __table_args__ = (sa.UniqueConstraint("name"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(64))
    variant_name: Mapped[str] = mapped_column(sa.String(64))
    variant_hash: Mapped[str] = mapped_column(Hash, index=True)
    variant: Mapped[str] = mapped_column(sa.Text)
    schedule: Mapped[ScheduleKind] = mapped_column(choice(ScheduleKind, "schedule"))
    format: Mapped[PlayFormat] = mapped_column(choice(PlayFormat, "format"))
    settings: Mapped[str] = mapped_column(sa.Text)
    seed: Mapped[bytes] = mapped_column(sa.LargeBinary(32))
    commitment: Mapped[str] = mapped_column(Hash)
    state: Mapped[TournamentState] = mapped_column(choice(TournamentState, "state"))
    created_us: Mapped[int] = mapped_column(sa.BigInteger)
    finished_us: Mapped[int | None] = mapped_column(sa.BigInteger)


class EntryRow(Base):
    """A version in a tournament. Rows are never deleted, so numbers are never reused."""

    __tablename__ = "entries"
    __table_args__ = (
        sa.UniqueConstraint("tournament_id", "version_id"),
        sa.CheckConstraint("number >= 1", name="number"),
    )

    tournament_id: Mapped[int] = mapped_column(sa.ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    version_id: Mapped[int] = mapped_column(sa.ForeignKey("versions.id"))


def _entry_key(column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ("tournament_id", column), ("entries.tournament_id", "entries.number")
    )


def _faults() -> Mapped[int]:
    return mapped_column(sa.Integer)


class SetRow(Base):
    """A finished mirrored set: the journal. Rows are added, never changed.

    `sequence` is the order of arrival. `record` is the JSON record, deflated, and comes last
    because a large column slows down what stands behind it. `record_hash` is of the bytes before
    deflating; `content_hash` leaves out the times.
    """

    __tablename__ = "sets"
    __table_args__: Any = (
        sa.UniqueConstraint("tournament_id", "job_key"),
        _entry_key("first_entry"),
        _entry_key("second_entry"),
        {"sqlite_autoincrement": True},
    )

    sequence: Mapped[int] = mapped_column(Number, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(sa.ForeignKey("tournaments.id"))
    job_key: Mapped[str] = mapped_column(sa.String(64))
    round: Mapped[int] = mapped_column(sa.Integer)
    first_entry: Mapped[int] = mapped_column(sa.Integer)
    second_entry: Mapped[int] = mapped_column(sa.Integer)
    repeat: Mapped[int] = mapped_column(sa.Integer)
    outcome: Mapped[Outcome] = mapped_column(choice(Outcome, "outcome"))
    points: Mapped[int] = mapped_column(sa.Integer)
    hands: Mapped[int] = mapped_column(sa.Integer)
    counts_points: Mapped[bool] = mapped_column(
        sa.Boolean(create_constraint=True, name="counts_points")
    )
    first_illegal: Mapped[int] = _faults()
    first_timeout: Mapped[int] = _faults()
    first_disconnect: Mapped[int] = _faults()
    first_crash: Mapped[int] = _faults()
    first_protocol: Mapped[int] = _faults()
    second_illegal: Mapped[int] = _faults()
    second_timeout: Mapped[int] = _faults()
    second_disconnect: Mapped[int] = _faults()
    second_crash: Mapped[int] = _faults()
    second_protocol: Mapped[int] = _faults()
    finished_us: Mapped[int] = mapped_column(sa.BigInteger)
    content_hash: Mapped[str] = mapped_column(Hash)
    record_hash: Mapped[str] = mapped_column(Hash)
    record: Mapped[bytes] = mapped_column(sa.LargeBinary)


class IncidentRow(Base):
    """The faults of one set, for the authors of its bots; `content` is a JSON list."""

    __tablename__ = "incidents"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ("tournament_id", "job_key"), ("sets.tournament_id", "sets.job_key")
        ),
    )

    tournament_id: Mapped[int] = mapped_column(Number, primary_key=True)
    job_key: Mapped[str] = mapped_column(sa.String(64), primary_key=True)
    content: Mapped[str] = mapped_column(sa.Text)


class RefusedSetRow(Base):
    """Evidence: a set that arrived under a key which holds another content. Counts nowhere."""

    __tablename__ = "refused_sets"
    __table_args__ = (
        sa.UniqueConstraint("tournament_id", "job_key", "content_hash"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(sa.ForeignKey("tournaments.id"))
    job_key: Mapped[str] = mapped_column(sa.String(64))
    content_hash: Mapped[str] = mapped_column(Hash)
    received_us: Mapped[int] = mapped_column(sa.BigInteger)
    record: Mapped[bytes] = mapped_column(sa.LargeBinary)


class RequestRow(Base):
    """A request that was met: a repeat under its id gets the same result, an id of ours."""

    __tablename__ = "requests"

    method: Mapped[str] = mapped_column(sa.String(64), primary_key=True)
    request_id: Mapped[str] = mapped_column(sa.String(64), primary_key=True)
    content_hash: Mapped[str] = mapped_column(Hash)
    result: Mapped[int] = mapped_column(sa.BigInteger)
    created_us: Mapped[int] = mapped_column(sa.BigInteger)


class AccessTokenRow(Base):
    """A token of an organiser, author or onlooker. Rows stay when a token is revoked."""

    __tablename__ = "access_tokens"
    __table_args__ = (
        sa.UniqueConstraint("name"),
        sa.UniqueConstraint("token_hash"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(64))
    role: Mapped[Role] = mapped_column(choice(Role, "role"))
    token_hash: Mapped[str] = mapped_column(Hash)
    created_us: Mapped[int] = mapped_column(sa.BigInteger)
    revoked_us: Mapped[int | None] = mapped_column(sa.BigInteger)


class AuditRow(Base):
    """What an organiser or author did. Rows are added; triggers refuse to change or delete them."""

    __tablename__ = "audit"
    __table_args__ = ({"sqlite_autoincrement": True},)

    sequence: Mapped[int] = mapped_column(Number, primary_key=True)
    at_us: Mapped[int] = mapped_column(sa.BigInteger)
    who: Mapped[str] = mapped_column(sa.String(96))
    action: Mapped[str] = mapped_column(sa.String(32))
    subject: Mapped[str] = mapped_column(sa.Text)
    outcome: Mapped[str] = mapped_column(sa.Text)


for _event in ("UPDATE", "DELETE"):
    sa.event.listen(
        AuditRow.__table__,
        "after_create",
        sa.DDL(  # type: ignore[no-untyped-call]
            f"CREATE TRIGGER audit_no_{_event.lower()} BEFORE {_event} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END"
        ).execute_if(dialect="sqlite"),
    )
