"""Who holds a connection to the pages: not for ever, and not at the cost of health."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.server import pages
from arena.server.addresses import http_socket
from arena.server.pages import _TimedProtocol, serving_pages
from arena.server.tls import Certificates
from tests.server.certificates import new_authority

SHORT = 0.05
LONG = 3600.0
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: x\r\nX: "
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
ENDLESS_BODY = b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\nsome"
MUCH = 32 * 1024 * 1024
"""More than all buffers between two sockets take."""

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Site:
    """Pages, one of which is answered when the test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.port = 0

    @contextlib.asynccontextmanager
    async def served(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[Site]:
        """While the block runs."""
        routes = [Route("/", self._page), Route("/slow", self._slow), Route("/much", self._much)]
        routes += [Route(path, self._page) for path in ("/livez", "/readyz", "/healthz")]
        with http_socket("127.0.0.1:0") as listening:
            self.port = listening.getsockname()[1]
            async with serving_pages(Starlette(routes=routes), listening, tls):
                yield self

    @contextlib.asynccontextmanager
    async def connection(self, *said: bytes, tls: bool = False) -> AsyncIterator[Connection]:
        """A connection on which something was said."""
        context = ssl.create_default_context() if tls else None
        if context is not None:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=context)
        try:
            writer.write(b"".join(said))
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def status(self, path: str) -> int:
        """Of a page, over a connection of its own."""
        request = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        async with self.connection(request.encode()) as (reader, _):
            return int((await until_closed(reader)).split()[1])

    async def _page(self, _: Request) -> Response:
        return PlainTextResponse("here")

    async def _slow(self, _: Request) -> Response:
        self.asked.set()
        await self.may_answer.wait()
        return PlainTextResponse("late")

    async def _much(self, _: Request) -> Response:
        return PlainTextResponse(b"x" * MUCH)


async def until_closed(reader: asyncio.StreamReader) -> bytes:
    """What comes before the server closes the connection, which it may do while we send."""
    got = b""
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(65536):
            got += piece
    return got


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little time for the head of a request."""
    monkeypatch.setattr(pages, "HEAD_SECONDS", SHORT)
    monkeypatch.setattr(pages, "ANSWER_SECONDS", LONG)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ((), 0),
        ((HALF_A_HEAD,), 0),
        ((REQUEST, HALF_A_HEAD), 1),
        ((REQUEST, REQUEST, HALF_A_HEAD), 2),
        ((ENDLESS_BODY,), 1),
    ],
    ids=[
        "nothing is said",
        "half a head is said",
        "half a head is said after a request",
        "half a head is said after two requests at once",
        "a body that nobody wants does not end",
    ],
)
async def test_a_connection_without_a_whole_head_is_closed(
    said: tuple[bytes, ...], answers: int
) -> None:
    async with Site().served() as site, site.connection(*said) as (reader, _):
        got = await until_closed(reader)
    assert got.count(b"200 OK") == answers


@pytest.mark.usefixtures("short")
async def test_a_later_head_has_the_same_time() -> None:
    async with Site().served() as site, site.connection(REQUEST) as (reader, writer):
        assert b"200 OK" in await reader.readuntil(b"here")
        writer.write(HALF_A_HEAD)
        assert await until_closed(reader) == b""


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    "before", [b"", REQUEST], ids=["asked for alone", "asked for right behind another page"]
)
async def test_an_answer_may_take_longer_than_a_head(before: bytes) -> None:
    request = before + REQUEST.replace(b"/ ", b"/slow ", 1)
    async with Site().served() as site, site.connection(request) as (reader, _):
        await site.asked.wait()
        async with site.connection() as (later, _):
            await until_closed(later)  # so that the time for a head has passed
        site.may_answer.set()
        assert b"late" in await until_closed(reader)


async def test_an_answer_that_nobody_reads_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "HEAD_SECONDS", LONG)
    monkeypatch.setattr(pages, "ANSWER_SECONDS", SHORT)
    lost = asyncio.Event()

    class Told(_TimedProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            lost.set()

    monkeypatch.setattr(pages, "_TimedProtocol", Told)
    request = REQUEST.replace(b"/ ", b"/much ", 1)
    async with Site().served() as site, site.connection(request):
        await lost.wait()


@pytest.mark.usefixtures("short")
async def test_a_handshake_that_does_not_begin_is_closed(tmp_path: Path) -> None:
    tls = Certificates(new_authority().certify(tmp_path)).context()
    async with Site().served(tls) as site, site.connection() as (reader, _):
        assert await until_closed(reader) == b""


async def test_a_head_has_its_time_over_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = Certificates(new_authority().certify(tmp_path)).context()
    async with Site().served(tls) as site:
        monkeypatch.setattr(pages, "HEAD_SECONDS", SHORT)  # the handshake has all the time
        async with site.connection(HALF_A_HEAD, tls=True) as (reader, _):
            assert await until_closed(reader) == b""


async def test_in_a_crowd_only_health_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_CONNECTIONS", 2)
    async with Site().served() as site, contextlib.AsyncExitStack() as crowd:
        await crowd.enter_async_context(site.connection(HALF_A_HEAD))
        assert await site.status("/") == 200
        await crowd.enter_async_context(site.connection(HALF_A_HEAD))
        assert await site.status("/") == 503
        found = [await site.status(path) for path in ("/livez", "/readyz", "/healthz")]
        assert found == [200, 200, 200]
