"""RecordService: the records of finished sets."""

from __future__ import annotations

import asyncio
import bisect
from typing import Any

import grpc
from google.protobuf import json_format

from arena.ids import JobKey, TournamentId
from arena.ratings.results import SetResult, order_key
from arena.server.services import messages, names
from arena.server.services.access import Access
from arena.server.services.paging import Pages, page_size
from arena.store import Store, Tournament
from arena.v1 import record_pb2, record_service_pb2_grpc
from arena.v1 import record_service_pb2 as pb

Context = grpc.aio.ServicerContext[Any, Any]


class RecordService(record_service_pb2_grpc.RecordServiceServicer):
    """Tells records."""

    def __init__(self, store: Store, pages: Pages, access: Access) -> None:
        self._store = store
        self._access = access
        self._pages = pages

    async def GetRecord(
        self, request: pb.GetRecordRequest, context: Context
    ) -> pb.GetRecordResponse:
        """The full record of a set."""
        self._access.require_onlooker(context)
        tournament, key = names.parse_record("name", request.name)
        return pb.GetRecordResponse(record=await asyncio.to_thread(self._record, tournament, key))

    async def ListRecords(
        self, request: pb.ListRecordsRequest, context: Context
    ) -> pb.ListRecordsResponse:
        """The finished sets of a tournament in canonical order."""
        self._access.require_onlooker(context)
        tournament = names.parse_tournament("parent", request.parent)
        scope = f"records\0{request.parent}"
        position = self._pages.position(scope, request.page_token)
        found, results = await asyncio.to_thread(self._results, tournament)
        page, rest = _page(results, position, page_size(request.page_size))
        return pb.ListRecordsResponse(
            records=[messages.summary_message(found, result) for result in page],
            next_page_token=self._pages.token(scope, rest) if rest else "",
        )

    def _record(self, tournament: TournamentId, key: JobKey) -> record_pb2.SetRecord:
        return json_format.Parse(self._store.record(tournament, key), record_pb2.SetRecord())

    def _results(self, tournament: TournamentId) -> tuple[Tournament, tuple[SetResult, ...]]:
        return self._store.tournament(tournament), self._store.results(tournament=tournament)


def _page(
    results: tuple[SetResult, ...], position: str, size: int
) -> tuple[tuple[SetResult, ...], str]:
    """The page after the set whose order key is the position: sets that were finished meanwhile
    move no other from one page to another.
    """
    start = 0
    if position:
        last = tuple(map(int, position.split(":")))
        start = bisect.bisect_right(results, last, key=order_key)
    page = results[start : start + size]
    more = start + size < len(results)
    return page, ":".join(map(str, order_key(page[-1]))) if more else ""
