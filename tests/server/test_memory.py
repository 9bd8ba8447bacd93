"""Bots that remember every deal they have seen gain nothing: no process meets a deal twice."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from arena.hosting.command import BotCommand
from arena.hosting.containment import Containment, contain_by_bubblewrap
from arena.hosting.lodgers import HOME
from arena.hosting.process import BotProcess
from arena.hosting.runner import Resources
from arena.ids import EntryNumber, VersionId
from arena.referee.policy import Policy, TimeControl
from arena.referee.sets import SetPlan
from arena.rules import DOUBLE
from arena.rules.record import HALVES, EndingKind, Entrant
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.pairings import round_robin
from arena.schedule.runner import run_orders
from arena.server import executor
from arena.server.admission import Lane
from arena.server.app import running_arena
from arena.wire.records import record_json
from tests.referee.games import SEED

HANDS = 3
VARIANT = replace(DOUBLE, name="short-double", hands=HANDS)
PATIENT = Policy(time=TimeControl(startup_ms=60_000, decision_ms=60_000, bank_ms=600_000))
BOT = Path(__file__).with_name("rememberer.py")
VERSIONS = (1, 2)
SETS = 3
LAST = 2
"""Hands that lie open in the last moment of a process: of each of two games one."""

pytestmark = pytest.mark.timeout(120)


@dataclass(frozen=True, slots=True)
class Notes:
    """What one process said at its end."""

    met: int
    twice: int
    knew: int
    found: int


@dataclass(frozen=True, slots=True)
class Cup:
    """A tournament that is over.

    Attributes:
        notes: of each process.
        records: of each set, without times.
    """

    notes: list[Notes]
    records: dict[str, Any]

    def met(self, hands: int, *, processes: int) -> bool:
        """Whether so many processes have met so many hands each.

        Its own end may be quicker than what a process has to say of its last hands.
        """
        enough = [hands - LAST <= one.met <= hands for one in self.notes]
        return enough == [True] * processes

    @property
    def nobody_gained(self) -> bool:
        """Whether no process met a deal twice, or knew cards it should not."""
        return all((one.twice, one.knew, one.found) == (0, 0, 0) for one in self.notes)


def orders(*, fresh: bool) -> Iterator[SetOrder]:
    """Every pair several times, as a tournament has it."""
    for job in round_robin([EntryNumber(version) for version in VERSIONS], 1, SETS):
        plan = SetPlan(
            set_id=job.set_id,
            variant=VARIANT,
            policy=PATIENT,
            entrants=(Entrant(f"bot{job.first}", "1"), Entrant(f"bot{job.second}", "1")),
            seed=SEED,
        )
        yield SetOrder(plan, (VersionId(job.first), VersionId(job.second)), fresh=fresh)


async def played(
    monkeypatch: pytest.MonkeyPatch,
    bot: BotCommand,
    containment: Containment | None = None,
    *,
    fresh: bool = False,
) -> Cup:
    """Play a tournament of bots that remember; one set at a time, so that there is a past."""
    processes: list[BotProcess] = []
    start = BotProcess.start

    async def noted(*arguments: Any, **more: Any) -> BotProcess:
        processes.append(await start(*arguments, **more))
        return processes[-1]

    monkeypatch.setattr(BotProcess, "start", noted)
    records: dict[str, Any] = {}

    async def keep(order: SetOrder, played: PlayedSet) -> None:
        ends = [half.ending for half in played.record.halves]
        assert [end.kind for end in ends] == [EndingKind.COMPLETED] * 2, played.incidents
        records[order.plan.set_id] = json.loads(record_json(played.record, timing=False))

    with tempfile.TemporaryDirectory(prefix="memory") as folder:
        async with running_arena(f"unix:{folder}/s", tables=2) as arena:
            for version in VERSIONS:
                named = replace(bot, name=f"bot{version}")
                arena.host(VersionId(version), named, "1", containment)
            await run_orders(orders(fresh=fresh), arena.executor, keep, sets_at_once=1)
    return Cup([notes(process) for process in processes], records)


def notes(process: BotProcess) -> Notes:
    """The last that a process said of what it knows."""
    said = re.findall(r"met=(\d+) twice=(\d+) knew=(\d+) found=(\d+)", process.stderr.text())
    assert said, process.stderr.text()
    return Notes(*map(int, said[-1]))


def rememberer(folder: Path = BOT.parent, files: Sequence[str] = ()) -> BotCommand:
    """The bot, in a folder of its own where it is to be contained, and where it keeps files."""
    if folder != BOT.parent:
        shutil.copy(BOT, folder)
    argv = (sys.executable, str(folder / BOT.name), *files)
    return BotCommand("rememberer", argv, "", folder)


async def test_no_process_meets_a_deal_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = await played(monkeypatch, rememberer())
    assert cup.met(SETS * HANDS, processes=8)
    assert cup.nobody_gained


async def test_one_lane_for_both_halves_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot notices what the lanes are there to prevent."""
    monkeypatch.setattr(executor, "_LANES", dict.fromkeys(HALVES, Lane.A))
    cup = await played(monkeypatch, rememberer())
    assert cup.met(2 * SETS * HANDS, processes=4)
    assert not cup.nobody_gained
    assert all(one.twice for one in cup.notes)


async def test_a_process_for_each_game_has_seen_nothing_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup = await played(monkeypatch, rememberer(), fresh=True)
    assert cup.met(HANDS, processes=8 * SETS)
    assert cup.nobody_gained


async def test_what_nothing_contains_leaves_notes_for_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What the sandbox is for: a new process is no new memory where there are files."""
    cup = await played(monkeypatch, rememberer(files=[str(tmp_path)]), fresh=True)
    assert all(one.found for one in cup.notes[8:]), "in every set but the first"


@pytest.mark.bubblewrap
@pytest.mark.parametrize("fresh", [False, True], ids=["lasting", "fresh"])
async def test_contained_processes_find_no_notes_either(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh: bool
) -> None:
    _open_to_all(tmp_path)
    containment = contain_by_bubblewrap(f"memory{secrets.token_hex(4)}", Resources())
    folders = ["/tmp", "/var/tmp", "/dev/shm", "/run", str(HOME), str(tmp_path)]
    cup = await played(monkeypatch, rememberer(tmp_path, folders), containment, fresh=fresh)
    lives = SETS if fresh else 1  # of a place
    assert cup.met(SETS * HANDS // lives, processes=8 * lives)
    assert cup.nobody_gained
    assert not (tmp_path / "deals-that-were-seen").exists()
    assert cup.records == (await played(monkeypatch, rememberer())).records


def _open_to_all(folder: Path) -> None:
    """What forbids to write in it is then the sandbox alone."""
    folder.chmod(0o777)
