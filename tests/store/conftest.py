"""A store on a fresh file, with a clock that tells the number of the call."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.ids import TournamentId
from arena.store import Store
from tests.store import examples


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    ticks = itertools.count(1_000_000, 1_000_000)
    with Store.open(path, now_us=lambda: next(ticks)) as opened:
        yield opened


@pytest.fixture
def tournament(store: Store) -> TournamentId:
    """Of four bots, `bot1` to `bot4`."""
    return examples.tournament(store)
