"""What an operator's tools ask: metrics and health, on an address of their own.

Not with the pages: those may stand behind a proxy for everybody to read.
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.server.addresses import http_address, http_socket
from arena.server.pages import serving_pages
from arena.web.health import Probe, health_routes


def operating_app(registry: CollectorRegistry, probe: Probe) -> ASGIApp:
    """The application."""

    async def metrics(request: Request) -> Response:
        # In the event loop, where nothing changes while it is read; it takes about a millisecond.
        encode, kind = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), media_type=kind)

    return Starlette(routes=[Route("/metrics", metrics), *health_routes(probe)])


@contextlib.asynccontextmanager
async def serving_operators(
    address: str | None,
    registry: CollectorRegistry,
    probe: Probe,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[str | None]:
    """Serve it while the block runs; the address of the metrics, None where none is wanted.

    Raises:
        ListenError: it cannot be listened on.
    """
    if address is None:
        yield None
        return
    listening = http_socket(address, option="--metrics")
    with contextlib.closing(listening):
        async with serving_pages(operating_app(registry, probe), listening, tls):
            yield f"{http_address(listening, tls=tls is not None)}metrics"
