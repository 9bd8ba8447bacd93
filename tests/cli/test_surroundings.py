"""What a match needs of the system: a short socket path, enough open files."""

from __future__ import annotations

import resource
import stat
import tempfile
from pathlib import Path

import pytest

from arena.cli.descriptors import ensure_descriptors, raise_descriptors
from arena.cli.errors import CliError
from arena.cli.private_socket import private_socket
from tests.cli.commands import assert_refused, shell


def test_a_socket_has_a_folder_of_its_own_that_goes_again() -> None:
    with private_socket() as address:
        folder = Path(address.removeprefix("unix:")).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_a_long_temporary_folder_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with private_socket() as address:
        assert address.startswith("unix:/tmp/")
    assert list(long.iterdir()) == []


def test_no_short_folder_at_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/" + "x" * 100)
    monkeypatch.setattr("arena.cli.private_socket._FALLBACK", "/" + "y" * 100)
    with pytest.raises(CliError, match="too long for a socket") as refusal, private_socket():
        pass
    assert "TMPDIR" in refusal.value.hint


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Stands for the limit of open files: the last entry holds."""
    kept: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: kept[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: kept.append(pair))
    return kept


@pytest.mark.parametrize(
    ("soft", "hard", "then"),
    [(1024, 4096, 1024), (64, 4096, 128), (64, resource.RLIM_INFINITY, 128)],
    ids=["enough", "raised", "raised without bound"],
)
def test_the_soft_limit_is_raised_as_far_as_needed(
    limits: list[tuple[int, int]], soft: int, hard: int, then: int
) -> None:
    limits.append((soft, hard))
    ensure_descriptors(8)
    assert limits[-1] == (then, hard)


@pytest.mark.parametrize(
    ("soft", "hard", "then"),
    [(1024, 4096, 4096), (1024, 2**20, 65_536), (2**20, 2**20, 2**20)],
    ids=["as far as allowed", "as far as needed", "enough"],
)
def test_a_server_takes_what_it_may(
    limits: list[tuple[int, int]], soft: int, hard: int, then: int
) -> None:
    limits.append((soft, hard))
    raise_descriptors()
    assert limits[-1] == (then, hard)


def test_too_few_open_files_are_told_before_anything_starts() -> None:
    done = shell("ulimit -n 64; arena match random first_legal")
    assert_refused(done, 1, "8 bot processes need 128 open files", "allows 64")
    assert "commit" not in done.err
