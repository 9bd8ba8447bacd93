"""The store: what the rest of the arena calls. Every call is one transaction.

Calls may come from any thread. Each either does all it says and returns after the commit, or
raises a StoreError with one sentence and has stored nothing.

What organisers and authors do takes `by`, who does it: the name of an access token, or
`local:USER`. It is then written into the audit log, in the transaction that does it; a refusal is
written by itself.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self, overload

import sqlalchemy as sa

from arena.ids import BotId, JobKey, TournamentId, VersionId
from arena.ratings.results import SetResult
from arena.store import audit, bots, incidents, mark, requests, sets, sqlite, tokens, tournaments
from arena.store.access import AccessToken, Action, AuditEntry, Role, check_token_name
from arena.store.errors import Damaged, StoreError, Unknown
from arena.store.incidents import StoredIncident
from arena.store.lock import held, is_held, locked
from arena.store.migrate import open_engine
from arena.store.schema import BotRow, SetRow, TournamentRow, VersionRow
from arena.store.submitting import Submitting
from arena.store.transactions import epoch_us
from arena.store.values import (
    Added,
    Bot,
    FinishedSet,
    NewVersion,
    Request,
    Tournament,
    TournamentSpec,
    TournamentState,
    Version,
    check_name,
)


class Store(Submitting):
    """Bots, tournaments and the journal of finished sets, in one database file.

    Made by `Store.open`. Several processes may have the same database open.
    """

    @classmethod
    def open(cls, target: str | os.PathLike[str], *, now_us: Callable[[], int] = epoch_us) -> Self:
        """Open the database at a path or `sqlite+pysqlite:///` URL; made or migrated if need be.

        `now_us` is the clock of all stored times. Raises Unusable for what is no database of this
        or an older version of the arena, and for what this user may not write.
        """
        path = sqlite.database_path(target)
        return cls(open_engine(path), path, now_us)

    def close(self) -> None:
        """Let go of the database. Closing twice does no harm."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Hold the right to drive tournaments of this database while the block runs.

        A process that ends gives it back, however it ends. Raises Unusable, at once, naming the
        process that has it; also for a database that is older than what was announced from it.
        """
        with locked(self._claim, f"the database {self.path}", 0.0):
            mark.refuse_older(self._mark, self.path, self.revision())
            yield

    def driving(self, tournament: TournamentId) -> AbstractContextManager[None]:
        """Let others know, while the block runs, that this process plays a tournament.

        Only for the process that has the claim.
        """
        return held(self._claim, tournament)

    def is_driven(self, tournament: TournamentId) -> bool:
        """Whether any process plays a tournament now."""
        return is_held(self._claim, tournament)

    @property
    def _claim(self) -> Path:
        return self.path.with_name(self.path.name + ".claim")

    @property
    def _mark(self) -> Path:
        return self.path.with_name(self.path.name + ".mark")

    # Bots and versions.

    def register_bot(self, name: str, owner: str) -> Bot:
        """The bot of that name, made if it is new.

        Raises Conflict when it has another owner, Rejected for a name that is none.
        """
        check_name(name, "bot name")
        check_name(owner, "owner")
        with self._writing() as session:
            return bots.register_bot(session, name, owner, self._now_us())

    def register_version(
        self, new: NewVersion, request: Request | None = None, *, by: str | None = None
    ) -> Version:
        """The version of that bot and identity; bot and version are made if they are new.

        A request that was met before gives what it gave then. Raises Conflict when the bot has
        another owner, the label another content, the version another token, the token another
        version, or the request's id another content.
        """
        deed = audit.Deed(by, Action.REGISTER_BOT, audit.version_words(new.name, new.label))
        with self._acting(deed) as session:
            known, newest = requests.answer(session, request), bots.newest_version(session)
            now = self._now_us()
            if known is None:
                version = bots.register_version(session, new, now)
                requests.remember(session, request, version.id, now)
            else:
                version = bots.versions(session, VersionRow.id == known)[VersionId(known)]
            deed.subject = audit.version_words(version.name, version.label)
            if bots.newest_version(session) == newest:
                deed.outcome = audit.UNCHANGED
            return version

    def set_bot_token(
        self,
        version: VersionId,
        token_hash: str | None,
        request: Request | None = None,
        *,
        by: str | None = None,
    ) -> Version:
        """Give a version that dials in another token, by its hash; None revokes the one it has.

        To what it has, changes nothing; and a request that was met before, too. Raises Unknown when
        there is no such version, Rejected when the arena starts it, Conflict when the token is
        somebody else's or the request's id stands for another content.
        """
        action = Action.REVOKE_BOT if token_hash is None else Action.RENEW_BOT
        deed = audit.Deed(by, action, f"version {version}")
        with self._acting(deed) as session:
            for found in bots.versions(session, VersionRow.id == version).values():
                deed.subject = audit.version_words(found.name, found.label)
            known = requests.answer(session, request)
            if known is not None or not tokens.set_bot_token(session, version, token_hash):
                deed.outcome = audit.UNCHANGED
            else:
                requests.remember(session, request, version, self._now_us())
            session.flush()
            return bots.versions(session, VersionRow.id == version)[version]

    def bots(self) -> tuple[Bot, ...]:
        """All bots, by name."""
        with self._reading() as session:
            return bots.bots(session)

    def versions(self, name: str | None = None) -> tuple[Version, ...]:
        """All versions, or those of the bot of that name; oldest first."""
        conditions = () if name is None else (BotRow.name == name,)
        with self._reading() as session:
            return tuple(bots.versions(session, *conditions).values())

    def newest_version(self) -> VersionId | None:
        """The version that was registered last, None before the first."""
        with self._reading() as session:
            return bots.newest_version(session)

    def version(self, version: VersionId) -> Version:
        """One version. Raises Unknown when there is none."""
        with self._reading() as session:
            found = bots.versions(session, VersionRow.id == version)
        if not found:
            raise Unknown(f"there is no version {version}")
        return found[version]

    # Tournaments.

    def create_tournament(
        self, spec: TournamentSpec, request: Request | None = None, *, by: str | None = None
    ) -> TournamentId:
        """Store a tournament with its entries, in state CREATED.

        A request that was met before gives what it gave then. Raises Conflict when the name is
        taken or the request's id stands for another content, Unknown for a version that is not
        registered, Rejected for fewer than two entries or a version entered twice,
        arena.rules.DealError for a seed that is not 32 bytes.
        """
        deed = audit.Deed(by, Action.CREATE_TOURNAMENT, f"tournament {spec.name}")
        with self._acting(deed) as session:
            known = requests.answer(session, request)
            if known is not None:
                deed.outcome = audit.UNCHANGED
                return TournamentId(known)
            now = self._now_us()
            made = tournaments.create(session, spec, now)
            requests.remember(session, request, made, now)
            return made

    def tournament(self, tournament: TournamentId) -> Tournament:
        """One tournament. Raises Unknown when there is none."""
        return self._tournament(TournamentRow.id == tournament, f"{tournament}")

    def tournament_named(self, name: str) -> Tournament:
        """The tournament of that name. Raises Unknown when there is none."""
        return self._tournament(TournamentRow.name == name, f"{name!r}")

    def tournaments(self) -> tuple[Tournament, ...]:
        """All tournaments, in the order of creation."""
        with self._reading() as session:
            return tournaments.tournaments(session)

    def states(self) -> tuple[tuple[TournamentId, TournamentState], ...]:
        """The states of all tournaments, in the order of creation."""
        with self._reading() as session:
            return tournaments.states(session)

    def seed(self, tournament: TournamentId) -> bytes:
        """The seed of a tournament, for its dealer only: it is secret until the tournament is over.

        Raises Unknown when there is no such tournament.
        """
        with self._reading() as session:
            return tournaments.row_of(session, tournament).seed

    def set_state(self, tournament: TournamentId, state: TournamentState) -> None:
        """Move a tournament to a state; to where it is, changes nothing.

        Raises Unknown when there is no such tournament, Rejected when that state does not follow.
        """
        with self._writing() as session:
            tournaments.set_state(session, tournament, state, self._now_us())

    def cancel_tournament(self, tournament: TournamentId, *, by: str | None = None) -> None:
        """End a tournament for good; one that is cancelled stays as it is.

        Raises Unknown when there is no such tournament, Rejected when it is finished.
        """
        deed = audit.Deed(by, Action.CANCEL_TOURNAMENT, f"tournament {tournament}")
        with self._acting(deed) as session:
            row = tournaments.row_of(session, tournament)
            deed.subject = f"tournament {row.name}"
            if row.state is TournamentState.CANCELLED:
                deed.outcome = audit.UNCHANGED
            tournaments.set_state(session, tournament, TournamentState.CANCELLED, self._now_us())

    # Access.

    def make_token(self, name: str, role: Role, token_hash: str, *, by: str | None = None) -> None:
        """Store a token of an organiser, author or onlooker.

        Raises Rejected for a name that is none, Conflict when the name or the token is taken.
        """
        deed = audit.Deed(by, Action.MAKE_TOKEN, f"{role.value} {name[:64]!a}")
        with self._acting(deed) as session:
            check_token_name(name)
            deed.subject = f"{role.value} {name}"
            tokens.make(session, name, role, token_hash, self._now_us())

    def revoke_token(self, name: str, *, by: str | None = None) -> bool:
        """Revoke it; False where it was already. Raises Unknown when there is none."""
        deed = audit.Deed(by, Action.REVOKE_TOKEN, f"{name[:64]!a}")
        with self._acting(deed) as session:
            new = tokens.revoke(session, name, self._now_us())
            deed.subject, deed.outcome = name, audit.DONE if new else audit.UNCHANGED
            return new

    def access_tokens(self) -> tuple[AccessToken, ...]:
        """All tokens of organisers, authors and onlookers, the revoked ones too, oldest first."""
        with self._reading() as session:
            return tokens.tokens(session)

    def audit_log(self, *, after: int = 0, most: int | None = None) -> tuple[AuditEntry, ...]:
        """The audit log after a sequence number, oldest first; `most` gives the newest."""
        with self._reading() as session:
            return audit.entries(session, after, most)

    def newest_deed(self) -> int:
        """A number that rises with every entry of the audit log."""
        with self._reading() as session:
            return audit.newest(session)

    # The journal.

    def add_sets(
        self, tournament: TournamentId, finished: Sequence[FinishedSet]
    ) -> tuple[Added, ...]:
        """Add finished sets in one commit: all or none. Returns an answer for each, in order.

        Raises SetConflict when a key holds another content (which stays; what was refused is kept
        as evidence), Unknown for a tournament or entry that is not there, Rejected for a new set
        of a tournament that is over and for a record that is not a JSON object.
        """
        packed = sets.pack(tournament, finished)
        try:
            with self._writing() as session:
                added = sets.add(session, tournament, packed, self._now_us())
                revision = sets.revision(session)
        except sets.SetConflict as conflict:
            self._keep_evidence(tournament, conflict)
            raise
        mark.note(self._mark, revision)
        return added

    def finished_keys(self, tournament: TournamentId) -> set[JobKey]:
        """The keys of all stored sets. Raises Unknown when there is no such tournament."""
        with self._reading() as session:
            tournaments.row_of(session, tournament)
            return sets.finished_keys(session, tournament)

    def revision(self) -> int:
        """A number that rises with every set that is added: what was read at it is current."""
        with self._reading() as session:
            return sets.revision(session)

    def finished_count(self, tournament: TournamentId) -> int:
        """Their number. Raises Unknown when there is no such tournament."""
        with self._reading() as session:
            tournaments.row_of(session, tournament)
            return sets.finished_count(session, tournament)

    def incidents(
        self, bot: BotId, *, before: int | None = None, most: int = 20
    ) -> tuple[StoredIncident, ...]:
        """The faults of a bot in its newest `most` sets that have any, newest first.

        `before` leaves out sets from that sequence number on.
        """
        with self._reading() as session:
            return incidents.of_bot(session, bot, before=before, most=most)

    @overload
    def results(self, *, ladder: str) -> tuple[SetResult, ...]: ...

    @overload
    def results(self, *, tournament: TournamentId) -> tuple[SetResult, ...]: ...

    def results(
        self, *, ladder: str | None = None, tournament: TournamentId | None = None
    ) -> tuple[SetResult, ...]:
        """The results of a ladder (a variant's hash) or of a tournament, in canonical order."""
        if tournament is None:
            condition = TournamentRow.variant_hash == ladder
        else:
            condition = SetRow.tournament_id == tournament
        with self._reading() as session:
            return sets.results(session, condition)

    def record(self, tournament: TournamentId, key: JobKey) -> bytes:
        """The record of a set, byte for byte.

        Raises Unknown when there is none, Damaged when it is not what was handed over.
        """
        with self._reading() as session:
            return sets.record(session, tournament, key)

    def records(self, tournament: TournamentId) -> Iterator[tuple[JobKey, bytes]]:
        """All records of a tournament in canonical order, each read when it is asked for.

        Raises Damaged when it comes to a damaged one.
        """
        with self._reading() as session:
            keys = sets.keys_in_order(session, tournament)
        return ((key, self.record(tournament, key)) for key in keys)

    def damaged(self, tournament: TournamentId, *, newest: int | None = None) -> tuple[JobKey, ...]:
        """The keys of sets whose records are damaged, in canonical order; of all, or the newest."""
        with self._reading() as session:
            return sets.damaged(session, tournament, newest)

    def restore_record(self, tournament: TournamentId, played: FinishedSet) -> bool:
        """Put the record of a set that was played again in the place of its damaged one.

        Only if it is of the same content, which the journal has the hash of; then it is true that
        this is what was played. Any other is kept as evidence, and False comes back. The result
        is never touched. Raises Unknown when there is no such set.
        """
        (packed,) = sets.pack(tournament, [played])
        with self._writing() as session:
            try:
                sets.record(session, tournament, packed.key)
            except Damaged:
                if sets.restore(session, tournament, packed):
                    return True
                sets.keep_evidence(session, tournament, [packed], self._now_us())
                return False
        return True

    # Transactions.

    def _tournament(self, condition: sa.ColumnElement[bool], called: str) -> Tournament:
        with self._reading() as session:
            found = tournaments.tournaments(session, condition)
        if not found:
            raise Unknown(f"there is no tournament {called}")
        return found[0]

    def _keep_evidence(self, tournament: TournamentId, conflict: sets.SetConflict) -> None:
        try:
            with self._writing() as session:
                sets.keep_evidence(session, tournament, conflict.sets, self._now_us())
        except StoreError as error:
            conflict.add_note(f"it could not be kept: {error}")
