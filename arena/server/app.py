"""The wiring of a running arena: sessions, gRPC server, hosted bots, executor."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.hosting.command import BotCommand
from arena.hosting.fleet import Fleet
from arena.ids import VersionId
from arena.referee.clock import Clock, MonotonicClock
from arena.server.admission import Admission, Place, new_token, token_hash
from arena.server.comings import Comings
from arena.server.executor import LocalExecutor
from arena.server.lobby import Lobby
from arena.server.play import MAX_REQUEST_BYTES, REFEREE_SERVICE, RefereeService
from arena.server.processes import Processes
from arena.server.pulse import Pulse
from arena.server.services.boundary import Boundary

MAX_SOCKET_PATH: Final = 107

_HOST_PORT: Final = re.compile(r"(?P<host>[^\s:/\[\]]+|\[[^\s/\[\]]+\]):(?P<port>[0-9]{1,5})")

# docs/design, "Server settings", says why each of these.
SERVER_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 15_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.max_metadata_size", 8192),
)


class ListenError(Exception):
    """An address that cannot be listened on; the sentence says why and what to do."""


class AddressError(ListenError):
    """What was given is no address at all."""


class Arena:
    """A running arena. Made by ``running_arena``.

    Attributes:
        lobby: its sessions.
        executor: plays sets.
        server: the gRPC server, for further services.
        addresses: where it listens, as a client dials it.
    """

    def __init__(self, *, tables: int, clock: Clock | None = None) -> None:
        self.pulse = Pulse(clock or MonotonicClock())
        self.lobby = Lobby(self.pulse)
        self.addresses: list[str] = []
        self.commands: dict[VersionId, BotCommand] = {}
        self._admissions: dict[VersionId, Admission] = {}
        self._tokens: dict[Place, str] = {}
        self.fleet: Fleet[Place] = Fleet(self._variables, self._gone, self._withdrawn)
        self.lobby.dismiss = self.fleet.dismiss
        self.executor = LocalExecutor(self.lobby, self.fleet, self.commands, tables=tables)
        self._processes = Processes(self.executor.counts)
        self.server = grpc.aio.server(options=SERVER_OPTIONS, interceptors=(Boundary(),))
        self.health = health.aio.HealthServicer()
        RefereeService(self.lobby, Comings(self.pulse.clock, self.executor.counts)).add_to(
            self.server
        )
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)

    def host(self, version: VersionId, command: BotCommand, label: str) -> None:
        """Have the processes of a version started here when they are needed."""
        self.commands[version] = command
        self._admissions[version] = Admission(version, command.name, label, hosted=True)

    def listen(self, address: str) -> str:
        """Listen on an address too; what a client dials.

        Raises:
            ListenError: it cannot be listened on.
        """
        bound = (
            _listen_unix(self.server, address)
            if _is_unix(address)
            else _listen_tcp(self.server, address)
        )
        self.addresses.append(bound)
        return bound

    def _variables(self, place: Place) -> Mapping[str, str]:
        """A fresh one-use token that fixes version, chair and lane."""
        token = new_token()
        admission = self._admissions[place.version]
        self._processes.starts(admission, place)
        self._tokens[place] = token_hash(token)
        self.lobby.tokens.add(
            token_hash(token),
            Admission(
                admission.version,
                admission.name,
                admission.label,
                chair=place.chair,
                lane=place.lane,
                hosted=True,
            ),
        )
        return {"ARENA_ADDR": self.addresses[0], "ARENA_TOKEN": token}

    def _gone(self, place: Place, sentence: str) -> None:
        self._forget_token(place)
        self._processes.failed(self._admissions[place.version], place, sentence)
        self.lobby.crashed(place, sentence)

    def _withdrawn(self, place: Place, sentence: str) -> None:
        self._forget_token(place)
        self._processes.ended(self._admissions[place.version], place, sentence)
        self.lobby.withdrawn(place, sentence)

    def _forget_token(self, place: Place) -> None:
        """The token ends with its process."""
        hashed = self._tokens.pop(place, None)
        if hashed is not None:
            self.lobby.tokens.remove(hashed)


@contextlib.asynccontextmanager
async def running_arena(
    *addresses: str,
    tables: int,
    clock: Clock | None = None,
    services: Callable[[Arena], Iterable[str]] = lambda _: (),
) -> AsyncIterator[Arena]:
    """An arena that serves on ``addresses`` until the block ends; its bots end with it.

    Args:
        addresses: where to listen; hosted bots dial the first.
        tables: how many are played at once.
        clock: for tests.
        services: adds further services before the server starts, and returns their full names.

    Raises:
        ListenError: an address cannot be listened on.
    """
    arena = Arena(tables=tables, clock=clock)
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
    beat = asyncio.create_task(arena.pulse.run())
    try:
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


async def _shut_down(arena: Arena) -> None:
    await arena.health.enter_graceful_shutdown()
    for session in arena.lobby.sessions():
        session.part("the arena closes")
    await arena.fleet.stop()
    await arena.server.stop(1.0)


def _is_unix(address: str) -> bool:
    return address.startswith("unix:")


def _listen_unix(server: grpc.aio.Server, address: str) -> str:
    named = address.removeprefix("unix:").removeprefix("//")
    if not named:
        raise AddressError(f"the address {address!r} names no socket: write unix:PATH")
    path = Path(named)
    length = len(str(path).encode())
    if length > MAX_SOCKET_PATH:
        raise ListenError(
            f"the socket path {path} is {length} bytes long and may be at most {MAX_SOCKET_PATH}"
        )
    if path.is_symlink() or (path.exists() and not path.is_socket()):
        raise ListenError(f"{path} is there already and is no socket; choose another path")
    if path.is_socket():
        if _answers(path):
            raise ListenError(f"another server listens on {path}; choose another path")
        path.unlink()  # left by a server that was killed
    try:
        server.add_insecure_port(f"unix:{path}")
    except RuntimeError as error:
        raise ListenError(f"the socket {path} cannot be made: is its folder there?") from error
    return f"unix:{path}"


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True


def host_of(address: str) -> str | None:
    """The host of HOST:PORT or [IPV6]:PORT, None for anything else."""
    match = _HOST_PORT.fullmatch(address)
    return match["host"] if match is not None and int(match["port"]) < 65536 else None


def _listen_tcp(server: grpc.aio.Server, address: str) -> str:
    host = host_of(address)
    if host is None:
        raise AddressError(f"{address!r} is no address: write HOST:PORT, [IPV6]:PORT or unix:PATH")
    try:
        bound = server.add_insecure_port(address)
    except RuntimeError as error:
        raise ListenError(
            f"{address} cannot be listened on: it is in use, or no address of this machine"
        ) from error
    return f"{host}:{bound}"
