"""The compose file, run for real: bots in containers without a network play a tournament."""

from __future__ import annotations

import json
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.docker.podman import Podman, compose_command, until

pytestmark = [pytest.mark.toolchain("containers"), pytest.mark.timeout(1800)]

BOTS = ("counting", "go-starter")
HERE = ("--server", "unix:/data/arena.sock")
CUP = 'name = "cup"\nbots = ["counting", "go-starter"]\nsets = 2\n'


@pytest.fixture(scope="module")
def port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
        assert isinstance(number, int)
        return number


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for the tokens."""
    return tmp_path_factory.mktemp("compose") / "secrets"


@pytest.fixture(scope="module")
def project(images: Podman, port: int, secrets: Path) -> Iterator[Podman]:
    """Everything of the compose file, started as docker/README.md says."""
    settings = {"ARENA_HTTP_PORT": str(port), "ARENA_SECRETS": str(secrets)}
    project = Podman(images.folder, {**images.variables, **settings})
    try:
        project.compose("up", "--detach", "--no-build", "arena")
        # Podman leaves the timer of health checks to systemd, which this machine may not have.
        until(lambda: project("healthcheck", "run", container("arena"), code=None).code == 0)
        command = {"COMPOSE": shlex.join(compose_command())}
        project.run("docker/register", *BOTS, env=command)
        project.compose("up", "--detach", "--no-build")
        yield project
    finally:
        project.compose("down", "--volumes", "--timeout", "60")


def container(service: str) -> str:
    """The name that compose gives to the container of a service."""
    return f"bid-euchre-arena_{service}_1"


def test_bots_that_dial_in_play_a_tournament(project: Podman, port: int) -> None:
    arena = ("exec", "-T", "arena", "arena")
    project.compose(*arena, "tournament", "create", "/dev/stdin", *HERE, given=CUP)
    project.compose(*arena, "tournament", "watch", "cup", *HERE)
    board = json.loads(project.compose(*arena, "leaderboard", "--json", *HERE).out)
    (table,) = board["leaderboards"]
    rows = {row["bot"]: row for row in table["rows"]}
    assert set(rows) == set(BOTS)
    assert [sum(row["faults"].values()) for row in rows.values()] == [0, 0]
    with urlopen(f"http://127.0.0.1:{port}/", timeout=30) as page:
        assert "go-starter" in page.read().decode()


@pytest.mark.parametrize("chair", ["first", "second"])
def test_a_bot_reaches_nothing_but_the_socket(project: Podman, chair: str) -> None:
    bot = container(f"go-starter-{chair}")
    inside = ("exec", bot, "sh", "-c")
    assert project(*inside, "ls /sys/class/net").out.split() == ["lo"]
    assert project(*inside, "ls /sockets /run/secrets").out.split() == [
        *("/run/secrets:", "go-starter", "/sockets:", "bots.sock")
    ]
    assert "Read-only" in project(*inside, "touch /sockets/x", code=1).err
    assert project(*inside, "ls /data", code=1).out == ""
    assert project(*inside, "id -u").out == "10002\n"
    assert "ARENA_TOKEN=" not in "".join(project.inspect(bot)["Config"]["Env"])


@pytest.mark.usefixtures("project")
def test_tokens_are_kept_from_others(secrets: Path) -> None:
    assert secrets.stat().st_mode & 0o777 == 0o700
    tokens = {path.name: path.read_text() for path in secrets.glob("*.token")}
    assert set(tokens) == {f"{name}.token" for name in BOTS}
    assert len(set(tokens.values())) == len(BOTS)


def test_registering_again_changes_nothing(project: Podman, secrets: Path) -> None:
    before = (secrets / "counting.token").read_text()
    said = project.run("docker/register", "counting", env={"COMPOSE": "false"}).err
    assert said == "docker/register: counting has a token already\n"
    assert (secrets / "counting.token").read_text() == before


def test_without_a_name_it_says_what_is_missing(project: Podman) -> None:
    assert "name the bots" in project.run("docker/register", code=2).err
