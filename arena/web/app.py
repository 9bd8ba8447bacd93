"""The pages as an application: addresses, headers, and what happens when there is no such page.

Views are plain functions, which Starlette runs in threads: reading and rendering never hold up the
event loop that referees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.events import Event, event_log
from arena.ids import TournamentId
from arena.standings.board import find_ladder
from arena.standings.snapshots import Snapshots
from arena.store import Store, StoreError, Unknown
from arena.web.door import Door
from arena.web.headers import Headers
from arena.web.health import Probe, health_routes
from arena.web.views import board_view, ladder_links, tournament_view, tournament_views

NEWEST: Final = 50
"""Tournaments on the first page."""

log = event_log(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """What the pages show.

    Attributes:
        store: bots, tournaments, results.
        snapshots: leaderboards.
        probe: whether the server is alive and ready.
        note: what a tournament waits for or why it stopped; mostly empty.
        admits: whether a token may read; None lets everybody read.
    """

    store: Store
    snapshots: Snapshots
    probe: Probe
    note: Callable[[TournamentId], str]
    admits: Callable[[str], Awaitable[bool]] | None = None


def make_app(source: Source) -> ASGIApp:
    """The application of some pages."""
    pages = _Pages(source)
    app: ASGIApp = Starlette(
        routes=[
            Route("/", pages.home),
            Route("/leaderboard/{variant}", pages.ladder),
            Route("/tournaments/{number:int}", pages.tournament),
            *health_routes(source.probe),
            Route(stylesheet_path(), pages.stylesheet),
        ],
        exception_handlers={
            HTTPException: pages.http_error,
            StoreError: pages.store_error,
            Exception: pages.bug,
        },
    )
    if source.admits is not None:
        app = Door(app, source.admits)
    return Headers(app)  # outermost: on what went wrong too


class _Pages:
    """The views."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._templates = Environment(
            loader=PackageLoader("arena.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals["stylesheet"] = stylesheet_path()

    def home(self, _: Request) -> Response:
        """All leaderboards, and the newest tournaments."""
        tournaments = self._source.store.tournaments()
        links = ladder_links(tournaments)
        boards = [board_view(self._source.snapshots.ladder(link.ladder)) for link in links]
        newest = tournament_views(self._source, tournaments[: -NEWEST - 1 : -1])
        return self._page(
            "home.html",
            boards=list(zip(links, boards, strict=True)),
            tournaments=newest,
            all_tournaments=len(tournaments),
        )

    def ladder(self, request: Request) -> Response:
        """The leaderboard of a variant."""
        tournaments = self._source.store.tournaments()
        ladder = find_ladder(tournaments, request.path_params["variant"])
        if ladder is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, "There is no such variant here.")
        board = board_view(self._source.snapshots.ladder(ladder))
        played = [one for one in reversed(tournaments) if one.variant_hash == ladder]
        newest = tournament_views(self._source, played[:NEWEST])
        return self._page(
            "ladder.html", board=board, tournaments=newest, all_tournaments=len(played)
        )

    def tournament(self, request: Request) -> Response:
        """One tournament and its leaderboard."""
        number = TournamentId(request.path_params["number"])
        try:
            tournament = self._source.store.tournament(number)
        except (Unknown, OverflowError) as error:
            sentence = "There is no such tournament here."
            raise HTTPException(HTTPStatus.NOT_FOUND, sentence) from error
        board = board_view(self._source.snapshots.tournament(number))
        view = tournament_view(self._source, tournament)
        return self._page("tournament.html", board=board, tournament=view)

    def stylesheet(self, _: Request) -> Response:
        """The one stylesheet; its address changes with its content."""
        lasting = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(_stylesheet(), media_type="text/css", headers=lasting)

    def http_error(self, _: Request, error: Exception) -> Response:
        """What cannot be shown, as a page."""
        assert isinstance(error, HTTPException)
        status = HTTPStatus(error.status_code)
        told = error.detail if error.detail != status.phrase else "There is no such page here."
        return self._error(status, told)

    def store_error(self, _: Request, error: Exception) -> Response:
        """The database cannot be read; why is for the operator."""
        log.error(Event.DATABASE_ERROR, reason=str(error))
        return self._error(
            HTTPStatus.SERVICE_UNAVAILABLE, "The database cannot be read now; try again later."
        )

    def bug(self, _: Request, __: Exception) -> Response:
        """A mistake of ours, which says nothing of itself; Starlette hands it on to the log."""
        return self._error(
            HTTPStatus.INTERNAL_SERVER_ERROR, "The arena has made a mistake; its log says which."
        )

    def _error(self, status: HTTPStatus, sentence: str) -> Response:
        return self._page("error.html", status, phrase=status.phrase, sentence=sentence)

    def _page(self, template: str, status: HTTPStatus = HTTPStatus.OK, **values: Any) -> Response:
        return HTMLResponse(self._templates.get_template(template).render(values), status)


@cache
def _stylesheet() -> bytes:
    return resources.files("arena.web").joinpath("static", "arena.css").read_bytes()


@cache
def stylesheet_path() -> str:
    """The address of the stylesheet."""
    return f"/static/arena-{hashlib.sha256(_stylesheet()).hexdigest()[:12]}.css"
