"""Tournaments: stored whole, resumed by their settings, seed secret until they are over (S1)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.ids import TournamentId, VersionId
from arena.rules import CLASSIC, DOUBLE, TOKEN, DealError, Variant, commitment, variant_hash
from arena.store import (
    Conflict,
    PlayFormat,
    Rejected,
    ScheduleKind,
    Store,
    TournamentState,
    Unknown,
)
from tests.store.examples import SEED, new_version, registered, spec

CREATED, RUNNING, SUSPENDED, FINISHED, CANCELLED = TournamentState


def test_a_tournament_comes_back_as_it_was_created(store: Store) -> None:
    versions = registered(store, 3)
    made = store.tournament(store.create_tournament(spec(versions, "cup", TOKEN)))
    assert (made.id, made.name, made.state) == (1, "cup", CREATED)
    assert (made.variant, made.variant_hash) == (TOKEN, variant_hash(TOKEN))
    assert (made.schedule, made.format) == (ScheduleKind.ROUND_ROBIN, PlayFormat.GAMES)
    assert made.settings == spec(versions).settings
    assert [(entry.number, entry.version) for entry in made.entries] == [
        (number, store.version(version)) for number, version in enumerate(versions, start=1)
    ]
    assert store.tournament_named("cup") == made


@pytest.mark.parametrize("variant", [CLASSIC, TOKEN, DOUBLE], ids=lambda variant: variant.name)
def test_the_variant_is_kept_as_data(store: Store, variant: Variant) -> None:
    house = replace(variant, name="my-house", first_dealer=3)
    made = store.create_tournament(spec(registered(store, 2), variant=house))
    assert store.tournament(made).variant == house


def test_numbers_rise_with_creation(store: Store) -> None:
    versions = registered(store, 2)
    for name in ("b", "a", "c"):
        store.create_tournament(spec(versions, name))
    assert [(one.id, one.name) for one in store.tournaments()] == [(1, "b"), (2, "a"), (3, "c")]


def test_entries_belong_to_their_tournament(store: Store) -> None:
    one, two, three = registered(store, 3)
    store.create_tournament(spec((two, one), "first"))
    store.create_tournament(spec((one, three, two), "second"))
    listed = [[entry.version.id for entry in made.entries] for made in store.tournaments()]
    assert listed == [[two, one], [one, three, two]]


def test_two_versions_of_one_bot_may_meet(store: Store) -> None:
    versions = tuple(store.register_version(new_version("ann", n)).id for n in (1, 2))
    made = store.tournament(store.create_tournament(spec(versions)))
    assert [entry.version.label for entry in made.entries] == ["1", "2"]


def test_the_commitment_is_public_and_the_seed_is_not(store: Store) -> None:
    wanted = spec(registered(store, 2))
    made = store.create_tournament(wanted)
    assert store.tournament(made).commitment == commitment(SEED)
    assert store.tournament(made).revealed_seed is None
    assert store.seed(made) == SEED
    assert SEED.hex() not in repr(wanted)
    assert repr(SEED) not in repr(wanted) + repr(store.tournament(made))


@pytest.mark.parametrize(
    ("way", "revealed"),
    [
        ((RUNNING,), None),
        ((RUNNING, SUSPENDED), None),
        ((RUNNING, FINISHED), SEED),
        ((RUNNING, SUSPENDED, RUNNING, FINISHED), SEED),
        ((RUNNING, SUSPENDED, CANCELLED), SEED),
        ((CANCELLED,), SEED),
    ],
    ids=str,
)
def test_the_seed_is_public_once_the_tournament_is_over(
    store: Store, tournament: TournamentId, way: Sequence[TournamentState], revealed: bytes | None
) -> None:
    for state in way:
        store.set_state(tournament, state)
    stored = store.tournament(tournament)
    assert stored.state is way[-1]
    assert stored.revealed_seed == revealed
    assert (stored.finished_us is None) == (revealed is None)


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ((SUSPENDED,), "'cup' is created and cannot become suspended"),
        ((FINISHED,), "'cup' is created and cannot become finished"),
        ((RUNNING, CREATED), "'cup' is running and cannot become created"),
        ((RUNNING, SUSPENDED, FINISHED), "'cup' is suspended and cannot become finished"),
        ((RUNNING, FINISHED, RUNNING), "'cup' is finished and cannot become running"),
        ((CANCELLED, RUNNING), "'cup' is cancelled and cannot become running"),
    ],
    ids=str,
)
def test_a_state_that_does_not_follow_is_refused(
    store: Store, tournament: TournamentId, way: Sequence[TournamentState], sentence: str
) -> None:
    for state in way[:-1]:
        store.set_state(tournament, state)
    with pytest.raises(Rejected, match=sentence):
        store.set_state(tournament, way[-1])
    assert store.tournament(tournament).state is ([CREATED, *way])[-2]


def test_the_same_state_again_changes_nothing(store: Store, tournament: TournamentId) -> None:
    for state in (RUNNING, FINISHED):
        store.set_state(tournament, state)
    before = store.tournament(tournament)
    store.set_state(tournament, FINISHED)
    assert store.tournament(tournament) == before


def test_a_name_is_taken_once(store: Store, tournament: TournamentId) -> None:
    with pytest.raises(Conflict, match="there is a tournament 'cup' already: resume it or choose"):
        store.create_tournament(spec(registered(store, 2)))
    assert len(store.tournaments()) == 1


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        pytest.param((), "a tournament needs at least 2 bots, not 0", id="no bots"),
        pytest.param((1,), "a tournament needs at least 2 bots, not 1", id="one bot"),
        pytest.param((1, 2, 1), "version '1' of bot 'bot1' is entered twice", id="a bot twice"),
    ],
)
def test_impossible_entries_are_refused(
    store: Store, entries: tuple[int, ...], sentence: str
) -> None:
    registered(store, 2)
    with pytest.raises(Rejected, match=sentence):
        store.create_tournament(spec(tuple(map(VersionId, entries))))
    assert store.tournaments() == ()


def test_an_unknown_version_is_refused_and_leaves_nothing(store: Store) -> None:
    with pytest.raises(Unknown, match="there is no version 9: register the bot first"):
        store.create_tournament(spec((*registered(store, 2), VersionId(9))))
    assert store.tournaments() == ()


def test_a_seed_of_the_wrong_length_is_refused(store: Store) -> None:
    with pytest.raises(DealError, match="31"):
        store.create_tournament(replace(spec(registered(store, 2)), seed=bytes(31)))
    assert store.tournaments() == ()


def test_a_tournament_name_must_print(store: Store) -> None:
    with pytest.raises(Rejected, match=r"'\\x07' is no tournament name"):
        spec(registered(store, 2), name="\a")


def test_a_tournament_that_is_not_there(store: Store) -> None:
    nowhere = TournamentId(7)
    for call in (store.tournament, store.seed, store.finished_keys, store.finished_count):
        with pytest.raises(Unknown, match="there is no tournament 7"):
            call(nowhere)
    with pytest.raises(Unknown, match="there is no tournament 7"):
        store.set_state(nowhere, RUNNING)
    with pytest.raises(Unknown, match="there is no tournament 'league'"):
        store.tournament_named("league")


def test_400_entries_are_stored_in_one_call(store: Store) -> None:
    versions = registered(store, 400)
    made = store.tournament(store.create_tournament(spec(versions)))
    assert [entry.version.id for entry in made.entries] == list(versions)
