"""LeaderboardService: the same figures as everywhere, ranks with ties, walks over the pages."""

import grpc
import pytest

from arena.rules import CLASSIC, DOUBLE, variant_hash
from arena.standings.board import ladder_board, tournament_board
from arena.store import TournamentState
from arena.v1.bot_service_pb2 import ListBotsRequest
from arena.v1.leaderboard_service_pb2 import GetLeaderboardRequest, GetLeaderboardResponse
from arena.v1.record_service_pb2 import ListRecordsRequest
from tests.server.services.house import House, field_at_fault, finished, number_of, refused

LADDER = f"variants/{variant_hash(CLASSIC)}/leaderboard"


async def board(house: House, name: str, size: int = 0, token: str = "") -> GetLeaderboardResponse:
    return await house.leaderboards.GetLeaderboard(
        GetLeaderboardRequest(name=name, page_size=size, page_token=token)
    )


async def played(house: House, bots: int = 4) -> str:
    """A tournament in which bot1 has won two sets of bot2; its name."""
    name = (await house.create(bots=bots)).name
    house.store.set_state(number_of(name), TournamentState.RUNNING)
    house.store.add_sets(number_of(name), [finished("r1:1-2:1"), finished("r1:1-2:2", 5)])
    return name


async def test_a_row_has_the_figures_of_the_ratings(house: House) -> None:
    name = await played(house)
    response = await board(house, f"{name}/leaderboard")
    expected = tournament_board(house.store, number_of(name))
    assert (response.display_name, response.sets, response.total_rows) == ("cup", 2, 4)
    for row, standing in zip(response.rows, expected.standings, strict=True):
        known = standing.row
        assert (row.bot, row.rating) == (standing.version.name, known.rating)
        assert row.rank == (known.rank or 0)
        assert (row.mu, row.sigma) == (known.skill.mu, known.skill.sigma)
        assert (row.wins, row.draws, row.losses) == (
            known.record.wins,
            known.record.draws,
            known.record.losses,
        )
        assert row.provisional
    best = response.rows[0]
    assert (best.bot, best.sets, best.hands, best.faults.timeout) == ("bot1", 2, 40, 2)
    assert best.points.mean == pytest.approx(0.3)
    assert best.points.interval.low < 0.3 < best.points.interval.high
    assert best.win_rate == 1.0


async def test_what_is_not_known_is_absent_and_never_zero(house: House) -> None:
    last = (await board(house, f"{await played(house)}/leaderboard")).rows[2]
    assert last.sets == 0
    absent = ("win_rate", "win_interval", "points")
    assert not any(last.HasField(name) for name in absent)  # type: ignore[arg-type]


async def test_equal_ratings_share_a_rank_and_the_next_is_skipped(house: House) -> None:
    name = (await house.create(bots=5)).name
    house.store.set_state(number_of(name), TournamentState.RUNNING)
    house.store.add_sets(number_of(name), [finished("r1:1-2:1"), finished("r1:3-4:1")])
    rows = (await board(house, f"{name}/leaderboard")).rows
    assert [(row.bot, row.rank) for row in rows] == [
        ("bot1", 1),
        ("bot3", 1),
        ("bot2", 3),
        ("bot4", 3),
        ("bot5", 0),
    ]


@pytest.mark.parametrize("name", [LADDER, "variants/classic/leaderboard"])
async def test_a_ladder_is_found_by_hash_and_by_shipped_name(house: House, name: str) -> None:
    await played(house)
    response = await board(house, name)
    assert (response.name, response.display_name) == (LADDER, "classic")
    expected = ladder_board(house.store, variant_hash(CLASSIC))
    assert [r.bot for r in response.rows] == [s.version.name for s in expected.standings]


async def test_a_ladder_nobody_played_has_no_rows(house: House) -> None:
    response = await board(house, f"variants/{variant_hash(DOUBLE)}/leaderboard")
    assert (response.total_rows, list(response.rows), response.sets) == (0, [], 0)


async def test_all_pages_of_a_walk_show_one_state_of_the_results(house: House) -> None:
    name = await played(house, bots=9)
    number = number_of(name)
    whole = [row.bot for row in (await board(house, f"{name}/leaderboard")).rows]
    seen: list[str] = []
    token, repeat = "", 3
    while True:
        page = await board(house, f"{name}/leaderboard", 2, token)
        seen += [row.bot for row in page.rows]
        assert page.sets == 2
        if not (token := page.next_page_token):
            break
        house.store.add_sets(number, [finished(f"r1:9-8:{repeat}", 30)])
        repeat += 1
    assert seen == whole
    house.store.set_state(number, TournamentState.SUSPENDED)  # computed anew
    assert (await board(house, f"{name}/leaderboard")).rows[0].bot == "bot9"


async def test_a_token_of_another_board_is_refused(house: House) -> None:
    name = await played(house)
    token = (await board(house, f"{name}/leaderboard", 1)).next_page_token
    for text, mine in (("garbage", f"{name}/leaderboard"), (token, LADDER)):
        assert await field_at_fault(board(house, mine, 1, text)) == "page_token"
    assert len((await board(house, f"{name}/leaderboard", 1, token)).rows) == 1


async def test_a_token_of_another_list_is_refused_whatever_the_name(house: House) -> None:
    name = await played(house)
    records = await house.records.ListRecords(ListRecordsRequest(parent=name, page_size=1))
    bots = await house.bots.ListBots(ListBotsRequest(page_size=1))
    assert records.next_page_token
    assert bots.next_page_token
    for mine, token in ((name, records.next_page_token), ("bots\0", bots.next_page_token)):
        assert await field_at_fault(board(house, mine, 1, token)) == "page_token"


async def test_a_walk_that_was_forgotten_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.services.leaderboards.MOST_WALKS", 1)
    name = f"{await played(house)}/leaderboard"
    first = (await board(house, name, 1)).next_page_token
    await board(house, name, 1)
    call = board(house, name, 1, first)
    assert "it has expired" in await refused(call, grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.parametrize(
    "name", ["", "variants/classic", "tournaments/x/leaderboard", "variants/a/b/leaderboard"]
)
async def test_a_name_of_another_form_is_refused(house: House, name: str) -> None:
    assert await field_at_fault(board(house, name)) == "name"


@pytest.mark.parametrize("name", ["variants/nonsense/leaderboard", "tournaments/9/leaderboard"])
async def test_what_is_not_there_is_not_found(house: House, name: str) -> None:
    assert "there is no" in await refused(board(house, name), grpc.StatusCode.NOT_FOUND)
