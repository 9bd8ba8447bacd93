"""Entrances: the socket that a contained process has for itself, and what comes in by it."""

from __future__ import annotations

import stat
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from grpc import aio

from arena.hosting.command import BotCommand
from arena.hosting.containment import Containment
from arena.hosting.fleet import BotFailed
from arena.hosting.runner import SOCKET, Job, Launch, Resources, RunnerKind
from arena.ids import VersionId
from arena.server.admission import Chair, Lane, Place
from arena.server.app import ENTRANCE_RPCS, Arena, running_arena
from arena.server.limits import Limits
from arena.v1 import variant_service_pb2, variant_service_pb2_grpc
from tests.server.client import Client

ANN, BOB = VersionId(1), VersionId(2)
FIRST = Place(ANN, Chair.FIRST, Lane.A)
SECOND = Place(ANN, Chair.SECOND, Lane.A)
COMMAND = BotCommand("ann", ("/bin/sh", "-c", "exec sleep 100"), "")
UNKNOWN = (grpc.StatusCode.UNAUTHENTICATED, "the token is not known")


@dataclass
class Glass:
    """A runner that contains nothing and shows its jobs; kind and address are another's."""

    kind: RunnerKind = RunnerKind.BUBBLEWRAP
    jobs: list[Job] = field(default_factory=list)
    fails: bool = False

    def launch(self, job: Job) -> Launch:
        self.jobs.append(job)
        if self.fails:
            raise OSError(5, "it fails")
        return Launch(job.argv, {})

    def address(self, sockets: Path) -> str:
        return f"unix:{sockets / SOCKET}"


@dataclass
class Ward:
    """An arena that contains ann, and trusts bob."""

    arena: Arena
    runner: Glass
    clients: list[Client] = field(default_factory=list)

    async def started(self, place: Place) -> Job:
        """The job of a place, anew."""
        await self.arena.fleet.restart([place])
        await self.arena.fleet.ensure(COMMAND, place)
        return self.runner.jobs[-1]

    def client(self, address: str) -> Client:
        client = Client(address)
        self.clients.append(client)
        return client

    async def refusal(self, address: str, token: str) -> tuple[grpc.StatusCode, str]:
        """How a Hello is refused."""
        client = self.client(address)
        await client.say_hello(token)
        return await client.ends()


@pytest.fixture
async def ward() -> AsyncIterator[Ward]:
    with tempfile.TemporaryDirectory(prefix="ward") as folder:
        limits = Limits(waiting=ENTRANCE_RPCS)
        async with running_arena(f"unix:{folder}/s", tables=1, limits=limits) as arena:
            ward = Ward(arena, Glass())
            containment = Containment(ward.runner, Resources(processes=7), "arena0", "")
            arena.host(ANN, COMMAND, "v1", containment)
            arena.host(BOB, COMMAND, "v1")
            yield ward
            for client in ward.clients:
                await client.hang_up()


def token_of(job: Job) -> str:
    return job.variables["ARENA_TOKEN"]


def address_of(job: Job) -> str:
    return job.variables["ARENA_ADDR"]


def folder_of(job: Job) -> Path:
    assert job.sockets is not None
    return job.sockets


async def test_a_contained_process_comes_in_by_its_own_socket(ward: Ward) -> None:
    job = await ward.started(SECOND)
    welcome = await ward.client(address_of(job)).hello(token_of(job), chair=0)
    assert (int(welcome.chair), int(welcome.lane)) == (Chair.SECOND, Lane.A)
    assert ward.arena.lobby.find(SECOND) is not None
    assert job.label == "arena0-1-2a-1"
    assert job.resources == Resources(processes=7)


async def test_its_token_is_good_there_alone_and_no_other_token_is(ward: Ward) -> None:
    one, two = await ward.started(FIRST), await ward.started(SECOND)
    assert folder_of(one) != folder_of(two)
    assert await ward.refusal(address_of(one), token_of(two)) == UNKNOWN
    assert await ward.refusal(address_of(two), token_of(one)) == UNKNOWN
    assert await ward.refusal(ward.arena.addresses[0], token_of(one)) == UNKNOWN
    for job in (one, two):
        await ward.client(address_of(job)).hello(token_of(job), chair=0)


async def test_one_that_is_trusted_comes_in_where_all_do(ward: Ward) -> None:
    job = await ward.started(FIRST)
    trusted = await ward.arena._quarters.assign(COMMAND, FIRST._replace(version=BOB))
    assert address_of(trusted.job) == ward.arena.addresses[0]
    assert await ward.refusal(address_of(job), token_of(trusted.job)) == UNKNOWN
    await ward.client(address_of(trusted.job)).hello(token_of(trusted.job), chair=0)


async def test_others_may_use_the_socket_but_not_look_for_it(ward: Ward) -> None:
    folder = folder_of(await ward.started(FIRST))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o711
    assert stat.S_IMODE((folder / SOCKET).stat().st_mode) == 0o666
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


async def test_the_socket_goes_with_its_process(ward: Ward) -> None:
    before = await ward.started(FIRST)
    after = await ward.started(FIRST)
    assert folder_of(before) != folder_of(after)
    assert await ward.refusal(address_of(after), token_of(before)) == UNKNOWN
    await ward.arena.entrances.closed()
    assert not folder_of(before).exists()
    await ward.client(address_of(after)).hello(token_of(after), chair=0)


async def test_the_socket_goes_when_its_process_cannot_be_started(ward: Ward) -> None:
    ward.runner.fails = True
    with pytest.raises(BotFailed, match="it fails"):
        await ward.started(FIRST)
    await ward.arena.entrances.closed()
    assert not folder_of(ward.runner.jobs[-1]).exists()


async def test_there_is_nothing_but_play(ward: Ward) -> None:
    job = await ward.started(FIRST)
    async with aio.insecure_channel(address_of(job)) as channel:
        stub = variant_service_pb2_grpc.VariantServiceStub(channel)
        with pytest.raises(aio.AioRpcError) as refused:
            await stub.ListVariants(variant_service_pb2.ListVariantsRequest())
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_whoever_crowds_its_own_socket_keeps_nobody_else_out(ward: Ward) -> None:
    one, two = await ward.started(FIRST), await ward.started(SECOND)
    crowd = [ward.client(address_of(one)) for _ in range(ENTRANCE_RPCS)]
    for client in crowd:
        await client.call.initial_metadata()
    await ward.client(address_of(two)).hello(token_of(two), chair=0)
    assert await ward.refusal(ward.arena.addresses[0], token_of(two)) == UNKNOWN


async def test_all_sockets_end_with_the_arena() -> None:
    with tempfile.TemporaryDirectory(prefix="ward") as folder:
        async with running_arena(f"unix:{folder}/s", tables=1) as arena:
            ward = Ward(arena, Glass())
            arena.host(ANN, COMMAND, "v1", Containment(ward.runner, Resources(), "a", ""))
            job = await ward.started(FIRST)
        assert not folder_of(job).parent.exists()
