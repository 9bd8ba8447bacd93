"""The arena's engine gives the right values of every shared rule case and whole game."""

from pathlib import Path

import pytest

from tests.vectors.arena_engine import ArenaEngine
from tests.vectors.checks import failures_of
from tests.vectors.files import Vector, read_vectors

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "vector",
    [
        pytest.param(vector, id=vector.id)
        for name in ["public.json", "games_public.json"]
        for vector in read_vectors(HERE / name)
    ],
)
def test_the_engine_gives_the_shared_values(vector: Vector) -> None:
    assert failures_of(vector, ArenaEngine()) == []
