"""Pages of a private arena: a token as HTTP's password, and what is open all the same."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from arena.standings.snapshots import Snapshots
from arena.store import Store
from arena.web.app import Source, make_app, stylesheet_path
from arena.web.headers import POLICY
from arena.web.health import Probe

TOKEN = "olga's token"


async def _knows(token: str) -> bool:
    return token == TOKEN


@pytest.fixture
def browser(store: Store) -> TestClient:
    source = Source(
        store,
        Snapshots(store),
        probe=Probe(lambda: True, lambda: ()),
        note=lambda _: "",
        admits=_knows,
    )
    return TestClient(make_app(source), raise_server_exceptions=False)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "arena.db")


def basic(words: str) -> str:
    """What a browser sends for a name and a password."""
    return f"Basic {base64.b64encode(words.encode()).decode()}"


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (basic(f"olga:{TOKEN}"), 200),
        (basic(f":{TOKEN}"), 200),
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        (None, 401),
        ("", 401),
        (TOKEN, 401),
        (basic(f"{TOKEN}:"), 401),
        (basic("olga:wrong"), 401),
        (basic(TOKEN), 401),
        ("Basic !!!", 401),
        ("Basic /w==", 401),
        ("Digest x", 401),
    ],
)
def test_a_token_opens_the_pages(browser: TestClient, header: str | None, status: int) -> None:
    headers = {} if header is None else {"Authorization": header}
    for path in ("/", stylesheet_path()):
        answer = browser.get(path, headers=headers)
        assert answer.status_code == status
        assert answer.headers["Content-Security-Policy"] == POLICY
    if status == 401:
        assert answer.headers["WWW-Authenticate"].startswith("Basic realm=")
        assert "the password is the token of an onlooker" in answer.text


def test_a_page_that_is_not_there_is_no_secret_way_in(browser: TestClient) -> None:
    assert browser.get("/tournaments/1").status_code == 401
    assert browser.get("/healthz/..").status_code == 401


def test_whether_it_lives_is_told_to_everybody(browser: TestClient) -> None:
    for path in ("/healthz", "/livez", "/readyz"):
        assert browser.get(path).json()["alive"] is True
