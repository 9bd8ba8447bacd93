"""The machine that is attacked, and the runners under test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import IN_CI
from tests.hostile.cages import CAGES, Cage, Unavailable, Unneeded
from tests.hostile.machine import Machine, machine


def _needs(name: str) -> pytest.MarkDecorator:
    if name == "container":
        return pytest.mark.toolchain("containers")
    return pytest.mark.bubblewrap


@pytest.fixture(scope="session")
def attacked() -> Iterator[Machine]:
    """What hostile programs reach for."""
    with machine() as one:
        yield one


@pytest.fixture(
    scope="session",
    params=[pytest.param(name, marks=_needs(name)) for name in CAGES],
)
def cage(request: pytest.FixtureRequest) -> Cage:
    """A runner under test, each in its turn."""
    try:
        return CAGES[request.param]()
    except Unavailable as error:
        if IN_CI and not isinstance(error, Unneeded):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
