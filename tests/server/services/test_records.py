"""RecordService: sets in canonical order, and their full records."""

import grpc
import pytest

from arena.store import TournamentState
from arena.v1.record_pb2 import SET_OUTCOME_DRAW, SET_OUTCOME_FIRST_WINS
from arena.v1.record_service_pb2 import GetRecordRequest, ListRecordsRequest, RecordSummary
from tests.server.services.house import House, field_at_fault, finished, number_of, refused

RECORD = b'{"format": 1, "set_id": "r1:1-2:1", "points": 7, "timing": {"halves": []}}'


async def tournament(house: House, *keys: str) -> str:
    """A running tournament of four bots with those sets finished; its name."""
    name = (await house.create(bots=4)).name
    house.store.set_state(number_of(name), TournamentState.RUNNING)
    house.store.add_sets(number_of(name), [finished(key, record=RECORD) for key in keys])
    return name


async def walked(house: House, name: str, size: int) -> list[RecordSummary]:
    seen: list[RecordSummary] = []
    token = ""
    while True:
        page = await house.records.ListRecords(
            ListRecordsRequest(parent=name, page_size=size, page_token=token)
        )
        seen += page.records
        if not (token := page.next_page_token):
            return seen


@pytest.mark.parametrize("size", [1, 2, 5, 0])
async def test_sets_are_listed_by_round_entries_and_number(house: House, size: int) -> None:
    keys = ["r2:1-2:1", "r1:3-4:1", "r1:2-1:10", "r1:1-2:9", "r1:1-3:1"]
    name = await tournament(house, *keys)
    in_order = ["r1:1-2:9", "r1:2-1:10", "r1:1-3:1", "r1:3-4:1", "r2:1-2:1"]
    found = [one.name for one in await walked(house, name, size)]
    assert found == [f"{name}/records/{key}" for key in in_order]


async def test_a_summary_says_who_played_and_how_it_ended(house: House) -> None:
    name = await tournament(house, "r1:2-1:1")
    house.store.add_sets(number_of(name), [finished("r1:3-4:1", points=0)])
    first, draw = await walked(house, name, 0)
    assert (first.first.name, first.second.name) == ("bot2", "bot1")
    assert (first.outcome, first.points, first.hands) == (SET_OUTCOME_FIRST_WINS, 7, 20)
    assert first.counts_points
    assert (first.faults_first.timeout, first.faults_second.timeout) == (1, 0)
    assert draw.outcome == SET_OUTCOME_DRAW


async def test_a_set_that_is_finished_meanwhile_moves_no_other(house: House) -> None:
    name = await tournament(house, "r1:1-2:1", "r1:1-3:1", "r1:1-4:1")
    request = ListRecordsRequest(parent=name, page_size=2)
    page = await house.records.ListRecords(request)
    house.store.add_sets(number_of(name), [finished("r1:1-2:2"), finished("r1:2-3:1")])
    request.page_token = page.next_page_token
    rest = await house.records.ListRecords(request)
    assert [one.name[-8:] for one in (*page.records, *rest.records)] == [
        "r1:1-2:1",
        "r1:1-3:1",
        "r1:1-4:1",
        "r1:2-3:1",
    ]


async def test_a_record_comes_whole(house: House) -> None:
    name = await tournament(house, "r1:1-2:1")
    request = GetRecordRequest(name=f"{name}/records/r1:1-2:1")
    record = (await house.records.GetRecord(request)).record
    assert (record.format, record.set_id, record.points) == (1, "r1:1-2:1", 7)
    assert record.HasField("timing")


@pytest.mark.parametrize(
    "name", ["", "tournaments/1", "tournaments/1/records/", "tournaments/1/records/../../etc"]
)
async def test_a_name_of_another_form_is_refused(house: House, name: str) -> None:
    assert await field_at_fault(house.records.GetRecord(GetRecordRequest(name=name))) == "name"


async def test_what_is_not_there_is_not_found(house: House) -> None:
    name = await tournament(house)
    for missing in (f"{name}/records/r1:1-2:1", "tournaments/9/records/r1:1-2:1"):
        call = house.records.GetRecord(GetRecordRequest(name=missing))
        assert "there is no" in await refused(call, grpc.StatusCode.NOT_FOUND)
    listed = house.records.ListRecords(ListRecordsRequest(parent="tournaments/9"))
    assert "there is no" in await refused(listed, grpc.StatusCode.NOT_FOUND)


async def test_a_token_of_another_tournament_is_refused(house: House) -> None:
    name = await tournament(house, "r1:1-2:1", "r1:1-2:2")
    page = await house.records.ListRecords(ListRecordsRequest(parent=name, page_size=1))
    other = (await house.create("other")).name
    request = ListRecordsRequest(parent=other, page_token=page.next_page_token)
    assert await field_at_fault(house.records.ListRecords(request)) == "page_token"
