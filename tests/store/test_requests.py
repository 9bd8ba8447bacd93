"""A repeated request gets the first answer, and nothing is there twice (design 4, traps 14)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena.rules import DOUBLE
from arena.store import Conflict, Rejected, Request, Store, TournamentState, VersionKind
from tests.store.examples import a_hash, finished, new_version, registered, spec, tournament


def request(content: int = 1, id: str = "a") -> Request:
    return Request("CreateTournament", id, a_hash(content))


def test_a_repeat_gives_the_first_tournament_though_its_name_is_taken(store: Store) -> None:
    entries = registered(store, 2)
    first = store.create_tournament(spec(entries), request())
    again = store.create_tournament(replace(spec(entries), seed=bytes(32)), request())
    assert again == first
    assert [one.id for one in store.tournaments()] == [first]


def test_a_repeat_gives_the_first_version(store: Store) -> None:
    first = store.register_version(new_version("ann", 1), request())
    assert store.register_version(new_version("ann", 2), request()) == first
    assert store.versions() == (first,)


def test_the_same_id_with_another_content_is_refused(store: Store) -> None:
    entries = registered(store, 2)
    store.create_tournament(spec(entries), request(1))
    with pytest.raises(Conflict, match="request 'a' was met before with another content"):
        store.create_tournament(spec(entries, "other", DOUBLE), request(2))
    assert len(store.tournaments()) == 1


def test_the_same_id_of_another_method_is_another_request(store: Store) -> None:
    version = store.register_version(new_version(), Request("RegisterBot", "a", a_hash(1)))
    made = store.create_tournament(spec(registered(store, 2)), request())
    assert (store.version(version.id), store.tournament(made).id) == (version, made)


def test_a_request_that_failed_is_not_remembered(store: Store) -> None:
    tournament(store, name="cup")
    entries = registered(store, 2)
    with pytest.raises(Conflict, match="there is a tournament 'cup' already"):
        store.create_tournament(spec(entries, "cup"), request())
    made = store.create_tournament(spec(entries, "free"), request())
    assert store.tournament(made).name == "free"


def test_ten_equal_requests_at_once_make_one_tournament(path: Path) -> None:
    with Store.open(path) as store:
        entries = registered(store, 2)
        with ThreadPoolExecutor(10) as threads:
            made = list(
                threads.map(lambda _: store.create_tournament(spec(entries), request()), range(10))
            )
        assert len(set(made)) == len(store.tournaments()) == 1


@pytest.mark.parametrize("id", ["", "x" * 65, "line\nfeed"])
def test_an_id_that_is_none_is_refused(id: str) -> None:
    with pytest.raises(Rejected, match="request id"):
        request(id=id)


def test_one_token_is_of_one_version(store: Store) -> None:
    bot = replace(new_version("ann", 1), kind=VersionKind.REMOTE, token_hash=a_hash(9))
    first = store.register_version(bot)
    assert store.register_version(bot) == first
    with pytest.raises(Conflict, match="this token belongs to another version"):
        store.register_version(replace(bot, name="bob"))
    with pytest.raises(Conflict, match="this token belongs to another version"):
        store.register_version(replace(bot, identity=a_hash(2)))


def test_the_revision_rises_with_every_set_and_only_then(store: Store) -> None:
    assert store.revision() == 0
    made = tournament(store)
    assert store.revision() == 0
    store.add_sets(made, [finished("r1:1-2:1")])
    first = store.revision()
    store.add_sets(made, [finished("r1:1-2:1")])
    assert store.revision() == first
    store.add_sets(made, [finished("r1:1-3:1")])
    assert store.revision() > first


def test_states_and_the_newest_version_are_told_without_the_rest(store: Store) -> None:
    assert (store.states(), store.newest_version()) == ((), None)
    first, second = tournament(store, name="one"), tournament(store, name="two")
    assert store.newest_version() == store.versions()[-1].id
    store.set_state(second, TournamentState.CANCELLED)
    assert store.states() == (
        (first, TournamentState.CREATED),
        (second, TournamentState.CANCELLED),
    )
