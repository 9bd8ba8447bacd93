"""Killed at any moment, a tournament loses nothing and goes on to the same end (design 10)."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.kills.conftest import SETS
from tests.kills.cup import ANYWHERE, KILLED, Cup, Outcome, timed
from tests.kills.moments import Moment
from tests.store.databases import one_revision_old

WHILE_RUNNING = (
    (Moment.MIGRATING, 1),
    (Moment.MIGRATED, 1),
    (Moment.CREATING, 1),
    (Moment.CREATED, 1),
    (Moment.STARTING, 1),
    (Moment.BEFORE, 2),
    (Moment.INSIDE, 2),
    (Moment.STATED, 2),
    (Moment.LOGGING, 2),
    (Moment.SYNCING, 2),
    (Moment.MOVING, 2),
    (Moment.COMMITTED, 2),
    (Moment.ANNOUNCED, 2),
)
"""In this order one tournament can be killed at each: every one leaves something to do."""

WHILE_SERVING = (
    (Moment.CREATING_TABLES, 1),
    (Moment.TOKEN, 1),
)
"""Before a server has any tournament."""


def killed(cup: Cup, moment: Moment, nth: int, *command: str) -> list[str]:
    """Kill a command at a moment; what is stored then."""
    before = set(cup.check())
    code, said = cup.done(*command, moment=moment, nth=nth)
    assert code in KILLED, said
    assert cup.moment_was_reached() == moment.name
    after = cup.check()
    assert before <= set(after), "a set is lost"
    return after


@pytest.mark.timeout(120)  # sixteen processes start, one after the other
def test_a_run_killed_at_every_moment_comes_to_the_same_end(tmp_path: Path, whole: Outcome) -> None:
    cup = Cup(tmp_path, sets=SETS, bots="house")
    cup.data.mkdir()
    one_revision_old(cup.database)
    for moment, nth in WHILE_RUNNING:
        stored = killed(cup, moment, nth, "tournament", "run", str(cup.file))
        assert len(stored) < SETS, "nothing is left to be killed"
    killed(cup, Moment.STARTING, 1, "tournament", "resume")  # at its end, which is a state too
    assert cup.run() == 0
    assert len(cup.check()) == SETS
    assert cup.outcome() == whole


@pytest.mark.timeout(120)
def test_a_server_killed_at_its_moments_goes_on_to_the_same_end(
    tmp_path: Path, whole: Outcome
) -> None:
    cup = Cup(tmp_path, sets=SETS, bots="house")
    for moment, nth in WHILE_SERVING:
        killed(cup, moment, nth, "serve", *ANYWHERE)
    assert cup.done("tournament", "create", str(cup.file))[0] == 0
    for moment in (Moment.SYNCING, Moment.COMMITTED):
        assert len(killed(cup, moment, 2, "serve", *ANYWHERE)) < SETS
    assert cup.serve_to_the_end() == 0
    assert len(cup.check()) == SETS
    assert cup.outcome() == whole


def test_an_export_that_is_killed_is_made_whole_by_the_next(tmp_path: Path, whole: Outcome) -> None:
    cup = Cup(tmp_path, sets=SETS, bots="house")
    assert cup.run() == 0
    out = tmp_path / "out"
    export = ("record", "export", "cup", "--out", str(out))
    killed(cup, Moment.EXPORTING, 5, *export)
    assert len(list(out.glob("*.json"))) == 4
    assert cup.done(*export)[0] == 0
    files = {file.name: json.loads(file.read_bytes()) for file in out.iterdir()}
    assert len(files) == SETS
    for record in files.values():
        record.pop("timing")
    assert {record["set_id"]: record for record in files.values()} == whole.records


# Thirty kills at random, with bots that are processes.

THIRTY = 30
REAL_SETS = 24
ANY_TIME = tuple(moment for moment, _ in WHILE_RUNNING if moment.name[:4] != "MIGR")


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill, and what it left.

    Attributes:
        command: what was killed.
        moment: when.
        before: sets in the journal after the kill.
        after: the same at the end.
        equal: whether everything came out as without the kill.
    """

    command: str
    moment: str
    before: int
    after: int
    equal: bool


def kill_at_random(number: int, folder: Path, chance: random.Random, seconds: float) -> Cup:
    """A tournament that was killed: in turn a run by the clock, a run at a moment, a server."""
    cup = Cup(folder, sets=REAL_SETS, bots="real")
    run = ("tournament", "run", str(cup.file))
    match number % 3:
        case 0:
            cup.killed_after(chance.uniform(seconds / 3, seconds), *run)
        case 1:
            moment = ANY_TIME[number // 3 % len(ANY_TIME)]
            nth = 1 if moment in ANY_TIME[:3] else chance.randrange(1, REAL_SETS // 2)
            killed(cup, moment, nth, *run)
        case _:
            assert cup.done("tournament", "create", str(cup.file))[0] == 0
            cup.killed_after(chance.uniform(seconds / 3, seconds), "serve", *ANYWHERE)
    return cup


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_thirty_kills_at_random_change_nothing_in_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    whole = Cup(folder_in(tmp_path, "whole"), sets=REAL_SETS, bots="real")
    seconds = timed(lambda: whole.run())
    wanted, kills = whole.outcome(), []
    for number in range(THIRTY):
        cup = kill_at_random(number, folder_in(tmp_path, f"{number}"), chance, seconds)
        before = len(cup.check())
        moment = cup.moment_was_reached()
        serves = number % 3 == 2
        assert (cup.serve_to_the_end() if serves else cup.run()) == 0
        kills.append(
            Kill(
                "serve" if serves else "run",
                Moment[moment].value if moment else "by the clock",
                before,
                len(cup.check()),
                cup.outcome() == wanted,
            )
        )
    with capsys.disabled():
        print(f"\nchance {seed}, uninterrupted {seconds:.1f} s, {REAL_SETS} sets")  # noqa: T201
        for number, kill in enumerate(kills, start=1):
            equal = "equal" if kill.equal else "DIFFERENT"
            print(  # noqa: T201
                f"{number:2}  {kill.command:5}  {kill.moment:42}  "
                f"{kill.before:2} -> {kill.after:2}  {equal}"
            )
    assert all(kill.equal for kill in kills)
    assert {kill.after for kill in kills} == {REAL_SETS}
    assert any(0 < kill.before < REAL_SETS for kill in kills), "all kills came too early or late"


def folder_in(parent: Path, name: str) -> Path:
    """A new folder."""
    folder = parent / name
    folder.mkdir()
    return folder
