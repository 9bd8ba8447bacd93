"""Control groups: bounds on memory, processes and processor time of all that a job starts.

Both generations are known. Of the first each controller has a tree of its own; of the second there
is one tree, where controllers must be handed down.  What cannot be had is found out by trying it.

Whoever makes a group holds a lock of its folder.  The kernel lets go of it when the process ends,
so a group without a lock is what an arena left that was killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.hosting.runner import Resources

ROOT: Final = Path("/sys/fs/cgroup")
PREFIX: Final = "arena-job-"

_PERIOD_US: Final = 100_000
_CONTROLLERS: Final = ("memory", "pids", "cpu")
_WAIT_SECONDS: Final = 2.0
_OUT_OF_MEMORY: Final = ("memory.events", "memory.oom_control")
"""Which file of a group counts the processes that were ended for want of memory: that of the second
generation, and that of the first."""
YOUNG_SECONDS: Final = 5.0
"""How old a group must be to be taken for one that was left."""


@dataclass(slots=True)
class Group:
    """The control group of one job, in one folder or in one for each controller.

    Attributes:
        folders: that were made.
        lock: a descriptor that holds the lock of the first; None where it is not ours.
    """

    folders: tuple[Path, ...]
    lock: int | None = None

    @property
    def entrances(self) -> tuple[Path, ...]:
        """Files into which a process writes 0 to be in the group."""
        return tuple(folder / "cgroup.procs" for folder in self.folders)

    def members(self) -> tuple[int, ...]:
        """The processes in it."""
        return tuple(int(line) for line in _lines(self.entrances[0]) if line.isdigit())

    def has_run_out(self) -> bool:
        """Whether the kernel has ended a process in it because its memory was used up."""
        counts = (
            line.split()[-1]
            for folder in self.folders
            for name in _OUT_OF_MEMORY
            for line in _lines(folder / name)
            if line.startswith("oom_kill ")
        )
        return any(count != "0" for count in counts)

    def clear(self) -> None:
        """End all that is in it and remove it; what a kernel does not let go is left to `reap`."""
        end = time.monotonic() + _WAIT_SECONDS
        for folder in self.folders:
            while not _removed(folder) and time.monotonic() < end:
                _kill(folder)
                time.sleep(0.005)
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None


@dataclass(frozen=True, slots=True)
class Controllers:
    """What of control groups can be used here.

    Attributes:
        parents: the folder under which groups are made, for each controller that can be used;
            with the second generation it is one and the same.
        unified: whether that is the second generation.
    """

    parents: Mapping[str, Path]
    unified: bool

    def make(self, label: str, resources: Resources) -> Group:
        """Make the group of a job.

        Raises:
            OSError: it cannot be made.
        """
        folders = tuple(
            dict.fromkeys(parent / f"{PREFIX}{label}" for parent in self.parents.values())
        )
        group = Group(folders)
        try:
            for number, folder in enumerate(folders):
                folder.mkdir()
                if number == 0:
                    group.lock = _locked(folder)
            for controller, parent in self.parents.items():
                for name, value in self._values(controller, resources):
                    with contextlib.suppress(FileNotFoundError):
                        (parent / f"{PREFIX}{label}" / name).write_text(value)
        except OSError:
            group.clear()
            raise
        return group

    def _values(self, controller: str, resources: Resources) -> Sequence[tuple[str, str]]:
        memory, quota = str(resources.memory_bytes), int(resources.cpus * _PERIOD_US)
        match controller, self.unified:
            case "memory", True:
                return (("memory.max", memory), ("memory.swap.max", "0"), ("memory.oom.group", "1"))
            case "memory", False:
                return (
                    ("memory.limit_in_bytes", memory),
                    # A kernel that does not count swap has no such file.
                    ("memory.memsw.limit_in_bytes", memory),
                )
            case "pids", _:
                return (("pids.max", str(resources.processes)),)
            case _, True:
                return (("cpu.max", f"{quota} {_PERIOD_US}"),)
            case _:
                return (("cpu.cfs_period_us", str(_PERIOD_US)), ("cpu.cfs_quota_us", str(quota)))

    def reap(self) -> int:
        """End and remove the groups whose arenas have ended without doing so; how many there were.

        Those that were made just now are passed over: they may have no lock yet.
        """
        found: dict[str, list[Path]] = {}
        for parent in dict.fromkeys(self.parents.values()):
            for folder in parent.glob(f"{PREFIX}*"):
                found.setdefault(folder.name, []).append(folder)
        left = [folders for folders in found.values() if all(map(_is_left, folders))]
        for folders in left:
            Group(tuple(folders)).clear()
        return len(left)


def find_controllers(root: Path = ROOT) -> Controllers:
    """What can be used here, by trying; none of them where nothing can."""
    if (root / "cgroup.controllers").exists():
        return _unified(root)
    parents = {name: root / name for name in _CONTROLLERS if _can_make(root / name)}
    return Controllers(parents, unified=False)


def _unified(root: Path) -> Controllers:
    """The group of this process, or the root where it is in none of its own.

    A group with processes in it cannot hand controllers down, so jobs' groups are beside ours.
    """
    own = next(
        (line[3:] for line in _lines(Path("/proc/self/cgroup")) if line.startswith("0::/")), "/"
    )
    parent = root / own.strip("/")
    parent = parent if parent == root else parent.parent
    for name in _CONTROLLERS:  # one by one: where one is not there, none of a list is handed down
        with contextlib.suppress(OSError):
            (parent / "cgroup.subtree_control").write_text(f"+{name}")
    try:
        given = (parent / "cgroup.subtree_control").read_text().split()
    except OSError:
        given = []
    usable = _can_make(parent)
    names = [name for name in _CONTROLLERS if usable and name in given]
    return Controllers(dict.fromkeys(names, parent), unified=True)


def _can_make(parent: Path) -> bool:
    """Whether a group can be made there and a process of ours put into it."""
    probe = parent / f"{PREFIX}probe-{os.getpid()}"
    try:
        probe.mkdir()
    except OSError:
        return False
    try:
        return os.access(probe / "cgroup.procs", os.W_OK)
    finally:
        with contextlib.suppress(OSError):
            probe.rmdir()


def _locked(folder: Path) -> int:
    """A descriptor that holds the lock of a folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _is_left(folder: Path) -> bool:
    """Whether nobody holds its lock, who has had the time to take it."""
    try:
        young = time.time() - folder.stat().st_ctime < YOUNG_SECONDS
        if not young:
            os.close(_locked(folder))
    except OSError:  # somebody does, or it has just gone
        return False
    return not young


def _lines(path: Path) -> Iterator[str]:
    try:
        yield from path.read_text().splitlines()
    except OSError:
        return


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _kill(folder: Path) -> None:
    kill = folder / "cgroup.kill"
    if kill.exists():
        with contextlib.suppress(OSError):
            kill.write_text("1")
        return
    for line in _lines(folder / "cgroup.procs"):
        with contextlib.suppress(ProcessLookupError, PermissionError, ValueError):
            os.kill(int(line), signal.SIGKILL)
