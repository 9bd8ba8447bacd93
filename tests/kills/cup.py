"""A tournament that is killed again and again, and what is left of it."""

from __future__ import annotations

import json
import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.ids import JobKey
from arena.ratings.leaderboard import Row, leaderboard
from arena.ratings.results import SetResult
from arena.store import Store, TournamentState
from tests.kills.moments import Moment

ROOT: Final = Path(__file__).resolve().parents[2]
SEED: Final = "c3" * 32
KILLED: Final = (-signal.SIGKILL, -signal.SIGSYS)
ANYWHERE: Final = ("--listen", "127.0.0.1:0", "--http", "none", "--tables", "2")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tournament came to.

    Attributes:
        state: of the tournament.
        records: by job key, without their times.
        results: in canonical order.
        board: the leaderboard.
    """

    state: TournamentState
    records: dict[JobKey, Any]
    results: tuple[SetResult, ...]
    board: tuple[Row, ...]


class Cup:
    """A tournament of two bots in a folder of its own.

    Args:
        folder: there, and empty.
        sets: of the pair.
        bots: "house" for bots inside the arena's process, "real" for processes of their own.
        data: the data folder, where it is to be elsewhere.
    """

    def __init__(self, folder: Path, *, sets: int, bots: str, data: Path | None = None) -> None:
        self.folder = folder
        self.data = folder / "data" if data is None else data
        self.database = self.data / "arena.db"
        self.sets = sets
        self._bots = bots
        self.file = folder / "cup.toml"
        self.file.write_text(
            'name = "cup"\nvariant = "double"\nbots = ["random", "first_legal"]\n'
            f'sets = {sets}\ntables = 4\nseed = "{SEED}"\n'
        )

    # Commands.

    @contextmanager
    def process(
        self, *command: str, moment: Moment | None = None, nth: int = 1
    ) -> Iterator[subprocess.Popen[str]]:
        """A command over the folder that is killed at a moment, or at the end of the block."""
        (self.folder / "reached").unlink(missing_ok=True)
        name = "-" if moment is None else moment.name
        words = (str(self.folder), name, str(nth), self._bots, *command, "--data", str(self.data))
        with subprocess.Popen(
            [sys.executable, "-m", "tests.kills.doomed", *words],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as child:
            try:
                yield child
            finally:
                child.kill()

    def done(self, *command: str, moment: Moment | None = None, nth: int = 1) -> tuple[int, str]:
        """The exit code of a command, and what it said on standard error."""
        with self.process(*command, moment=moment, nth=nth) as child:
            said = child.communicate(timeout=50)[1]
        return child.returncode, said

    def run(self, moment: Moment | None = None, nth: int = 1) -> int:
        """`arena tournament run`; its exit code."""
        return self.done("tournament", "run", str(self.file), moment=moment, nth=nth)[0]

    def serve_to_the_end(self) -> int:
        """`arena serve` until the tournament is over; its exit code."""
        with self.process("serve", *ANYWHERE) as child:
            assert child.stderr is not None
            for line in child.stderr:
                if "is finished" in line:
                    child.send_signal(signal.SIGTERM)
            return child.wait(timeout=30)

    def killed_after(self, seconds: float, *command: str) -> int:
        """The exit code of a command that is killed after so long, if it runs for so long."""
        with self.process(*command) as child:
            descriptor = os.pidfd_open(child.pid)
            try:
                select.select([descriptor], [], [], seconds)
            finally:
                os.close(descriptor)
            child.kill()
            child.communicate()
        return child.returncode

    def status(self) -> str:
        """The state of the tournament as `arena tournament status` tells it."""
        words = ("tournament", "status", "--json", "--data", str(self.data))
        done = subprocess.run(
            [sys.executable, "-c", "from arena.cli.main import main; main()", *words],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        state: str = json.loads(done.stdout)["tournament"]["state"]
        return state

    def moment_was_reached(self) -> str:
        """The name of the moment that the last command noted, empty where it came to none."""
        note = self.folder / "reached"
        return note.read_text() if note.exists() else ""

    # What is left.

    def announced(self) -> list[str]:
        """The keys of the sets that were announced, as often as they were."""
        file = self.folder / "announced"
        return file.read_text().split() if file.exists() else []

    def stored(self) -> list[str]:
        """The keys in the journal, as they lie there; empty before there is a journal.

        The database is copied first, log and all: looking must not repair what a kill has left.
        """
        if not self.database.exists():
            return []
        with closing(sqlite3.connect(":memory:")) as copy:
            with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as here:
                here.backup(copy)
            assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
            if "sets" not in tables:
                return []
            return [key for (key,) in copy.execute("SELECT job_key FROM sets")]

    def check(self) -> list[str]:
        """What is stored: nothing twice, and all that was announced."""
        stored, announced = self.stored(), self.announced()
        assert len(stored) == len(set(stored)), "a set is stored twice"
        assert set(announced) <= set(stored), "a set that was announced is lost"
        assert len(announced) == len(set(announced)), "a set was announced twice"
        return stored

    def outcome(self) -> Outcome:
        """What the tournament came to."""
        with Store.open(self.database) as store:
            found = store.tournament_named("cup")
            results = store.results(tournament=found.id)
            records = {key: _timeless(record) for key, record in store.records(found.id)}
            entrants = [entry.version.id for entry in found.entries]
        return Outcome(found.state, records, results, leaderboard(results, entrants))


def _timeless(record: bytes) -> Any:
    data = json.loads(record)
    data.pop("timing")
    return data


def timed(act: Any) -> float:
    """How long something takes, in seconds."""
    began = time.monotonic()
    act()
    return time.monotonic() - began
