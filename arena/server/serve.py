"""A serving arena: gRPC, the scheduler and the pages over one data folder, until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.hosting.workshop import Workshop
from arena.server.addresses import http_address, http_socket, refuse_public
from arena.server.admission import token_hash
from arena.server.app import Arena, running_arena
from arena.server.executor import ABSENT_SECONDS, all_places
from arena.server.limits import Limits
from arena.server.listening import MAX_SOCKET_PATH
from arena.server.metrics import Sources, make_registry
from arena.server.operating import serving_operators
from arena.server.organiser import TOKEN_FILE, organiser_token
from arena.server.pages import serving_pages
from arena.server.registry import Registry, keep_taking_in
from arena.server.scheduler import Scheduler
from arena.server.services.install import Desk, add_services
from arena.server.short_folders import short_folder
from arena.server.signals import Signals
from arena.server.situations import Situations
from arena.server.submissions import Submissions
from arena.server.tls import Certificates, TlsFiles, keep_fresh, until_words
from arena.server.vitals import keep_health
from arena.standings.snapshots import Snapshots
from arena.store import Store
from arena.web.app import Source, make_app
from arena.web.health import Probe

SOCKET: Final = "arena.sock"
LISTEN: Final = "127.0.0.1:50051"
HTTP: Final = "127.0.0.1:8080"
DRAIN_SECONDS: Final = 30.0
MAX_SESSIONS: Final = 4096


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
        insecure_public: whether addresses that others can reach will do without TLS.
        tls: the files of the certificate, None for no TLS.
        private: whether reading needs a token.
        max_sessions: of bots that dial in.
        workshop: makes bots of what authors send; None where nothing is taken.
        submissions: what there is to say of that.
    """

    folder: Path
    listen: tuple[str, ...] = (LISTEN,)
    http: str | None = HTTP
    tables: int = 16
    drain_seconds: float = DRAIN_SECONDS
    absent_seconds: float = ABSENT_SECONDS
    insecure_public: bool = False
    metrics: str | None = None
    tls: TlsFiles | None = None
    private: bool = False
    max_sessions: int = MAX_SESSIONS
    workshop: Workshop | None = None
    submissions: str = ""


