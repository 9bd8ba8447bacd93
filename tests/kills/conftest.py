"""What the tests of killing share."""

from __future__ import annotations

import pytest

from arena.store import TournamentState
from tests.kills.cup import Cup, Outcome

SETS = 24


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """What the tournament of the house comes to when nothing goes wrong."""
    cup = Cup(tmp_path_factory.mktemp("whole"), sets=SETS, bots="house")
    assert cup.run() == 0
    assert len(cup.check()) == SETS
    outcome = cup.outcome()
    assert outcome.state is TournamentState.FINISHED
    return outcome
