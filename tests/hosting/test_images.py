"""Bots that name an image to run in: one that the organiser has allowed, and in containers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.hosting.container import Containers, Engine
from arena.hosting.containment import Containment, RunnerError
from arena.hosting.folder import MANIFEST
from arena.hosting.launchable import command_of
from arena.hosting.manifest import read_manifest
from arena.hosting.runner import Job, ProcessRunner, Resources

ENGINE = Engine("/usr/bin/podman", {})
CONTAINED = Containment(Containers(ENGINE, "arena:1"), Resources(), "a", "", ("arena:1", "go:3"))


def test_a_bot_that_names_no_image_runs_in_the_first() -> None:
    assert CONTAINED.of_image(None) is CONTAINED


def test_a_bot_runs_in_the_image_that_it_names() -> None:
    of_bot = CONTAINED.of_image("go:3")
    assert of_bot.runner == Containers(ENGINE, "go:3")
    assert CONTAINED.runner == Containers(ENGINE, "arena:1")


def test_an_image_that_the_organiser_has_not_named_is_refused() -> None:
    with pytest.raises(RunnerError, match="image 'x', and this arena has 'arena:1', 'go:3' alone"):
        CONTAINED.of_image("x")


def test_where_nothing_runs_in_containers_no_image_is_had() -> None:
    trusting = Containment(ProcessRunner(), Resources(), "a", "")
    assert trusting.of_image(None) is trusting
    with pytest.raises(RunnerError, match="'x', and this arena runs no images"):
        trusting.of_image("x")


def test_an_image_may_say_itself_what_runs(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("name = 'a'\nlanguage = 'go'\nimage = 'go:3'\n")
    command = command_of(read_manifest(tmp_path), tmp_path, "h", in_image=True)
    job = Job(command.contained_argv(), "label", folder=command.folder)
    launch = Containers(Engine(str(tmp_path / "podman"), {}), "go:3").launch(job)
    assert launch.clear is not None
    launch.clear()
    for descriptor in launch.descriptors:
        os.close(descriptor)
    assert launch.argv[-1] == "go:3"
    assert "--entrypoint" not in launch.argv
