"""Bots and versions: registering is idempotent (design 4), and what is refused."""

from dataclasses import replace
from typing import Any

import pytest

from arena.ids import VersionId
from arena.store import Conflict, Rejected, Store, Unknown, VersionKind
from tests.store.examples import a_hash, new_version


def test_a_version_comes_back_as_it_was_registered(store: Store) -> None:
    made = store.register_version(
        replace(new_version("ann"), kind=VersionKind.REMOTE, token_hash=a_hash(9), label="v1")
    )
    assert store.version(made.id) == made
    assert (made.name, made.label, made.kind) == ("ann", "v1", VersionKind.REMOTE)
    assert (made.identity, made.token_hash) == (a_hash(1), a_hash(9))
    assert (made.command, made.directory) == (("python3", "ann.py"), "/bots")
    assert made.bot == store.bots()[0].id


def test_registering_again_gives_the_same_version(store: Store) -> None:
    first = store.register_version(new_version("ann", 1))
    assert store.register_version(new_version("ann", 1)) == first
    assert store.register_version(new_version("ann", 1, label="another")) == first
    assert store.versions() == (first,)


def test_other_content_is_a_new_version_of_the_same_bot(store: Store) -> None:
    first, second = (store.register_version(new_version("ann", number)) for number in (1, 2))
    assert first.bot == second.bot
    assert (first.label, second.label) == ("1", "2")
    assert second.id > first.id


def test_the_same_content_under_two_names_is_two_bots(store: Store) -> None:
    ann, bob = (store.register_version(new_version(name, 1)) for name in ("ann", "bob"))
    assert ann.bot != bob.bot
    assert ann.id != bob.id


def test_a_label_made_for_a_version_is_free(store: Store) -> None:
    store.register_version(new_version("ann", 1, label="2"))
    assert store.register_version(new_version("ann", 2)).label == "3"
    assert store.register_version(new_version("bob", 2)).label == "1"


def test_a_label_stands_for_one_content(store: Store) -> None:
    store.register_version(new_version("ann", 1, label="v1"))
    with pytest.raises(Conflict, match="bot 'ann' has a version 'v1' with other content: choose"):
        store.register_version(new_version("ann", 2, label="v1"))
    assert len(store.versions()) == 1


def test_another_token_for_a_version_is_refused(store: Store) -> None:
    store.register_version(replace(new_version("ann", label="v1"), token_hash=a_hash(1)))
    with pytest.raises(Conflict, match="version 'v1' of bot 'ann' is registered with another tok"):
        store.register_version(replace(new_version("ann", label="v1"), token_hash=a_hash(2)))


def test_a_name_belongs_to_its_first_owner(store: Store) -> None:
    bot = store.register_bot("ann", "zoe")
    assert store.register_bot("ann", "zoe") == bot
    assert store.register_version(new_version("ann")).bot == bot.id
    with pytest.raises(Conflict, match="the bot name 'ann' belongs to somebody else"):
        store.register_bot("ann", "eve")
    with pytest.raises(Conflict, match="the bot name 'ann' belongs to somebody else"):
        store.register_version(replace(new_version("ann", 2), owner="eve"))
    assert store.bots() == (bot,)


def test_a_refused_version_leaves_no_bot_behind(store: Store) -> None:
    store.register_version(new_version("ann", 1, label="v1"))
    with pytest.raises(Conflict):
        store.register_version(new_version("ann", 2, label="v1"))
    assert [bot.name for bot in store.bots()] == ["ann"]


def test_bots_are_listed_by_name_and_versions_by_age(store: Store) -> None:
    for name, identity in (("cyd", 1), ("ann", 1), ("cyd", 2)):
        store.register_version(new_version(name, identity))
    assert [bot.name for bot in store.bots()] == ["ann", "cyd"]
    assert [(one.name, one.label) for one in store.versions()] == [
        *(("cyd", "1"), ("ann", "1"), ("cyd", "2"))
    ]
    assert [one.label for one in store.versions("cyd")] == ["1", "2"]
    assert store.versions("nobody") == ()


def test_a_version_that_is_not_there(store: Store) -> None:
    with pytest.raises(Unknown, match="there is no version 7"):
        store.version(VersionId(7))


@pytest.mark.parametrize(
    "name",
    [
        *("a/b", "..", "50%", 'a"onmouseover="x', "</script><b>", "-rf", "=1+2", "a' OR 1=1 --"),
        *("Zoë", "机器人", "a  b", "x" * 64),
    ],
)
def test_a_name_that_prints_is_carried_as_it_is(store: Store, name: str) -> None:
    assert store.register_bot(name, name).name == name
    assert store.bots()[0].owner == name


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        pytest.param("", "a bot name has 1 to 64 characters, this one has 0", id="empty"),
        pytest.param("x" * 65, "1 to 64 characters, this one has 65", id="long"),
        pytest.param("\x1b[2J", r"'\\x1b\[2J' is no bot name: it must print", id="terminal code"),
        pytest.param("a\rb", r"'a\\rb' is no bot name", id="carriage return"),
        pytest.param("a\u202eb", r"'a\\u202eb' is no bot name", id="right to left"),
        pytest.param(" a", "' a' is no bot name", id="leading space"),
        pytest.param("a ", "'a ' is no bot name", id="trailing space"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(store: Store, name: str, sentence: str) -> None:
    with pytest.raises(Rejected, match=sentence):
        store.register_bot(name, "zoe")
    with pytest.raises(Rejected, match=sentence):
        new_version(name)
    assert store.bots() == ()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("owner", "\n", r"'\\n' is no owner"),
        ("label", "", "a version label has 1 to 64 characters"),
        ("identity", "abc", "identity 'abc' is no hash of 64 hexadecimal digits"),
        ("identity", "A" * 64, "is no hash of 64 hexadecimal digits in lower case"),
        ("token_hash", "0" * 63, "token hash '0+' is no hash"),
    ],
)
def test_a_version_with_a_bad_field_is_refused(field: str, value: str, sentence: str) -> None:
    changes: dict[str, Any] = {field: value}
    with pytest.raises(Rejected, match=sentence):
        replace(new_version(), **changes)


def test_a_token_hash_is_not_printed(store: Store) -> None:
    new = replace(new_version(), token_hash="ab" * 32)
    assert "abab" not in repr(new) + repr(store.register_version(new))
