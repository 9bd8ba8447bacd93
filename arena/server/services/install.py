"""The unary services of a server, wired and added to it."""

from __future__ import annotations

from dataclasses import dataclass

from arena.server.app import Arena
from arena.server.registry import Registry
from arena.server.scheduler import Scheduler
from arena.server.services.access import Access
from arena.server.services.bots import BotService
from arena.server.services.leaderboards import LeaderboardService
from arena.server.services.paging import Pages
from arena.server.services.records import RecordService
from arena.server.services.tournaments import TournamentService
from arena.server.services.variants import VariantService
from arena.server.situations import Situations
from arena.server.submissions import Submissions
from arena.standings.snapshots import Snapshots
from arena.store import Store
from arena.v1 import (
    bot_service_pb2,
    bot_service_pb2_grpc,
    leaderboard_service_pb2,
    leaderboard_service_pb2_grpc,
    record_service_pb2,
    record_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
    variant_service_pb2,
    variant_service_pb2_grpc,
)


@dataclass(frozen=True, slots=True)
class Desk:
    """What the services are made of.

    Attributes:
        store: bots, tournaments, the journal.
        arena: the sessions.
        scheduler: plays tournaments.
        situations: how they stand.
        snapshots: leaderboards.
        registry: lets bots in.
        private: whether reading needs a token.
        submissions: takes what authors send; None where nothing is taken.
    """

    store: Store
    arena: Arena
    scheduler: Scheduler
    situations: Situations
    snapshots: Snapshots
    registry: Registry
    private: bool = False
    submissions: Submissions | None = None


def add_services(desk: Desk) -> tuple[str, ...]:
    """Add the services to the server of the desk's arena; their full names."""
    server, store, pages = desk.arena.server, desk.store, Pages()
    access = Access(desk.arena.lobby.tokens, private=desk.private)
    bots = BotService(
        store,
        pages,
        access,
        change=desk.registry.change,
        online=desk.scheduler.online,
        submissions=desk.submissions,
        clock=desk.arena.pulse.clock,
    )
    tournaments = TournamentService(store, pages, access, desk.scheduler, desk.situations)
    boards = LeaderboardService(store, desk.snapshots, pages, access)
    bot_service_pb2_grpc.add_BotServiceServicer_to_server(bots, server)
    tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(tournaments, server)
    leaderboard_service_pb2_grpc.add_LeaderboardServiceServicer_to_server(boards, server)
    records = RecordService(store, pages, access)
    record_service_pb2_grpc.add_RecordServiceServicer_to_server(records, server)
    variant_service_pb2_grpc.add_VariantServiceServicer_to_server(
        VariantService(store, pages, access), server
    )
    files = (
        bot_service_pb2.DESCRIPTOR,
        tournament_service_pb2.DESCRIPTOR,
        leaderboard_service_pb2.DESCRIPTOR,
        record_service_pb2.DESCRIPTOR,
        variant_service_pb2.DESCRIPTOR,
    )
    return tuple(one.full_name for file in files for one in file.services_by_name.values())
