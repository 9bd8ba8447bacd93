"""The pages: right figures, hostile names, complete for programs that read them aloud."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.ids import TournamentId
from arena.ratings.results import Outcome
from arena.rules import CLASSIC, TOKEN, Variant, variant_hash
from arena.standings.board import ladder_board
from arena.standings.figures import (
    faults_text,
    points_text,
    rate_text,
    rating_text,
    record_text,
)
from arena.store import Store, TournamentState, Unusable
from arena.web.headers import POLICY
from tests.store.examples import SEED, finished, new_version, spec
from tests.web.conftest import Site
from tests.web.reader import Page

HOSTILE = (
    "</script><b>",
    'a"onmouseover="x',
    "'><img src=x>",
    "a/b",
    "..",
    "50%",
    "a#b?c=d",
    "{{ 7*7 }}",
    "&lt;i&gt;",
    "=1+2",
)


HEADINGS = (
    *("Rank", "Bot", "Rating", "Mu", "Sigma", "Points a deal", "W-D-L", "Win % (95 %)", "Faults"),
)


def cup(
    store: Store, names: tuple[str, ...], *keys: str, title: str = "cup", variant: Variant = CLASSIC
) -> TournamentId:
    """A running tournament in which those sets are finished, each won by its first entry."""
    entries = tuple(store.register_version(new_version(name)).id for name in names)
    settings = {
        "rounds": 1,
        "sets": 2,
        "mirror": True,
        "time": {"bank_ms": 1, "increment_ms": 0, "decision_ms": 1, "startup_ms": 1},
        "max_faults": 3,
        "on_forfeit": "lose",
        "reveal_names": False,
    }
    made = store.create_tournament(replace(spec(entries, title, variant), settings=settings))
    store.set_state(made, TournamentState.RUNNING)
    store.add_sets(made, [finished(key) for key in keys])
    return made


def page(site: Site, path: str, status: int = 200) -> Page:
    response = site.browser.get(path)
    assert response.status_code == status, response.text
    return Page(response.text)


def test_the_figures_are_those_of_every_other_output(site: Site) -> None:
    cup(site.store, ("ann", "bob", "cy"), "r1:1-2:1", "r1:2-1:2", "r1:1-3:1")
    site.store.add_sets(TournamentId(1), [replace(finished("r1:3-2:1", 0), outcome=Outcome.DRAW)])
    heading, *rows = page(site, "/leaderboard/classic").rows()[:4]
    assert heading == list(HEADINGS)
    board = ladder_board(site.store, variant_hash(CLASSIC))
    assert rows == [
        [
            str(one.row.rank),
            f"{one.version.name} 1 provisional",
            rating_text(one.row.rating),
            f"{one.row.skill.mu:.2f}",
            f"{one.row.skill.sigma:.2f}",
            points_text(one.row.points),
            record_text(one.row.record),
            rate_text(one.row.win_rate, one.row.win_interval),
            faults_text(one.row.faults),
        ]
        for one in board.standings
    ]


def test_equal_ratings_share_a_rank_and_the_next_is_skipped(site: Site) -> None:
    cup(site.store, ("ann", "bob", "cy", "di", "eve"), "r1:1-2:1", "r1:3-4:1")
    ranks = [row[:2] for row in page(site, "/leaderboard/classic").rows()[1:6]]
    assert [(rank, name.split()[0]) for rank, name in ranks] == [
        ("1", "ann"),
        ("1", "cy"),
        ("3", "bob"),
        ("3", "di"),
        ("-", "eve"),
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_and_nothing_else(site: Site, name: str) -> None:
    plain = Site(site.store)
    cup(site.store, ("ann", "bob"), "r1:1-2:1", title="plain")
    before = [(e.tag, sorted(e.attributes)) for e in page(plain, "/tournaments/1").elements]
    second = cup(site.store, (name, "bob"), "r1:1-2:1", title=name)
    site.notes[second] = f"waits for {name} to dial in"
    shown = page(site, f"/tournaments/{second}")
    found = [(e.tag, sorted(e.attributes)) for e in shown.elements]
    note = [("bdi", list[str]())]
    at = found.index(("dd", [])) + 1
    assert found[at : at + 1] == note
    assert [*found[:at], *found[at + 1 :]] == before
    assert shown.all("h1")[0].text == name
    for path in ("/", "/leaderboard/classic"):
        texts = [element.text for element in page(site, path).all("bdi")]
        assert name in texts


def test_every_link_on_every_page_opens(site: Site) -> None:
    for number, name in enumerate(HOSTILE):
        cup(site.store, ("ann", name), title=name, variant=TOKEN if number % 2 else CLASSIC)
    cup(site.store, ("ann", "bob"), title="h", variant=replace(CLASSIC, name="house", target=12))
    seen: set[str] = set()
    new = {"/"}
    while new:
        path = new.pop()
        seen.add(path)
        links = page(site, path).all("a")
        targets = {link.attributes["href"] or "" for link in links}
        new |= {target for target in targets if target.startswith("/")} - seen
    assert {"/", "/leaderboard/classic", "/leaderboard/token", "/tournaments/11"} <= seen
    assert len(seen) == 1 + 3 + 11


def test_the_newest_tournaments_come_first_with_their_states(site: Site) -> None:
    first = cup(site.store, ("ann", "bob"), "r1:1-2:1", title="one")
    cup(site.store, ("ann", "bob"), title="two")
    site.store.set_state(first, TournamentState.FINISHED)
    rows = page(site, "/").rows()
    found = [row[:4] for row in rows if row[0] in ("one", "two")]
    assert found == [
        ["two", "classic", "running", "0 of 2"],
        ["one", "classic", "finished", "1 of 2"],
    ]


def test_the_seed_is_shown_only_when_the_tournament_is_over(site: Site) -> None:
    made = cup(site.store, ("ann", "bob"))
    for path in ("/", "/tournaments/1", "/leaderboard/classic"):
        assert SEED.hex() not in site.browser.get(path).text
    assert "secret until the tournament is over" in site.browser.get("/tournaments/1").text
    site.store.set_state(made, TournamentState.FINISHED)
    assert SEED.hex() in site.browser.get("/tournaments/1").text


def test_an_empty_arena_says_what_to_do(site: Site) -> None:
    assert "arena tournament create" in site.browser.get("/").text
    assert "No bot has been entered here yet." in site.browser.get("/leaderboard/double").text


@pytest.mark.parametrize(
    "path",
    ["/nonsense", "/leaderboard/nonsense", "/tournaments/9", f"/tournaments/{10**30}", "/a%2fb"],
)
def test_what_is_not_there_is_a_page_too(site: Site, path: str) -> None:
    shown = page(site, path, 404)
    assert shown.all("h1")[0].text == "Not Found"


@pytest.mark.parametrize("path", ["/", "/leaderboard/classic", "/tournaments/1", "/nonsense"])
def test_a_page_is_complete_for_those_who_have_it_read(site: Site, path: str) -> None:
    cup(site.store, ("ann", "bob"), "r1:1-2:1")
    shown = Page(site.browser.get(path).text)
    assert shown.all("html")[0].attributes["lang"] == "en"
    assert len(shown.all("h1")) == len(shown.all("main")) == len(shown.all("title")) == 1
    assert shown.all("a")[0].attributes == {"class": "skip", "href": "#content"}
    levels = [int(e.tag[1]) for e in shown.elements if re.fullmatch(r"h[1-6]", e.tag)]
    assert all(below <= above + 1 for above, below in pairwise(levels))
    heads = [cell for cell in shown.all("th") if "thead" in cell.inside]
    assert all(cell.attributes["scope"] == "col" and cell.text.strip() for cell in heads)
    names = [cell for cell in shown.all("th") if "tbody" in cell.inside]
    assert all(cell.attributes["scope"] == "row" for cell in names)
    assert len(shown.all("caption")) == len(shown.all("table"))
    ids = {e.attributes["id"] for e in shown.elements if "id" in e.attributes}
    assert len(ids) == len([e for e in shown.elements if "id" in e.attributes])
    labels = {
        e.attributes["aria-labelledby"] for e in shown.elements if "aria-labelledby" in e.attributes
    }
    assert labels <= ids
    for box in shown.all("div"):
        assert (box.attributes["role"], box.attributes["tabindex"]) == ("region", "0")


@pytest.mark.parametrize("path", ["/", "/nonsense", "/healthz", "/bug", "/tournaments/1"])
def test_every_answer_has_the_policy_and_breaks_it_nowhere(
    site: Site, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup(site.store, ("ann", "bob"), "r1:1-2:1")
    if path == "/bug":
        monkeypatch.setattr(Store, "tournaments", lambda _: 1 / 0)
        path = "/"
    response = site.browser.get(path)
    assert response.headers["content-security-policy"] == POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "same-origin"
    if response.headers["content-type"].startswith("text/html"):
        shown = Page(response.text)
        assert shown.all("script") == shown.all("style") == []
        assert not [e for e in shown.elements if "style" in e.attributes]
        assert not [e for e in shown.elements for name in e.attributes if name.startswith("on")]


def test_the_stylesheet_lasts_because_its_address_changes(site: Site) -> None:
    link = next(e for e in page(site, "/").all("link") if e.attributes["rel"] == "stylesheet")
    response = site.browser.get(link.attributes["href"] or "")
    assert response.headers["content-type"].startswith("text/css")
    assert "immutable" in response.headers["cache-control"]
    assert "prefers-color-scheme: dark" in response.text


@pytest.mark.parametrize(
    ("path", "alive", "ready", "status", "told"),
    [
        ("/livez", True, False, 200, {"alive": True}),
        ("/livez", False, True, 503, {"alive": False}),
        ("/readyz", True, True, 200, {"alive": True, "ready": True, "reasons": []}),
        ("/readyz", True, False, 503, {"alive": True, "ready": False, "reasons": ["draining"]}),
        ("/healthz", True, False, 503, {"alive": True, "ready": False, "reasons": ["draining"]}),
    ],
)
def test_health_tells_alive_from_ready(
    site: Site, path: str, alive: bool, ready: bool, status: int, told: dict[str, object]
) -> None:
    site.alive, site.ready = alive, ready
    response = site.browser.get(path)
    assert (response.status_code, response.json()) == (status, told)


def test_what_goes_wrong_is_not_told_to_readers(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, status in ((Unusable("secret of /etc"), 503), (ValueError("secret of /etc"), 500)):

        def fails(_: Store, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(Store, "tournaments", fails)
        response = site.browser.get("/")
        assert response.status_code == status
        assert "secret" not in response.text
        assert Page(response.text).all("h1")


def test_nothing_but_reading_is_allowed(site: Site) -> None:
    assert site.browser.post("/").status_code == 405
    assert site.browser.head("/").status_code == 200


def test_two_hundred_rows_stay_within_the_budget(site: Site) -> None:
    cup(site.store, tuple(f"bot number {n}" for n in range(200)), "r1:1-2:1")
    size = len(site.browser.get("/leaderboard/classic").content)
    assert size < 100_000
