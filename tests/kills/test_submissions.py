"""Killed while it takes a submission, an arena keeps it whole or not at all, and says which."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.hosting.shelf import BOTS
from arena.store import Store, SubmissionState
from tests.cli.commands import ARENA, PLAIN, ROOT, process
from tests.kills.cup import ANYWHERE, KILLED, Cup
from tests.kills.moments import Moment

BOT = """\
from arena.sdk import Bot, run


class Phoenix(Bot):
    def act(self, view, legal):
        return legal[0]


run(Phoenix, name="phoenix")
"""

BEFORE = (SubmissionState.FAILED, "the arena ended before it was built: submit it again")
CHECKED = (SubmissionState.FAILED, "the arena ended while it was being checked: submit it again")
READY = (SubmissionState.READY, "")
KEPT = ["build.log", "built", "check.json", "source"]

SAID = {
    BEFORE: f"error: phoenix was not taken: {BEFORE[1]}\n",
    CHECKED: f"error: phoenix was not taken: {CHECKED[1]}\n",
    READY: "",
}
"""The last line that the author reads, on standard error."""


class House:
    """An arena that takes submissions, and one author with one bot.

    Args:
        folder: there, and empty.
    """

    def __init__(self, folder: Path) -> None:
        self.cup = Cup(folder, sets=1, bots="house")
        self.shelf = self.cup.data / BOTS
        self.server = f"unix:{self.cup.data}/arena.sock"
        self._bot = folder / "phoenix"
        self._bot.mkdir()
        (self._bot / "bot.py").write_text(BOT)
        (self._bot / "bot.toml").write_text(
            'name = "phoenix"\nlanguage = "python"\nbuild = [["sh", "-c", "echo x >made"]]\n'
            'run = ["python", "bot.py"]\n'
        )
        words = ("token", "new", "ann", "--role", "author", "--data", self.cup.data, "--json")
        self._token: str = json.loads(process(*words).out)["token"]

    @contextmanager
    def serving(self, moment: Moment | None = None) -> Iterator[None]:
        """A server that is killed at a moment, or at the end of the block."""
        words = ("serve", *ANYWHERE, "--runner", "process")
        with self.cup.process(*words, moment=moment) as child:
            assert child.stderr is not None
            said = ""
            while "token" not in said and (line := child.stderr.readline()):
                said += line
            assert "token" in said, said
            yield
            if moment is not None:
                child.communicate(timeout=30)
                assert child.returncode in KILLED
                assert self.cup.moment_was_reached() == moment.name

    @contextmanager
    def submitting(self) -> Iterator[subprocess.Popen[str]]:
        """`arena bot submit` of the bot, which goes on while arenas come and go."""
        with subprocess.Popen(
            [*ARENA, "bot", "submit", self._bot, "--server", self.server],
            env=PLAIN | {"ARENA_AUTHOR_TOKEN": self._token},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as child:
            try:
                yield child
            finally:
                child.kill()

    def submissions(self) -> list[tuple[SubmissionState, str]]:
        """What became of each, the first one first."""
        with Store.open(self.cup.database) as store:
            return [(one.state, one.reason) for one in reversed(store.submissions())]

    def versions(self) -> int:
        """How many there are."""
        with Store.open(self.cup.database) as store:
            return len(store.versions())

    def log(self) -> str:
        """What the author is told of the build."""
        words = ("bot", "logs", "phoenix", "--build", "--server", self.server)
        done = process(*words, env={"ARENA_AUTHOR_TOKEN": self._token})
        assert done.code == 0, done
        return done.out.rstrip("\n")

    def kept(self) -> list[str]:
        """What is in the folder of the one content; nothing is half-made."""
        assert not list((self.shelf / ".received").iterdir())
        folders = [
            folder for folder in self.shelf.iterdir() if folder.name not in (".failed", ".received")
        ]
        assert not any(folder.name.startswith(".") for folder in folders)
        return sorted(path.name for folder in folders for path in folder.iterdir())


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


@pytest.mark.timeout(180)  # four processes, and one that looks for the next arena now and then
@pytest.mark.parametrize(
    ("moments", "told"),
    [
        ((Moment.RECEIVED,), READY),
        ((Moment.ACCEPTED,), BEFORE),
        ((Moment.MADE,), READY),
        ((Moment.KEPT,), READY),
        ((Moment.FINISHING,), READY),
        ((Moment.READY,), READY),
        ((Moment.MADE, Moment.MADE), CHECKED),  # it may be what ends the arena
    ],
    ids=lambda value: " ".join(one.name for one in value) if isinstance(value[0], Moment) else "",
)
def test_what_was_received_is_taken_up_by_the_next_arena(
    short: Path, moments: tuple[Moment, ...], told: tuple[SubmissionState, str]
) -> None:
    house = House(short)
    with contextlib.ExitStack() as stack:
        for number, moment in enumerate(moments):
            with house.serving(moment):
                if not number:
                    child = stack.enter_context(house.submitting())
        with house.serving():
            out, err = child.communicate(timeout=90)
            ready = told == READY
            assert (child.returncode, out) == (
                (0, "phoenix 1 is ready to play\n") if ready else (1, "")
            ), err
            assert err.endswith(SAID[told]), err
            assert house.submissions() == [told]
            assert house.versions() == int(ready)
            assert house.kept() == (KEPT if ready else [])
            if not ready:
                assert house.log().endswith(told[1])
