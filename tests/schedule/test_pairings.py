"""Pairings: the round robin's balance and order, keys, resuming (design 7), and what is refused."""

import re
import tracemalloc
from collections import Counter
from itertools import combinations, islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ids import EntryNumber, JobKey
from arena.rules.deal import Dealer
from arena.schedule.pairings import (
    MAX_NUMBER,
    Job,
    ScheduleError,
    parse_job_key,
    remaining,
    round_robin,
    total,
)


def entries(*numbers: int) -> tuple[EntryNumber, ...]:
    return tuple(map(EntryNumber, numbers))


def field(bots: int) -> tuple[EntryNumber, ...]:
    return entries(*range(1, bots + 1))


def keys(bots: int, rounds: int, sets: int) -> list[str]:
    return [job.key for job in round_robin(field(bots), rounds, sets)]


def pair_of(job: Job) -> frozenset[int]:
    return frozenset((job.first, job.second))


numbers = st.integers(1, MAX_NUMBER)
jobs = (
    st.tuples(numbers, numbers, numbers, numbers)
    .filter(lambda four: four[1] != four[2])
    .map(lambda four: Job(four[0], EntryNumber(four[1]), EntryNumber(four[2]), four[3]))
)
schedules = st.tuples(st.integers(2, 9), st.integers(1, 3), st.integers(1, 4))


def test_the_whole_schedule_of_four_bots_in_two_rounds() -> None:
    assert keys(4, rounds=2, sets=1) == [
        *("r1:1-4:1", "r1:2-3:1", "r1:4-2:1", "r1:3-1:1", "r1:3-4:1", "r1:1-2:1"),
        *("r2:4-1:1", "r2:3-2:1", "r2:2-4:1", "r2:1-3:1", "r2:4-3:1", "r2:2-1:1"),
    ]


def test_k_is_outside_the_pairs_so_that_nobody_meets_twice_in_a_row() -> None:
    assert [key[-1] for key in keys(3, rounds=1, sets=2)] == ["1", "1", "1", "2", "2", "2"]


@given(schedules)
def test_each_pair_meets_equally_often_in_every_round(schedule: tuple[int, int, int]) -> None:
    bots, rounds, sets = schedule
    met = Counter((job.round, pair_of(job)) for job in round_robin(field(bots), rounds, sets))
    pairs = [frozenset(pair) for pair in combinations(range(1, bots + 1), 2)]
    assert met == {(r, pair): sets for r in range(1, rounds + 1) for pair in pairs}


@given(schedules)
def test_each_pair_has_the_numbers_1_to_sets_in_every_round(schedule: tuple[int, int, int]) -> None:
    bots, rounds, sets = schedule
    seen = [(job.round, pair_of(job), job.repeat) for job in round_robin(field(bots), rounds, sets)]
    assert len(seen) == len(set(seen))
    assert {k for _, _, k in seen} == set(range(1, sets + 1))


@given(schedules)
def test_both_orders_of_a_pair_are_balanced(schedule: tuple[int, int, int]) -> None:
    bots, rounds, sets = schedule
    met = Counter((job.first, job.second) for job in round_robin(field(bots), rounds, sets))
    for one, other in combinations(field(bots), 2):
        assert abs(met[one, other] - met[other, one]) == rounds * sets % 2


@given(schedules)
def test_every_entry_is_called_first_in_half_of_its_jobs(schedule: tuple[int, int, int]) -> None:
    bots, rounds, sets = schedule
    firsts = Counter(job.first for job in round_robin(field(bots), rounds, sets))
    played = (bots - 1) * rounds * sets
    assert {abs(2 * firsts[entry] - played) for entry in field(bots)} == {played % 2}


@given(schedules)
def test_within_a_circle_round_no_entry_has_two_jobs(schedule: tuple[int, int, int]) -> None:
    bots, rounds, sets = schedule
    tables = bots // 2
    schedule_of_all = round_robin(field(bots), rounds, sets)
    while together := list(islice(schedule_of_all, tables)):
        assert len(together) == tables
        assert len(set().union(*map(pair_of, together))) == 2 * tables


@pytest.mark.parametrize("bots", [3, 5, 7, 9])
def test_with_an_odd_number_everyone_has_one_bye(bots: int) -> None:
    order = list(round_robin(field(bots), rounds=1, sets=1))
    tables = bots // 2
    byes = [
        set(field(bots)) - set().union(*map(pair_of, order[start : start + tables]))
        for start in range(0, len(order), tables)
    ]
    assert sorted(byes, key=min) == [{entry} for entry in field(bots)]


@given(schedules)
def test_the_order_is_by_round_then_k(schedule: tuple[int, int, int]) -> None:
    bots, rounds, sets = schedule
    order = [(job.round, job.repeat) for job in round_robin(field(bots), rounds, sets)]
    assert all(one <= following for one, following in pairwise(order))


@given(schedules)
def test_the_total_is_the_length(schedule: tuple[int, int, int]) -> None:
    bots, rounds, sets = schedule
    assert total(field(bots), rounds, sets) == len(keys(bots, rounds, sets))


@given(schedules)
def test_the_schedule_is_the_same_each_time(schedule: tuple[int, int, int]) -> None:
    assert keys(*schedule) == keys(*schedule)


