"""The bots that search are better than the best that does not."""

from __future__ import annotations

import pytest

from arena.hosting.command import sample_folders
from arena.rules import VARIANTS
from tests.languages.trial import SECONDS, faults, have_built, match

SEARCHERS = [name for name in sample_folders() if name.endswith("/searcher")]
TOOLCHAINS = {"cpp/searcher": "cpp", "rust/searcher": "rust"}


@pytest.mark.slow
@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "bot", [pytest.param(b, marks=pytest.mark.toolchain(TOOLCHAINS[b]), id=b) for b in SEARCHERS]
)
def test_a_searcher_beats_counting(bot: str, variant: str) -> None:
    have_built(bot)
    report = match(f"it={bot}", "counting", variant, sets=40)
    assert faults(report) == 0
    (pair,) = report["pairs"]
    assert pair["likelihood_of_superiority"] > 0.999, pair
    assert report["bots"][0]["name"] == "it"
