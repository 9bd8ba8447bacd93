"""The runners under test, each made by a factory, so that the suite shows all attacks to all."""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from unittest.mock import patch

from arena.hosting.bubblewrap import Bubblewrap
from arena.hosting.cgroups import PREFIX, Controllers, find_controllers
from arena.hosting.container import Engine
from arena.hosting.containment import RunnerError, contain_by_bubblewrap, contain_by_container
from arena.hosting.lodgers import HOME
from arena.hosting.runner import Job, Launch, ProcessRunner, Resources, Runner
from arena.hosting.sizes import MEBIBYTE
from arena.hosting.toolchains import Toolchains
from tests.conftest import TOOLCHAINS
from tests.docker.bases import PYTHON, make_python_base
from tests.docker.podman import own_podman

PLACE_BYTES: Final = 64 * MEBIBYTE
"""What each place in memory takes."""

_BARE: Final = "localhost/hostile-python:1"
_NOBODY: Final = 65534


class Unavailable(Exception):
    """A runner that cannot be had here; the sentence says why."""


class Unneeded(Unavailable):
    """A runner that is another one already."""


@dataclass(frozen=True, slots=True)
class Cage:
    """A runner under test.

    Attributes:
        name: in the table.
        runner: contains the jobs.
        arena: the beginning of their labels.
        controllers: the control groups that it uses.
        places: folders that a job may write in.
        owner: whose a folder must be so that a job may write it; None where the runner sees to it.
        masked: files that are there and lead to /dev/null.
        plays: whether Python bots of ours find all that they need in it.
    """

    name: str
    runner: Runner
    arena: str
    controllers: Controllers
    places: tuple[str, ...] = ("/tmp", str(HOME), "/dev/shm")
    owner: int | None = None
    masked: tuple[str, ...] = ()
    plays: bool = True

    @property
    def counts_family(self) -> bool:
        """Whether memory is bounded for all processes together, shared memory too."""
        return "memory" in self.controllers.parents

    @property
    def counts_processors(self) -> bool:
        """Whether processor time is bounded."""
        return "cpu" in self.controllers.parents

    def groups_of(self, label: str) -> list[str]:
        """The control groups that a job has, or has left."""
        folders = {parent / f"{PREFIX}{label}" for parent in self.controllers.parents.values()}
        return [str(folder) for folder in folders if folder.exists()]


_POSING: Final = threading.Lock()
"""Jobs are launched in threads, and of two that patch at once the later would keep the patch."""


@dataclass(frozen=True, slots=True)
class _AsPerson:
    """Starts the jobs of a runner as somebody who is not the superuser."""

    inner: Bubblewrap

    @property
    def kind(self) -> object:
        return self.inner.kind

    def launch(self, job: Job) -> Launch:
        with _POSING, patch.object(os, "geteuid", lambda: _NOBODY):
            launch = self.inner.launch(job)
        return replace(launch, argv=(*_person(), *launch.argv))

    def address(self, sockets: Path) -> str:
        return self.inner.address(sockets)


def _person() -> tuple[str, ...]:
    user = f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", "--"
    return (shutil.which("setpriv") or "setpriv", *user)


def _arena() -> str:
    return f"hostile{secrets.token_hex(4)}"


def bubblewrap() -> Cage:
    """As an arena of this user would have it."""
    arena = _arena()
    try:
        containment = contain_by_bubblewrap(arena, Resources())
    except RunnerError as error:
        raise Unavailable(str(error)) from error
    return Cage("bubblewrap", containment.runner, arena, find_controllers())


def bubblewrap_of_a_person() -> Cage:
    """With a name space of users, and without control groups."""
    if os.geteuid() != 0:
        raise Unneeded("this user is no superuser, so bubblewrap is that already")
    trial = (*_person(), "bwrap", "--unshare-user", "--ro-bind", "/", "/", "true")
    if subprocess.run(trial, capture_output=True, check=False).returncode != 0:
        raise Unavailable("only the superuser may make name spaces here")
    none = Controllers({}, unified=False)
    runner = _AsPerson(Bubblewrap(none, Toolchains((), {})))
    name = "bubblewrap of a person, rlimits"
    return Cage(name, runner, _arena(), none, owner=_NOBODY, plays=False)  # type: ignore[arg-type]


def container() -> Cage:
    """Podman with a store of its own until the tests end, and an image with Python in it."""
    if os.geteuid() != 0 or not all(map(shutil.which, TOOLCHAINS["containers"])):
        raise Unavailable("containers want the superuser, podman, runc and mmdebstrap")
    podman = contextlib.ExitStack()
    atexit.register(podman.close)
    store = podman.enter_context(own_podman())
    make_python_base(store)
    # What an image has there is its own, and no secret; without it, whatever shows is ours.
    store("build", "--tag", _BARE, "-", given=f"FROM {PYTHON}\nRUN rm -rf /var/log /var/lib\n")
    variables = {**store.variables, "HOME": str(store.folder)}
    engine = Engine(shutil.which("podman") or "podman", variables)
    arena = _arena()
    try:
        containment = contain_by_container(arena, Resources(), (_BARE,), engine)
    except RunnerError as error:
        raise Unavailable(str(error)) from error
    first = ("/proc/1/mem", "/proc/1/task/1/mem")
    return Cage(
        "container", containment.runner, arena, find_controllers(), masked=first, plays=False
    )


def process() -> Cage:
    """Nothing: shows that the attacks do what they say."""
    return Cage("process", ProcessRunner(), _arena(), Controllers({}, unified=False), ("/tmp",))


@dataclass(slots=True)
class _Weakened(Bubblewrap):
    """Lacks some of its options, each a word and so many that belong to it."""

    without: Mapping[str, int] = field(default_factory=dict)

    def _options(self, job: Job, user: int | None, seccomp: int, passwd: int) -> Iterator[str]:
        words = Bubblewrap._options(self, job, user, seccomp, passwd)
        for word in words:
            if word in self.without:
                for _ in range(self.without[word]):
                    next(words)
            else:
                yield word


def weakened(without: Mapping[str, int]) -> Cage:
    """Bubblewrap that lacks options: shows that an attack notices."""
    cage = bubblewrap()
    assert isinstance(cage.runner, Bubblewrap)
    runner = _Weakened(cage.runner.controllers, cage.runner.toolchains, without=without)
    return replace(cage, name="weakened", runner=runner)


CAGES: Final[Mapping[str, Callable[[], Cage]]] = {
    "bubblewrap": bubblewrap,
    "bubblewrap-person": bubblewrap_of_a_person,
    "container": container,
}
