"""Bots that are submitted to an arena that plays them in containers, each in the image it names."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.serving import serving
from tests.docker.podman import Podman
from tests.docker.test_arena_image import IMAGE

pytestmark = [pytest.mark.toolchain("containers"), pytest.mark.timeout(1800)]

ARENA = Path(sys.executable).parent / "arena"
RANDOM = Path("sample_bots/python/random/bot.py")
PLAYER = "localhost/player:1"
PLAYS = 'ENTRYPOINT ["python3", "/opt/arena/sample_bots/python/random/bot.py"]'


@dataclass(frozen=True, slots=True)
class Served:
    """An arena that serves.

    Attributes:
        podman: what it starts containers with.
        where: the options that reach it as its organiser.
    """

    podman: Podman
    where: tuple[str, ...]

    def __call__(self, *words: str | Path, code: int = 0) -> str:
        """What a command says to it, on both streams."""
        ended = self.podman.run(ARENA, *words, *self.where, code=code)
        return ended.out + ended.err


@pytest.fixture(scope="module")
def served(images: Podman, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    images("build", "--tag", PLAYER, "-", given=f"FROM {IMAGE}\n{PLAYS}\n")
    data = tmp_path_factory.mktemp("served") / "data"
    contained = ("--runner", "container", "--image", IMAGE, "--image", PLAYER)
    environment = {**os.environ, **images.variables}
    with serving(data, *contained, environment=environment) as (address, said):
        assert "submissions contained by container" in said
        yield Served(images, ("--server", address, "--data", str(data)))


def bot(folder: Path, more: str) -> Path:
    """A bot's folder with nothing but its bot.toml."""
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\nlanguage = "python"\n{more}\n')
    return folder


def test_bots_play_in_the_images_that_they_name(served: Served, tmp_path: Path) -> None:
    whole = bot(tmp_path / "whole", f"image = '{PLAYER}'")
    script = bot(tmp_path / "script", "run = ['python3', 'bot.py']")
    shutil.copy(RANDOM, script / "bot.py")
    for folder in (whole, script):
        assert f"{folder.name} 1 is ready to play" in served("bot", "submit", folder)
    cup = tmp_path / "cup.toml"
    cup.write_text("name = 'cup'\nbots = ['whole', 'script']\nsets = 2\n")
    served("tournament", "create", cup)
    served("tournament", "watch", "cup")
    table = json.loads(served("leaderboard", "--json"))
    (board,) = table["leaderboards"]
    assert {row["bot"]: sum(row["faults"].values()) for row in board["rows"]} == {
        "whole": 0,
        "script": 0,
    }


def test_an_image_that_was_not_allowed_is_refused(served: Served, tmp_path: Path) -> None:
    stranger = bot(tmp_path / "stranger", "image = 'docker.io/nobody/knows:1'")
    assert "this arena has 'localhost/bid-" in served("bot", "submit", stranger, code=1)