@given(schedules, st.data())
def test_resuming_plays_all_minus_the_stored_in_order(
    schedule: tuple[int, int, int], data: st.DataObject
) -> None:
    bots, rounds, sets = schedule
    order = list(round_robin(field(bots), rounds, sets))
    finished = data.draw(st.sets(st.sampled_from([job.key for job in order])))
    left = list(remaining(round_robin(field(bots), rounds, sets), finished))
    assert left == [job for job in order if job.key not in finished]
    assert len(left) == len(order) - len(finished)


@pytest.mark.parametrize("bots", range(2, 10))
def test_resuming_at_any_cut_plays_each_job_once(bots: int) -> None:
    order = list(round_robin(field(bots), 2, 2))
    for cut in range(len(order) + 1):
        stored = {job.key for job in order[:cut]}
        assert list(remaining(round_robin(field(bots), 2, 2), stored)) == order[cut:]


def test_finished_keys_of_another_schedule_change_nothing() -> None:
    order = list(round_robin(field(3), 1, 1))
    assert list(remaining(iter(order), {JobKey("r9:1-2:1"), JobKey("r1:8-9:1")})) == order


@given(st.sets(st.integers(1, 40), min_size=3, max_size=8))
def test_an_entry_that_leaves_changes_no_key_of_the_others(some: set[int]) -> None:
    gone = max(some)
    before = {job.key for job in round_robin(entries(*some), 2, 2) if gone not in pair_of(job)}
    assert {job.key for job in round_robin(entries(*(some - {gone})), 2, 2)} == before


def test_the_order_in_which_entries_are_listed_changes_no_key() -> None:
    listed = {job.key for job in round_robin(entries(5, 2, 9), 2, 3)}
    assert listed == {job.key for job in round_robin(entries(2, 5, 9), 2, 3)}


def test_more_sets_or_rounds_keep_the_keys_there_were() -> None:
    assert set(keys(5, 2, 2)) < set(keys(5, 3, 4))


def test_400_bots_with_1000_sets_start_at_once_in_bounded_memory() -> None:
    tracemalloc.start()
    first = next(round_robin(field(400), rounds=1, sets=1000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert first.key == "r1:1-400:1"
    assert total(field(400), 1, 1000) == 79_800_000
    assert peak < 200_000


@given(jobs)
def test_a_key_is_read_back_as_its_job(job: Job) -> None:
    assert parse_job_key(job.key) == job


@given(jobs)
def test_the_key_is_a_set_id_with_room_for_the_half(job: Job) -> None:
    assert job.set_id == job.key
    assert next(Dealer(bytes(32)).stream(f"{job.set_id}:a", 0)) >= 0  # rules S2 checks it


@pytest.mark.parametrize(
    "text",
    [
        *("", "r1:1-2", "1:1-2:1", "r1:1-2:1 ", " r1:1-2:1", "r1:1-2:1\n", "r-1:1-2:1", "R1:1-2:1"),
        *("r1:1-2:1:a", "r1:1_2:1", "r1:\u0661-2:1", "r1:1-2:1234567890", "r1:all:1"),
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ScheduleError, match=re.escape(f"{text!r} is not a job key such as")):
        parse_job_key(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("r01:1-2:1", "write 'r1:1-2:1', without leading zeros", id="leading zero"),
        pytest.param("r0:1-2:1", "of job r0:1-2:1 must be from 1 to 999999999", id="round 0"),
        pytest.param("r1:0-2:1", "of job r1:0-2:1 must be from 1", id="entry 0"),
        pytest.param("r1:1-2:0", "of job r1:1-2:0 must be from 1", id="k 0"),
        pytest.param("r1:3-3:1", "job r1:3-3:1 lets entry 3 play against itself", id="itself"),
    ],
)
def test_a_key_of_no_job_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=re.escape(sentence)):
        parse_job_key(text)


def test_a_number_that_makes_keys_too_long_is_refused() -> None:
    with pytest.raises(ScheduleError, match="must be from 1 to 999999999"):
        Job(1, EntryNumber(1), EntryNumber(2), MAX_NUMBER + 1)


@pytest.mark.parametrize(
    ("listed", "rounds", "sets", "sentence"),
    [
        pytest.param((), 1, 1, "a round robin needs at least 2 bots, not 0", id="no bots"),
        pytest.param((1,), 1, 1, "a round robin needs at least 2 bots, not 1", id="one bot"),
        pytest.param((1, 2, 1), 1, 1, "each entry once, but entry 1 is repeated", id="a bot twice"),
        pytest.param((1, 0), 1, 1, "entry numbers must be from 1 to 999999999, not 0", id="entry"),
        pytest.param((1, 2), 0, 1, "rounds must be from 1 to 999999999, not 0", id="no rounds"),
        pytest.param((1, 2), 1, 0, "sets must be from 1 to 999999999, not 0", id="no sets"),
        pytest.param((1, 2), 1, 10**9, "sets must be from 1 to 999999999, not", id="too many"),
    ],
)
def test_an_impossible_schedule_is_refused_before_its_first_job(
    listed: tuple[int, ...], rounds: int, sets: int, sentence: str
) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        round_robin(entries(*listed), rounds, sets)
    with pytest.raises(ScheduleError, match=sentence):
        total(entries(*listed), rounds, sets)
