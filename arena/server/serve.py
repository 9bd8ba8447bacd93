"""A serving arena: gRPC, the scheduler and the pages over one data folder, until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.server.addresses import http_address, http_socket, refuse_public
from arena.server.admission import token_hash
from arena.server.app import MAX_SOCKET_PATH, Arena, running_arena
from arena.server.executor import ABSENT_SECONDS, all_places
from arena.server.metrics import Sources, make_registry
from arena.server.operating import serving_operators
from arena.server.organiser import TOKEN_FILE, organiser_token
from arena.server.pages import serving_pages
from arena.server.registry import keep_taking_in, take_in
from arena.server.scheduler import Scheduler
from arena.server.services.install import Desk, add_services
from arena.server.short_folders import short_folder
from arena.server.signals import Signals
from arena.server.situations import Situations
from arena.server.vitals import keep_health
from arena.standings.snapshots import Snapshots
from arena.store import Store
from arena.web.app import Source, make_app
from arena.web.health import Probe

SOCKET: Final = "arena.sock"
LISTEN: Final = "127.0.0.1:50051"
HTTP: Final = "127.0.0.1:8080"
DRAIN_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """How an arena serves.

    Attributes:
        folder: the data folder; it is there.
        listen: gRPC addresses, besides the Unix socket in the data folder.
        http: the address of the pages, None for no pages.
        metrics: the address of metrics and health for the operator, None for none.
        tables: how many are played at once.
        drain_seconds: what running sets may take after the first signal.
        absent_seconds: how long a tournament waits for bots before it begins without them.
        insecure_public: whether addresses that others can reach will do.
    """

    folder: Path
    listen: tuple[str, ...] = (LISTEN,)
    http: str | None = HTTP
    tables: int = 16
    drain_seconds: float = DRAIN_SECONDS
    absent_seconds: float = ABSENT_SECONDS
    insecure_public: bool = False
    metrics: str | None = None


@dataclass(frozen=True, slots=True)
class Serving:
    """Where an arena serves, the ports that were asked for as 0 included.

    Attributes:
        addresses: of gRPC, as bots dial them.
        pages: the address of the first page, None without pages.
        socket: the Unix socket for this machine.
        token_file: where the organiser's token is.
        metrics: the address of the metrics, None without.
    """

    addresses: tuple[str, ...]
    pages: str | None
    socket: str
    token_file: Path
    metrics: str | None = None


async def serve(
    store: Store,
    settings: ServeSettings,
    *,
    on_ready: Callable[[Serving], None] = lambda _: None,
) -> None:
    """Serve until SIGTERM, SIGINT or SIGHUP, then drain; a second signal ends the process at once.

    Args:
        store: what is served.
        settings: how.
        on_ready: told once everything listens.

    Raises:
        StoreError: another process drives tournaments of this store, or it cannot be read.
        ListenError: an address cannot be listened on, or may not be.
        DataFolderError: the organiser's token cannot be read or made.
    """
    if not settings.insecure_public:
        plain = [address for address in (settings.http, settings.metrics) if address]
        refuse_public((*settings.listen, *plain))
    signals = Signals()
    with store.claim(), signals.handled():
        token = organiser_token(settings.folder)
        async with _arena(store, settings, token_hash(token)) as house:
            signals.last_words = house.kill_bots
            async with house.pages(settings.http) as pages, house.watched(settings.metrics) as seen:
                await house.take_in()
                on_ready(
                    Serving(
                        addresses=tuple(house.arena.addresses[1:]),
                        pages=pages,
                        socket=house.arena.addresses[0],
                        token_file=settings.folder / TOKEN_FILE,
                        metrics=seen,
                    )
                )
                await house.until(signals.stop)
                await house.drain(settings.drain_seconds)


class _House:
    """Everything that serves, wired."""

    def __init__(self, store: Store, arena: Arena, settings: ServeSettings) -> None:
        self.arena = arena
        self._store = store
        self._situations = Situations(store)
        self._snapshots = Snapshots(store)
        self._scheduler = Scheduler(
            store,
            arena,
            self._situations,
            tables=settings.tables,
            absent_seconds=settings.absent_seconds,
        )

    @property
    def _probe(self) -> Probe:
        vitals = self._scheduler.vitals
        return Probe(vitals.alive, vitals.unready)

    def services(self, organiser: str) -> tuple[str, ...]:
        """Add the unary services to the arena; their full names."""
        return add_services(
            Desk(
                self._store,
                self.arena,
                self._scheduler,
                self._situations,
                self._snapshots,
                organiser,
            )
        )

    @contextlib.asynccontextmanager
    async def pages(self, address: str | None) -> AsyncIterator[str | None]:
        """Serve the pages while the block runs; their address."""
        if address is None:
            yield None
            return
        source = Source(
            self._store,
            self._snapshots,
            probe=self._probe,
            note=self._situations.note,
        )
        listening = http_socket(address)
        with contextlib.closing(listening):
            async with serving_pages(make_app(source), listening):
                yield http_address(listening)

    @contextlib.asynccontextmanager
    async def watched(self, address: str | None) -> AsyncIterator[str | None]:
        """Tell of metrics and health while the block runs; the address of the metrics."""
        vitals, arena = self._scheduler.vitals, self.arena
        sources = Sources(arena.lobby, arena.executor.counts, self._situations, vitals)
        async with serving_operators(address, make_registry(sources), self._probe) as told:
            vitals.listens()
            keeping = asyncio.create_task(keep_health(vitals, arena.health))
            try:
                yield told
            finally:
                keeping.cancel()
                await asyncio.wait([keeping])

    async def take_in(self) -> None:
        """Admit the bots and schedule the tournaments of the store."""
        await take_in(self._store, self.arena.lobby.tokens, self._scheduler)

    async def until(self, stop: asyncio.Event) -> None:
        """Serve until that is set."""
        taking = asyncio.create_task(
            keep_taking_in(self._store, self.arena.lobby.tokens, self._scheduler)
        )
        try:
            await stop.wait()
        finally:
            taking.cancel()
            await asyncio.wait([taking])

    async def drain(self, seconds: float) -> None:
        """Let running sets finish, suspend the rest, tell those who follow."""
        await self._scheduler.drain(seconds)
        self._situations.close()

    def kill_bots(self) -> None:
        """End the processes of hosted bots at once."""
        for place in all_places(self.arena.commands):
            process = self.arena.fleet.process(place)
            if process is not None and process.running:
                process.kill()


@contextlib.asynccontextmanager
async def _arena(store: Store, settings: ServeSettings, organiser: str) -> AsyncIterator[_House]:
    house: _House | None = None

    def services(arena: Arena) -> tuple[str, ...]:
        nonlocal house
        house = _House(store, arena, settings)
        return house.services(organiser)

    with _own_socket(settings.folder) as own:
        async with running_arena(
            own, *settings.listen, tables=settings.tables, services=services
        ) as _:
            assert house is not None, "services are added before the server starts"
            yield house


@contextlib.contextmanager
def _own_socket(folder: Path) -> Iterator[str]:
    """The address of the server's own socket: in the data folder, or where the path is shorter.

    Hosted bots dial it, and commands on this machine.
    """
    path = folder.absolute() / SOCKET
    if len(str(path).encode()) <= MAX_SOCKET_PATH:
        yield f"unix:{path}"
        return
    with short_folder("/tmp") as short:
        yield f"unix:{short}/{SOCKET}"
