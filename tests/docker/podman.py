"""Podman with a store of its own, so that a test run meets no image and leaves none behind."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 600.0
"""For one command: building on a slow machine that does much else."""

_CONTAINERS: Final = """\
[containers]
# Podman asks for more than a process without CAP_SYS_RESOURCE may have.
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[network]
network_config_dir = "{folder}/networks"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
tmp_dir = "{folder}/tmp"
"""

_STORAGE: Final = """\
[storage]
driver = "{driver}"
graphroot = "{folder}/store"
runroot = "{folder}/run"
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Podman:
    """Runs commands against one store.

    Attributes:
        folder: of the store and all else.
        variables: what the commands are given besides the environment of the tests.
    """

    folder: Path
    variables: Mapping[str, str]

    def __call__(self, *arguments: str | Path, given: str = "", code: int | None = 0) -> Ended:
        """Run podman.

        Args:
            arguments: its arguments.
            given: to standard input.
            code: that it must end with, None for any.
        """
        return self.run("podman", *arguments, given=given, code=code)

    def compose(self, *arguments: str | Path, given: str = "") -> Ended:
        """Run podman-compose with the project's compose file."""
        return self.run(*compose_command(), "-f", "docker/compose.yaml", *arguments, given=given)

    def run(
        self,
        *command: str | Path,
        given: str = "",
        code: int | None = 0,
        env: Mapping[str, str] | None = None,
    ) -> Ended:
        """Run any command that uses the store, at the root of the project."""
        done = subprocess.run(
            list(map(str, command)),
            env={**os.environ, **self.variables, **(env or {})},
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        ended = Ended(done.returncode, done.stdout, done.stderr)
        assert code is None or ended.code == code, f"{command}\n{ended.out}\n{ended.err[-4000:]}"
        return ended

    def inspect(self, name: str) -> dict[str, Any]:
        """What podman knows of an image or a container."""
        (found,) = json.loads(self("inspect", name).out)
        assert isinstance(found, dict)
        return found


def compose_command() -> tuple[str, ...]:
    """podman-compose, as the project's environment has it."""
    return (sys.executable, "-m", "podman_compose")


def until(question: Callable[[], bool], attempts: int = 120) -> None:
    """Ask until the answer is yes; each question takes its time, being a process."""
    assert any(question() for _ in range(attempts))


@contextlib.contextmanager
def own_podman() -> Iterator[Podman]:
    """Podman with an empty store, which is gone afterwards with all that ran in it."""
    # Podman wants the path of its run folder to be shorter than 50 characters.
    folder = Path(tempfile.mkdtemp(prefix="pm-", dir="/tmp"))
    podman = Podman(folder, _variables(folder))
    try:
        _choose_driver(podman)
        yield podman
    finally:
        podman("rm", "--all", "--force", "--time", "0", code=None)
        podman("network", "prune", "--force", code=None)
        podman("rmi", "--all", "--force", code=None)
        subprocess.run(
            ["umount", folder / "store" / "overlay"], capture_output=True, check=False, timeout=60
        )
        shutil.rmtree(folder)


def _variables(folder: Path) -> Mapping[str, str]:
    return {
        "BUILDAH_FORMAT": "docker",  # the other format has no health check
        "BUILDAH_ISOLATION": "chroot",
        "CONTAINERS_CONF": str(folder / "containers.conf"),
        "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
        "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin",
    }


def _choose_driver(podman: Podman) -> None:
    """Take the storage that is fast, or, where the file system has none, the one that works."""
    folder = podman.folder
    (folder / "containers.conf").write_text(_CONTAINERS.format(folder=folder))
    for driver in ("overlay", "vfs"):
        (folder / "storage.conf").write_text(_STORAGE.format(folder=folder, driver=driver))
        if podman("info", code=None).code == 0:
            return
    podman("info")
