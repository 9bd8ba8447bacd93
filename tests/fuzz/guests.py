"""A house with honest bots that play on whatever the fuzzer's guests do."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import grpc

from arena.referee.policy import Policy, TimeControl
from arena.referee.sets import play_set
from arena.referee.table import Table
from arena.rules.record import EndingKind, GameRecord, SetRecord, chair_at, entrant_at
from arena.server.admission import Chair
from arena.server.remote import MatchTerms
from arena.server.seating import seat_all
from arena.server.sessions import Session
from arena.v1 import tournament_service_pb2
from tests.fuzz.calls import BOUND_SECONDS, Call, made
from tests.fuzz.messages import GUESTS
from tests.hosting.bots import until
from tests.referee.games import SHORT, course_of, plan_of, play_at_tables
from tests.referee.seats import Scripted, first
from tests.server.client import Client
from tests.server.services.house import ORGANISER, House, bot_token, open_house

HONEST: Final = (1, 2)
PLAN: Final = plan_of(SHORT)
QUICK: Final = Policy(time=TimeControl(bank_ms=300, increment_ms=0, decision_ms=150))

_CALLER_GONE: Final = "ExecuteBatchError raised in core"
"""What grpc.aio itself logs where a caller hangs up in the very moment of the answer."""
_WAITING: Final = ("_request_call", "_request_registered_call", "_handle_status_once_received")
"""Where the library's own tasks wait for calls, and our end for the status of a cancelled one."""


@dataclass
class Party:
    """The house, its honest bots, and what has been logged."""

    house: House
    address: str
    logged: list[logging.LogRecord]
    tasks: Counter[str] = field(default_factory=Counter)

    def session(self, half: str, seat: int) -> Session:
        """Who plays a seat of the honest set."""
        number = HONEST[entrant_at(half, seat)]
        chair = (Chair.FIRST, Chair.SECOND)[chair_at(half, seat)]
        [session] = [
            one
            for one in self.house.arena.lobby.sessions()
            if one.admission.name == f"honest{number}" and one.place.chair is chair
        ]
        return session

    async def play_honestly(self) -> SetRecord:
        """The honest bots play their set."""
        terms = MatchTerms(PLAN.variant, PLAN.policy)

        async def half(name: str) -> GameRecord:
            sessions = [self.session(name, seat) for seat in range(4)]
            seats = seat_all(sessions, [terms] * 4, [b"8 bytes."] * 4)
            return await Table(course_of(PLAN, name), seats).play()

        async with asyncio.timeout(60):
            return await play_set(PLAN, half)

    async def burst(self, calls: Sequence[Call]) -> list[grpc.StatusCode]:
        """Make these calls all at once; nobody else may notice."""
        return await asyncio.gather(*(made(self.house.channel, call) for call in calls))

    async def cancel_tournaments(self) -> None:
        """End those that calls have created, which wait for guests."""
        for tournament in self.house.store.tournaments():
            name = f"tournaments/{tournament.id}"
            request = tournament_service_pb2.CancelTournamentRequest(name=name)
            with contextlib.suppress(grpc.aio.AioRpcError):  # it is over
                await self.house.tournaments.CancelTournament(request, metadata=ORGANISER)

    async def check(self) -> None:
        """Nothing of the fuzzer's is left, nothing was logged, and the honest bots play on."""
        streams = self.house.arena.lobby._streams
        await self.cancel_tournaments()
        with contextlib.suppress(TimeoutError):
            await until(lambda: not tasks() - self.tasks)
        assert not tasks() - self.tasks, f"these tasks are left: {tasks() - self.tasks}"
        assert sum(streams.values()) == 2 * len(HONEST)
        assert without_times(await self.play_honestly()) == await expected()
        assert not self.logged, [record.getMessage() for record in self.logged]


def tasks() -> Counter[str]:
    """The other tasks of the event loop by where they are, but for those that wait for calls."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    frames = [stack[0] for task in others if (stack := task.get_stack(limit=1))]
    names = Counter(frame.f_code.co_name for frame in frames)
    for waiting in _WAITING:
        del names[waiting]
    return names


def without_times(record: SetRecord) -> SetRecord:
    """The record without what the machine's speed has a say in."""
    halves = [
        replace(half, hands=tuple(replace(hand, times_us=()) for hand in half.hands))
        for half in record.halves
    ]
    return replace(record, halves=tuple(halves))


async def expected() -> SetRecord:
    """What becomes of the honest set without a network."""
    return without_times(await play_at_tables(PLAN, lambda _: [Scripted(first) for _ in range(4)]))


class _Watch(logging.Handler):
    """Keeps what tells of a mistake: errors, tracebacks, complaints of asyncio."""

    def __init__(self, kept: list[logging.LogRecord]) -> None:
        super().__init__()
        self._kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage().startswith(_CALLER_GONE):
            return
        if record.levelno >= logging.ERROR or record.exc_info or record.name == "asyncio":
            self._kept.append(record)


@contextlib.asynccontextmanager
async def open_party(path: Path) -> AsyncIterator[Party]:
    """A house in which the honest bots sit and the guests are registered."""
    logged: list[logging.LogRecord] = []
    watch = _Watch(logged)
    logging.getLogger().addHandler(watch)
    clients: list[Client] = []
    playing: list[asyncio.Task[Any]] = []
    try:
        async with open_house(path) as house:
            party = Party(house, house.arena.addresses[0], logged)
            for number in HONEST:
                await house.register(f"honest{number}", number)
            for number in GUESTS:
                await house.register(f"guest{number}", number)
            for number in HONEST:
                for chair in Chair:
                    client = Client(party.address)
                    await client.hello(bot_token(number), chair=int(chair), tables=8)
                    clients.append(client)
            playing += [asyncio.create_task(client.play()) for client in clients]
            await party.play_honestly()
            party.tasks = tasks()
            yield party
            for client in clients:
                await client.hang_up()
            await asyncio.wait(playing)
    finally:
        logging.getLogger().removeHandler(watch)


async def play_with(party: Party, guest: Session) -> GameRecord:
    """A game of a guest at seat 0 and three honest sessions; only the guest can be at fault."""
    plan = plan_of(SHORT, QUICK)
    terms = MatchTerms(plan.variant, plan.policy)
    sessions = [guest, *(party.session("a", seat) for seat in range(1, 4))]
    seats = seat_all(sessions, [terms] * 4, [b"8 bytes."] * 4)
    async with asyncio.timeout(BOUND_SECONDS):
        record = await Table(course_of(plan), seats).play()
    assert record.ending.kind is not EndingKind.ARENA_FAULT
    assert [sum(seat.faults) for seat in record.seats[1:]] == [0, 0, 0]
    return record
