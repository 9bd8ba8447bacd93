"""Plays the tournaments of a store by itself: new ones, and those that a restart interrupted.

Each tournament has a task. It waits for the bots that dial in, then for its turn; all that play
share the tables of the executor. A database that cannot be written for a while (a full disk) is
outlasted: finished sets wait, no others begin. Any other error stops its own tournament and no
other; it goes on when the server next starts.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy.exc import DBAPIError

from arena.events import Event, event_log, new_error_id
from arena.hosting.fleet import BotFailed
from arena.hosting.identity import identity_of
from arena.hosting.workshop import NotLodged
from arena.ids import TournamentId, VersionId
from arena.referee.seat import ArenaFault
from arena.server.app import Arena
from arena.server.crashes import Pauses
from arena.server.executor import ABSENT_SECONDS, all_places
from arena.server.situations import Situation, Situations, read_situation
from arena.server.tournaments import Progress, run_tournament
from arena.server.vitals import Vitals
from arena.store import (
    Retry,
    Store,
    StoreError,
    Temporary,
    Tournament,
    TournamentState,
    Unusable,
    Version,
    VersionKind,
)
from arena.store.journal import RETRY_SECONDS
from arena.v1 import referee_pb2

AT_ONCE: Final = 4
"""Tournaments that play at once. More than one, so that none waits for another's absent bots."""

CANCEL_SECONDS: Final = 10.0
"""What a cancelled tournament may take to come to its end."""

LOOK_SECONDS: Final = 1.0
"""How often the note about absent bots is renewed."""

WRITES_NOTHING: Final = "waits until the arena can write to its database again; its log says why"

log = event_log(__name__)


