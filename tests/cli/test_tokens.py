"""``arena token``, ``arena audit``, and the tokens of bots, in a data folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.cli.actor import local_user
from arena.server.admission import token_hash
from arena.store import Store
from tests.cli.commands import Done, InProcess, assert_refused

SHOWN = re.compile(r"token ([0-9a-f]{64})\n")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def shown(done: Done) -> str:
    """The token that a command printed."""
    assert done.code == 0, done
    found = SHOWN.search(done.out)
    assert found is not None, done
    return found[1]


def audit(arena: InProcess, data: Path, *options: str) -> list[dict[str, Any]]:
    """The audit log as a program reads it."""
    done = arena("audit", "--data", data, "--json", *options)
    document = json.loads(done.out)
    assert document["schema"] == "arena.audit/1"
    entries: list[dict[str, Any]] = document["entries"]
    return entries


# People.


def test_a_token_is_made_listed_and_revoked(arena: InProcess, data: Path) -> None:
    made = arena("token", "new", "olga", "--role", "onlooker", "--data", data)
    token = shown(made)
    assert made.out.startswith("olga onlooker\n")
    assert "shown this once" in made.err
    with Store.open(data / "arena.db") as store:
        assert [one.token_hash for one in store.access_tokens()] == [token_hash(token)]
    listed = arena("token", "list", "--data", data)
    assert re.search(r"^olga +onlooker +\S+ +-$", listed.out, re.MULTILINE)
    for words in ("olga is revoked\n", "olga was revoked already\n"):
        assert arena("token", "revoke", "olga", "--data", data).out == words
    (one,) = json.loads(arena("token", "list", "--data", data, "--json").out)["tokens"]
    assert (one["name"], one["role"]) == ("olga", "onlooker")
    assert one["revoked"] >= one["created"]
    assert token not in arena("audit", "--data", data).out


def test_a_token_as_json(arena: InProcess, data: Path) -> None:
    done = arena("token", "new", "zoe", "--role", "organiser", "--data", data, "--json")
    document = json.loads(done.out)
    assert re.fullmatch("[0-9a-f]{64}", document["token"])
    assert document["access"]["role"] == "organiser"
    assert document["access"]["revoked"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["new", "olga"], 2, "missing option '--role'"),
        (["new", "olga", "--role", "king"], 2, "there is no role 'king'"),
        (["new", "Olga", "--role", "onlooker"], 1, "'Olga' is no name of a token"),
        (["new", "organiser", "--role", "onlooker"], 1, "choose another name"),
        (["new", "local", "--role", "author"], 1, "'local' is whose the bots of commands are"),
        (["new", "ada", "--role", "onlooker"], 1, "there is or was a token 'ada' already"),
        (["revoke", "nobody"], 1, "there is no token 'nobody'"),
        (["revoke", "organiser"], 2, "is the file organiser.token in the data folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_is_told(
    arena: InProcess, data: Path, arguments: list[str], code: int, words: str
) -> None:
    arena("token", "new", "ada", "--role", "onlooker", "--data", data)
    assert_refused(arena("token", *arguments, "--data", data), code, words)


def test_no_folder_is_made_by_looking(arena: InProcess, data: Path) -> None:
    for command in (
        ("token", "list"),
        ("token", "revoke", "x"),
        ("audit",),
        ("bot", "revoke", "x"),
    ):
        assert_refused(arena(*command, "--data", data), 2, "there is no arena data")
    assert not data.exists()


# Bots.


def test_a_bots_token_is_revoked_and_replaced(arena: InProcess, data: Path) -> None:
    first = shown(arena("bot", "register", "guest", "--remote", "--data", data))
    for _ in range(2):
        done = arena("bot", "revoke", "guest", "--data", data)
        assert (done.code, done.out) == (0, "guest 1 has no token any more\n")
    assert kept(data) == [None]
    assert "revoked" in arena("bot", "list", "--data", data).out
    second = shown(arena("bot", "new-token", "guest", "--data", data))
    assert kept(data) == [token_hash(second)]
    assert first != second
    document = json.loads(arena("bot", "revoke", "guest", "--data", data, "--json").out)
    assert document["bot"]["revoked"] is True
    document = json.loads(arena("bot", "new-token", "guest", "--data", data, "--json").out)
    assert document["bot"]["revoked"] is False
    assert kept(data) == [token_hash(document["token"])]


def kept(data: Path) -> list[str | None]:
    """The hashes of all bots' tokens."""
    with Store.open(data / "arena.db") as store:
        return [version.token_hash for version in store.versions()]


