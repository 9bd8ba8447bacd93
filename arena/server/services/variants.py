"""VariantService: the variants that ship, and those of this server's tournaments."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from arena.server.services import messages, names
from arena.server.services.access import Access
from arena.server.services.errors import not_found
from arena.server.services.paging import Pages, page_after, page_size
from arena.standings.board import SHIPPED, find_ladder, ladders
from arena.store import Store
from arena.v1 import variant_service_pb2 as pb
from arena.v1 import variant_service_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]

_SCOPE = "variants"


class VariantService(variant_service_pb2_grpc.VariantServiceServicer):
    """Tells variants."""

    def __init__(self, store: Store, pages: Pages, access: Access) -> None:
        self._store = store
        self._access = access
        self._pages = pages

    async def GetVariant(
        self, request: pb.GetVariantRequest, context: Context
    ) -> pb.GetVariantResponse:
        """One variant."""
        self._access.require_onlooker(context)
        text = names.parse_variant("name", request.name)
        tournaments = await asyncio.to_thread(self._store.tournaments)
        ladder = find_ladder(tournaments, text)
        if ladder is None:
            raise not_found(f"there is no variant {text!r}")
        variant = ladders(tournaments)[ladder]
        entry = messages.variant_entry(ladder, variant, shipped=ladder in SHIPPED)
        return pb.GetVariantResponse(variant=entry)

    async def ListVariants(
        self, request: pb.ListVariantsRequest, context: Context
    ) -> pb.ListVariantsResponse:
        """All variants."""
        self._access.require_onlooker(context)
        position = self._pages.position(_SCOPE, request.page_token)
        known = list(ladders(await asyncio.to_thread(self._store.tournaments)).items())
        # New variants only ever come at the end, so a place in the list stays that of its variant.
        numbered = list(enumerate(known, start=1))
        page, rest = page_after(numbered, position, page_size(request.page_size), lambda n: n[0])
        return pb.ListVariantsResponse(
            variants=[
                messages.variant_entry(ladder, variant, shipped=ladder in SHIPPED)
                for _, (ladder, variant) in page
            ],
            next_page_token=self._pages.token(_SCOPE, rest) if rest else "",
        )