@dataclass(frozen=True, slots=True)
class Serving:
    """Where an arena serves, the ports that were asked for as 0 included.

    Attributes:
        addresses: of gRPC, as bots dial them.
        pages: the address of the first page, None without pages.
        socket: the Unix socket for this machine.
        token_file: where the organiser's token is.
        metrics: the address of the metrics, None without.
        submissions: what contains submitted bots, or why none are taken.
        certificate: what there is to say of it, None without TLS.
    """

    addresses: tuple[str, ...]
    pages: str | None
    socket: str
    token_file: Path
    certificate: str | None
    metrics: str | None = None
    submissions: str = ""


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
        ListenError: an address cannot be listened on, or may not be; or the certificate cannot be
            used.
        DataFolderError: the organiser's token cannot be read or made.
    """
    if settings.tls is None and not settings.insecure_public:
        plain = [address for address in (settings.http, settings.metrics) if address]
        refuse_public((*settings.listen, *plain))
    signals = Signals()
    with store.claim(), signals.handled():
        token = organiser_token(settings.folder)
        submissions = await _submissions(store, settings.workshop)
        certificates = None if settings.tls is None else Certificates(settings.tls)
        async with _arena(store, settings, token_hash(token), certificates, submissions) as house:
            signals.last_words = house.kill_bots
            async with house.pages(settings.http) as pages, house.watched(settings.metrics) as seen:
                await house.take_in()
                on_ready(
                    Serving(
                        addresses=tuple(house.arena.addresses[1:]),
                        pages=pages,
                        socket=house.arena.addresses[0],
                        token_file=settings.folder / TOKEN_FILE,
                        certificate=house.certificate_words,
                        metrics=seen,
                        submissions=settings.submissions,
                    )
                )
                await house.until(signals.stop)
                await house.drain(settings.drain_seconds)


async def _submissions(store: Store, workshop: Workshop | None) -> Submissions | None:
    """Those of the store, with what is left to do of them; None where nothing is taken."""
    if workshop is None:
        return None
    await asyncio.to_thread(workshop.shelf.open)
    submissions = Submissions(store, workshop)
    await submissions.take_up()
    return submissions


class _House:
    """Everything that serves, wired."""

    def __init__(
        self,
        store: Store,
        arena: Arena,
        settings: ServeSettings,
        organiser: str,
        certificates: Certificates | None,
        submissions: Submissions | None,
    ) -> None:
        self.arena = arena
        self._private = settings.private
        self._certificates = certificates
        self._registry = Registry(store, arena.lobby, organiser)
        arena.workshop = settings.workshop
        self._submissions = submissions
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

    @property
    def certificate_words(self) -> str | None:
        """Until when the certificate is good."""
        return None if self._certificates is None else until_words(self._certificates.good_until)

    def services(self) -> tuple[str, ...]:
        """Add the unary services to the arena; their full names."""
        return add_services(
            Desk(
                self._store,
                self.arena,
                self._scheduler,
                self._situations,
                self._snapshots,
                self._registry,
                private=self._private,
                submissions=self._submissions,
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
            admits=self._may_read if self._private else None,
        )
        tls = self._context()
        listening = http_socket(address)
        with contextlib.closing(listening):
            async with serving_pages(make_app(source), listening, tls):
                yield http_address(listening, tls=tls is not None)

    def _context(self) -> ssl.SSLContext | None:
        return None if self._certificates is None else self._certificates.context()

    async def _may_read(self, token: str) -> bool:
        await self.arena.lobby.tokens.meet(token)
        bearer = self.arena.lobby.tokens.bearer(token)
        return bearer is not None and bearer.may_read

    @contextlib.asynccontextmanager
    async def watched(self, address: str | None) -> AsyncIterator[str | None]:
        """Tell of metrics and health while the block runs; the address of the metrics."""
        vitals, arena = self._scheduler.vitals, self.arena
        sources = Sources(arena.lobby, arena.executor.counts, self._situations, vitals)
        registry, tls = make_registry(sources), self._context()
        async with serving_operators(address, registry, self._probe, tls) as told:
            vitals.listens()
            keeping = asyncio.create_task(keep_health(vitals, arena.health))
            try:
                yield told
            finally:
                keeping.cancel()
                await asyncio.wait([keeping])

    async def take_in(self) -> None:
        """Admit the bots and schedule the tournaments of the store."""
        await self._registry.take_in()
        await self._scheduler.resume()

    async def until(self, stop: asyncio.Event) -> None:
        """Serve until that is set."""
        keeping = [
            asyncio.create_task(keep_taking_in(self._store, self._registry, self._scheduler)),
        ]
        if self._submissions is not None:
            keeping.append(asyncio.create_task(self._submissions.run()))
        if self._certificates is not None:
            keeping.append(asyncio.create_task(keep_fresh(self._certificates)))
        try:
            await stop.wait()
        finally:
            for task in keeping:
                task.cancel()
            await asyncio.wait(keeping)

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
async def _arena(
    store: Store,
    settings: ServeSettings,
    organiser: str,
    certificates: Certificates | None,
    submissions: Submissions | None,
) -> AsyncIterator[_House]:
    house: _House | None = None

    def services(arena: Arena) -> tuple[str, ...]:
        nonlocal house
        house = _House(store, arena, settings, organiser, certificates, submissions)
        return house.services()

    with _own_socket(settings.folder) as own:
        async with running_arena(
            own,
            *settings.listen,
            tables=settings.tables,
            limits=Limits(sessions=settings.max_sessions),
            tls=None if certificates is None else certificates.credentials(),
            services=services,
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
