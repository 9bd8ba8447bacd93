"""Arenas with authors, one whose check waits, and a bot's folder to submit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.server import submissions
from tests.server.services.house import House, open_house
from tests.server.services.submissions.sending import MANIFEST, Gate, people


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder."""
    folder = tmp_path / "sources" / "tutor"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "main.sh").write_text("#!/bin/sh\necho secret of ann\n")
    return folder


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "arena.db") as opened:
        await people(opened)
        yield opened


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
async def gated(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[House]:
    """A house whose check waits, and which tells places more often."""
    monkeypatch.setattr(submissions, "TELLING_SECONDS", 0.05)
    async with open_house(tmp_path / "arena.db", try_out=gate) as opened:
        await people(opened)
        yield opened
        gate.go.set()
