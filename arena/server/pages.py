"""The web pages in the event loop of the server."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from typing import Final

import uvicorn
from starlette.types import ASGIApp

CLOSING_SECONDS: Final = 2


class _Server(uvicorn.Server):
    """uvicorn, but for the signals: those are the arena's."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and tell that."""
        await super().startup(sockets=sockets)
        self.up.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


@contextlib.asynccontextmanager
async def serving_pages(
    app: ASGIApp, listening: socket.socket, tls: ssl.SSLContext | None = None
) -> AsyncIterator[None]:
    """Serve an application on a socket until the block ends, over TLS where a context is given."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        limit_concurrency=256,
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
