"""The web pages in the event loop of the server, and how long anybody may hold a connection."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final

import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

CLOSING_SECONDS: Final = 2
HEAD_SECONDS: Final = 10.0
"""For the head of a request, from the connection or the answer before; also for TLS to begin."""
ANSWER_SECONDS: Final = 60.0
"""From the head of a request until its answer is on its way, which takes a peer that reads."""
MOST_CONNECTIONS: Final = 2048
"""Beyond these, only health is answered."""
HEALTH: Final = frozenset({"/livez", "/readyz", "/healthz"})


class _TimedProtocol(H11Protocol):
    """HTTP/1.1 in which nobody holds a connection for ever by being slow or silent."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._allow(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._allow(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._allow(ANSWER_SECONDS)

    def on_response_complete(self) -> None:
        before = self.cycle
        super().on_response_complete()
        if self.cycle is not before:  # the next request was here already
            self._allow(ANSWER_SECONDS)
        elif not self.transport.get_write_buffer_size():
            self._allow(HEAD_SECONDS)

    def _allow(self, seconds: float | None) -> None:
        """Set how long things may stay as they are."""
        if self._limit is not None:
            self._limit.cancel()
        # Not closed but aborted: a close waits until the peer has read what is still to be sent.
        late = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
        self._limit = late


class _Server(uvicorn.Server):
    """uvicorn, but for the signals: those are the arena's."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and tell that.

        In place of uvicorn's own, which leaves TLS a minute to begin.
        """
        self.servers = [await self._listen(one) for one in sockets or ()]
        self.started = True
        self.up.set()

    async def _listen(self, listening: socket.socket) -> asyncio.Server:
        def protocol() -> asyncio.Protocol:
            return _TimedProtocol(self.config, self.server_state, self.lifespan.state)

        tls = self.config.ssl
        return await asyncio.get_running_loop().create_server(
            protocol,
            sock=listening,
            backlog=self.config.backlog,
            ssl=tls,
            ssl_handshake_timeout=None if tls is None else HEAD_SECONDS,
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


def _sparing(app: ASGIApp, crowded: Callable[[], bool]) -> ASGIApp:
    """An application that answers only for its health while there is a crowd."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in HEALTH or not crowded():
            await app(scope, receive, send)
            return
        refusal = PlainTextResponse("too many connections", 503, {"connection": "close"})
        await refusal(scope, receive, send)

    return answer


@contextlib.asynccontextmanager
async def serving_pages(
    app: ASGIApp, listening: socket.socket, tls: ssl.SSLContext | None = None
) -> AsyncIterator[None]:
    """Serve an application on a socket until the block ends, over TLS where a context is given."""

    def crowded() -> bool:
        return len(server.server_state.connections) > MOST_CONNECTIONS

    config = uvicorn.Config(
        _sparing(app, crowded),
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=CLOSING_SECONDS,
        ssl_context_factory=None if tls is None else lambda *_: tls,
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    up = asyncio.create_task(server.up.wait())
    try:
        await asyncio.wait([running, up], return_when=asyncio.FIRST_COMPLETED)
        yield
    finally:
        up.cancel()
        server.should_exit = True
        await asyncio.wait([running, up])
