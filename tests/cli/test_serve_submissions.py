"""What ``arena serve`` gives builds of submitted bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import serve_submissions
from arena.cli.containment_options import Bounds
from arena.cli.errors import CliError
from arena.cli.serve_submissions import SubmissionSettings, make_workshop
from arena.hosting import containment
from arena.hosting.cgroups import Controllers
from arena.hosting.containment import Containment
from arena.hosting.runner import ProcessRunner, Resources, RunnerKind


def settings(runner: RunnerKind, cpus: float | None) -> SubmissionSettings:
    return SubmissionSettings(
        runner=runner,
        bounds=Bounds(),
        images=(),
        network=False,
        variables={},
        build_mebibytes=None,
        build_cpus=cpus,
        build_seconds=60.0,
        author_mebibytes=64,
    )


@pytest.mark.parametrize(("asked", "given"), [(None, 2.0), (0.5, 0.5)])
def test_builds_have_the_processors_that_were_said_or_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: float | None, given: float
) -> None:
    needs: list[bool] = []

    def find(*_: object, needs_cpus: bool, **__: object) -> Containment:
        needs.append(needs_cpus)
        return Containment(ProcessRunner(), Resources(), "t", "nothing")

    monkeypatch.setattr(serve_submissions, "find_containment", find)
    workshop, _ = make_workshop(tmp_path, settings(RunnerKind.BUBBLEWRAP, asked))
    assert workshop is not None
    assert workshop.terms.build.resources.cpus == given
    assert needs == [asked is not None]


def test_never_more_than_was_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CliError, match="--build-cpus bounds nothing with --runner process"):
        make_workshop(tmp_path, settings(RunnerKind.PROCESS, 1.0))
    monkeypatch.setattr(containment, "_check_programs", lambda: None)
    monkeypatch.setattr(containment, "find_controllers", lambda: Controllers({}, unified=False))
    with pytest.raises(CliError, match="processor time cannot be bounded here"):
        make_workshop(tmp_path, settings(RunnerKind.BUBBLEWRAP, 1.0))
