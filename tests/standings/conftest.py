"""A store on a fresh file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db") as opened:
        yield opened
