"""What of ``arena serve`` is about submitted bots: what contains them, and what builds may take."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.containment_options import Bounds, find_containment
from arena.cli.errors import FAILED, CliError
from arena.hosting.building import RESOURCES, BuildBounds
from arena.hosting.runner import Resources, RunnerKind
from arena.hosting.sizes import MEBIBYTE

if TYPE_CHECKING:
    from arena.hosting.containment import Containment
    from arena.hosting.workshop import Workshop


SubmittedRunner = Annotated[
    RunnerKind | None,
    typer.Option(
        "--runner",
        help="What contains submitted bots and their builds; else bubblewrap, where it can be had.",
    ),
]
BuildNetwork = Annotated[
    bool, typer.Option("--build-network", help="Builds of submitted bots may reach a network.")
]
BuildMemory = Annotated[
    int | None,
    typer.Option(min=64, max=1024 * 1024, metavar="MIB", help="Memory of a build; 4096."),
]
BuildCpus = Annotated[
    float | None,
    typer.Option(min=0.01, max=1024, help="Processors that a build may keep busy; 2."),
]
BuildSeconds = Annotated[
    float, typer.Option(min=1, max=86_400, help="What a build may take, all its commands.")
]

AuthorMebibytes = Annotated[
    int,
    typer.Option(
        min=1, max=1024 * 1024, metavar="MIB", help="What is kept of all bots of one author."
    ),
]


@dataclass(frozen=True, slots=True)
class SubmissionSettings:
    """What was said of submitted bots.

    Attributes:
        runner: None for what can be had.
        bounds: of each process of a bot.
        images: that containers are made from.
        network: whether builds may reach one.
        variables: that builds are given of the arena's environment.
        build_mebibytes: memory of a build; None for what is usual.
        build_cpus: processors that it may keep busy; None for what is usual.
        build_seconds: that it may take.
        author_mebibytes: that are kept for one author.
    """

    runner: RunnerKind | None
    bounds: Bounds
    images: tuple[str, ...]
    network: bool
    variables: Mapping[str, str]
    build_mebibytes: int | None
    build_cpus: float | None
    build_seconds: float
    author_mebibytes: int


def make_workshop(folder: Path, settings: SubmissionSettings) -> tuple[Workshop | None, str]:
    """What makes bots of what authors send, and a sentence for the organiser.

    None where nothing was said of a runner and none can be had: then no submission is taken.

    Args:
        folder: the data folder.
        settings: how.

    Raises:
        CliError: the runner that was asked for cannot be had, or bounds nothing that it is to.
    """
    from arena.conformance.submitted import try_out
    from arena.hosting.shelf import Shelf
    from arena.hosting.workshop import Terms, Workshop

    try:
        containment = _containment(folder, settings)
    except CliError as error:
        if settings.runner is not None or error.code != FAILED:
            raise
        return None, f"none are taken: {error}"
    build = BuildBounds(
        seconds=settings.build_seconds,
        resources=_of_builds(settings),
        network=settings.network,
        variables=settings.variables,
    )
    terms = Terms(build=build, author_bytes=settings.author_mebibytes * MEBIBYTE)
    workshop = Workshop(Shelf(folder), containment, terms, try_out)
    kind = containment.runner.kind.value
    return workshop, f"contained by {kind}: {containment.bounds}{_given(settings)}"


def _of_builds(settings: SubmissionSettings) -> Resources:
    """What each command of a build may use."""
    resources = RESOURCES
    if settings.build_mebibytes is not None:
        resources = replace(resources, memory_bytes=settings.build_mebibytes * MEBIBYTE)
    if settings.build_cpus is not None:
        resources = replace(resources, cpus=settings.build_cpus)
    return resources


def _given(settings: SubmissionSettings) -> str:
    """What builds have that bots have not, in words; no values, which may be secret."""
    network = ", builds reach the network" if settings.network else ""
    names = " ".join(sorted(settings.variables))
    return f"{network}, builds are given {names}" if names else network


def _containment(folder: Path, settings: SubmissionSettings) -> Containment:
    from arena.hosting.containment import Containment
    from arena.hosting.runner import ProcessRunner

    name = secrets.token_hex(4)
    kind = settings.runner or RunnerKind.BUBBLEWRAP
    found = find_containment(
        kind,
        settings.bounds,
        name,
        images=settings.images,
        secret=(folder.absolute(),),
        needs_cpus=settings.build_cpus is not None,
    )
    if found is None:
        for option, number in (
            ("--build-memory", settings.build_mebibytes),
            ("--build-cpus", settings.build_cpus),
        ):
            if number is not None:
                raise CliError(
                    f"{option} bounds nothing with --runner process", hint="--runner bubblewrap"
                )
        return Containment(ProcessRunner(), Resources(), name, "nothing, they are trusted")
    return found
