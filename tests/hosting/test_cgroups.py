"""Control groups: the second generation in a folder that plays it, the present one for real."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.hosting.cgroups import Controllers, Group, find_controllers
from arena.hosting.runner import Resources
from tests.hosting.bots import until

RESOURCES = Resources(memory_bytes=100 * 1024 * 1024, processes=30, cpus=1.5)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tree of the second generation, whose kernel has no controller of processor time."""
    (tmp_path / "cgroup.controllers").write_text("memory pids io\n")
    given: dict[Path, list[str]] = {}

    def write(path: Path, text: str) -> None:
        if text == "+cpu":
            raise FileNotFoundError
        given.setdefault(path, []).append(text.removeprefix("+"))

    monkeypatch.setattr(Path, "write_text", write)
    monkeypatch.setattr(Path, "read_text", lambda path: " ".join(given.get(path, [])))
    return tmp_path


@pytest.fixture
def real() -> Controllers:
    """What this machine has."""
    found = find_controllers()
    if not found.parents:
        pytest.skip("no control group can be made here")
    return found


def values(group: Group) -> dict[str, str]:
    """What is written in a group's folders."""
    return {
        file.name: file.read_text().strip()
        for folder in group.folders
        for file in folder.iterdir()
        if file.name.startswith(("memory.", "pids.", "cpu."))
    }


def test_of_the_second_generation_one_group_has_every_bound(tmp_path: Path) -> None:
    controllers = Controllers(dict.fromkeys(("memory", "pids", "cpu"), tmp_path), unified=True)
    group = controllers.make("one", RESOURCES)
    assert group.folders == (tmp_path / "arena-job-one",)
    assert group.entrances == (tmp_path / "arena-job-one" / "cgroup.procs",)
    assert values(group) == {
        "memory.max": "104857600",
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "30",
        "cpu.max": "150000 100000",
    }


def test_of_the_first_generation_each_controller_has_a_group(tmp_path: Path) -> None:
    for name in ("memory", "pids", "cpu"):
        (tmp_path / name).mkdir()
    parents = {name: tmp_path / name for name in ("memory", "pids", "cpu")}
    group = Controllers(parents, unified=False).make("one", RESOURCES)
    assert len(group.folders) == 3
    assert values(group) == {
        "memory.limit_in_bytes": "104857600",
        "memory.memsw.limit_in_bytes": "104857600",
        "pids.max": "30",
        "cpu.cfs_period_us": "100000",
        "cpu.cfs_quota_us": "150000",
    }


@pytest.mark.parametrize("name", ["memory.events", "memory.oom_control"])
def test_that_memory_ran_out_is_read_in_either_generation(tmp_path: Path, name: str) -> None:
    (tmp_path / "pids").mkdir()
    (tmp_path / "memory").mkdir()
    group = Group((tmp_path / "pids", tmp_path / "memory"))
    assert not group.has_run_out()
    for lines, has_run_out in (("oom 4\noom_kill 0", False), ("under_oom 1\noom_kill 2", True)):
        (tmp_path / "memory" / name).write_text(f"{lines}\n")
        assert group.has_run_out() is has_run_out


def test_only_what_is_handed_down_can_be_used(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.hosting.cgroups._lines", lambda _: iter(["0::/"]))
    monkeypatch.setattr("arena.hosting.cgroups._can_make", lambda parent: parent == root)
    found = find_controllers(root)
    assert found == Controllers({"memory": root, "pids": root}, unified=True)
    monkeypatch.setattr("arena.hosting.cgroups._can_make", lambda _: False)
    assert find_controllers(root).parents == {}


def test_jobs_have_their_groups_beside_ours(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slice_ = root / "system.slice"
    (slice_ / "arena.service").mkdir(parents=True)
    monkeypatch.setattr("arena.hosting.cgroups._lines", lambda _: iter(["0::/system.slice/a.s"]))
    monkeypatch.setattr("arena.hosting.cgroups._can_make", lambda parent: parent == slice_)
    assert set(find_controllers(root).parents.values()) == {slice_}


def test_where_none_can_be_made_there_is_none(tmp_path: Path) -> None:
    assert find_controllers(tmp_path / "none").parents == {}


def test_a_group_that_is_there_already_is_nobody_elses(tmp_path: Path) -> None:
    controllers = Controllers({"pids": tmp_path}, unified=True)
    controllers.make("one", RESOURCES)
    with pytest.raises(FileExistsError):
        controllers.make("one", RESOURCES)


def sleeper(group: Group) -> subprocess.Popen[bytes]:
    """A program in a group, which starts another one outside its process group."""
    enter = "".join(f"echo 0 >{entrance}; " for entrance in group.entrances)
    return subprocess.Popen(["/bin/sh", "-c", f"{enter} setsid sleep 1237 & exec sleep 1238"])


async def test_with_a_group_all_in_it_ends(real: Controllers) -> None:
    group = real.make(f"test{os.getpid()}-a", RESOURCES)
    with sleeper(group) as process:
        try:
            await until(lambda: len(members(group)) == 2)
        finally:
            group.clear()
        assert process.wait() == -signal.SIGKILL
    assert not any(folder.exists() for folder in group.folders)
    group.clear()  # there is nothing left to do


@pytest.fixture
def secluded(real: Controllers) -> Iterator[Controllers]:
    """Controllers in folders of the test's own, where no arena of the machine has a group."""
    parents = {name: parent / f"test-{os.getpid()}" for name, parent in real.parents.items()}
    folders = tuple(dict.fromkeys(parents.values()))
    for folder in folders:
        folder.mkdir()
        if real.unified:
            (folder / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in parents))
    yield Controllers(parents, unified=real.unified)
    for folder in folders:
        folder.rmdir()


async def test_what_an_arena_left_is_ended_and_nobody_elses(
    secluded: Controllers, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, kept = secluded.make("left", RESOURCES), secluded.make("kept", RESOURCES)
    with sleeper(left) as process:
        try:
            await until(lambda: len(members(left)) == 2)
            assert left.lock is not None
            os.close(left.lock)  # as the kernel does when an arena is killed
            left.lock = None
            monkeypatch.setattr("arena.hosting.cgroups.YOUNG_SECONDS", 1000.0)
            assert secluded.reap() == 0
            monkeypatch.setattr("arena.hosting.cgroups.YOUNG_SECONDS", 0.0)
            assert secluded.reap() == 1
            assert process.wait() == -signal.SIGKILL
            assert not any(folder.exists() for folder in left.folders)
            assert all(folder.exists() for folder in kept.folders)
        finally:
            left.clear()
            kept.clear()


def members(group: Group) -> list[str]:
    return group.entrances[0].read_text().split()
