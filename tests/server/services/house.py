"""A serving arena without bots, and a client that knows its organiser's token."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from arena.hosting.building import BuildBounds
from arena.hosting.containment import Containment
from arena.hosting.leavings import LeftLimits
from arena.hosting.runner import ProcessRunner, Resources
from arena.hosting.shelf import Shelf
from arena.hosting.trial import StepResult, Trial, TryOut
from arena.hosting.workshop import Terms, Workshop
from arena.ids import TournamentId
from arena.ratings.results import FaultCounts, Outcome
from arena.schedule.pairings import parse_job_key
from arena.server.admission import token_hash
from arena.server.app import Arena, running_arena
from arena.server.registry import Registry
from arena.server.scheduler import Scheduler
from arena.server.services.install import Desk, add_services
from arena.server.situations import Situations
from arena.server.submissions import Submissions
from arena.standings.snapshots import Snapshots
from arena.store import FinishedSet, Store
from arena.v1 import (
    bot_service_pb2,
    bot_service_pb2_grpc,
    leaderboard_service_pb2_grpc,
    record_service_pb2_grpc,
    referee_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
    variant_service_pb2_grpc,
)

TOKEN = "organiser" * 8
ORGANISER = (("authorization", f"Bearer {TOKEN}"),)
LONG = 3600.0
UNCONTAINED = Containment(ProcessRunner(), Resources(), "t", "nothing")
TERMS = Terms(
    build=BuildBounds(
        seconds=60.0, left=LeftLimits(total_bytes=1024 * 1024), free_bytes=1024 * 1024
    )
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class House:
    """What a test of a service sees."""

    store: Store
    arena: Arena
    scheduler: Scheduler
    situations: Situations
    registry: Registry
    channel: grpc.aio.Channel
    submissions: Submissions

    @property
    def bots(self) -> bot_service_pb2_grpc.BotServiceAsyncStub:
        return bot_service_pb2_grpc.BotServiceStub(self.channel)

    @property
    def tournaments(self) -> tournament_service_pb2_grpc.TournamentServiceAsyncStub:
        return tournament_service_pb2_grpc.TournamentServiceStub(self.channel)

    @property
    def leaderboards(self) -> leaderboard_service_pb2_grpc.LeaderboardServiceAsyncStub:
        return leaderboard_service_pb2_grpc.LeaderboardServiceStub(self.channel)

    @property
    def records(self) -> record_service_pb2_grpc.RecordServiceAsyncStub:
        return record_service_pb2_grpc.RecordServiceStub(self.channel)

    @property
    def variants(self) -> variant_service_pb2_grpc.VariantServiceAsyncStub:
        return variant_service_pb2_grpc.VariantServiceStub(self.channel)

    @property
    def referee(self) -> referee_pb2_grpc.RefereeServiceAsyncStub:
        return referee_pb2_grpc.RefereeServiceStub(self.channel)

    async def register(self, name: str, number: int = 1) -> str:
        """Register a bot that dials in; the name of its version."""
        response = await self.bots.RegisterBot(registration(name, number), metadata=ORGANISER)
        return response.version

    async def create(self, name: str = "cup", bots: int = 2) -> tournament_service_pb2.Tournament:
        """Create a tournament of bots that never come."""
        entrants = [
            tournament_service_pb2.TournamentEntrant(version=await self.register(f"bot{n}", n))
            for n in range(1, bots + 1)
        ]
        request = tournament_service_pb2.CreateTournamentRequest(
            request_id=f"create {name}", display_name=name, entrants=entrants
        )
        response = await self.tournaments.CreateTournament(request, metadata=ORGANISER)
        return response.tournament


def bot_token(number: int) -> str:
    """The token of a bot."""
    return f"{number:064x}"


def registration(name: str, number: int = 1) -> bot_service_pb2.RegisterBotRequest:
    """The request that registers a bot."""
    return bot_service_pb2.RegisterBotRequest(
        request_id=f"register {name}", display_name=name, token=bot_token(number)
    )


def number_of(name: str) -> TournamentId:
    """The number in the resource name of a tournament."""
    return TournamentId(int(name.split("/")[1]))


def finished(key: str, points: int = 7, record: bytes = b'{"format": 1}') -> FinishedSet:
    """A set that the first entry won, where it has points, else a draw."""
    return FinishedSet(
        job=parse_job_key(key),
        outcome=Outcome.FIRST_WINS if points else Outcome.DRAW,
        points=points,
        hands=20,
        counts_points=True,
        record=record,
        faults_first=FaultCounts(timeout=1),
    )


async def passes(trial: Trial, told: Callable[[StepResult], None]) -> None:
    """Finds nothing wrong with any bot."""
    told(StepResult(1, 1, "hello", "Says hello.", "passed", trial.command.name))


@contextlib.asynccontextmanager
async def open_house(
    path: Path, *, private: bool = False, try_out: TryOut = passes, terms: Terms = TERMS
) -> AsyncIterator[House]:
    """Serve a store at a path over a Unix socket; what is submitted runs uncontained."""
    made: list[tuple[Scheduler, Situations, Registry]] = []
    with Store.open(path) as store, _short_folder() as folder:
        shelf = Shelf(path.parent)
        shelf.open()
        workshop = Workshop(shelf, UNCONTAINED, terms, try_out)
        submissions = Submissions(store, workshop)
        await submissions.take_up()

        def services(arena: Arena) -> tuple[str, ...]:
            arena.workshop = workshop
            situations = Situations(store)
            scheduler = Scheduler(store, arena, situations, tables=2, absent_seconds=LONG)
            snapshots = Snapshots(store)
            registry = Registry(store, arena.lobby, token_hash(TOKEN))
            made.append((scheduler, situations, registry))
            return add_services(
                Desk(
                    store,
                    arena,
                    scheduler,
                    situations,
                    snapshots,
                    registry,
                    private=private,
                    submissions=submissions,
                )
            )

        address = f"unix:{folder}/s"
        async with (
            running_arena(address, tables=2, services=services) as arena,
            grpc.aio.insecure_channel(address) as channel,
        ):
            scheduler, situations, registry = made[0]
            working = asyncio.create_task(submissions.run())
            yield House(store, arena, scheduler, situations, registry, channel, submissions)
            working.cancel()
            await asyncio.wait([working])
            await scheduler.drain(0)
            situations.close()


@contextlib.contextmanager
def _short_folder() -> Iterator[str]:
    folder = tempfile.mkdtemp(dir="/tmp")
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


async def refused(call: Awaitable[T], code: grpc.StatusCode) -> str:
    """The sentence of a call that ends with that status."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert caught.value.code() is code, caught.value.details()
    return caught.value.details() or ""


async def field_at_fault(call: Awaitable[T]) -> str:
    """The field that a call is refused for as INVALID_ARGUMENT."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT, caught.value.details()
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    assert status is not None, "the status is a rich one"
    bad = error_details_pb2.BadRequest()
    assert any(detail.Unpack(bad) for detail in status.details), "a field is named"
    (violation,) = bad.field_violations
    return str(violation.field)
