"""What the tests of the server stand on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.server.hall import Hall, open_hall
from tests.server.held import Held, holding
from tests.server.puppets import Theatre, open_theatre


@pytest.fixture
async def held() -> AsyncIterator[Held]:
    """A session with a stream."""
    async with holding() as held:
        yield held


@pytest.fixture
async def hall(caplog: pytest.LogCaptureFixture) -> AsyncIterator[Hall]:
    """A running arena on the machine's clock, which leaves no task's error unseen."""
    async with open_hall() as hall:
        yield hall
    assert [record for record in caplog.records if record.name == "asyncio"] == []


@pytest.fixture
async def theatre() -> AsyncIterator[Theatre]:
    """A running arena whose hosted bots are puppets."""
    async with open_theatre() as theatre:
        yield theatre


@pytest.fixture
async def two(theatre: Theatre) -> Theatre:
    """A theatre with two bots that play the first legal action."""
    theatre.host(1, "ann")
    theatre.host(2, "bob")
    return theatre
