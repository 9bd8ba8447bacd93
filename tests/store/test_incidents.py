"""What is kept of faults: stored with their set, read by bot, newest set first."""

from dataclasses import replace

import pytest

from arena.ids import BotId, TournamentId
from arena.referee.incident import Incident
from arena.referee.seat import FaultKind
from arena.store import Added, SetConflict, Store
from tests.store.examples import finished

OURS = Incident(
    entrant=0,
    kind=FaultKind.ILLEGAL,
    sentence="illegal answer: it is not legal",
    half="a",
    board=3,
    move=7,
    seat=2,
    answer="play 9C",
    took=3000,
    charged=1500,
    bank=60_000_000,
    stderr="why \N{SNOWMAN}",
)
THEIRS = Incident(1, FaultKind.CRASH, "the bot's process exited with status 1", "b")


def add(store: Store, tournament: TournamentId, key: str, *incidents: Incident) -> None:
    store.add_sets(tournament, [replace(finished(key), incidents=incidents)])


def bot(store: Store, number: int) -> BotId:
    return store.bots()[number - 1].id


def test_a_fault_comes_back_whole_to_its_bot(store: Store, tournament: TournamentId) -> None:
    add(store, tournament, "r1:2-1:1", OURS, THEIRS)
    [first] = store.incidents(bot(store, 2))
    assert first.incident == OURS
    assert (first.tournament, first.tournament_name, first.key) == (tournament, "cup", "r1:2-1:1")
    assert (first.label, first.sequence) == ("1", store.revision())
    [second] = store.incidents(bot(store, 1))
    assert second.incident == THEIRS
    assert store.incidents(bot(store, 3)) == ()


def test_the_newest_sets_come_first_and_go_on_where_one_stopped(
    store: Store, tournament: TournamentId
) -> None:
    for repeat in range(1, 6):
        add(store, tournament, f"r1:1-2:{repeat}", OURS, OURS._replace(move=8))
        add(store, tournament, f"r1:1-3:{repeat}", THEIRS)  # of another bot: counts for nothing
    page = store.incidents(bot(store, 1), most=2)
    assert [one.key[-1] for one in page] == ["5", "5", "4", "4"]
    assert [one.incident.move for one in page] == [7, 8, 7, 8]
    rest = store.incidents(bot(store, 1), most=9, before=page[-1].sequence)
    assert [one.key[-1] for one in rest] == ["3", "3", "2", "2", "1", "1"]


def test_a_set_that_is_there_already_keeps_its_faults(
    store: Store, tournament: TournamentId
) -> None:
    add(store, tournament, "r1:1-2:1", OURS)
    again = replace(finished("r1:1-2:1"), incidents=(OURS._replace(charged=9),))
    assert store.add_sets(tournament, [again]) == (Added.ALREADY,)
    with pytest.raises(SetConflict):
        store.add_sets(tournament, [replace(again, record=finished("r1:1-2:1", moves="x").record)])
    [kept] = store.incidents(bot(store, 1))
    assert kept.incident == OURS
