"""The options that say what contains bots, and how much each of their processes may use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, assert_never

import typer

from arena.cli.errors import FAILED, CliError
from arena.hosting.runner import Resources, RunnerKind
from arena.hosting.sizes import MEBIBYTE

if TYPE_CHECKING:
    from arena.hosting.command import BotCommand
    from arena.hosting.containment import Containment


BotRunner = Annotated[
    RunnerKind,
    typer.Option("--runner", help="What contains the bots; process is nothing."),
]
BotMemory = Annotated[
    int | None,
    typer.Option(
        min=16, max=1024 * 1024, metavar="MIB", help="Memory of a contained process; 512."
    ),
]
BotProcesses = Annotated[
    int | None,
    typer.Option(min=1, max=100_000, help="Processes and threads of a contained one; 128."),
]
BotCpus = Annotated[
    float | None,
    typer.Option(min=0.01, max=1024, help="Processors that a contained one may keep busy; 1."),
]
BotImage = Annotated[
    str | None,
    typer.Option(
        "--image",
        metavar="NAME",
        help="With --runner container: what bots' containers are made of.",
    ),
]
BotImages = Annotated[
    list[str] | None,
    typer.Option(
        "--image",
        metavar="NAME",
        help="With --runner container: what bots' containers are made of. Given several times, "
        "bots may name the others.",
    ),
]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What was said of the resources of a bot's process; None where nothing was.

    Attributes:
        memory: MiB.
        processes: and threads.
        cpus: processors.
    """

    memory: int | None = None
    processes: int | None = None
    cpus: float | None = None

    def resources(self) -> Resources:
        """The same with what holds where nothing was said."""
        found = Resources()
        if self.memory is not None:
            found = replace(found, memory_bytes=self.memory * MEBIBYTE)
        if self.processes is not None:
            found = replace(found, processes=self.processes)
        if self.cpus is not None:
            found = replace(found, cpus=self.cpus)
        return found


def find_containment(
    kind: RunnerKind,
    bounds: Bounds,
    arena: str,
    *,
    images: tuple[str, ...] = (),
    secret: Iterable[Path] = (),
    needs_cpus: bool = False,
) -> Containment | None:
    """What contains bots; None where nothing is to.

    Args:
        kind: what was asked for.
        bounds: of each process.
        arena: names the arena among those of the machine.
        images: that containers are made from: of bots that name none, the first.
        secret: folders that no bot may see.
        needs_cpus: whether processor time must be bounded, of builds for example.

    Raises:
        CliError: it cannot be had: never less than what was asked for.
    """
    from arena.hosting.containment import RunnerError

    if images and kind is not RunnerKind.CONTAINER:
        raise CliError("--image is for --runner container alone")
    try:
        return _find(
            kind, bounds, arena, images, secret, needs_cpus=needs_cpus or bounds.cpus is not None
        )
    except RunnerError as error:
        raise CliError(str(error), code=FAILED) from error


def _find(
    kind: RunnerKind,
    bounds: Bounds,
    arena: str,
    images: tuple[str, ...],
    secret: Iterable[Path],
    *,
    needs_cpus: bool,
) -> Containment | None:
    from arena.hosting.containment import contain_by_bubblewrap, contain_by_container

    match kind:
        case RunnerKind.PROCESS:
            if bounds != Bounds():
                raise CliError(
                    "--bot-memory, --bot-processes and --bot-cpus bound nothing with "
                    "--runner process",
                    hint="--runner bubblewrap",
                )
            return None
        case RunnerKind.BUBBLEWRAP:
            return contain_by_bubblewrap(
                arena, bounds.resources(), needs_cpus=needs_cpus, secret=secret
            )
        case RunnerKind.CONTAINER:
            if not images or not all(images):
                raise CliError(
                    "--runner container needs an image that bots' containers are made of",
                    hint="--image NAME",
                )
            return contain_by_container(arena, bounds.resources(), images)
        case _:
            assert_never(kind)


def tell_containment(containment: Containment | None) -> None:
    """Say what contains bots, and within which bounds; nothing where nothing does."""
    from arena.cli.screen import tell

    if containment is not None:
        runner = containment.runner.kind.value
        tell(f"runner  {runner}, each process with {containment.bounds}")


def check_contained(bots: Iterable[BotCommand], containment: Containment | None) -> None:
    """Refuse bots that cannot be contained.

    Raises:
        CliError: one cannot.
    """
    from arena.hosting.containment import RunnerError, check_containable

    if containment is None:
        return
    try:
        for bot in bots:
            check_containable(bot)
    except RunnerError as error:
        raise CliError(str(error)) from error
