"""From an archive to a bot that can play: unpacked, built, checked, kept. One after the other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, Protocol

from arena.hosting.allotment import allotted, shortfalls
from arena.hosting.archive import LIMITS, content_hash, unpack
from arena.hosting.build_log import BuildLog
from arena.hosting.building import BuildBounds, Builder, BuildFailed
from arena.hosting.command import BotCommand
from arena.hosting.containment import Containment, RunnerError
from arena.hosting.entries import ArchiveError, Limits
from arena.hosting.guard import Guard
from arena.hosting.launchable import NotLaunchable, command_of, refuse_odd_files
from arena.hosting.manifest import Manifest, ManifestError, read_manifest
from arena.hosting.missing import missing_in_image
from arena.hosting.runner import Job, RunnerKind
from arena.hosting.shelf import Part, Shelf, bytes_in
from arena.hosting.sizes import MEBIBYTE
from arena.hosting.trial import StepResult, Trial, TryOut

BUILD: Final = BuildBounds()


class NotMade(Exception):
    """A submission that comes to no bot; the sentence says why.

    Attributes:
        log: what its build and its check said.
    """

    def __init__(self, sentence: str, log: str) -> None:
        super().__init__(sentence)
        self.log = log


class NotLodged(Exception):
    """A bot that is kept but cannot be played; the sentence says why."""


class Watching(Protocol):
    """Who is told how the work goes on."""

    async def building(self) -> None:
        """The commands of the build run from here on."""

    def said(self, lines: Sequence[str]) -> None:
        """The build has said something; what it says faster than can be read is left out."""

    async def checking(self) -> None:
        """The steps of the check run from here on."""

    def tried(self, result: StepResult) -> None:
        """A step of the check is over."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What submitted bots may take.

    Attributes:
        archive: what is unpacked.
        build: each build.
        check_seconds: each check, all its steps: others wait meanwhile. Those of a bot that starts
            and answers slowly, within what each step allows, may take half an hour.
        author_bytes: that are kept of all bots of one author.
    """

    archive: Limits = LIMITS
    build: BuildBounds = BUILD
    check_seconds: float = 300.0
    author_bytes: int = 4096 * MEBIBYTE


class Workshop:
    """Makes bots of archives.

    Args:
        shelf: where they are kept.
        containment: contains builds and bots; says what each process of a bot may use.
        terms: what builds may take.
        try_out: checks what was built.
    """

    def __init__(
        self, shelf: Shelf, containment: Containment, terms: Terms, try_out: TryOut
    ) -> None:
        self.shelf = shelf
        self.containment = containment
        self.terms = terms
        self._try_out = try_out
        self._guard = Guard()

    def close(self) -> None:
        """End what may still run."""
        self._guard.close()

    async def unpack(self, part: Part) -> str:
        """Unpack what was received; the hash of its content.

        Raises:
            ArchiveError: it is refused.
            OSError: it cannot be written.
        """
        return await asyncio.to_thread(_unpack, part, self.terms.archive)

    async def unpack_again(self, part: Part, content: str) -> bool:
        """Unpack what an earlier arena has received; whether it is that content.

        Raises:
            OSError: it cannot be written.
        """
        try:
            return await self.unpack(part) == content
        except ArchiveError:
            return False

    async def make(
        self, part: Part, content: str, label: str, watching: Watching, *, room: int
    ) -> None:
        """Build and check what was unpacked, and keep it.

        Args:
            part: with its source.
            content: the hash of it.
            label: of the jobs.
            watching: told how it goes on.
            room: bytes that may still be kept for its author.

        Raises:
            NotMade: it comes to nothing.
            OSError: it cannot be written.
        """
        log = BuildLog(watching.said)
        try:
            self._refuse_full()
            self._refuse_beyond(room)
            checked = await self._make(part, label, log, watching)
            size = await asyncio.to_thread(bytes_in, part.source, part.built)
            self._refuse_beyond(room - size)
        except (BuildFailed, NotLaunchable, ManifestError, RunnerError) as error:
            # Where it lies meanwhile is nobody's business.
            sentence = str(error).replace(f"{part.source}/", "").replace(f"{part.built}/", "")
            raise NotMade(sentence, await asyncio.to_thread(log.text)) from error
        said = await asyncio.to_thread(log.text)
        await asyncio.to_thread(self.shelf.keep, part, content, said, _report(checked))

    async def _make(
        self, part: Part, label: str, log: BuildLog, watching: Watching
    ) -> Sequence[StepResult]:
        manifest = read_manifest(part.source)
        refuse_odd_files(manifest)
        containment = self._contain(manifest)
        await watching.building()
        if containment.runner.kind is not RunnerKind.PROCESS:
            for sentence in shortfalls(manifest.resources, self.containment.resources):
                log.say(sentence)
        builder = Builder(containment.runner, self.terms.build, self._guard)
        await builder.build(manifest, part, f"{label}-build", log)
        command = command_of(manifest, part.built, "", in_image=_in_image(containment))
        await watching.checking()
        trial = Trial(
            command,
            part.built,
            containment.runner,
            f"{label}-check",
            containment.resources,
        )
        checked: list[StepResult] = []

        def told(result: StepResult) -> None:
            known = any(result.stderr == one.stderr for one in checked)
            checked.append(result)
            for line in _lines(result, brief=known):
                log.note(line)
            watching.tried(result)

        await self._in_time(self._try_out(trial, told), checked)
        for result in checked:
            if result.failed:
                left = result.total - len(checked)
                if left:
                    log.say(f"not tried after that: {left} of {result.total} steps")
                await _refuse_missing(trial, manifest)
                raise BuildFailed(f"the check failed at step {result.name}: {result.note}")
        return checked

    async def _in_time(self, trying: Awaitable[None], checked: Sequence[StepResult]) -> None:
        """Wait for a check, whose steps so far are known.

        Raises:
            BuildFailed: it takes too long.
        """
        try:
            async with asyncio.timeout(self.terms.check_seconds) as bound:
                await trying
        except TimeoutError:
            if not bound.expired():
                raise
            last = f" after step {checked[-1].name}" if checked else ""
            raise BuildFailed(
                f"the check took more than {self.terms.check_seconds:g} s and was ended{last}: "
                "let the bot start, answer and end faster"
            ) from None

    def _refuse_full(self) -> None:
        free, build = self.shelf.free_bytes(), self.terms.build
        if free < build.free_bytes + build.left.total_bytes:
            raise BuildFailed(
                f"the arena has no room for another bot ({free // MEBIBYTE} MiB left): tell its "
                "organiser"
            )

    def _refuse_beyond(self, room: int) -> None:
        """Refuse what its author has no room for."""
        most = self.terms.author_bytes
        if room < 0:
            raise BuildFailed(
                f"with it your bots take {(most - room) / MEBIBYTE:.1f} MiB here, and an author "
                f"may have {most // MEBIBYTE} MiB: retire versions that were in no tournament "
                "(arena bot retire), or ask the arena's organiser"
            )

    def lodge(self, name: str, content: str) -> tuple[BotCommand, Containment]:
        """How the processes of a bot that is kept are started, and what contains them.

        Raises:
            NotLodged: it is not there any more, or nothing here can run it.
        """
        built = self.shelf.built(content)
        try:
            manifest = read_manifest(self.shelf.source(content))
            containment = self._contain(manifest)
            command = command_of(manifest, built, content, in_image=_in_image(containment))
        except (ManifestError, NotLaunchable, RunnerError) as error:
            raise NotLodged(f"bot {name!r} cannot be played: {error}") from error
        return replace(command, name=name), containment

    def _contain(self, manifest: Manifest) -> Containment:
        """What contains a bot, with what it asks for.

        Raises:
            RunnerError: it cannot be had here.
        """
        containment = self.containment.of_image(manifest.image)
        return replace(containment, resources=allotted(manifest.resources, containment.resources))


async def _refuse_missing(trial: Trial, manifest: Manifest) -> None:
    """Say of a bot that failed its check whether its image has not even its program.

    Raises:
        BuildFailed: that is so.
    """
    job = Job(trial.command.argv, trial.label, folder=trial.folder, resources=trial.resources)
    if image := await missing_in_image(trial.runner, job):
        raise BuildFailed(f"the image {image} has no program {manifest.run[0]!r}, which run needs")


def _in_image(containment: Containment) -> bool:
    return containment.runner.kind is RunnerKind.CONTAINER


def _unpack(part: Part, limits: Limits) -> str:
    part.source.mkdir()
    with part.archive.open("rb") as packed:
        return content_hash(unpack(packed, part.source, limits))


def _lines(result: StepResult, *, brief: bool) -> Iterator[str]:
    """A step in the log; ``brief`` leaves out what the bot said, which stands there already."""
    note = f": {result.note}" if result.note else ""
    yield f"check {result.number} {result.name} {result.verdict}{note}"
    if not brief:
        yield from (f"    {line}" for line in result.stderr)


def _report(checked: Sequence[StepResult]) -> str:
    return json.dumps({"schema": "arena.submission-check/1", "steps": [*map(asdict, checked)]})
