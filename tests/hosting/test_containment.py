"""Finding what contains bots: what is tried, what is missing, and what is refused."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.hosting import bubblewrap, containment
from arena.hosting.command import BotCommand
from arena.hosting.containment import RunnerError, check_containable, contain_by_bubblewrap
from arena.hosting.runner import RunnerKind
from tests.hosting.contained import LITTLE, NO_GROUPS, list_groups

pytestmark = pytest.mark.bubblewrap


def test_what_can_be_had_is_found_by_trying_it_and_said() -> None:
    found = contain_by_bubblewrap("test", LITTLE)
    assert found.runner.kind is RunnerKind.BUBBLEWRAP
    assert "24 processes (" in found.bounds
    assert "64 MiB of memory (control group)" in found.bounds or "(rlimit)" in found.bounds


@pytest.mark.parametrize("program", ["bwrap", "setpriv", "prlimit"])
def test_a_program_that_is_missing_is_named(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        shutil, "which", lambda name: None if name == program else f"/usr/bin/{name}"
    )
    with pytest.raises(RunnerError, match=rf"needs {program}: apt-get install"):
        contain_by_bubblewrap("test", LITTLE)


@pytest.fixture
def forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose kernel does not let bwrap do what it is for."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1")
    program.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "PROGRAM", str(program))
    yield


@pytest.mark.usefixtures("forbidden")
def test_where_it_may_not_contain_anything_that_is_said_and_nothing_left() -> None:
    with pytest.raises(RunnerError, match=r"contains nothing here: .*Permission denied"):
        contain_by_bubblewrap("forbidden", LITTLE)
    assert list_groups("forbidden") == []


def test_what_was_asked_for_and_cannot_be_bounded_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(containment, "find_controllers", lambda: NO_GROUPS)
    with pytest.raises(RunnerError, match="processor time cannot be bounded"):
        contain_by_bubblewrap("test", LITTLE, needs_cpus=True)
    found = contain_by_bubblewrap("test", LITTLE)
    assert found.bounds == (
        "128 MiB of memory for each of its processes (rlimit), 24 processes (rlimit), "
        "processors not bounded (no control group)"
    )


def test_a_data_folder_that_every_job_would_see_is_refused() -> None:
    with pytest.raises(RunnerError, match=r"^bots would see /usr/share/data: .* all of /usr; move"):
        contain_by_bubblewrap("test", LITTLE, secret=[Path("/usr/share/data")])


@pytest.mark.parametrize("place", ["", "..", "../.."])
def test_a_bot_that_would_show_a_home_is_refused(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(RunnerError, match="give it one of its own"):
        check_containable(BotCommand("ann", ("/bin/sh",), "", tmp_path / place))
    check_containable(BotCommand("ann", ("/bin/sh",), "", tmp_path / "bots"))
    check_containable(BotCommand("ann", ("/bin/sh",), ""))
