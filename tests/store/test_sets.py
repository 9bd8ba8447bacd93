"""The journal: each set once, all or none of a commit, everything back in canonical order."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.ids import JobKey, TournamentId, VersionId
from arena.ratings.results import FaultCounts, Outcome, SetResult, in_order
from arena.rules import CLASSIC, TOKEN, variant_hash
from arena.schedule.pairings import remaining
from arena.store import (
    Added,
    Rejected,
    SetConflict,
    Store,
    StoreError,
    TournamentState,
    Unknown,
    Unusable,
)
from tests.store.databases import shell
from tests.store.examples import finished, record, registered, schedule, spec

NEW, ALREADY = Added


def test_a_set_comes_back_as_result_and_record(store: Store, tournament: TournamentId) -> None:
    assert store.add_sets(tournament, [finished("r2:3-1:4", points=7)]) == (NEW,)
    assert store.results(tournament=tournament) == (
        SetResult(
            tournament=1,
            round=2,
            first=VersionId(3),
            second=VersionId(1),
            first_entry=schedule(3)[1].first,
            second_entry=schedule(3)[1].second,
            repeat=4,
            outcome=Outcome.FIRST_WINS,
            points=7,
            hands=31,
            counts_points=True,
            faults_first=FaultCounts(1, 2, 3, 4, 5),
            faults_second=FaultCounts(timeout=9),
        ),
    )
    assert store.record(tournament, JobKey("r2:3-1:4")) == record("r2:3-1:4")


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_comes_back(store: Store, tournament: TournamentId, outcome: Outcome) -> None:
    lost = replace(finished("r1:1-2:1"), outcome=outcome, points=-3, hands=0, counts_points=False)
    store.add_sets(tournament, [lost])
    (result,) = store.results(tournament=tournament)
    assert (result.outcome, result.points, result.hands) == (outcome, -3, 0)
    assert not result.counts_points


def test_results_and_records_come_in_canonical_order_whatever_came_first(
    store: Store, tournament: TournamentId
) -> None:
    jobs = schedule(4, rounds=2, sets=2)
    random.Random(5).shuffle(jobs)
    for job in jobs:
        store.add_sets(tournament, [finished(job.key)])
    results = store.results(tournament=tournament)
    assert results == in_order(results)
    assert len(results) == len(jobs)
    keys = [key for key, _ in store.records(tournament)]
    assert [f"set {key} of tournament 1" for key in keys] == [one.label for one in results]
    assert all(data == record(key) for key, data in store.records(tournament))


def test_a_ladder_has_the_results_of_all_tournaments_of_its_variant(store: Store) -> None:
    versions = registered(store, 2)
    renamed = replace(CLASSIC, name="the-same-rules")
    variants = {"a": CLASSIC, "b": TOKEN, "c": renamed}
    for name, variant in variants.items():
        made = store.create_tournament(spec(versions, name, variant))
        store.add_sets(made, [finished("r1:1-2:1")])
    on = {name: store.results(ladder=variant_hash(variant)) for name, variant in variants.items()}
    assert [one.tournament for one in on["a"]] == [1, 3]
    assert [one.tournament for one in on["b"]] == [2]
    assert on["c"] == on["a"]
    assert store.results(ladder="0" * 64) == ()


def test_keys_and_count_are_those_of_one_tournament(store: Store) -> None:
    versions = registered(store, 2)
    one, other = (store.create_tournament(spec(versions, name)) for name in "ab")
    store.add_sets(one, [finished("r1:1-2:1"), finished("r1:2-1:2")])
    assert store.finished_keys(one) == {"r1:1-2:1", "r1:2-1:2"}
    assert (store.finished_count(one), store.finished_count(other)) == (2, 0)
    assert store.finished_keys(other) == set()
    assert list(store.records(other)) == []


def test_a_tournament_is_resumed_by_set_difference(store: Store, tournament: TournamentId) -> None:
    jobs = schedule(4, sets=2)
    store.add_sets(tournament, [finished(job.key) for job in jobs[3:9:2]])
    left = list(remaining(jobs, store.finished_keys(tournament)))
    assert left == [job for job in jobs if job not in jobs[3:9:2]]


def test_the_same_set_again_is_already_there(store: Store, tournament: TournamentId) -> None:
    both = [finished("r1:1-2:1"), finished("r1:3-4:1")]
    assert store.add_sets(tournament, both[:1]) == (NEW,)
    assert store.add_sets(tournament, both) == (ALREADY, NEW)
    assert store.add_sets(tournament, both) == (ALREADY, ALREADY)
    assert store.finished_count(tournament) == 2


def test_a_set_twice_in_one_commit_counts_once(store: Store, tournament: TournamentId) -> None:
    assert store.add_sets(tournament, [finished("r1:1-2:1")] * 2) == (NEW, ALREADY)
    assert store.finished_count(tournament) == 1


def test_a_replay_that_differs_in_its_times_only_is_already_there(
    store: Store, tournament: TournamentId
) -> None:
    store.add_sets(tournament, [finished("r1:1-2:1", time_us=5)])
    assert store.add_sets(tournament, [finished("r1:1-2:1", time_us=6)]) == (ALREADY,)
    assert store.record(tournament, JobKey("r1:1-2:1")) == record("r1:1-2:1", time_us=5)


def test_other_content_is_refused_and_kept_as_evidence(
    store: Store, tournament: TournamentId
) -> None:
    store.add_sets(tournament, [finished("r1:1-2:1", points=7)])
    for _ in range(2):  # a sender may try again: the evidence is kept once
        with pytest.raises(SetConflict, match="set r1:1-2:1 of tournament 1 is stored with anoth"):
            store.add_sets(tournament, [finished("r1:1-2:1", points=0, moves="play 9C")])
    assert [one.points for one in store.results(tournament=tournament)] == [7]
    assert store.record(tournament, JobKey("r1:1-2:1")) == record("r1:1-2:1")
    kept = shell(store.path, "SELECT tournament_id, job_key FROM refused_sets")
    assert kept == [(1, "r1:1-2:1")]


def test_a_conflict_within_one_commit_stores_neither(
    store: Store, tournament: TournamentId
) -> None:
    sets = [finished("r1:1-2:1"), finished("r1:1-2:1", moves="play 9C"), finished("r1:3-4:1")]
    with pytest.raises(SetConflict):
        store.add_sets(tournament, sets)
    assert store.finished_keys(tournament) == set()


def test_evidence_that_cannot_be_kept_does_not_hide_the_conflict(
    store: Store, tournament: TournamentId, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise Unusable("the disk is full")

    monkeypatch.setattr("arena.store.sets.keep_evidence", full)
    store.add_sets(tournament, [finished("r1:1-2:1")])
    with pytest.raises(SetConflict) as caught:
        store.add_sets(tournament, [finished("r1:1-2:1", moves="play 9C")])
    assert caught.value.__notes__ == ["it could not be kept: the disk is full"]


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("r1:1-5:1", "tournament 'cup' has no entry 5"),
        ("r1:9-7:1", "tournament 'cup' has no entry 7"),
    ],
)
def test_a_set_of_an_unknown_entry_is_refused_with_its_whole_commit(
    store: Store, tournament: TournamentId, key: str, sentence: str
) -> None:
    with pytest.raises(Unknown, match=sentence):
        store.add_sets(tournament, [finished("r1:1-2:1"), finished(key)])
    assert store.finished_keys(tournament) == set()


def test_a_set_of_an_unknown_tournament_is_refused(store: Store) -> None:
    with pytest.raises(Unknown, match="there is no tournament 7"):
        store.add_sets(TournamentId(7), [finished("r1:1-2:1")])


@pytest.mark.parametrize(
    "way",
    [
        pytest.param((TournamentState.CANCELLED,), id="cancelled"),
        pytest.param((TournamentState.RUNNING, TournamentState.FINISHED), id="finished"),
    ],
)
def test_a_tournament_that_is_over_takes_nothing_new(
    store: Store, tournament: TournamentId, way: tuple[TournamentState, ...]
) -> None:
    store.add_sets(tournament, [finished("r1:1-2:1")])
    for state in way:
        store.set_state(tournament, state)
    with pytest.raises(Rejected, match=f"'cup' is {way[-1].value} and takes no further sets"):
        store.add_sets(tournament, [finished("r1:3-4:1")])
    assert store.add_sets(tournament, [finished("r1:1-2:1")]) == (ALREADY,)
    assert store.finished_keys(tournament) == {"r1:1-2:1"}


def test_no_sets_are_added_as_easily_as_some(store: Store, tournament: TournamentId) -> None:
    assert store.add_sets(tournament, []) == ()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the record of set r1:1-2:1 of tournament 1 is not JSON"),
        (b'{"moves": [', "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[1, 2]", "is not a JSON object"),
    ],
)
def test_a_record_that_is_no_json_object_is_refused(
    store: Store, tournament: TournamentId, data: bytes, sentence: str
) -> None:
    with pytest.raises(Rejected, match=sentence):
        store.add_sets(tournament, [replace(finished("r1:1-2:1"), record=data)])
    assert store.finished_count(tournament) == 0


def test_points_without_a_hand_are_no_set() -> None:
    with pytest.raises(ValueError, match="set r1:1-2:1 has 0 hands, at least 1 needed"):
        replace(finished("r1:1-2:1"), hands=0)
    with pytest.raises(ValueError, match="set r1:1-2:1 has -1 hands, at least 0 needed"):
        replace(finished("r1:1-2:1"), hands=-1, counts_points=False)


def test_a_record_that_is_not_there(store: Store, tournament: TournamentId) -> None:
    with pytest.raises(Unknown, match="there is no set r1:1-2:1 of tournament 1"):
        store.record(tournament, JobKey("r1:1-2:1"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("record = x'00'", "the stored record of set r1:1-2:1 of tournament 1 is damaged: Error"),
        ("record_hash = content_hash", "is damaged: its SHA-256 is another"),
    ],
)
def test_a_damaged_record_is_told_and_harms_no_other(
    store: Store, tournament: TournamentId, change: str, sentence: str
) -> None:
    store.add_sets(tournament, [finished("r1:1-2:1"), finished("r1:3-4:1")])
    shell(store.path, f"UPDATE sets SET {change} WHERE sequence = 1")
    with pytest.raises(Unusable, match=sentence):
        store.record(tournament, JobKey("r1:1-2:1"))
    assert store.record(tournament, JobKey("r1:3-4:1")) == record("r1:3-4:1")
    assert len(store.results(tournament=tournament)) == 2


def limited(store: Store, pragma: str) -> None:
    """Let the store's connections begin anew, with a pragma after those of its own."""
    store.close()
    sa.event.listen(
        store._engine, "connect", lambda connection, _: connection.execute(f"PRAGMA {pragma}")
    )