def test_of_several_versions_one_is_named(arena: InProcess, data: Path) -> None:
    for label in ("1", "2"):
        arena("bot", "register", "guest", "--remote", "--label", label, "--data", data)
    done = arena("bot", "revoke", "guest", "--data", data)
    assert_refused(done, 2, "bot 'guest' has several versions")
    assert "--label, one of: 1, 2" in done.err
    done = arena("bot", "new-token", "guest", "--label", "3", "--data", data)
    assert_refused(done, 2, "bot 'guest' has no version '3' that dials in")
    assert arena("bot", "revoke", "guest", "--label", "2", "--data", data).code == 0
    assert [token is None for token in kept(data)] == [False, True]


@pytest.mark.parametrize("name", ["nobody", "hosted"])
def test_only_bots_that_dial_in_have_tokens(arena: InProcess, data: Path, name: str) -> None:
    arena("bot", "register", "hosted", "--command", "random", "--data", data)
    for command in ("revoke", "new-token"):
        done = arena("bot", command, name, "--data", data)
        assert_refused(done, 2, f"there is no bot {name!r} that dials in")


# The log.


def test_what_commands_here_do_is_in_the_log_with_the_user(
    arena: InProcess, data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('name = "cup"\nbots = ["random", "first_legal"]\nsets = 1\n')
    arena("bot", "register", "guest", "--remote", "--data", data)
    arena("bot", "register", "mine", "--command", "random", "--data", data)
    arena("tournament", "create", file, "--data", data)
    arena("tournament", "cancel", "cup", "--data", data)
    arena("bot", "revoke", "guest", "--data", data)
    arena("token", "revoke", "nobody", "--data", data)
    entries = audit(arena, data)
    assert [(one["action"], one["subject"]) for one in entries] == [
        ("register bot", "bot guest version 1"),
        ("register bot", "bot mine version 1"),
        ("create tournament", "tournament cup"),
        ("cancel tournament", "tournament cup"),
        ("revoke bot token", "bot guest version 1"),
        ("revoke token", "'nobody'"),
    ]
    assert {one["who"] for one in entries} == {local_user()}
    assert local_user().startswith("local:")
    assert [one["number"] for one in entries] == [1, 2, 3, 4, 5, 6]
    assert entries[-1]["outcome"] == "refused: there is no token 'nobody'"
    assert [one["number"] for one in audit(arena, data, "--last", "2")] == [5, 6]
    text = arena("audit", "--data", data).out
    assert "create tournament" in text
    assert "tournament cup" in text


def test_a_log_of_nothing_is_empty(arena: InProcess, data: Path) -> None:
    with_store = arena("token", "revoke", "nobody", "--data", data)
    assert with_store.code == 2
    Store.open(make(data)).close()
    assert audit(arena, data) == []


def make(data: Path) -> Path:
    data.mkdir()
    return data / "arena.db"


def test_it_is_said_when_a_token_of_the_data_folder_works(arena: InProcess, tmp_path: Path) -> None:
    for command in (("register", "guest", "--remote"), ("new-token", "guest")):
        told = arena("bot", *command, "--data", tmp_path).err.splitlines()
        assert told[-1].startswith("an arena that serves this folder knows it after two seconds")


def test_an_empty_label_is_refused(arena: InProcess, tmp_path: Path) -> None:
    done = arena("bot", "register", "guest", "--remote", "--label", "", "--data", tmp_path / "d")
    assert_refused(done, 2, "--label is empty")
    assert not (tmp_path / "d").exists()
