"""A running arena for scripted clients: two bots with tokens, four seats, tables set up by hand."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.ids import VersionId
from arena.referee.clock import Clock
from arena.referee.policy import Policy
from arena.referee.table import Table
from arena.rules import CLASSIC, Variant, tables_of
from arena.rules.record import GameRecord
from arena.server.admission import Admission, Chair, Lane, Place, token_hash
from arena.server.app import Arena, running_arena
from arena.server.limits import Limits
from arena.server.remote import MatchTerms
from arena.server.seating import seat_all
from arena.server.sessions import Session
from arena.v1 import referee_pb2
from arena.wire.actions import ACTIONS
from tests.referee.games import SHORT, course_of, plan_of
from tests.server.client import Client

ANN = Admission(VersionId(1), "ann", "v1")
BOB = Admission(VersionId(2), "bob", "v1")

# Seats 0..3 of half A: each bot's two chairs.
PLACES = tuple(Place(VersionId(version), chair, Lane.A) for chair in Chair for version in (1, 2))


@dataclass
class Hall:
    """An arena, and the clients that a test has opened."""

    arena: Arena
    address: str
    clients: list[Client] = field(default_factory=list)
    tasks: list[asyncio.Task[Any]] = field(default_factory=list)

    def client(self) -> Client:
        """A new stream, nothing said yet."""
        client = Client(self.address)
        self.clients.append(client)
        return client

    async def joined(self, place: Place, **fields: Any) -> Client:
        """A client with a session at a place."""
        client = self.client()
        await client.hello(
            token_of(place.version), chair=int(place.chair), lane=int(place.lane or 0), **fields
        )
        return client

    async def four(self, **fields: Any) -> list[Client]:
        """Clients at seats 0..3 of half A."""
        return [await self.joined(place, **fields) for place in PLACES]

    def session(self, place: Place) -> Session:
        """The session of a place."""
        session = self.arena.lobby.find(place)
        assert session is not None
        return session

    def begin(
        self, *, policy: Policy | None = None, variant: Variant = SHORT, count: int = 1
    ) -> list[asyncio.Task[GameRecord]]:
        """Begin so many games of half A with the sessions that are there."""
        plan = plan_of(variant, policy)
        terms = MatchTerms(plan.variant, plan.policy)
        sessions = [self.session(place) for place in PLACES]
        games = []
        for _ in range(count):
            seats = seat_all(sessions, [terms] * 4, [b"chance-%d" % seat for seat in range(4)])
            games.append(asyncio.create_task(Table(course_of(plan), seats).play()))
        self.tasks += games
        return games

    def playing(self, clients: Iterable[Client]) -> None:
        """Have these clients answer with the first legal action."""
        self.tasks += [asyncio.create_task(client.play()) for client in clients]

    async def close(self) -> None:
        """End everything that the test began."""
        for task in self.tasks:
            task.cancel()
        if self.tasks:
            await asyncio.wait(self.tasks)
        for client in self.clients:
            await client.hang_up()


def token_of(version: int) -> str:
    """The token of a bot."""
    return f"token of bot {version}"


@asynccontextmanager
async def open_hall(
    *, clock: Clock | None = None, tables: int = 8, limits: Limits | None = None
) -> AsyncIterator[Hall]:
    """An arena on a Unix socket that admits two bots."""
    # pytest's own folders are too long for the name of a socket.
    with tempfile.TemporaryDirectory(prefix="hall") as folder:
        address = f"unix:{Path(folder) / 's'}"
        async with running_arena(address, tables=tables, clock=clock, limits=limits) as arena:
            for admission in (ANN, BOB):
                arena.lobby.tokens.add(token_hash(token_of(admission.version)), admission)
            hall = Hall(arena, address)
            try:
                yield hall
            finally:
                await hall.close()


def illegal(decision: referee_pb2.Decision) -> referee_pb2.Answer:
    """An answer that never answers a question of the auction."""
    action = ACTIONS[tables_of(CLASSIC).parse("play 9C")]
    return referee_pb2.Answer(decision_id=decision.decision_id, action=action)
