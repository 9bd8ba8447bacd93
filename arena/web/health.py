"""Addresses for supervisors: is the server alive, is it ready.

`/livez` is answered in the event loop, since that is the question; `/readyz` and `/healthz` look at
the database, in a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


@dataclass(frozen=True, slots=True)
class Probe:
    """How the state of a server is found out.

    Attributes:
        alive: whether its event loop beats.
        unready: why it is not ready, a word a reason; empty when it is. May take a while.
    """

    alive: Callable[[], bool]
    unready: Callable[[], tuple[str, ...]]


def health_routes(probe: Probe) -> list[Route]:
    """The addresses."""

    async def alive(_: Request) -> Response:
        well = probe.alive()
        return JSONResponse({"alive": well}, _status(well=well))

    def ready(_: Request) -> Response:
        reasons = probe.unready()
        told = {"alive": probe.alive(), "ready": not reasons, "reasons": list(reasons)}
        return JSONResponse(told, _status(well=not reasons))

    return [Route("/livez", alive), Route("/readyz", ready), Route("/healthz", ready)]


def _status(*, well: bool) -> HTTPStatus:
    return HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
