"""The images, built once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docker.bases import GO, PYTHON, SMALL, fetch_wheels, go_tools, make_bases
from tests.docker.podman import Podman, own_podman

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def podman() -> Iterator[Podman]:
    """Podman with a store of its own."""
    with own_podman() as podman:
        yield podman


@pytest.fixture(scope="session")
def images(podman: Podman) -> Podman:
    """Podman with the images of the compose file in its store, built as that says."""
    make_bases(podman)
    fetch_wheels(podman, ROOT / "docker" / "wheels")
    offline = ("--build-arg", f"BASE={PYTHON}", "--build-arg", "PIP_NO_INDEX=1")
    podman.compose("build", *offline, "arena")
    podman.compose("build", "counting-first")
    bases = ("--build-arg", f"BUILD_BASE={GO}", "--build-arg", f"RUN_BASE={SMALL}")
    tools = f"--podman-build-args={' '.join(go_tools())}"
    podman.compose(tools, "build", *bases, "go-starter-first")
    return podman
