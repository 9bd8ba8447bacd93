"""Playing a match: an embedded server on a Unix socket, bots as processes, a round robin."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arena.cli.bot_arguments import version_label
from arena.cli.came_up import coming_up
from arena.cli.interrupts import Interrupts
from arena.hosting.command import BotCommand
from arena.hosting.containment import Containment
from arena.ids import EntryNumber, VersionId
from arena.referee.policy import Policy
from arena.referee.sets import SetPlan
from arena.rules.record import Entrant, SetRecord
from arena.rules.variant import Variant
from arena.schedule.execution import PlayedSet, SetOrder
from arena.schedule.pairings import Job, round_robin, total
from arena.schedule.runner import run_orders
from arena.server.app import Arena, running_arena
from arena.server.executor import all_places


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What ``arena match`` plays.

    Attributes:
        bots: two or more; the entry numbers are their places, from 1.
        variant: the rules.
        policy: clocks and faults.
        seed: 32 bytes.
        sets: of each pair.
        tables: played at once.
        containment: what contains the bots; None for nothing.
    """

    bots: tuple[BotCommand, ...]
    variant: Variant
    policy: Policy
    seed: bytes
    sets: int
    tables: int
    containment: Containment | None = None

    @property
    def entries(self) -> tuple[EntryNumber, ...]:
        """The entry numbers."""
        return tuple(EntryNumber(number) for number in range(1, len(self.bots) + 1))

    @property
    def total(self) -> int:
        """All sets."""
        return total(self.entries, 1, self.sets)

    def entrant(self, entry: EntryNumber) -> Entrant:
        """The bot of an entry as it stands in records."""
        bot = self.bots[entry - 1]
        return Entrant(bot.name, version_label(bot))

    def orders(self) -> Iterator[tuple[Job, SetOrder]]:
        """The sets in the order of the schedule, made one by one."""
        for job in round_robin(self.entries, 1, self.sets):
            entrants = (self.entrant(job.first), self.entrant(job.second))
            plan = SetPlan(job.set_id, self.variant, self.policy, entrants, self.seed)
            yield job, SetOrder(plan, (VersionId(job.first), VersionId(job.second)))


@dataclass(frozen=True, slots=True)
class Keeper:
    """What becomes of finished sets.

    Attributes:
        store: puts a record away, in a thread: bots on the clock must not wait for the disk.
        count: is told of a set once it is stored, in the thread of the match.
        hear: gets at the end what processes that ended by themselves last wrote to standard error.
    """

    store: Callable[[SetRecord], None]
    count: Callable[[Job, SetRecord], None]
    hear: Callable[[VersionId, str], None]


async def play_match(plan: MatchPlan, address: str, keeper: Keeper, interrupts: Interrupts) -> None:
    """Play all sets, or as many as nobody interrupts.

    Args:
        plan: what is played.
        address: where to listen for the bots.
        keeper: takes the finished sets.
        interrupts: what was asked for meanwhile.

    Raises:
        ArenaFault: a set cannot be played.
        CliError: the processes of a bot do not come up, or a record could not be stored.
        CancelledError: interrupted at once.
    """
    async with running_arena(address, tables=plan.tables) as arena:
        await _start(plan, arena)
        try:
            await _play(plan, arena, keeper, interrupts)
        finally:
            for place, words in arena.fleet.last_words.items():
                keeper.hear(place.version, words)


async def _start(plan: MatchPlan, arena: Arena) -> None:
    async with asyncio.TaskGroup() as group:
        for entry, bot in zip(plan.entries, plan.bots, strict=True):
            version = VersionId(entry)
            arena.host(version, bot, version_label(bot), plan.containment)
            group.create_task(_require(arena, bot, version, plan.policy))


async def _require(arena: Arena, bot: BotCommand, version: VersionId, policy: Policy) -> None:
    with coming_up(arena, bot, all_places([version])):
        await arena.executor.require(version, policy)


async def _play(plan: MatchPlan, arena: Arena, keeper: Keeper, interrupts: Interrupts) -> None:
    jobs: dict[str, Job] = {}

    def orders() -> Iterator[SetOrder]:
        for job, order in plan.orders():
            jobs[order.plan.set_id] = job
            yield order

    async def keep(order: SetOrder, played: PlayedSet) -> None:
        await asyncio.to_thread(keeper.store, played.record)
        keeper.count(jobs.pop(order.plan.set_id), played.record)

    with interrupts.playing():
        await run_orders(
            orders(),
            arena.executor,
            keep,
            sets_at_once=max(1, plan.tables // 2),
            draining=interrupts.draining,
        )
