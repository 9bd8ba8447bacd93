"""What onlookers see of a tournament that is not over: nothing of a deal still to be played.

A deal opens when every game scheduled on it has finished the hand (docs/design). Deals belong to
one set, and only finished sets have records, so a record opens the deals of its own set alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message
from starlette.testclient import TestClient

from arena.ids import EntryNumber, TournamentId
from arena.referee.sets import SetPlan
from arena.rules import CLASSIC, Dealer, card_text
from arena.rules.record import SetRecord
from arena.schedule.execution import PlayedSet
from arena.schedule.pairings import Job, parse_job_key, round_robin
from arena.schedule.settings import Settings
from arena.server.tournaments import finished_set
from arena.standings.snapshots import Snapshots
from arena.store import Store, TournamentSpec, TournamentState
from arena.v1 import leaderboard_service_pb2, record_pb2, tournament_service_pb2
from arena.v1 import record_service_pb2 as records
from arena.web.app import Source, make_app
from arena.web.health import Probe
from tests.referee.games import ENTRANTS, SHORT, four_at_random, play_at_tables
from tests.server.services.house import ORGANISER, House, number_of, open_house, refused
from tests.store.examples import registered
from tests.web.reader import Page

SEED = bytes(range(100, 132))
FINISHED = "r1:1-2:1"
BOTS = 3
BOARDS = 4
JOBS = tuple(round_robin([EntryNumber(n) for n in range(1, BOTS + 1)], 1, 1))


async def finished_record() -> SetRecord:
    """The record of the set that is finished, really played."""
    plan = SetPlan(FINISHED, SHORT, Settings().policy, ENTRANTS, SEED)
    return await play_at_tables(plan, lambda half: [*four_at_random(ord(half))])


def dealt(job: Job, board: int) -> list[list[str]]:
    """The hands of a deal of a set, as a record writes them."""
    hands = Dealer(SEED).deal(CLASSIC, job.set_id, board)
    return [[card_text(card) for card in hand] for hand in hands]


def expect_closed(shown: bytes) -> None:
    """That the bytes hold neither the seed nor a hand of a set that is not finished."""
    assert SEED not in shown
    assert SEED.hex().encode() not in shown.lower()
    for job in JOBS:
        if job.key == FINISHED:
            continue
        for board in range(BOARDS):
            for hand in dealt(job, board):
                assert record_pb2.DealtHand(cards=hand).SerializeToString() not in shown
                for separator in (" ", ", ", '","', '", "'):
                    assert separator.join(hand).encode() not in shown


async def created(house: House) -> str:
    """A running tournament with a seed that the test knows, and one set finished."""
    versions = [await house.register(f"bot{n}", n) for n in range(1, BOTS + 1)]
    request = tournament_service_pb2.CreateTournamentRequest(
        request_id="create",
        display_name="cup",
        seed=SEED.hex(),
        entrants=[tournament_service_pb2.TournamentEntrant(version=one) for one in versions],
    )
    made = await house.tournaments.CreateTournament(request, metadata=ORGANISER)
    expect_closed(made.SerializeToString())
    house.store.set_state(number_of(made.tournament.name), TournamentState.RUNNING)
    done = finished_set(parse_job_key(FINISHED), PlayedSet(await finished_record()))
    house.store.add_sets(number_of(made.tournament.name), [done])
    return made.tournament.name


async def replies(house: House, name: str) -> list[Message]:
    """What everybody may ask of a tournament."""
    shown: list[Message] = [
        await house.tournaments.GetTournament(
            tournament_service_pb2.GetTournamentRequest(name=name)
        ),
        await house.tournaments.ListTournaments(tournament_service_pb2.ListTournamentsRequest()),
        await house.records.ListRecords(records.ListRecordsRequest(parent=name)),
        await house.records.GetRecord(records.GetRecordRequest(name=f"{name}/records/{FINISHED}")),
        await house.leaderboards.GetLeaderboard(
            leaderboard_service_pb2.GetLeaderboardRequest(name=f"{name}/leaderboard")
        ),
    ]
    watching = house.tournaments.WatchTournament(
        tournament_service_pb2.WatchTournamentRequest(name=name)
    )
    async for progress in watching:
        shown.append(progress)
        break
    watching.cancel()
    return shown


ASKED = {
    "TournamentService": {
        "CreateTournament",
        "GetTournament",
        "ListTournaments",
        "WatchTournament",
        "CancelTournament",  # ends it: then the seed is public
    },
    "RecordService": {"GetRecord", "ListRecords"},
    "LeaderboardService": {"GetLeaderboard"},
}
"""Every call that tells of tournaments. A new one has to be asked above."""


def test_no_call_is_forgotten() -> None:
    for module in (tournament_service_pb2, records, leaderboard_service_pb2):
        for service in module.DESCRIPTOR.services_by_name.values():
            assert {method.name for method in service.methods} == ASKED[service.name]


async def test_no_call_opens_a_deal_that_is_still_to_be_played(tmp_path: Path) -> None:
    async with open_house(tmp_path / "arena.db") as house:
        name = await created(house)
        for reply in await replies(house, name):
            expect_closed(reply.SerializeToString())
        for job in JOBS:
            if job.key != FINISHED:
                asked = records.GetRecordRequest(name=f"{name}/records/{job.key}")
                await refused(house.records.GetRecord(asked), grpc.StatusCode.NOT_FOUND)


async def test_what_is_looked_for_would_be_found(tmp_path: Path) -> None:
    """The check sees the seed of a tournament that is over, and hands in a record."""
    async with open_house(tmp_path / "arena.db") as house:
        name = await created(house)
        request = tournament_service_pb2.CancelTournamentRequest(name=name)
        over = await house.tournaments.CancelTournament(request, metadata=ORGANISER)
        with pytest.raises(AssertionError):
            expect_closed(over.SerializeToString())
    other = next(job for job in JOBS if job.key != FINISHED)
    shown = record_pb2.HandRecord(
        dealt=[record_pb2.DealtHand(cards=hand) for hand in dealt(other, 1)]
    )
    with pytest.raises(AssertionError):
        expect_closed(shown.SerializeToString())


@pytest.mark.parametrize("mirror", [True, False], ids=["mirrored", "not mirrored"])
def test_no_two_sets_share_deals(*, mirror: bool) -> None:
    """So the record of one opens no deal of another."""
    jobs = round_robin([EntryNumber(n) for n in range(1, 6)], 3, 4)
    own: list[set[str]] = []
    for job in jobs:
        plan = SetPlan(job.set_id, CLASSIC, Settings().policy, ENTRANTS, SEED, mirror)
        own.append({plan.deal_set("a"), plan.deal_set("b")})
    assert len(set.union(*own)) == sum(map(len, own)) == len(own) * (1 if mirror else 2)


# Pages.


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[Store, TournamentId]]:
    with Store.open(tmp_path / "arena.db") as store:
        settings = Settings().to_data()
        spec = TournamentSpec(
            name="cup",
            variant=CLASSIC,
            seed=SEED,
            entries=registered(store, BOTS),
            settings=settings,
        )
        tournament = store.create_tournament(spec)
        store.set_state(tournament, TournamentState.RUNNING)
        yield store, tournament


def pages(store: Store) -> dict[str, str]:
    """Every page that a visitor reaches by links from the first."""
    source = Source(store, Snapshots(store), Probe(lambda: True, tuple), note=lambda _: "")
    browser = TestClient(make_app(source))
    found: dict[str, str] = {}
    ahead = ["/"]
    while ahead:
        path = ahead.pop()
        found[path] = browser.get(path).text
        links = [element.attributes.get("href") for element in Page(found[path]).all("a")]
        ahead += [one for one in dict.fromkeys(links) if one and one[0] == "/" and one not in found]
    return found


async def test_no_page_opens_a_deal_that_is_still_to_be_played(
    running: tuple[Store, TournamentId],
) -> None:
    store, tournament = running
    store.add_sets(
        tournament, [finished_set(parse_job_key(FINISHED), PlayedSet(await finished_record()))]
    )
    shown = pages(store)
    assert f"/tournaments/{tournament}" in shown
    for page in shown.values():
        expect_closed(page.encode())
    store.set_state(tournament, TournamentState.CANCELLED)
    assert SEED.hex() in pages(store)[f"/tournaments/{tournament}"]


async def test_a_record_holds_deals_of_its_own_set_alone() -> None:
    record = await finished_record()
    assert {half.deal_set for half in record.halves} == {FINISHED}
    [own] = [job for job in JOBS if job.key == FINISHED]
    for half in record.halves:
        for hand in half.hands:
            assert json.loads(json.dumps(hand.dealt)) == dealt(own, hand.board)
