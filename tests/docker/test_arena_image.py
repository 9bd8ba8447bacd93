"""The image of the arena: what is in it, and that it runs as a stranger on a read-only root."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.docker.bases import PYTHON
from tests.docker.podman import Podman, until

pytestmark = [pytest.mark.toolchain("containers"), pytest.mark.timeout(1800)]

IMAGE = "localhost/bid-euchre-arena:latest"
MOST_BYTES = 120_000_000
"""Of the arena and its packages, beyond the base."""

STRANGER = (
    *("--user", "12345:0", "--read-only", "--tmpfs", "/tmp", "--network", "none", "--init"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--env", "HOME="),
)


@pytest.fixture
def arena(images: Podman) -> Iterator[Podman]:
    """A container called ``arena`` that serves, and is ready."""
    images("run", "--detach", "--name", "arena", *STRANGER, "--volume", "kept:/data", IMAGE)
    until(lambda: images("healthcheck", "run", "arena", code=None).code == 0)
    yield images
    images("rm", "--force", "--time", "0", "arena")
    images("volume", "rm", "--force", "kept")


def test_it_is_small_and_has_no_tools_to_install_more(images: Podman) -> None:
    base, whole = (int(images.inspect(image)["Size"]) for image in (PYTHON, IMAGE))
    assert whole - base < MOST_BYTES
    ask = ("run", "--rm", *STRANGER, "--entrypoint", "python", IMAGE, "-m", "pip", "--version")
    assert "No module named pip" in images(*ask, code=1).err


def test_it_runs_as_nobody_in_particular_and_says_how_to_ask_for_its_health(
    images: Podman,
) -> None:
    config = images.inspect(IMAGE)["Config"]
    assert config["User"] == "10001:0"
    assert images.inspect(IMAGE)["Healthcheck"]["Test"] == ["CMD", "arena", "health", "--alive"]
    assert not [one for one in config["Env"] if "://" in one or one.startswith("PIP_")]


def test_a_stranger_plays_on_a_read_only_root(arena: Podman) -> None:
    match = ("exec", "arena", "arena", "match", "random", "counting", "--sets", "1", "--json")
    report = json.loads(arena(*match).out)
    assert report["complete"]
    assert arena("exec", "arena", "arena", "health").out == "ready\n"
    assert "Read-only" in arena("exec", "arena", "touch", "/opt/arena/x", code=1).err


def test_it_ends_in_order_and_what_it_knew_is_there_at_the_next_start(arena: Podman) -> None:
    register = ("bot", "register", "guest", "--remote", "--server", "unix:/data/arena.sock")
    arena("exec", "arena", "arena", *register)
    arena("stop", "--time", "60", "arena")
    assert arena.inspect("arena")["State"]["ExitCode"] == 0
    listed = arena("run", "--rm", *STRANGER, "--volume", "kept:/data", IMAGE, "bot", "list")
    assert "guest" in listed.out
