"""Tournaments that were killed, or whose bots have changed, and ``arena tournament resume``."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from tests.cli.bots import interrupter
from tests.cli.commands import ARENA, PLAIN, ROOT, InProcess, assert_refused, process
from tests.cli.small_tournaments import FIRST_LEGAL, SHORT, document, written


def test_a_killed_tournament_goes_on(tmp_path: Path) -> None:
    bot = interrupter(tmp_path, 3, signal="SIGKILL")
    rest = f'bots = ["random", {{name = "x", command = "{bot}"}}]\ntables = 2\n{SHORT}'
    file = written(tmp_path, rest=rest)
    killed = subprocess.run(
        [*ARENA, "tournament", "run", file, "--data", tmp_path / "data"],
        env=PLAIN,
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert killed.returncode == -signal.SIGKILL
    status = process("tournament", "status", "--data", tmp_path / "data")
    assert "state       interrupted, 0 of 1 sets played" in status.out
    assert status.err == f"next:   arena tournament resume 1 --data {tmp_path / 'data'}\n"
    listed = document(process("tournament", "list", "--data", tmp_path / "data", "--json"))
    assert [one["state"] for one in listed["tournaments"]] == ["interrupted"]
    done = document(process("tournament", "run", file, "--data", tmp_path / "data", "--json"))
    assert done["tournament"]["sets"] == {"finished": 1, "planned": 1}


def test_a_resume_with_a_changed_bot_is_refused(arena: InProcess, tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert process("tournament", "create", written(tmp_path), "--data", data).code == 0
    (tmp_path / "mine.py").write_text(FIRST_LEGAL + "\n# changed\n")
    changed = arena("tournament", "resume", "--data", data)
    assert_refused(changed, 1, "bot 'mine' has changed")
    assert "hint:  newer than it: mine.py; put its files back, or" in changed.err
    (tmp_path / "mine.py").unlink()
    gone = arena("tournament", "resume", "--data", data)
    assert_refused(gone, 1, "bot 'mine' has changed")
    assert "hint:  put its files back, or" in gone.err
    told = document(arena("tournament", "status", "--data", data, "--json"))["tournament"]
    assert (told["state"], told["seed"]) == ("created", None)
