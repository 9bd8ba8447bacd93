"""A serving arena for each test, open or private."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.services.callers import prepared
from tests.server.services.house import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "arena.db") as opened:
        yield opened


@pytest.fixture
async def private(tmp_path: Path) -> AsyncIterator[House]:
    """A private arena with a bot, the onlooker olga, the author vera and the organiser zoe."""
    async with open_house(tmp_path / "arena.db", private=True) as house:
        await prepared(house)
        yield house
