"""What the tests of the server stand on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.server.held import Held, holding


@pytest.fixture
async def held() -> AsyncIterator[Held]:
    """A session with a stream."""
    async with holding() as held:
        yield held
