"""The wiring of a running arena: sessions, gRPC server, hosted bots, executor."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import resource
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.hosting.command import BotCommand
from arena.hosting.containment import Containment
from arena.hosting.fleet import Fleet
from arena.hosting.strays import sweeping
from arena.hosting.workshop import NotLodged, Workshop
from arena.ids import VersionId
from arena.referee.clock import Clock, MonotonicClock
from arena.server.admission import EntranceNumber, Place
from arena.server.comings import Comings
from arena.server.counts import Counts
from arena.server.door import Door
from arena.server.entrances import Entrances
from arena.server.executor import LocalExecutor, all_places
from arena.server.limits import Limits
from arena.server.listening import listen
from arena.server.lobby import Lobby
from arena.server.play import MAX_REQUEST_BYTES, REFEREE_SERVICE, RefereeService
from arena.server.processes import Processes
from arena.server.pulse import Pulse
from arena.server.quarters import Quarters
from arena.server.services.boundary import Boundary
from arena.server.services.turnstile import Turnstile
from arena.store import Version

MOST_DESCRIPTORS: Final = 65_536

# docs/design, "Server settings", says why each of these.
SERVER_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 15_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.max_metadata_size", 8192),
    ("grpc.server_handshake_timeout_ms", 10_000),
)
ENTRANCE_CONNECTIONS: Final = 8
ENTRANCE_RPCS: Final = 16
"""What one contained process may open, which needs one of each."""

_CONNECTIONS: Final = "grpc.max_allowed_incoming_connections"


class Arena:
    """A running arena. Made by ``running_arena``.

    Attributes:
        lobby: its sessions.
        executor: plays sets.
        server: the gRPC server, for further services.
        addresses: where it listens, as a client dials it.
        entrances: the sockets of contained processes.
        workshop: has the bots that were submitted; None where none are.
    """

    def __init__(
        self,
        *,
        tables: int,
        clock: Clock | None = None,
        limits: Limits | None = None,
        tls: grpc.ServerCredentials | None = None,
    ) -> None:
        limits = limits or Limits()
        self.pulse = Pulse(clock or MonotonicClock())
        self.lobby = Lobby(self.pulse)
        self.addresses: list[str] = []
        self._tls = tls
        self.commands: dict[VersionId, BotCommand] = {}
        self.workshop: Workshop | None = None
        counts = Counts(tables=tables)
        self._limits = limits
        self._processes = Processes(counts)
        self.entrances = Entrances(self._make_entrance)
        self._quarters = Quarters(
            self.lobby.tokens, self.entrances, self._processes, self.addresses
        )
        self.fleet: Fleet[Place] = Fleet(self._quarters.assign, self._gone, self._withdrawn)
        self.lobby.dismiss = self.fleet.dismiss
        self.executor = LocalExecutor(self.lobby, self.fleet, self.commands, counts)
        self._turnstile = Turnstile(self.lobby.tokens, self.pulse.clock, limits)
        self._comings = Comings(self.pulse.clock, counts)
        self.health = health.aio.HealthServicer()
        self.server = self._make_server(limits.connections, limits.at_once, None)

    def _make_server(
        self, connections: int, at_once: int, entrance: EntranceNumber | None
    ) -> grpc.aio.Server:
        """A server that bots play through; an entrance's has nothing else."""
        server = grpc.aio.server(
            options=(*SERVER_OPTIONS, (_CONNECTIONS, connections)),
            interceptors=(Boundary(self._turnstile, self.lobby.tokens),),
            maximum_concurrent_rpcs=at_once,
        )
        door = Door(self.lobby, self._limits, entrance)
        RefereeService(self.lobby, self._comings, door).add_to(server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        return server

    def _make_entrance(self, entrance: EntranceNumber) -> grpc.aio.Server:
        return self._make_server(ENTRANCE_CONNECTIONS, ENTRANCE_RPCS, entrance)

    def host(
        self,
        version: VersionId,
        command: BotCommand,
        label: str,
        containment: Containment | None = None,
    ) -> None:
        """Have the processes of a version started here when they are needed.

        Args:
            version: which it is.
            command: what is started.
            label: the version's.
            containment: what contains them; None for nothing, where the command is trusted.
        """
        self.commands[version] = command
        self.fleet.forgive(all_places([version]))
        self._quarters.take(version, command, label, containment)

    def lodge(self, version: Version) -> tuple[BotCommand, Containment]:
        """How the processes of a submitted version are started, and what contains them.

        Raises:
            NotLodged: it cannot be played here.
        """
        if self.workshop is None:
            raise NotLodged(f"bot {version.name!r} was submitted: arena serve plays it")
        return self.workshop.lodge(version.name, version.identity)

    def listen(self, address: str) -> str:
        """Listen on an address too; what a client dials.

        A Unix socket that is the first address is for this user alone, one that comes later for
        whoever can reach its folder.

        Raises:
            ListenError: it cannot be listened on.
        """
        bound = listen(self.server, address, self._tls, shared=bool(self.addresses))
        self.addresses.append(bound)
        return bound

    def _gone(self, place: Place, sentence: str) -> None:
        self._processes.failed(self._quarters.admission(place.version), place, sentence)
        self.lobby.crashed(place, sentence)

    def _withdrawn(self, place: Place, sentence: str) -> None:
        self._processes.ended(self._quarters.admission(place.version), place, sentence)
        self.lobby.withdrawn(place, sentence)


@contextlib.asynccontextmanager
async def running_arena(
    *addresses: str,
    tables: int,
    clock: Clock | None = None,
    limits: Limits | None = None,
    tls: grpc.ServerCredentials | None = None,
    services: Callable[[Arena], Iterable[str]] = lambda _: (),
) -> AsyncIterator[Arena]:
    """An arena that serves on ``addresses`` until the block ends; its bots end with it.

    Args:
        addresses: where to listen; hosted bots dial the first.
        tables: how many are played at once.
        clock: for tests.
        limits: what one caller may take of the server.
        tls: what TCP addresses speak, None for no TLS.
        services: adds further services before the server starts, and returns their full names.

    Raises:
        ListenError: an address cannot be listened on.
    """
    arena = Arena(tables=tables, clock=clock, limits=limits, tls=tls)
    try:
        for address in addresses:
            arena.listen(address)
        further = services(arena)
        names = (REFEREE_SERVICE, *further, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, arena.server)
        await arena.server.start()
    except BaseException:
        # Addresses are taken as soon as they are named, and only a server that runs lets go.
        await arena.server.start()
        await arena.server.stop(None)
        raise
    await arena.health.set("", health_pb2.HealthCheckResponse.SERVING)
    _calm_collector()
    _take_descriptors()
    beat = asyncio.create_task(arena.pulse.run())
    try:
        async with sweeping():
            yield arena
    finally:
        await _shut_down(arena)
        beat.cancel()
        await asyncio.wait([beat])


def _calm_collector() -> None:
    """Have the garbage collector look less often.

    Running games are hundreds of thousands of objects that live for seconds and form no cycles; at
    the defaults it walks them so often that it takes a seventh of the server's time.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _take_descriptors() -> None:
    """Allow this process as many open files as the system lets it have.

    Every connection is one, and the usual first limit of 1,024 is soon reached by callers who
    say nothing.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if resource.RLIM_INFINITY != soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _shut_down(arena: Arena) -> None:
    await arena.health.enter_graceful_shutdown()
    for session in arena.lobby.sessions():
        session.part("the arena closes")
    await arena.fleet.stop()
    await arena.entrances.end()
    await arena.server.stop(1.0)
