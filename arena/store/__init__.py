"""The store: bots, tournaments and the journal of finished sets; SQLite by way of SQLAlchemy.

`Store` (in `store`) is the way in, `JournalWriter` (in `journal`) its asynchronous side for the
one thing that must be fast. `values` are what goes in and comes out, `errors` what can go wrong.
`access` has roles, access tokens and the entries of the audit log. Behind them: `bots`,
`submissions`, `tokens`, `audit`, `tournaments`, `sets` and `records` say what a transaction does;
`schema` has the tables, `migrate` and `migrations` bring a database up to date, `sqlite` and `lock`
hold what belongs to the database and to the operating system.
"""

from arena.store.access import AccessToken, Action, AuditEntry, Role
from arena.store.errors import (
    Conflict,
    Damaged,
    Rejected,
    StoreError,
    Temporary,
    Unknown,
    Unusable,
)
from arena.store.incidents import StoredIncident
from arena.store.journal import JournalWriter, Retry
from arena.store.sets import SetConflict
from arena.store.store import Store
from arena.store.values import (
    Added,
    Bot,
    Entry,
    FinishedSet,
    NewSubmission,
    NewVersion,
    PlayFormat,
    Request,
    ScheduleKind,
    Submission,
    SubmissionState,
    Tournament,
    TournamentSpec,
    TournamentState,
    Version,
    VersionKind,
    VersionState,
)

__all__ = [
    "AccessToken",
    "Action",
    "Added",
    "AuditEntry",
    "Bot",
    "Conflict",
    "Damaged",
    "Entry",
    "FinishedSet",
    "JournalWriter",
    "NewSubmission",
    "NewVersion",
    "PlayFormat",
    "Rejected",
    "Request",
    "Retry",
    "Role",
    "ScheduleKind",
    "SetConflict",
    "Store",
    "StoreError",
    "StoredIncident",
    "Submission",
    "SubmissionState",
    "Temporary",
    "Tournament",
    "TournamentSpec",
    "TournamentState",
    "Unknown",
    "Unusable",
    "Version",
    "VersionKind",
    "VersionState",
]
