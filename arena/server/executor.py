"""Plays sets in this process: seats the sessions, sets up both tables, replays arena faults."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final
from weakref import WeakSet

from arena.hosting.command import BotCommand
from arena.hosting.fleet import BotFailed, Fleet
from arena.hosting.process import BotProcess
from arena.ids import VersionId
from arena.referee.course import Course
from arena.referee.incident import Incident
from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault, FaultKind
from arena.referee.sets import SetPlan, deals_of, lost_by_both, lost_unplayed, play_set
from arena.referee.table import Table
from arena.rules.cards import SEATS
from arena.rules.deal import bot_seed
from arena.rules.record import (
    HALVES,
    EndingKind,
    Entrant,
    GameRecord,
    SetOutcome,
    SetRecord,
    chair_at,
    entrant_at,
)
from arena.rules.variant import Variant
from arena.schedule.execution import PlayedSet, SetOrder
from arena.server.admission import ANY_GAME, Chair, GameNumber, Lane, Place
from arena.server.counts import Counts
from arena.server.fates import SetTold
from arena.server.lobby import Lobby
from arena.server.remote import MatchTerms
from arena.server.seating import seat_all
from arena.server.sessions import Session

MAX_REPLAYS: Final = 3
ABSENT_SECONDS: Final = 300.0

_LANES: Final = dict(zip(HALVES, Lane, strict=True))
_CHAIRS: Final = tuple(Chair)


class _NotAllHere(Exception):
    """Sessions that a set needs are not there."""

    def __init__(self, absent: Sequence[_Absent]) -> None:
        super().__init__(absent[0].sentence)
        self.absent = absent


class _Absent(Exception):
    """A side whose sessions are not all there."""

    def __init__(
        self,
        entrant: int,
        kind: EndingKind,
        sentence: str,
        process: BotProcess | None = None,
    ) -> None:
        super().__init__(sentence)
        self.entrant = entrant
        self.kind = kind
        self.sentence = sentence
        # What its process said is not for the record.
        self.last_words = "" if process is None else process.last_words()
        self.stderr = "" if process is None else process.stderr.text()


class _Resting(_Absent):
    """A side whose version is paused: nobody looked whether it would have come."""

    def __init__(self, entrant: int, sentence: str) -> None:
        super().__init__(entrant, EndingKind.DISCONNECT, sentence)


@dataclass(slots=True)
class _Attempt:
    """What there is of a set besides its record.

    Attributes:
        game: what its processes play alone, where they play nothing else.
        processes: those that have seen its deals.
        incidents: the faults in it.
    """

    game: GameNumber = ANY_GAME
    processes: dict[Place, BotProcess | None] = field(default_factory=dict)
    incidents: list[Incident] = field(default_factory=list)

    def add(self, incidents: Iterable[Incident], processes: Sequence[BotProcess | None]) -> None:
        """A half is over; ``processes`` are those of seats 0..3."""
        told: set[int] = set()
        for incident in reversed(list(incidents)):
            assert incident.seat is not None, "a fault in a half has a seat"
            process = processes[incident.seat]
            if process is not None and incident.seat not in told:
                # With the last fault of each seat; the others would only repeat it.
                told.add(incident.seat)
                incident = incident._replace(stderr=process.stderr.text())
            self.incidents.append(incident)

    def counted_in(self, record: SetRecord) -> tuple[Incident, ...]:
        """Those of the halves that count, in order."""
        halves = {half.half for half in record.halves if half.hands or half.ending.kind.is_forfeit}
        found = [incident for incident in self.incidents if incident.half in halves]
        return tuple(sorted(found, key=lambda one: (one.half, one.board or 0, one.move)))


def _unplayed(plan: SetPlan, absent: Sequence[_Absent]) -> PlayedSet:
    """A set that was lost before a card was dealt, by one bot or by both."""
    firsts = {one.entrant: one for one in reversed(absent)}
    incidents = [
        Incident(entrant, FaultKind(one.kind.value), one.sentence, HALVES[0], stderr=one.stderr)
        for entrant, one in sorted(firsts.items())
        if not isinstance(one, _Resting)  # nothing that its author could mend
    ]
    ends = [(one.kind, one.sentence) for _, one in sorted(firsts.items())]
    if len(ends) == len(plan.entrants):
        record = lost_by_both(plan, *ends)
    else:
        [loser] = firsts
        record = lost_unplayed(plan, loser, *ends[0])
    return PlayedSet(record, tuple(incidents))


class LocalExecutor:
    """A ``MatchExecutor`` over the sessions of this server.

    Args:
        lobby: the sessions.
        fleet: the hosted processes.
        commands: the command of each hosted version; other versions dial in by themselves.
        counts: takes the numbers; says how many tables are played at once.
    """

    def __init__(
        self,
        lobby: Lobby,
        fleet: Fleet[Place],
        commands: dict[VersionId, BotCommand],
        counts: Counts,
    ) -> None:
        self._lobby = lobby
        self._fleet = fleet
        self._commands = commands
        self.counts = counts
        self._tables = asyncio.Semaphore(counts.tables)
        self._late: WeakSet[BotProcess] = WeakSet()
        self._missed: set[VersionId] = set()
        self._resting: dict[VersionId, str] = {}
        self._games = count(1)
        self._terms: dict[tuple[Variant, Policy, Entrant], MatchTerms] = {}

    async def play(self, order: SetOrder) -> PlayedSet:
        """Play a set to its end.

        Raises:
            ArenaFault: it ended in an arena fault ``MAX_REPLAYS`` times.
        """
        told = SetTold(order, self.counts)
        with told.running():
            return await self._play(order, told)

    async def _play(self, order: SetOrder, told: SetTold) -> PlayedSet:
        for number in range(MAX_REPLAYS):
            if number:
                told.again()
            attempt = _Attempt(GameNumber(next(self._games)) if order.fresh else ANY_GAME)
            try:
                record = await self._try(order, attempt)
            except _NotAllHere as missing:
                played = _unplayed(order.plan, missing.absent)
                told.over(played.record)
                return played
            told.over(record)
            if record.verdict.outcome is not SetOutcome.NONE:
                return PlayedSet(record, attempt.counted_in(record))
            # Replayed whole on the same deals, so by processes that saw none of it.  Those that
            # another set's failure has replaced meanwhile saw none either.
            await self._fleet.retire(attempt.processes)
        failed = [half for half in record.halves if half.ending.kind is EndingKind.ARENA_FAULT]
        sentence = failed[0].ending.sentence
        raise ArenaFault(f"set {order.plan.set_id} failed {MAX_REPLAYS} times: {sentence}")

    async def _try(self, order: SetOrder, attempt: _Attempt) -> SetRecord:
        """Play a set once."""
        try:
            await self._gather(order, HALVES, attempt.game)
            return await play_set(order.plan, lambda half: self._play_half(order, half, attempt))
        finally:
            if order.fresh:
                await self._fleet.vacate(self._own_places(order, attempt.game))

    async def require(self, version: VersionId, policy: Policy) -> None:
        """Have all processes of a hosted version dial in.

        Raises:
            BotFailed: they cannot be started or do not dial in.
        """
        for place in all_places([version]):
            await self.bring(place, policy)

    async def bring(self, place: Place, policy: Policy) -> None:
        """Have the process of one place dial in; see ``require``."""
        try:
            await self._present(place, 0, policy)
        except _Absent as absent:
            raise BotFailed(absent.sentence + absent.last_words) from absent

    async def _gather(self, order: SetOrder, halves: Sequence[str], game: GameNumber) -> None:
        """Have every session of these halves present."""
        waits = [
            self._present(place, entrant_at(half, seat), order.plan.policy)
            for half in halves
            for seat, place in enumerate(self._places(order, half, game))
        ]
        results = await asyncio.gather(*waits, return_exceptions=True)
        absent = [result for result in results if isinstance(result, _Absent)]
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, _Absent):
                raise result
        if absent:
            raise _NotAllHere(absent)

    async def _present(self, place: Place, entrant: int, policy: Policy) -> Session:
        session = self._lobby.find(place)
        if session is not None:
            return session
        command = self._commands.get(place.version)
        if command is None:
            return await self._come(place, entrant, policy)
        return await self._started(place, entrant, command, policy)

    async def _come(self, place: Place, entrant: int, policy: Policy) -> Session:
        """The session of a bot that dials in.

        It is waited for once.  Then it has the start-up budget for each set, until it is seen
        again: else every set of a bot that has gone home would hold up a tournament once more.
        """
        version, tokens = place.version, self._lobby.tokens
        seconds = policy.time.startup_ms / 1000 if version in self._missed else ABSENT_SECONDS
        session = await self._lobby.wait_for(
            place, seconds, hopeless=lambda: tokens.is_revoked(version)
        )
        if session is None:
            self._missed.add(version)
            raise _Absent(entrant, EndingKind.DISCONNECT, "the bot did not come")
        self._missed.discard(version)
        return session

    def miss(self, version: VersionId) -> None:
        """A bot that dials in has been waited for in vain."""
        self._missed.add(version)

    def rest(self, version: VersionId, sentence: str) -> None:
        """Start no process of a version any more: its sets are lost unplayed."""
        self._resting[version] = sentence

    def rests(self, version: VersionId) -> bool:
        """Whether no process of a version is started."""
        return version in self._resting

    def wake(self, version: VersionId) -> None:
        """Start its processes again."""
        self._resting.pop(version, None)

    def ready(self, order: SetOrder) -> bool:
        """Whether nobody has to be waited for; processes are started when they are needed."""
        places = {place for half in HALVES for place in self._places(order, half, ANY_GAME)}
        return all(
            place.version in self._commands or self._lobby.find(place) is not None
            for place in places
        )

    async def _started(
        self, place: Place, entrant: int, command: BotCommand, policy: Policy
    ) -> Session:
        resting = self._resting.get(place.version)
        if resting is not None:
            raise _Resting(entrant, resting)
        seconds = policy.time.startup_ms / 1000
        try:
            await self._fleet.ensure(command, place)
        except BotFailed as failed:
            raise _Absent(entrant, EndingKind.CRASH, str(failed)) from failed
        process = self._fleet.process(place)
        assert process is not None, "a process was started"
        session = await self._lobby.wait_for(place, seconds, hopeless=lambda: not process.running)
        if session is not None:
            return session
        if process.running:
            # Whoever else waits for it shall see that it was too late, not that it was ended.
            self._late.add(process)
            process.kill()
        await process.ended()  # its last words too
        if process not in self._late:
            sentence = f"{command.name}: {process.ending()}"
            raise _Absent(entrant, EndingKind.CRASH, sentence, process)
        sentence = f"{command.name} did not dial in within {seconds:g} s of its start"
        raise _Absent(entrant, EndingKind.TIMEOUT, sentence, process)

    async def _play_half(self, order: SetOrder, half: str, attempt: _Attempt) -> GameRecord:
        """Play a half once a table is free and all its sessions are there."""
        places = self._places(order, half, attempt.game)
        while True:
            async with self._tables, self._seated(places) as sessions:
                if sessions is not None:
                    processes = [self._fleet.process(place) for place in places]
                    attempt.processes.update(zip(places, processes, strict=True))
                    game, incidents = await self._play_at(order.plan, half, sessions)
                    attempt.add(incidents, processes)
                    return game
            # One left while it waited for a table: not a fault in a game that had not begun.
            await self._gather(order, half, attempt.game)

    async def _play_at(
        self, plan: SetPlan, half: str, sessions: Sequence[Session]
    ) -> tuple[GameRecord, list[Incident]]:
        seats = seat_all(
            sessions,
            [self._terms_of(plan, entrant_at(half, seat)) for seat in range(SEATS)],
            [bot_seed(plan.seed, plan.set_id, half, 0, seat) for seat in range(SEATS)],
        )
        course = Course(
            plan.variant,
            plan.policy,
            half=half,
            deal_set=plan.deal_set(half),
            deal=deals_of(plan, half),
        )
        self.counts.tables_running += 1
        try:
            return await Table(course, seats).play(), course.incidents
        finally:
            self.counts.tables_running -= 1

    @contextlib.asynccontextmanager
    async def _seated(self, places: Sequence[Place]) -> AsyncIterator[list[Session] | None]:
        """The sessions of four places, each with a table to spare; None where one has left.

        They are taken in one order everywhere, so that two halves never wait for each other.
        """
        found = [self._lobby.find(place) for place in places]
        sessions = [session for session in found if session is not None]
        taken = sorted(set(sessions), key=lambda s: (s.place.version, s.place.chair, s.token))
        async with contextlib.AsyncExitStack() as stack:
            for session in taken:
                await stack.enter_async_context(session.free_tables)
            # Looked up again: that may have taken long.
            complete = [self._lobby.find(place) for place in places] == sessions
            yield sessions if complete else None

    def _places(self, order: SetOrder, half: str, game: GameNumber) -> list[Place]:
        """Those of seats 0..3; a bot that dials in plays whatever comes."""
        places = [_place(order, half, seat) for seat in range(SEATS)]
        return [p._replace(game=game) if p.version in self._commands else p for p in places]

    def _own_places(self, order: SetOrder, game: GameNumber) -> list[Place]:
        """The places of a set whose processes play nothing else."""
        places = [place for half in HALVES for place in self._places(order, half, game)]
        return [place for place in places if place.game != ANY_GAME]

    def _terms_of(self, plan: SetPlan, entrant: int) -> MatchTerms:
        """The terms of a match: one object a pairing, for a bot is told when its opponent changes,
        if not who it is."""
        key = (plan.variant, plan.policy, plan.entrants[1 - entrant])
        terms = self._terms.get(key)
        if terms is None:
            opponent = plan.entrants[1 - entrant].name if plan.policy.reveal_names else ""
            terms = self._terms[key] = MatchTerms(plan.variant, plan.policy, opponent)
        return terms


def _place(order: SetOrder, half: str, seat: int) -> Place:
    version = order.versions[entrant_at(half, seat)]
    return Place(version, _CHAIRS[chair_at(half, seat)], _LANES[half])


def all_places(versions: Iterable[VersionId]) -> list[Place]:
    """Every place that hosted processes of these versions take."""
    return [Place(v, chair, lane) for v in versions for lane in Lane for chair in Chair]
