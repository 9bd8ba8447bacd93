"""Builds that mean harm: what they leave is refused, and all of it is taken away."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.hosting.build_log import BuildLog
from arena.hosting.building import BuildBounds, Builder, BuildFailed
from arena.hosting.guard import Guard
from arena.hosting.leavings import LeftLimits
from arena.hosting.manifest import Manifest, Wanted
from arena.hosting.runner import Job
from arena.hosting.shelf import Part, Shelf, remove
from arena.hosting.sizes import MEBIBYTE
from tests.hostile.attacks import RESOURCES
from tests.hostile.cages import bubblewrap
from tests.hostile.machine import Machine

pytestmark = pytest.mark.bubblewrap

_NAME = "tests.hostile.programs"

BOUNDS = BuildBounds(
    seconds=50.0,
    left=LeftLimits(total_bytes=16 * MEBIBYTE, entries=1000, depth=16),
    resources=RESOURCES,
)


@pytest.fixture
def shelf(attacked: Machine) -> Iterator[Shelf]:
    folder = attacked.folder / "shelf"
    folder.mkdir()
    shelf = Shelf(folder)
    shelf.open()
    yield shelf
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("build",), "the build left "),
        (("disk", "full"), "the build wrote more than 16 MiB"),
        (("disk", "many"), "the build made more than 1000 files"),
        (("disk", "deep"), "the build made folders more than 16 deep"),
        (("disk", "long"), "the build made a path of more than 2048 bytes"),
    ],
    ids=["leavings", "full", "many", "deep", "long"],
)
async def test_it_fails_and_nothing_of_it_stays(
    words: tuple[str, ...], sentence: str, attacked: Machine, shelf: Shelf
) -> None:
    with shelf.part() as part:
        shutil.copytree(attacked.bot, part.source)
        with pytest.raises(BuildFailed, match=sentence):
            await _build(part, words, attacked)
        folder = part.folder
    assert not folder.exists()
    assert attacked.harm() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives a job its own user")
def test_what_it_leaves_is_taken_back_however_deep_it_is(attacked: Machine) -> None:
    folder = attacked.new_folder()
    cage = bubblewrap()
    launch = cage.runner.launch(Job(("true",), f"{cage.arena}-1", folder=folder, writable=True))
    for descriptor in launch.descriptors:
        os.close(descriptor)
    assert folder.stat().st_uid != 0
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        for _ in range(1500):
            Path("deep").mkdir()
            os.chdir("deep")
    finally:
        os.fchdir(here)
        os.close(here)
    assert launch.clear is not None
    launch.clear()
    left = [folder, *folder.iterdir()]
    assert {path.stat().st_uid for path in left} == {0}
    remove(folder)


async def _build(part: Part, words: tuple[str, ...], attacked: Machine) -> None:
    cage = bubblewrap()
    module, *more = words
    line = ("sh", "-c", f'HOSTILE_FACTS="$0" exec python3 -m {_NAME}.{module} {" ".join(more)}')
    facts = attacked.facts_line()
    manifest = Manifest(part.source, "bot", "sh", ("./bot",), ((*line, facts),), (), None, Wanted())
    guard = Guard()
    try:
        log = BuildLog(lambda _: None)
        await Builder(cage.runner, BOUNDS, guard).build(manifest, part, f"{cage.arena}-1", log)
    finally:
        guard.close()
