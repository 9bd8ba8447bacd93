"""Fixtures of the commands: a finished match to look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import SEED, InProcess, process


@pytest.fixture
def arena(capfd: pytest.CaptureFixture[str]) -> InProcess:
    """Runs commands in this process."""
    return InProcess(capfd)


@pytest.fixture(scope="session")
def match_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of a short match in double, one set at a time."""
    folder = tmp_path_factory.mktemp("match") / "records"
    done = process(
        *("match", "random", "first_legal", "--variant", "double", "--sets", "2"),
        *("--seed", SEED, "--tables", "1", "--out", folder),
        env={"PYTHONHASHSEED": "1"},
    )
    assert done.code == 0, done
    return folder


@pytest.fixture
def record_path(match_folder: Path) -> Path:
    """One of its records."""
    return match_folder / "r1_1-2_1.json"
