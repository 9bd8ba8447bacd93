"""``--build-environment`` of ``arena serve``: what may be given to builds, and what may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.build_environment import chosen_variables
from tests.cli.commands import InProcess, assert_refused


def test_the_variables_that_are_named_are_chosen_and_no_others() -> None:
    environment = {"HTTPS_PROXY": "http://proxy", "NO_PROXY": "", "DATABASE": "secret"}
    chosen = chosen_variables(("NO_PROXY", "HTTPS_PROXY", "NO_PROXY"), environment)
    assert chosen == {"HTTPS_PROXY": "http://proxy", "NO_PROXY": ""}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("UNSET_HERE", "is not set"),
        ("HTTPS_PROXY=x", "is no name of a variable"),
        ("", "is no name of a variable"),
        ("PATH", "never given"),
        ("HOME", "never given"),
        ("ARENA_ORGANISER_TOKEN", "never given"),
        ("LD_PRELOAD", "never given"),
    ],
)
def test_what_is_not_there_or_not_to_be_given_is_refused(
    arena: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    monkeypatch.setenv("ARENA_ORGANISER_TOKEN", "t0ken")
    monkeypatch.setenv("LD_PRELOAD", "")
    done = arena("serve", "--data", tmp_path / "data", "--build-environment", name)
    assert_refused(done, 2, "--build-environment", why)
    assert "t0ken" not in done.err
    assert not (tmp_path / "data").exists()
