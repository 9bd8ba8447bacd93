"""LeaderboardService: boards page by page; a walk over the pages sees one state of the results."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, Final

import grpc

from arena.ids import TournamentId
from arena.server.services import messages, names
from arena.server.services.access import Access
from arena.server.services.errors import invalid, not_found
from arena.server.services.paging import Pages, page_size
from arena.standings.board import Board, find_ladder
from arena.standings.snapshots import Snapshots
from arena.store import Store
from arena.v1 import leaderboard_service_pb2 as pb
from arena.v1 import leaderboard_service_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]

MOST_WALKS: Final = 256
"""Boards that are kept for those who have not seen all of their pages."""


class LeaderboardService(leaderboard_service_pb2_grpc.LeaderboardServiceServicer):
    """Tells leaderboards."""

    def __init__(self, store: Store, snapshots: Snapshots, pages: Pages, access: Access) -> None:
        self._store = store
        self._access = access
        self._snapshots = snapshots
        self._pages = pages
        self._walks: dict[int, Board] = {}
        self._numbers = itertools.count(1)

    async def GetLeaderboard(
        self, request: pb.GetLeaderboardRequest, context: Context
    ) -> pb.GetLeaderboardResponse:
        """A page of a leaderboard."""
        self._access.require_onlooker(context)
        size = page_size(request.page_size)
        if request.page_token:
            walk, start = self._resumed(request)
        else:
            walk, start = await self._begun(request), 0
        board = self._walks[walk]
        end = start + size
        more = end < len(board.standings)
        if not more and not request.page_token:
            del self._walks[walk]  # nobody can come back to it
        return pb.GetLeaderboardResponse(
            name=_name(board),
            display_name=board.title,
            variant_hash=board.variant_hash,
            sets=board.sets,
            total_rows=len(board.standings),
            rows=map(messages.row_message, board.standings[start:end]),
            next_page_token=self._pages.token(_scope(request), f"{walk}:{end}") if more else "",
        )

    def _resumed(self, request: pb.GetLeaderboardRequest) -> tuple[int, int]:
        position = self._pages.position(_scope(request), request.page_token)
        walk, start = map(int, position.split(":"))
        if walk not in self._walks:
            raise invalid("page_token", "it has expired: start without one")
        return walk, start

    async def _begun(self, request: pb.GetLeaderboardRequest) -> int:
        board = await self._board(names.parse_board("name", request.name))
        if len(self._walks) >= MOST_WALKS:
            del self._walks[next(iter(self._walks))]
        walk = next(self._numbers)
        self._walks[walk] = board
        return walk

    async def _board(self, of: str | TournamentId) -> Board:
        if isinstance(of, int):
            return await asyncio.to_thread(self._snapshots.tournament, of)
        tournaments = await asyncio.to_thread(self._store.tournaments)
        ladder = find_ladder(tournaments, of)
        if ladder is None:
            raise not_found(f"there is no variant {of!r}")
        return await asyncio.to_thread(self._snapshots.ladder, ladder)


def _scope(request: pb.GetLeaderboardRequest) -> str:
    return f"leaderboard\0{request.name}"


def _name(board: Board) -> str:
    if board.tournament is not None:
        return f"{names.tournament_name(board.tournament)}/leaderboard"
    return f"{names.variant_name(board.variant_hash)}/leaderboard"
