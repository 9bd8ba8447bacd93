"""Tokens: whose they are, what they allow, and what becomes of them."""

from __future__ import annotations

import hmac

import pytest

from arena.ids import VersionId
from arena.server.admission import Admission, Bearer, Tokens, new_token, token_hash
from arena.store import Role

ANN = Admission(VersionId(1), "ann", "1")
OLGA = Bearer("olga", Role.ONLOOKER)


@pytest.fixture
def tokens() -> Tokens:
    tokens = Tokens()
    tokens.renew(token_hash("ann's"), ANN)
    tokens.set_people([(token_hash("olga's"), OLGA)])
    return tokens


def test_a_token_is_32_random_bytes() -> None:
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert {len(bytes.fromhex(token)) for token in made} == {32}


def test_each_token_is_somebodys(tokens: Tokens) -> None:
    assert tokens.find("ann's") == ANN
    assert tokens.bearer("ann's") == Bearer("ann", None)
    assert tokens.find("olga's") is None
    assert tokens.bearer("olga's") == OLGA
    for unknown in ("", "nobody's", token_hash("ann's"), "ann's\ud800"):
        assert (tokens.find(unknown), tokens.bearer(unknown)) == (None, None)


def test_a_new_token_takes_the_place_of_the_old_one(tokens: Tokens) -> None:
    assert tokens.renew(token_hash("new"), ANN)
    assert (tokens.find("ann's"), tokens.find("new")) == (None, ANN)


def test_a_token_is_revoked_once(tokens: Tokens) -> None:
    assert tokens.renew(None, ANN)
    assert tokens.find("ann's") is None
    assert not tokens.renew(None, ANN)


def test_the_same_token_again_changes_nothing(tokens: Tokens) -> None:
    assert not tokens.renew(token_hash("ann's"), ANN)
    assert tokens.find("ann's") == ANN


def test_only_the_people_that_were_set_last_are_known(tokens: Tokens) -> None:
    tokens.set_people([(token_hash("zoe's"), Bearer("zoe", Role.ORGANISER))])
    assert tokens.bearer("olga's") is None
    assert tokens.bearer("zoe's") == Bearer("zoe", Role.ORGANISER)


def test_what_is_found_is_compared_in_constant_time(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert (tokens.find("ann's"), tokens.bearer("olga's")) == (None, None)
    assert compared == [(token_hash(word), token_hash(word)) for word in ("ann's", "olga's")]


def test_a_look_up_is_by_a_key_that_nobody_has(tokens: Tokens) -> None:
    kept = str(vars(tokens._admissions)["_values"].keys())
    assert token_hash("ann's") not in kept
    assert {len(key) for key in tokens._admissions._values} == {32}
    other = Tokens()
    other.renew(token_hash("ann's"), ANN)
    assert tokens._admissions._values.keys() != other._admissions._values.keys()
