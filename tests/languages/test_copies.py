"""What two bots of one language have in common is the same in both: neither can import it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.hosting.command import sample_folders
from arena.hosting.folder import files_of

OWN = {"README.md", "bot.toml", "docs"}
"""What each bot has of its own, besides its strategy."""

SEARCHERS = {name: folder for name, folder in sample_folders().items() if "searcher" in name}

OF_THE_STRATEGY: dict[str, set[str]] = {
    "rust/searcher": {"Cargo.lock", "Cargo.toml", "src/strategy.rs", "src/strategy/tests.rs"},
    "cpp/searcher": {"CMakeLists.txt", "src/main.cpp", "src/strategy.cpp", "src/strategy.h"},
}
"""Files of the same name in both that speak of the one bot."""


@pytest.mark.parametrize("bot", SEARCHERS)
def test_what_has_the_same_name_is_the_same(bot: str) -> None:
    searcher = SEARCHERS[bot]
    starter = searcher.parent / "starter"
    both = set(files_of(searcher)) & set(files_of(starter))
    other = {
        str(path)
        for path in both - {Path(name) for name in OWN}
        if (searcher / path).read_bytes() != (starter / path).read_bytes()
    }
    assert other <= OF_THE_STRATEGY[bot]
    assert len(both) > 20