def test_a_full_disk_is_one_sentence_and_loses_nothing(
    store: Store, tournament: TournamentId
) -> None:
    store.add_sets(tournament, [finished("r1:1-2:1")])
    limited(store, "max_page_count = 1")  # SQLite takes the present size for it
    big = replace(
        finished("r1:3-4:1"),
        record=b'{"x": "%s"}' % random.Random(1).randbytes(200_000).hex().encode(),
    )
    with pytest.raises(Unusable, match="is on a disk that is full: make room and start again"):
        store.add_sets(tournament, [finished("r2:1-2:1"), big])
    assert store.finished_keys(tournament) == {"r1:1-2:1"}


def test_a_busy_database_is_one_sentence(store: Store, tournament: TournamentId) -> None:
    limited(store, "busy_timeout = 0")
    with Store.open(store.path) as other, other._writing() as session:
        session.connection()
        with pytest.raises(Unusable, match="is busy: another process has been writing for 5 sec"):
            store.add_sets(tournament, [finished("r1:1-2:1")])
        assert store.finished_count(tournament) == 0, "a writer must not keep readers out"
    assert store.add_sets(tournament, [finished("r1:1-2:1")]) == (NEW,)


def test_an_error_in_the_middle_of_a_transaction_undoes_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise StoreError("stop")

    monkeypatch.setattr("arena.store.bots.version_of", fails)
    with pytest.raises(StoreError, match="stop"):
        registered(store, 1)
    assert shell(store.path, "SELECT count(*) FROM bots") == [(0,)]


def test_what_can_only_be_our_bug_is_not_put_into_words(store: Store) -> None:
    shell(store.path, "DROP TABLE refused_sets")
    shell(store.path, "DROP TABLE sets")
    with pytest.raises(sa.exc.OperationalError, match="no such table"):
        store.results(ladder="0" * 64)


def test_the_journal_survives_closing(path: Path) -> None:
    with Store.open(path) as store:
        made = store.create_tournament(spec(registered(store, 2)))
        store.add_sets(made, [finished("r1:1-2:1")])
        before = store.results(tournament=made)
    with Store.open(path) as again:
        assert again.results(tournament=made) == before
        assert again.record(made, JobKey("r1:1-2:1")) == record("r1:1-2:1")
