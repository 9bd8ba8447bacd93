"""Access tokens, the tokens of bots, and the audit log that is written with every change."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.ids import TournamentId, VersionId
from arena.store import (
    Action,
    AuditEntry,
    Conflict,
    NewSubmission,
    NewVersion,
    Rejected,
    Request,
    Role,
    Store,
    TournamentState,
    Unknown,
    Version,
    VersionKind,
    VersionState,
)
from tests.store.databases import shell
from tests.store.examples import a_hash, new_version, registered, spec

OLGA, BOB, OTHER = a_hash(70), a_hash(71), a_hash(72)
ME = "local:me"


def remote(name: str = "bob", token_hash: str = BOB, label: str = "1") -> NewVersion:
    """A bot that dials in."""
    plain = new_version(name, label=label)
    return replace(
        plain, kind=VersionKind.REMOTE, token_hash=token_hash, command=(), directory=None
    )


@pytest.fixture
def bob(store: Store) -> Version:
    return store.register_version(remote())


def told(store: Store) -> list[tuple[str, str, str, str]]:
    """The audit log without numbers and times."""
    return [(one.who, one.action, one.subject, one.outcome) for one in store.audit_log()]


# Access tokens.


def test_a_token_is_made_listed_and_revoked(store: Store) -> None:
    store.make_token("olga", Role.ONLOOKER, OLGA)
    (made,) = store.access_tokens()
    assert (made.name, made.role, made.token_hash) == ("olga", Role.ONLOOKER, OLGA)
    assert made.revoked_us is None
    assert OLGA not in repr(made)
    assert store.revoke_token("olga")
    (revoked,) = store.access_tokens()
    assert revoked.revoked_us is not None
    assert revoked.revoked_us > made.created_us


def test_a_token_that_was_revoked_stays_so_since_then(store: Store) -> None:
    store.make_token("olga", Role.ONLOOKER, OLGA)
    store.revoke_token("olga")
    before = store.access_tokens()
    assert not store.revoke_token("olga")
    assert store.access_tokens() == before


@pytest.mark.parametrize(
    "name",
    ["organiser", "", "Olga", "a b", "-a", "local:root", "x" * 33, "ol\nga", "\u202eolga", "olgä"],
)
def test_a_name_that_could_be_mistaken_is_refused(store: Store, name: str) -> None:
    with pytest.raises(Rejected):
        store.make_token(name, Role.ORGANISER, OLGA)
    assert store.access_tokens() == ()


def test_a_token_that_is_not_there_cannot_be_revoked(store: Store) -> None:
    with pytest.raises(Unknown, match="there is no token 'olga'"):
        store.revoke_token("olga")


@pytest.mark.parametrize("revoked", [False, True], ids=["in use", "revoked"])
def test_a_name_is_given_once(store: Store, *, revoked: bool) -> None:
    store.make_token("olga", Role.ONLOOKER, OLGA)
    if revoked:
        store.revoke_token("olga")
    with pytest.raises(Conflict, match="there is or was a token 'olga' already"):
        store.make_token("olga", Role.ORGANISER, OTHER)


def as_a_persons(store: Store, token_hash: str) -> None:
    store.make_token("zoe", Role.ORGANISER, token_hash)


def as_a_new_bots(store: Store, token_hash: str) -> None:
    store.register_version(remote("carl", token_hash))


def as_another_of_a_bot(store: Store, token_hash: str) -> None:
    version = store.register_version(remote("dora", OTHER))
    store.set_bot_token(version.id, token_hash)


@pytest.mark.parametrize("use", [as_a_persons, as_a_new_bots, as_another_of_a_bot])
@pytest.mark.parametrize("taken", [OLGA, BOB], ids=["a person's", "a bot's"])
@pytest.mark.usefixtures("bob")
def test_nobody_gets_the_token_of_another(
    store: Store, use: Callable[[Store, str], None], taken: str
) -> None:
    store.make_token("olga", Role.ONLOOKER, OLGA)
    with pytest.raises(Conflict, match="this token belongs to"):
        use(store, taken)


# Tokens of bots.


def test_a_bots_token_is_replaced_and_revoked(store: Store, bob: Version) -> None:
    assert store.set_bot_token(bob.id, OTHER).token_hash == OTHER
    assert store.version(bob.id).token_hash == OTHER
    assert store.set_bot_token(bob.id, None).token_hash is None
    assert store.set_bot_token(bob.id, None) == store.version(bob.id)


def test_a_repeat_of_a_request_does_not_bring_a_revoked_token_back(
    store: Store, bob: Version
) -> None:
    request = Request("IssueBotToken", "a", a_hash(1))
    store.set_bot_token(bob.id, OTHER, request)
    store.set_bot_token(bob.id, None)
    assert store.set_bot_token(bob.id, OTHER, request).token_hash is None


def test_a_bot_that_the_arena_starts_has_no_token(store: Store) -> None:
    (version,) = registered(store, 1)
    with pytest.raises(Rejected, match="is started by the arena"):
        store.set_bot_token(version, None)


def test_a_version_that_is_not_there_has_no_token(store: Store) -> None:
    with pytest.raises(Unknown, match="there is no version 9"):
        store.set_bot_token(VersionId(9), None)


# The audit log.


def test_what_nobody_is_named_for_is_not_written(store: Store, tournament: TournamentId) -> None:
    store.cancel_tournament(tournament)
    store.make_token("olga", Role.ONLOOKER, OLGA)
    assert store.audit_log() == ()
    assert store.newest_deed() == 0


def test_every_deed_is_written_with_who_did_it_and_on_what(store: Store) -> None:
    version = store.register_version(remote(), by="olga")
    store.set_bot_token(version.id, OTHER, by="olga")
    store.set_bot_token(version.id, None, by=ME)
    made = store.create_tournament(spec(registered(store, 2)), by="olga")
    store.cancel_tournament(made, by="organiser")
    store.make_token("zoe", Role.ORGANISER, OLGA, by=ME)
    store.revoke_token("zoe", by=ME)
    sent = NewSubmission(name="sue", owner="ann", content_hash=a_hash(5))
    begun = store.begin_submission(sent)
    _, submitted = store.finish_submission(
        begun.id, replace(new_version("sue", 5), owner="ann", kind=VersionKind.SUBMITTED)
    )
    store.set_version_state(submitted.id, VersionState.PAUSED)
    store.set_version_state(submitted.id, VersionState.ACTIVE, by="ann")
    store.set_version_state(submitted.id, VersionState.RETIRED, by=ME)
    assert told(store) == [
        ("olga", "register bot", "bot bob version 1", "done"),
        ("olga", "new bot token", "bot bob version 1", "done"),
        (ME, "revoke bot token", "bot bob version 1", "done"),
        ("olga", "create tournament", "tournament cup", "done"),
        ("organiser", "cancel tournament", "tournament cup", "done"),
        (ME, "new token", "organiser zoe", "done"),
        (ME, "revoke token", "zoe", "done"),
        ("ann", "submit bot", "bot sue", "done"),
        ("ann", "resume bot", "bot sue version 1", "done"),
        (ME, "retire bot", "bot sue version 1", "done"),
    ]
    assert {one.action for one in store.audit_log()} == {action.value for action in Action}
    assert store.newest_deed() == store.audit_log()[-1].sequence


def test_what_changed_nothing_is_written_as_that(store: Store) -> None:
    request = Request("CreateTournament", "a", a_hash(1))
    entries = registered(store, 2)
    made = [store.create_tournament(spec(entries), request, by=ME) for _ in range(2)]
    for _ in range(2):
        version = store.register_version(remote(), by=ME)
    for _ in range(2):
        store.set_bot_token(version.id, None, by=ME)
    for _ in range(2):
        store.cancel_tournament(made[0], by=ME)
    assert [outcome for *_, outcome in told(store)] == ["done", "unchanged"] * 4


def test_what_was_refused_is_written_with_the_reason(store: Store) -> None:
    store.make_token("olga", Role.ONLOOKER, OLGA)
    with pytest.raises(Conflict):
        store.make_token("olga", Role.ORGANISER, OTHER, by=ME)
    with pytest.raises(Unknown):
        store.cancel_tournament(TournamentId(9), by=ME)
    assert told(store) == [
        (
            *(ME, "new token", "organiser olga"),
            "refused: there is or was a token 'olga' already: choose another name",
        ),
        (ME, "cancel tournament", "tournament 9", "refused: there is no tournament 9"),
    ]


def test_a_finished_tournament_cannot_be_cancelled(store: Store, tournament: TournamentId) -> None:
    store.set_state(tournament, TournamentState.RUNNING)
    store.set_state(tournament, TournamentState.FINISHED)
    with pytest.raises(Rejected, match="is finished"):
        store.cancel_tournament(tournament, by=ME)
    assert store.tournament(tournament).state is TournamentState.FINISHED


def test_deed_and_entry_are_one_transaction(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the power is gone")

    monkeypatch.setattr("arena.store.audit.append", fails)
    with pytest.raises(RuntimeError, match="the power is gone"):
        store.make_token("olga", Role.ONLOOKER, OLGA, by=ME)
    assert store.access_tokens() == ()


@pytest.mark.parametrize("statement", ["DELETE FROM audit", "UPDATE audit SET who = 'nobody'"])
def test_the_log_is_only_added_to(store: Store, path: Path, statement: str) -> None:
    store.make_token("olga", Role.ONLOOKER, OLGA, by=ME)
    before = store.audit_log()
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        shell(path, statement)
    assert store.audit_log() == before


def test_no_hash_of_a_token_is_in_the_log(store: Store, path: Path) -> None:
    version = store.register_version(remote(), by=ME)
    store.set_bot_token(version.id, OTHER, by=ME)
    store.make_token("olga", Role.ONLOOKER, OLGA, by=ME)
    with pytest.raises(Conflict):
        store.make_token("zoe", Role.ONLOOKER, OLGA, by=ME)
    rows = shell(path, "SELECT * FROM audit")
    assert len(rows) == 4
    assert [text for text in (OLGA, BOB, OTHER) if text in str(rows)] == []


def test_the_newest_entries_come_oldest_first(store: Store) -> None:
    for number in range(5):
        store.make_token(f"t{number}", Role.ONLOOKER, a_hash(100 + number), by=ME)

    def names(entries: tuple[AuditEntry, ...]) -> list[str]:
        return [entry.subject.split()[1] for entry in entries]

    assert names(store.audit_log(most=2)) == ["t3", "t4"]
    assert names(store.audit_log(after=store.audit_log()[2].sequence)) == ["t3", "t4"]
    assert len(store.audit_log()) == 5
