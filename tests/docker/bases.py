"""Base images without a registry: what they are made of comes from Debian, or from this machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from tests.docker.podman import Podman

PYTHON: Final = "localhost/base-python:1"
SMALL: Final = "localhost/base-small:1"
GO: Final = "localhost/base-go:1"

_PYTHON_PACKAGES: Final = (
    *("base-files", "ca-certificates", "coreutils", "dash", "findutils", "grep", "libc-bin"),
    *("libstdc++6", "mawk", "python3", "python3-venv", "sed", "tzdata"),
)
_SMALL_PACKAGES: Final = ("busybox-static",)
_APPLETS: Final = 'chroot "$1" /bin/busybox --install -s /bin'


def make_bases(podman: Podman) -> None:
    """Have all of them in the store."""
    small = _root(podman, "small", _SMALL_PACKAGES, f"--extract-hook={_APPLETS}")
    _take(podman, small, SMALL)
    _take(podman, small, GO, *_go_variables())
    make_python_base(podman)


def make_python_base(podman: Podman) -> None:
    """Have the one with Python in the store, where it is not there yet."""
    if podman("image", "exists", PYTHON, code=None).code != 0:
        _take(podman, _root(podman, "python", _PYTHON_PACKAGES), PYTHON)


def go_tools() -> tuple[str, ...]:
    """What a build in Go borrows of this machine, as volumes: the tools, and what is fetched."""
    return (
        f"--volume={_go('GOROOT')}:/usr/local/go:ro",
        f"--volume={_go('GOMODCACHE')}:/modules:ro",
        f"--volume={_go('GOCACHE')}:/cache",
    )


def fetch_wheels(podman: Podman, folder: Path) -> None:
    """Have the packages that the arena's lock names, as they were locked, in a folder.

    Here pip reaches the index as this machine is set up to; in the build there is none.
    """
    lock = (
        "--require-hashes",
        "--no-deps",
        "--no-build-isolation",
        "-r",
        "requirements/runtime.lock",
    )
    podman.run(".venv/bin/python", "-m", "pip", "download", "--quiet", *lock, "--dest", folder)


def _root(podman: Podman, name: str, packages: tuple[str, ...], *options: str) -> Path:
    """A minimal root as an archive; packages are unpacked, nothing of them is run."""
    archive = podman.folder / f"{name}.tar"
    include = f"--include={','.join(packages)}"
    release = ("--variant=extract", "bookworm", archive)
    podman.run("mmdebstrap", "--quiet", include, *options, *release)
    return archive


def _take(podman: Podman, archive: Path, image: str, *changes: str) -> None:
    podman("import", "--quiet", *changes, archive, image)


def _go_variables() -> list[str]:
    variables = {
        "PATH": "/usr/local/go/bin:/bin",
        "GOCACHE": "/cache",
        "GOMODCACHE": "/modules",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }
    return [f"--change=ENV {name}={value}" for name, value in variables.items()]


def _go(name: str) -> str:
    done = subprocess.run(
        ["go", "env", name], env=os.environ, capture_output=True, text=True, check=True, timeout=60
    )
    path = done.stdout.strip()
    Path(path).mkdir(parents=True, exist_ok=True)
    return path
