"""TournamentService: creating, telling, cancelling and following tournaments."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, Final

import grpc

from arena.ids import TournamentId
from arena.server.scheduler import Scheduler
from arena.server.services import messages, names
from arena.server.services.access import Access
from arena.server.services.entrants import read_entrants
from arena.server.services.errors import CallError, invalid, not_now
from arena.server.services.paging import Pages, page_after, page_size
from arena.server.services.requests import (
    read_name,
    read_rules,
    read_seed,
    read_settings,
    request_of,
)
from arena.server.situations import Closed, Situations
from arena.store import Rejected, Store, Tournament, TournamentSpec, Unknown
from arena.v1 import tournament_service_pb2 as pb
from arena.v1 import tournament_service_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]

MOST_WATCHERS: Final = 256
WATCH_SECONDS: Final = 0.25
"""The least time between two messages to one who follows: they must not cost the tables time."""

MOST_SETS: Final = 999_999_999


class TournamentService(tournament_service_pb2_grpc.TournamentServiceServicer):
    """Creates tournaments and tells how they stand.

    Args:
        store: where they are.
        pages: gives out page tokens.
        access: knows the organiser.
        scheduler: plays them.
        situations: how they stand.
    """

    def __init__(
        self,
        store: Store,
        pages: Pages,
        access: Access,
        scheduler: Scheduler,
        situations: Situations,
    ) -> None:
        self._store = store
        self._pages = pages
        self._access = access
        self._scheduler = scheduler
        self._situations = situations
        self._watchers = 0

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Context
    ) -> pb.CreateTournamentResponse:
        """Create a tournament and have it played."""
        by = self._access.require_organiser(context)
        tournament = await asyncio.to_thread(self._create, request, by)
        await self._scheduler.add(tournament)
        return pb.CreateTournamentResponse(tournament=await self._message(tournament))

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Context
    ) -> pb.GetTournamentResponse:
        """One tournament."""
        self._access.require_onlooker(context)
        tournament = await self._find(request.name)
        return pb.GetTournamentResponse(tournament=await self._message(tournament))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Context
    ) -> pb.ListTournamentsResponse:
        """All tournaments."""
        self._access.require_onlooker(context)
        scope = f"tournaments\0{request.display_name}"
        position = self._pages.position(scope, request.page_token)
        found = await asyncio.to_thread(self._store.tournaments)
        if request.display_name:
            found = tuple(one for one in found if one.name == request.display_name)
        page, rest = page_after(found, position, page_size(request.page_size), lambda t: t.id)
        return pb.ListTournamentsResponse(
            tournaments=[await self._message(one) for one in page],
            next_page_token=self._pages.token(scope, rest) if rest else "",
        )

    async def CancelTournament(
        self, request: pb.CancelTournamentRequest, context: Context
    ) -> pb.CancelTournamentResponse:
        """End a tournament for good."""
        by = self._access.require_organiser(context)
        tournament = names.parse_tournament("name", request.name)
        try:
            await self._scheduler.cancel(tournament, by=by)
        except Unknown:
            raise
        except Rejected as error:
            raise not_now(str(error)) from error
        message = await self._message(await self._find(request.name))
        return pb.CancelTournamentResponse(tournament=message)

    async def WatchTournament(  # type: ignore[override]
        self, request: pb.WatchTournamentRequest, context: Context
    ) -> None:
        """Follow a tournament, for as long as the token is good."""
        self._access.require_onlooker(context)
        tournament = await self._find(request.name)
        if self._watchers >= MOST_WATCHERS:
            sentence = f"{MOST_WATCHERS} watch already: ask again later, or call GetTournament"
            raise CallError(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence, reason="WATCHERS")
        self._watchers += 1
        try:
            async for situation in self._situations.follow(tournament):
                self._access.require_onlooker(context)
                await context.write(messages.progress_message(situation))
                await asyncio.sleep(WATCH_SECONDS)
        except Closed as error:
            sentence = "the arena stops; watch again when it is back"
            raise CallError(grpc.StatusCode.UNAVAILABLE, sentence, reason="STOPS") from error
        finally:
            self._watchers -= 1

    def _create(self, request: pb.CreateTournamentRequest, by: str) -> Tournament:
        known = request_of("CreateTournament", request.request_id, request)
        name = read_name("display_name", request.display_name, "tournament name")
        settings = read_settings(request.settings)
        variant = read_rules(request)
        seed = read_seed(request.seed) if request.seed else secrets.token_bytes(32)
        count = len(request.entrants)
        if count * (count - 1) // 2 * settings.rounds * settings.sets > MOST_SETS:
            raise invalid("settings", f"a tournament has at most {MOST_SETS} sets")
        spec = TournamentSpec(
            name=name,
            variant=variant,
            seed=seed,
            entries=read_entrants(self._store, request.entrants),
            settings=settings.to_data(),
        )
        return self._store.tournament(self._store.create_tournament(spec, known, by=by))

    async def _find(self, name: str) -> Tournament:
        number: TournamentId = names.parse_tournament("name", name)
        return await asyncio.to_thread(self._store.tournament, number)

    async def _message(self, tournament: Tournament) -> pb.Tournament:
        return messages.tournament_message(tournament, await self._situations.of(tournament))