class Scheduler:
    """The tournaments of a server. Made and used within its event loop.

    Args:
        store: the tournaments and their journal; claimed.
        arena: plays them.
        situations: told of everything.
        tables: how many tables run at once, of all tournaments together.
        absent_seconds: how long a tournament waits for bots before it begins without them.
    """

    def __init__(
        self,
        store: Store,
        arena: Arena,
        situations: Situations,
        *,
        tables: int,
        absent_seconds: float = ABSENT_SECONDS,
    ) -> None:
        self._store = store
        self._arena = arena
        self._situations = situations
        self._tables = tables
        self._absent_seconds = absent_seconds
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._wanted: Counter[VersionId] = Counter()
        self._tasks: dict[TournamentId, asyncio.Task[None]] = {}
        self._cancelling: set[TournamentId] = set()
        self._playing: dict[TournamentId, Tournament] = {}
        self._pauses = Pauses(store, self._rest)
        self.vitals = Vitals(arena.pulse, store)
        self.draining = self.vitals.draining

    async def resume(self) -> None:
        """Take up every tournament of the store that is not over."""
        for tournament in await asyncio.to_thread(self._store.tournaments):
            if not tournament.state.is_over:
                await self.add(tournament)

    async def add(self, tournament: Tournament) -> None:
        """Play a tournament when its turn comes; one that is there already stays as it is."""
        situation = await self._situations.of(tournament)
        if situation.state.is_over or tournament.id in self._tasks or self.draining.is_set():
            return
        self._tasks[tournament.id] = asyncio.create_task(
            self._guarded(tournament), name=f"tournament {tournament.id}"
        )

    async def cancel(self, tournament: TournamentId, *, by: str | None = None) -> None:
        """End a tournament for good, at the wish of `by`; its running sets are thrown away.

        Raises:
            Rejected: it is finished.
            Unknown: there is none.
        """
        task = self._tasks.get(tournament)
        self._cancelling.add(tournament)
        try:
            if task is not None:
                await _cancelled([task], CANCEL_SECONDS)
            before = await asyncio.to_thread(self._store.tournament, tournament)
            await asyncio.to_thread(self._store.cancel_tournament, tournament, by=by)
            self.vitals.written = True
        except Unusable:  # it could not be written: then it is played on
            if self._tasks.pop(tournament, None) is not None:
                await self.add(await asyncio.to_thread(self._store.tournament, tournament))
            raise
        finally:
            self._cancelling.discard(tournament)
        situation = await asyncio.to_thread(self._stored, tournament)
        self._situations.put(tournament, situation)
        if not before.state.is_over:
            _tell_ended(before, situation)

    async def drain(self, seconds: float) -> None:
        """Begin nothing new; suspend what is not finished within ``seconds``."""
        self.draining.set()
        log.info(Event.DRAIN_BEGUN, seconds=seconds)
        warning = referee_pb2.Draining(within_ms=int(seconds * 1000), text="the server will stop")
        for session in self._arena.lobby.sessions():
            session.warn(warning)
        tasks = [task for task in self._tasks.values() if not task.done()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
            await _cancelled([task for task in tasks if not task.done()], CANCEL_SECONDS)
        log.info(Event.DRAIN_ENDED, suspended=self._suspended())

    def _suspended(self) -> int:
        """How many tournaments go on at the next start."""
        return sum(not situation.state.is_over for situation in self._situations.all())

    async def _guarded(self, tournament: Tournament) -> None:
        note = ""
        try:
            await self._play_on(tournament)
            note = self._told_of_paused(tournament)
        except Exception as error:  # the boundary of a tournament: others play on
            self._tell_stopped(tournament, error)
            note = _why(error)
        finally:
            await self._show_state(tournament, note)

    def _tell_stopped(self, tournament: Tournament, error: Exception) -> None:
        """What was to be expected is told as a sentence, anything else with its traceback."""
        cause = _cause(error)
        if isinstance(cause, (Unusable, DBAPIError)):
            self.vitals.written = False
        if isinstance(cause, Unusable):
            log.error(Event.DATABASE_ERROR, reason=str(cause), **_ids(tournament))
        expected = isinstance(cause, (ArenaFault, BotFailed, NotLodged, StoreError))
        if expected:
            log.error(Event.TOURNAMENT_STOPPED, reason=str(cause), **_ids(tournament))
            return
        log.error(
            Event.TOURNAMENT_STOPPED,
            reason="the arena has made a mistake",
            error_id=new_error_id(),
            exc_info=error,
            **_ids(tournament),
        )

    async def _play_on(self, tournament: Tournament) -> None:
        """Play; try again for as long as an error of the database may pass."""
        retry = Retry(lambda error: self._outlast(tournament, error), RETRY_SECONDS)
        for pause in retry.rounds():
            try:
                await self._play(tournament, retry)
                self.vitals.written = True
                return
            except Exception as error:
                cause = _cause(error)
                task = asyncio.current_task()
                ends = self.draining.is_set() or (task is not None and task.cancelling())
                if ends or not isinstance(cause, Temporary):
                    raise
                retry.told(cause)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self.draining.wait()

    def _outlast(self, tournament: Tournament, error: Temporary) -> None:
        self.vitals.written = False
        log.error(Event.DATABASE_ERROR, reason=str(error), **_ids(tournament))
        self._situations.change(tournament.id, note=WRITES_NOTHING)

    async def _play(self, tournament: Tournament, retry: Retry) -> None:
        await asyncio.to_thread(refuse_changed, tournament)
        await self._wait_for_bots(tournament)
        self._situations.change(tournament.id, note="waits for its turn")
        async with self._turns:
            if self.draining.is_set():
                return
            log.info(Event.TOURNAMENT_BEGUN, **_ids(tournament))
            self._playing[tournament.id] = tournament
            noting = asyncio.create_task(self._note_absent(tournament))
            try:
                with self._store.driving(tournament.id), self._hosting(tournament):
                    await run_tournament(
                        self._store,
                        self._arena,
                        tournament.id,
                        tables=self._tables,
                        draining=self.draining,
                        retry=retry,
                        on_progress=lambda progress: self._progressed(tournament, progress),
                    )
            finally:
                del self._playing[tournament.id]
                await _cancelled([noting])
                await self._arena.fleet.restart(all_places(self._idle(tournament)))

    @contextlib.contextmanager
    def _hosting(self, tournament: Tournament) -> Iterator[None]:
        """The processes of its bots are wanted while the block runs."""
        versions = [entry.version.id for entry in tournament.entries]
        self._wanted.update(versions)
        try:
            yield
        finally:
            self._wanted.subtract(versions)

    def _idle(self, tournament: Tournament) -> list[VersionId]:
        """Those of its bots that no other tournament plays now: their processes have done."""
        versions = [entry.version.id for entry in tournament.entries]
        return [version for version in versions if not self._wanted[version]]

    def _progressed(self, tournament: Tournament, progress: Progress) -> None:
        note = self._situations.note(tournament.id).replace(WRITES_NOTHING, "")
        running = Situation(TournamentState.RUNNING, progress.done, progress.planned, note)
        self._situations.put(tournament.id, running)
        record = progress.record
        if record is not None:
            self._pauses.told(progress.versions, record)
            self.vitals.written = True
            self._arena.executor.counts.sets_finished += 1
            outcome = record.verdict.outcome.value
            log.debug(Event.SET_FINISHED, set=record.set_id, outcome=outcome, **_ids(tournament))

    async def _show_state(self, tournament: Tournament, note: str) -> None:
        # What is in the store counts: a set may have been committed while its task was cancelled.
        with contextlib.suppress(StoreError):
            situation = await asyncio.to_thread(self._settled, tournament.id)
            self._situations.put(tournament.id, replace(situation, note=note))
            # One that is being cancelled has its last state still to come.
            if situation.state.is_over or tournament.id not in self._cancelling:
                _tell_ended(tournament, situation)

    def _settled(self, tournament: TournamentId) -> Situation:
        """How one stands that nobody plays any more.

        The store may say that it runs: one that was killed, and has waited for its bots since.
        """
        if self._store.tournament(tournament).state is TournamentState.RUNNING:
            with contextlib.suppress(Unusable):  # what is known is told all the same
                self._store.set_state(tournament, TournamentState.SUSPENDED)
        return self._stored(tournament)

    def _stored(self, tournament: TournamentId) -> Situation:
        return read_situation(self._store, self._store.tournament(tournament))

    # Bots that dial in.

    def online(self, version: Version) -> bool:
        """Whether all sessions that a version needs to play are live."""
        lobby = self._arena.lobby
        return all(lobby.find(place) is not None for place in all_places([version.id]))

    async def _wait_for_bots(self, tournament: Tournament) -> None:
        """Wait until all of them are there, for a limited time, or until the server drains."""
        waits = [
            asyncio.create_task(self._until_all_are_here(tournament)),
            asyncio.create_task(self._until_draining()),
        ]
        try:
            await asyncio.wait(
                waits, timeout=self._absent_seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:  # also where the tournament is cancelled: else its note would be renewed for ever
            await _cancelled(waits)
        for version in self._absent(tournament):
            self._arena.executor.miss(version.id)

    async def _until_all_are_here(self, tournament: Tournament) -> None:
        while absent := self._absent(tournament):
            names = ", ".join(version.name for version in absent)
            self._note(tournament, f"waits for {names} to dial in")
            for place in all_places([absent[0].id]):
                await self._arena.lobby.wait_for(place, LOOK_SECONDS)

    def _absent(self, tournament: Tournament) -> list[Version]:
        remote = [e.version for e in tournament.entries if e.version.kind is VersionKind.REMOTE]
        return [version for version in remote if not self.online(version)]

    async def _note_absent(self, tournament: Tournament) -> None:
        """Keep the note true of who is away while others play, until cancelled."""
        while True:
            self._note_missing(tournament)
            await asyncio.sleep(LOOK_SECONDS)

    def _note_missing(self, tournament: Tournament) -> None:
        names = ", ".join(version.name for version in self._absent(tournament))
        notes = [f"plays without {names}" if names else "", self._told_of_paused(tournament)]
        self._note(tournament, "; ".join(filter(None, notes)))

    # Submitted bots that were paused.

    def _rest(self, version: VersionId, sentence: str) -> None:
        """Play on without a version; whoever follows its tournaments is told."""
        self._arena.executor.rest(version, sentence)
        for tournament in self._playing.values():
            self._note_missing(tournament)

    def _told_of_paused(self, tournament: Tournament) -> str:
        """Who of a tournament is paused; empty where nobody is."""
        versions = [entry.version for entry in tournament.entries]
        names = [f"{v.name} {v.label}" for v in versions if self._arena.executor.rests(v.id)]
        if not names:
            return ""
        were = "was" if len(names) == 1 else "were"
        return f"{', '.join(names)} {were} paused after crashes: what was left to play is lost"

    def _note(self, tournament: Tournament, note: str) -> None:
        known = self._situations.note(tournament.id)
        if known not in (note, WRITES_NOTHING):
            if note:
                log.info(Event.TOURNAMENT_WAITS, reason=note, **_ids(tournament))
            self._situations.change(tournament.id, note=note)

    async def _until_draining(self) -> None:
        await self.draining.wait()


async def _cancelled(tasks: Sequence[asyncio.Task[None]], seconds: float | None = None) -> None:
    """Cancel tasks and wait until they have come to their end, or for so long."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)


def refuse_changed(tournament: Tournament) -> None:
    """Refuse bots of commands that are not those that were entered.

    Raises:
        BotFailed: the command or a file of one has changed or is gone.
    """
    for entry in tournament.entries:
        version = entry.version
        hosted = version.kind is VersionKind.COMMAND
        if hosted and identity_of(version.command) != version.identity:
            raise BotFailed(f"bot {version.name!r} has changed since it was entered")


def _cause(error: BaseException) -> BaseException:
    """The error itself, or the first of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _tell_ended(tournament: Tournament, situation: Situation) -> None:
    log.info(
        Event.TOURNAMENT_ENDED,
        state=situation.state.value,
        done=situation.done,
        planned=situation.planned,
        **_ids(tournament),
    )


def _ids(tournament: Tournament) -> dict[str, Any]:
    return {"tournament": tournament.id, "name": tournament.name}


def _why(error: BaseException) -> str:
    """Why a tournament stopped, as far as anybody may know."""
    error = _cause(error)
    if isinstance(error, (ArenaFault, BotFailed, NotLodged)):
        return f"stopped, to go on when the arena next starts: {error}"
    return "stopped by an error, to go on when the arena next starts; its log says more"
