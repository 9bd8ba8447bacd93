"""Copies of a database that is being played on: whole, and good enough to go on from."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.kills.conftest import SETS
from tests.kills.cup import Cup, Outcome
from tests.kills.moments import Moment


def backup(database: Path, copy: Path) -> None:
    with closing(sqlite3.connect(database)) as here, closing(sqlite3.connect(copy)) as there:
        here.backup(there)


def vacuum_into(database: Path, copy: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))


@pytest.mark.parametrize("make", [backup, vacuum_into], ids=lambda make: make.__name__)
def test_a_copy_of_a_running_arena_is_restored_and_comes_to_the_same_end(
    tmp_path: Path, whole: Outcome, make: Callable[[Path, Path], None]
) -> None:
    cup = Cup(tmp_path, sets=SETS, bots="house")
    copy = tmp_path / "backup.db"
    run = ("tournament", "run", str(cup.file), "--json")
    with cup.process(*run, moment=Moment.PAUSED, nth=3) as child:
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        make(cup.database, copy)
        child.send_signal(signal.SIGCONT)
        child.communicate(timeout=50)
    assert child.returncode == 0
    assert cup.outcome() == whole
    restore(cup, copy)
    assert 0 < len(cup.stored()) < SETS
    (cup.folder / "announced").unlink()
    assert cup.done("tournament", "resume", "cup")[0] == 0
    assert cup.outcome() == whole


def restore(cup: Cup, copy: Path) -> None:
    """Put a copy in place as docs/operating says."""
    shutil.copyfile(copy, cup.database)
    for more in ("-wal", "-shm", ".mark"):
        Path(f"{cup.database}{more}").unlink(missing_ok=True)
