"""Building what an author has sent: its commands, contained like the bot itself, within bounds."""

from __future__ import annotations

import asyncio
import itertools
import shlex
import shutil
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from arena.hosting.build_log import BuildLog
from arena.hosting.build_watch import BuildWatch
from arena.hosting.guard import Guard
from arena.hosting.leavings import LeavingsError, LeftLimits, look_over
from arena.hosting.manifest import Manifest, Words
from arena.hosting.missing import is_missing, missing_in_image
from arena.hosting.process import BotProcess
from arena.hosting.runner import Job, Resources, Runner, RunnerKind
from arena.hosting.shelf import Part
from arena.hosting.sizes import MEBIBYTE

_KILLED: Final = 128 + signal.SIGKILL
"""What a shell, or a sandbox, says of a program that was killed."""

_NOT_STARTED: Final = (1, 126, 127)
"""What engines, and the first processes of containers, say of a program that does not start; also
what many say that did."""

_NO_NETWORK: Final = (
    "If it wanted the network: builds reach none on this arena, what they need must be in the "
    "folder, see docs/bots/submitting.md"
)

TELL_SECONDS: Final = 0.25
"""How often it is told what a build says, and seen how much it has printed."""
_TELLS_A_LOOK: Final = 4
"""How many times that is, until it is seen how much it has written."""

READ_SECONDS: Final = 0.02
"""Between two pieces of an output, each of 256 KiB at most, mostly of 64."""


class BuildFailed(Exception):
    """A bot that cannot be built; the sentence says why."""


RESOURCES: Final = Resources(
    memory_bytes=4096 * MEBIBYTE,
    processes=512,
    open_files=1024,
    file_bytes=256 * MEBIBYTE,
    cpus=2.0,
)
"""Of each command: compilers want more than bots."""

LEFT: Final = LeftLimits()


@dataclass(frozen=True, slots=True)
class BuildBounds:
    """What a build may take.

    Attributes:
        seconds: of all its commands together.
        output_bytes: that they may print, kept or not.
        left: what it may leave, or hold in files that it deleted.
        free_bytes: of the disk, that must stay free; a build that is about to take it is ended.
        resources: of each command.
        network: whether it may reach one.
        variables: of its environment, besides what the runner gives.
    """

    seconds: float = 600.0
    output_bytes: int = 64 * MEBIBYTE
    left: LeftLimits = LEFT
    free_bytes: int = 1024 * MEBIBYTE
    resources: Resources = RESOURCES
    network: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)


class Builder:
    """Builds one bot after the other.

    Args:
        runner: contains the commands.
        bounds: what they may take.
        guard: ends them with the arena.
    """

    def __init__(self, runner: Runner, bounds: BuildBounds, guard: Guard) -> None:
        self._runner = runner
        self._bounds = bounds
        self._guard = guard

    async def build(self, manifest: Manifest, part: Part, label: str, log: BuildLog) -> None:
        """Make `part.built` of `part.source`.

        Args:
            manifest: of the source.
            part: what is made.
            label: of its jobs.
            log: told what the commands say.

        Raises:
            BuildFailed: a command fails, takes too much, or leaves what is not kept.
            OSError: it cannot be written, or no command can be started.
        """
        await asyncio.to_thread(shutil.copytree, part.source, part.built)
        try:
            async with asyncio.timeout(self._bounds.seconds):
                for number, words in enumerate(manifest.build, start=1):
                    await self._run(words, part, f"{label}-{number}", log)
        except TimeoutError:
            raise BuildFailed(f"the build took more than {self._bounds.seconds:g} s") from None
        try:
            await asyncio.to_thread(look_over, part.built, self._bounds.left)
        except LeavingsError as error:
            raise BuildFailed(str(error)) from error

    async def _run(self, words: Words, part: Part, label: str, log: BuildLog) -> None:
        line = shlex.join(words)
        log.say(f"$ {line}")
        if self._runner.kind is not RunnerKind.CONTAINER and is_missing(words[0]):
            raise BuildFailed(f"this arena has no program {words[0]!r}, which {line!r} needs")
        job = Job(
            words,
            label,
            variables=self._bounds.variables,
            folder=part.built,
            writable=True,
            home=part.home,
            network=self._bounds.network,
            resources=self._bounds.resources,
        )
        try:
            launch = await asyncio.to_thread(self._runner.launch, job)  # gives away whole folders
            process = await BotProcess.start(
                launch,
                on_exit=lambda process: self._guard.release(process.pid),
                heard=log.add,
                pause=READ_SECONDS,
            )
        except FileNotFoundError as error:
            raise BuildFailed(f"{line!r} cannot be started: there is no {words[0]!r}") from error
        self._guard.watch(process.pid)
        try:
            left, free = self._bounds.left, self._bounds.free_bytes
            await self._watch(process, BuildWatch(part, left, free, launch.members), log)
        finally:
            process.kill()
            await process.ended()
            log.close()
        if process.code in _NOT_STARTED and (image := await missing_in_image(self._runner, job)):
            raise BuildFailed(
                f"the image {image} has no program {words[0]!r}, which {line!r} needs"
            )
        if process.code != 0:
            memory = self._bounds.resources.memory_bytes // MEBIBYTE
            why = f"{line!r} failed: {_how(process.code, memory)}"
            may_be_network = not (self._reaches_network or _was_killed(process.code))
            raise BuildFailed(f"{why}. {_NO_NETWORK}" if may_be_network else why)

    @property
    def _reaches_network(self) -> bool:
        return self._bounds.network or self._runner.kind is RunnerKind.PROCESS

    async def _watch(self, process: BotProcess, watch: BuildWatch, log: BuildLog) -> None:
        """Wait until a command has ended.

        Raises:
            BuildFailed: it prints or writes too much, or the disk is nearly full.
        """
        ending = asyncio.ensure_future(process.ended())
        try:
            for turn in itertools.count(1):
                await asyncio.wait([ending], timeout=TELL_SECONDS)
                log.tell()
                if log.printed > self._bounds.output_bytes:
                    most = self._bounds.output_bytes // MEBIBYTE
                    raise BuildFailed(f"the build printed more than {most} MiB")
                await asyncio.to_thread(watch.refuse_full)
                if ending.done() or turn % _TELLS_A_LOOK == 0:
                    await asyncio.to_thread(watch.refuse_too_much)
                if ending.done():
                    return
        except LeavingsError as error:
            raise BuildFailed(str(error)) from error
        finally:
            ending.cancel()


def _how(code: int | None, mebibytes: int) -> str:
    """How a command ended; SIGKILL is what the system sends where memory runs out."""
    assert code is not None, "the process has ended"
    if _was_killed(code):
        return f"it was killed, perhaps because it needed more than {mebibytes} MiB of memory"
    return f"it ended with status {code}" if code > 0 else f"it was ended by signal {-code}"


def _was_killed(code: int | None) -> bool:
    return code in (-signal.SIGKILL, _KILLED)
