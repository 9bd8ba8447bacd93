"""Damaged records: named, left out, played again; and their results stand throughout."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import InProcess, assert_refused, process
from tests.store.databases import shell

SETS = 6
BOTS = 'bots = ["first_legal", {name = "mine", command = "python mine.py"}]\n'
STEADY = (
    "from arena.sdk import Bot, run\nclass B(Bot):\n    def act(self, v, l): return l[-1]\nrun(B)\n"
)
FICKLE = (
    "import random\nfrom arena.sdk import Bot, run\n"
    "class B(Bot):\n    def act(self, v, l): return random.choice(l)\nrun(B)\n"
)
KEY = "r1:1-2:3"


def played(folder: Path, bot: str) -> Path:
    """A folder with a finished tournament, `cup`, in `data`."""
    (folder / "mine.py").write_text(bot)
    rest = f'name = "cup"\nvariant = "double"\nsets = {SETS}\n'
    (folder / "cup.toml").write_text(rest + BOTS)
    done = process("tournament", "run", folder / "cup.toml", "--data", folder / "data")
    assert done.code == 0, done
    return folder


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("damage"), STEADY)


@pytest.fixture
def data(finished: Path, tmp_path: Path) -> Path:
    """A data folder of its own, with the tournament in it."""
    shutil.copytree(finished / "data", tmp_path / "data")
    return tmp_path / "data"


def damage(data: Path, statement: str = "record = substr(record, 1, length(record) - 4)") -> None:
    """Change the row of a set behind the arena's back."""
    shell(data / "arena.db", f"UPDATE sets SET {statement} WHERE job_key = '{KEY}'")


def board(arena: InProcess, data: Path) -> Any:
    return json.loads(arena("leaderboard", "--data", data, "--json").out)


def rows(data: Path) -> list[tuple[object, ...]]:
    """All that is in the journal but how the records are packed."""
    return shell(
        data / "arena.db",
        "SELECT job_key, outcome, points, hands, content_hash, finished_us FROM sets "
        "ORDER BY sequence",
    )


@pytest.mark.parametrize(
    "statement",
    [
        "record = substr(record, 1, length(record) - 4)",
        "record = zeroblob(length(record))",
        "record = (SELECT s.record FROM sets s WHERE s.job_key = 'r1:1-2:5')",
        "record_hash = replace(record_hash, substr(record_hash, 1, 1), 'x')",
    ],
    ids=["it is cut", "it is zeros", "it is another's", "its hash is another"],
)
def test_a_damaged_record_is_named_and_what_to_do(
    arena: InProcess, data: Path, tmp_path: Path, statement: str
) -> None:
    before = board(arena, data)
    damage(data, statement)
    status = arena("tournament", "status", "cup", "--data", data)
    assert status.code == 0
    assert f"finished, {SETS} of {SETS} sets played" in status.out
    assert status.err.splitlines() == [
        f"the record of {KEY} is damaged; its result stands",
        f"next:   arena tournament resume 1 --damaged --data {data}",
    ]
    checked = arena("record", "verify", "--tournament", "cup", "--data", data)
    lines = checked.out.splitlines()
    assert checked.code == 1
    assert [line.split()[1] for line in lines if line.startswith("FAIL")] == [KEY]
    assert "tournament resume 1 --damaged" in checked.out
    assert lines[-1] == f"{SETS} records: {SETS - 1} hold, 1 FAIL"
    out = tmp_path / "out"
    exported = arena("record", "export", "cup", "--data", data, "--out", out)
    assert exported.code == 1
    assert f"error: the record of {KEY} is damaged; its result stands" in exported.err
    assert len(list(out.iterdir())) == SETS - 1
    assert board(arena, data) == before


def test_records_of_a_tournament_are_checked_with_its_seed(arena: InProcess, data: Path) -> None:
    done = arena("record", "verify", "--tournament", "cup", "--data", data, "--json")
    told = json.loads(done.out)
    assert (done.code, told["checked"], told["failed"]) == (0, SETS, 0)
    assert told["files"][0]["file"] == "r1:1-2:1"
    wrong = arena("record", "verify", "--tournament", "cup", "--data", data, "--seed", "ab" * 32)
    assert wrong.code == 1


def test_a_result_that_is_not_its_records_is_told(arena: InProcess, data: Path) -> None:
    damage(data, "points = points + 1")
    done = arena("record", "verify", "--tournament", "cup", "--data", data)
    assert done.code == 1
    assert f"FAIL  {KEY}  its record has another result than the journal" in done.out


def test_a_set_that_is_played_again_the_same_has_its_record_back(
    arena: InProcess, data: Path
) -> None:
    before, stored = board(arena, data), rows(data)
    damage(data)
    done = process("tournament", "resume", "cup", "--damaged", "--data", data)
    assert (done.code, done.out) == (0, "1 damaged, 1 restored\n")
    checked = arena("record", "verify", "--tournament", "cup", "--data", data)
    assert checked.out.splitlines()[-1] == f"{SETS} records: all hold"
    assert (board(arena, data), rows(data)) == (before, stored)
    again = process("tournament", "resume", "cup", "--damaged", "--data", data)
    assert (again.code, again.out) == (0, "0 damaged, 0 restored\n")


def test_a_set_that_comes_out_otherwise_is_kept_beside_and_changes_nothing(
    arena: InProcess, tmp_path: Path
) -> None:
    data = played(tmp_path, FICKLE) / "data"
    before, stored = board(arena, data), rows(data)
    damage(data)
    done = process("tournament", "resume", "cup", "--damaged", "--data", data)
    assert done.code == 1
    assert done.out == "1 damaged, 0 restored\n"
    assert f"error: {KEY} came out otherwise than before" in done.err
    assert shell(data / "arena.db", "SELECT job_key FROM refused_sets") == [(KEY,)]
    assert (board(arena, data), rows(data)) == (before, stored)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tournament", "resume", "--damaged"], "--damaged needs a tournament"),
        (["record", "verify"], "either FILEs or --tournament"),
        (["record", "verify", "--tournament", "spring"], 'no tournament "spring"'),
    ],
    ids=["resume", "verify", "verify another"],
)
def test_what_is_not_said_is_asked_for(
    arena: InProcess, data: Path, arguments: list[str], words: str
) -> None:
    assert_refused(arena(*arguments, "--data", data), 2, words)
