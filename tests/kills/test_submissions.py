"""Killed while it takes a submission, an arena keeps it whole or not at all, and says which."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.hosting.shelf import BOTS
from arena.store import Store, SubmissionState
from arena.store.submissions import INTERRUPTED
from tests.cli.commands import Done, process
from tests.kills.cup import ANYWHERE, KILLED, Cup
from tests.kills.moments import Moment

BOT = """\
from arena.sdk import Bot, run


class Phoenix(Bot):
    def act(self, view, legal):
        return legal[0]


run(Phoenix, name="phoenix")
"""

FAILED = (SubmissionState.FAILED, INTERRUPTED)
READY = (SubmissionState.READY, "")

KILLS = {
    Moment.RECEIVED: ([], []),
    Moment.ACCEPTED: ([FAILED], []),
    Moment.MADE: ([FAILED], []),
    Moment.KEPT: ([FAILED], ["build.log", "built", "check.json", "source"]),
    Moment.FINISHING: ([FAILED], ["build.log", "built", "check.json", "source"]),
    Moment.READY: ([READY], ["build.log", "built", "check.json", "source"]),
}
"""In this order, of one content: what a kill adds to the submissions, and what is kept then."""


class House:
    """An arena that takes submissions, and one author with one bot.

    Args:
        folder: there, and empty.
    """

    def __init__(self, folder: Path) -> None:
        self.cup = Cup(folder, sets=1, bots="house")
        self.shelf = self.cup.data / BOTS
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
    def serving(self, moment: Moment | None = None) -> Iterator[str]:
        """The address of a server that is killed at a moment, or at the end of the block."""
        words = ("serve", *ANYWHERE, "--runner", "process")
        with self.cup.process(*words, moment=moment) as child:
            assert child.stderr is not None
            said = ""
            while "token" not in said and (line := child.stderr.readline()):
                said += line
            found = re.search(r"bots +(\S+)", said)
            assert found is not None, said
            yield found[1]
            if moment is not None:
                child.communicate(timeout=30)
                assert child.returncode in KILLED
                assert self.cup.moment_was_reached() == moment.name

    def submit(self, address: str) -> Done:
        """`arena bot submit` of the bot."""
        environment = {"ARENA_AUTHOR_TOKEN": self._token}
        return process("bot", "submit", self._bot, "--server", address, env=environment)

    def submissions(self) -> list[tuple[SubmissionState, str]]:
        """What became of each, the first one first."""
        with Store.open(self.cup.database) as store:
            return [(one.state, one.reason) for one in reversed(store.submissions())]

    def versions(self) -> int:
        """How many there are."""
        with Store.open(self.cup.database) as store:
            return len(store.versions())

    def kept(self) -> list[str]:
        """What is in the folder of the one content; nothing is half-made."""
        folders = [folder for folder in self.shelf.iterdir() if folder.name != ".failed"]
        assert not any(folder.name.startswith(".") for folder in folders)
        return sorted(path.name for folder in folders for path in folder.iterdir())


@pytest.mark.timeout(180)  # fifteen processes start, one after the other
def test_a_submission_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    house = House(tmp_path)
    told: list[tuple[SubmissionState, str]] = []
    left: tuple[list[str], int] = [], 0
    for moment, (added, kept) in KILLS.items():
        with house.serving(moment) as address:
            assert (house.submissions(), house.kept(), house.versions()) == (told, *left)
            done = house.submit(address)
        assert done.code == 1, done
        assert "Traceback" not in done.err
        told += added
        left = kept, int(moment is Moment.READY)
    with house.serving() as address:
        assert (house.submissions(), house.kept(), house.versions()) == (told, *left)
        done = house.submit(address)
    assert (done.code, done.out) == (0, "phoenix 1 is ready to play\n"), done.err
    assert house.submissions() == [*told, READY]
    assert house.versions() == 1
