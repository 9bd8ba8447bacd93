"""Snapshots: boards are computed when something changed, and not for every reader."""

import pytest

from arena.ids import TournamentId
from arena.rules import CLASSIC, variant_hash
from arena.standings import snapshots
from arena.standings.board import Board, ladder_board
from arena.standings.snapshots import LEAST_SECONDS, MOST_BOARDS, PATIENCE, Snapshots
from arena.store import Store, TournamentState
from tests.store.examples import finished, tournament

LADDER = variant_hash(CLASSIC)


class Clock:
    """Time that passes when told, and while a board is computed."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[str]:
    """Every ladder that was computed, each in three seconds."""
    made: list[str] = []

    def reading(store: Store, ladder: str) -> Board:
        made.append(ladder)
        clock.now += 3.0
        return ladder_board(store, ladder)

    monkeypatch.setattr(snapshots, "ladder_board", reading)
    return made


@pytest.fixture
def cup(store: Store) -> TournamentId:
    made = tournament(store)
    store.set_state(made, TournamentState.RUNNING)
    return made


def test_readers_between_two_changes_get_one_board(
    store: Store, cup: TournamentId, clock: Clock, computed: list[str]
) -> None:
    kept = Snapshots(store, clock)
    first = kept.ladder(LADDER)
    clock.now += 1_000_000
    assert kept.ladder(LADDER) is first
    assert computed == [LADDER]


def test_while_sets_come_in_a_board_serves_for_a_time_in_proportion_to_its_cost(
    store: Store, cup: TournamentId, clock: Clock, computed: list[str]
) -> None:
    kept = Snapshots(store, clock)
    first = kept.ladder(LADDER)
    store.add_sets(cup, [finished("r1:1-2:1")])
    clock.now += PATIENCE * 3.0 - 0.1
    assert kept.ladder(LADDER) is first
    clock.now += 0.2
    assert kept.ladder(LADDER).sets == 1
    assert len(computed) == 2


def test_a_cheap_board_serves_for_a_second(store: Store, cup: TournamentId, clock: Clock) -> None:
    kept = Snapshots(store, clock)
    assert kept.ladder(LADDER).sets == 0
    store.add_sets(cup, [finished("r1:1-2:1")])
    clock.now += LEAST_SECONDS - 0.1
    assert kept.ladder(LADDER).sets == 0
    clock.now += 0.2
    assert kept.ladder(LADDER).sets == 1


def test_the_end_of_a_tournament_is_seen_at_once(
    store: Store, cup: TournamentId, clock: Clock
) -> None:
    kept = Snapshots(store, clock)
    kept.ladder(LADDER)
    kept.tournament(cup)
    store.add_sets(cup, [finished("r1:1-2:1")])
    store.set_state(cup, TournamentState.FINISHED)
    assert kept.ladder(LADDER).sets == kept.tournament(cup).sets == 1


def test_only_so_many_boards_are_kept(store: Store, clock: Clock, computed: list[str]) -> None:
    cups = [tournament(store, name=f"cup {number}") for number in range(MOST_BOARDS)]
    kept = Snapshots(store, clock)
    first = kept.ladder(LADDER)
    for number in cups[1:]:
        kept.tournament(number)
    assert kept.ladder(LADDER) is first
    kept.tournament(cups[0])
    assert kept.ladder(LADDER) is not first
