"""The processes of hosted bots: one for each chair and lane, started when needed.

A process sees one half of a mirrored set only (its lane) and one seat of its side (its chair),
so it never meets a deal twice and never knows its partner's cards.  A process that ends by
itself is started again for the next set, ``MAX_RESTARTS`` times a bot; then the bot has failed.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from arena.hosting.command import BotCommand
from arena.hosting.guard import Guard
from arena.hosting.process import BotProcess
from arena.hosting.runner import Job, Runner
from arena.referee.seat import ArenaFault

MAX_RESTARTS: Final = 3

# Why no process can be started at the moment, whosever it is.
_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})

P = TypeVar("P")
"""A place: what one process of a bot plays."""


class BotFailed(Exception):
    """A hosted bot that can play no more; the sentence says why."""


class FleetStopped(Exception):
    """A process was wanted after the end."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What one start of a process is.

    Attributes:
        runner: contains it.
        job: what is started.
        release: gives back what was made for it; called once it has ended, or cannot be started.
    """

    runner: Runner
    job: Job
    release: Callable[[], None]


@dataclass(slots=True)
class _Berth:
    process: BotProcess | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    starts: int = 0


class Fleet(Generic[P]):
    """Hosted processes by place.

    Args:
        assign: what a process of a place is started with; called anew for every start, so that
            each has its own token.
        gone: told when the process of a place has ended by itself, with a sentence.
        withdrawn: told when it was ended here, likewise.
    """

    def __init__(
        self,
        assign: Callable[[BotCommand, P], Awaitable[Assignment]],
        gone: Callable[[P, str], None],
        withdrawn: Callable[[P, str], None],
    ) -> None:
        self._assign = assign
        self._gone = gone
        self._withdrawn = withdrawn
        self._berths: dict[P, _Berth] = {}
        self._stopping: set[int] = set()
        self._dismissing: set[asyncio.Task[None]] = set()
        self._last_words: dict[P, str] = {}
        self._stopped = False
        self._guard = Guard()

    async def ensure(self, command: BotCommand, place: P) -> None:
        """Have a process running at a place.

        Raises:
            BotFailed: it cannot be started, or has ended by itself too often.
            FleetStopped: all were ended.
            ArenaFault: the machine has no room for another process.
        """
        berth = self._berths.setdefault(place, _Berth())
        async with berth.lock:
            if self._stopped:
                raise FleetStopped("the bots were ended")
            if berth.process is not None and berth.process.running:
                return
            if berth.starts > MAX_RESTARTS:
                last = "" if berth.process is None else f": {berth.process.ending()}"
                raise BotFailed(f"{command.name} has ended {berth.starts} times{last}")
            if berth.process is not None:
                await berth.process.ended()  # what is left of it is being cleared away
            berth.starts += 1
            try:
                berth.process = await self._start(command, place)
            except ArenaFault:
                berth.starts -= 1
                raise

    async def _start(self, command: BotCommand, place: P) -> BotProcess:
        assignment = await self._assign(command, place)

        def on_exit(process: BotProcess) -> None:
            self._guard.release(process.pid)
            assignment.release()
            stopped = process.pid in self._stopping
            if not stopped and not self._stopped:
                self._last_words[place] = process.stderr.text()
            tell = self._withdrawn if stopped else self._gone
            tell(place, process.ending())

        try:
            launch = await asyncio.to_thread(assignment.runner.launch, assignment.job)
            process = await BotProcess.start(launch, on_exit=on_exit)
        except OSError as error:
            assignment.release()
            raise _cannot_start(command, error) from error
        try:
            self._guard.watch(process.pid)
        except OSError as error:
            process.kill()
            raise _cannot_start(command, error) from error
        return process

    def forgive(self, places: Iterable[P]) -> None:
        """Count how often the processes of places end by themselves from nothing again."""
        for place in places:
            berth = self._berths.get(place)
            if berth is not None:
                berth.starts = int(berth.process is not None and berth.process.running)

    def process(self, place: P) -> BotProcess | None:
        """The process of a place, running or ended."""
        berth = self._berths.get(place)
        return None if berth is None else berth.process

    @property
    def last_words(self) -> Mapping[P, str]:
        """What processes that ended by themselves last wrote to standard error, by place."""
        return self._last_words

    async def restart(self, places: Iterable[P]) -> None:
        """End the processes of places; the next ``ensure`` starts them anew, not as a crash."""
        await self.retire({place: self.process(place) for place in places})

    async def retire(self, processes: Mapping[P, BotProcess | None]) -> None:
        """End those of these processes that still have their places; see ``restart``."""
        await asyncio.gather(
            *(
                self._stop(self._berths[place], process)
                for place, process in processes.items()
                if process is not None and place in self._berths
            )
        )

    async def vacate(self, places: Iterable[P]) -> None:
        """End the processes of places that nobody will want again, and forget the places."""
        places = list(places)
        await self.restart(places)
        for place in places:
            self._berths.pop(place, None)
            self._last_words.pop(place, None)

    def dismiss(self, place: P) -> None:
        """End the process of a place, which has only itself to blame; it counts as ended so."""
        berth = self._berths.get(place)
        if berth is not None and berth.process is not None and berth.process.running:
            task = asyncio.create_task(_end(berth, berth.process))
            self._dismissing.add(task)
            task.add_done_callback(self._dismissing.discard)

    async def stop(self) -> None:
        """End all, and start none any more."""
        self._stopped = True
        await asyncio.gather(*(self._stop(berth, None) for berth in self._berths.values()))
        await asyncio.to_thread(self._guard.close)

    async def _stop(self, berth: _Berth, only: BotProcess | None) -> None:
        """End the process of a berth, where one is given only that one."""
        # The lock: one that is being started is ended too.
        async with berth.lock:
            process = berth.process
            if process is None or only not in (None, process):
                return
            if not process.running:
                await process.ended()
                return
            self._stopping.add(process.pid)
            await process.stop()
            self._stopping.discard(process.pid)
            berth.process = None
            berth.starts -= 1


def _cannot_start(command: BotCommand, error: OSError) -> ArenaFault | BotFailed:
    if error.errno in _SHORTAGES:
        return ArenaFault(f"no process can be started for {command.name}: {error}")
    return BotFailed(f"{command.name} cannot be started: {error}")


async def _end(berth: _Berth, process: BotProcess) -> None:
    # The lock: whoever wants a process here meanwhile waits for the next one.
    async with berth.lock:
        await process.stop()
