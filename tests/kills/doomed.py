"""An `arena` command that is killed at a moment. Tests run this file as a process.

    python -m tests.kills.doomed FOLDER MOMENT NTH real|house COMMAND...

MOMENT is a name of `Moment`, or "-" for a command that is not killed from inside. FOLDER gets the
file `announced` with the keys of the sets that were announced, and `reached` once the moment was.
With "house", the bots of the tournament are played inside this process and those that are
submitted pass their check untried: none is started, and the rest is as ever.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from arena.cli.main import main
from arena.conformance import submitted
from arena.referee.course import Course
from arena.referee.seat import Question, Refusal, Reply
from arena.referee.sets import SetPlan, deals_of, play_set
from arena.referee.table import Table
from arena.rules.cards import SEATS
from arena.rules.deal import bot_seed
from arena.rules.record import GameRecord, entrant_at
from arena.schedule.execution import PlayedSet, SetOrder
from arena.server.executor import LocalExecutor
from tests.kills.moments import Moment, arm, tell_announced
from tests.referee.seats import Scripted, answer, at_random


async def play(_: LocalExecutor, order: SetOrder) -> PlayedSet:
    """A set between two bots that live here."""
    plan = order.plan
    return PlayedSet(await play_set(plan, lambda half: _play_half(plan, half)))


async def _play_half(plan: SetPlan, half: str) -> GameRecord:
    course = Course(
        plan.variant,
        plan.policy,
        half=half,
        deal_set=plan.deal_set(half),
        deal=deals_of(plan, half),
    )
    return await Table(course, [_seat(plan, half, seat) for seat in range(SEATS)]).play()


def _seat(plan: SetPlan, half: str, seat: int) -> Scripted:
    """A bot that draws its actions from its seed, as `random` does, or plays the first."""
    chance = at_random(int.from_bytes(bot_seed(plan.seed, plan.set_id, half, 0, seat)))
    draws = plan.entrants[entrant_at(half, seat)].name == "random"

    def script(question: Question, refusal: Refusal | None) -> Reply:
        took = random.randrange(1, 5000)  # the times of two plays are never the same
        reply = chance(question, refusal)
        assert isinstance(reply, Reply)
        return answer(reply.action if draws else question.legal[0], charged=took)

    return Scripted(script)


async def bring(*_: object) -> None:
    """What needs no process has dialled in."""


async def pass_untried(*_: object) -> None:
    """What was submitted has passed its check."""


def run(folder: Path, moment: str, nth: int, bots: str, *command: str) -> None:
    """Prepare this process, then be the command."""
    tell_announced(folder / "announced")
    if bots == "house":
        LocalExecutor.play = play  # type: ignore[method-assign,assignment]
        LocalExecutor.bring = bring  # type: ignore[method-assign,assignment]
        submitted.try_out = pass_untried  # type: ignore[assignment]
    if moment != "-":
        arm(Moment[moment], nth, folder / "reached")
    sys.argv = ["arena", *command]
    main()


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
