"""Finding a runner that can be had on this machine, by trying it, and saying what it bounds."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.hosting import bubblewrap
from arena.hosting.allotment import processors
from arena.hosting.bubblewrap import Bubblewrap
from arena.hosting.cgroups import Controllers, find_controllers
from arena.hosting.command import BotCommand
from arena.hosting.container import PROGRAMS, Containers, Engine, EngineError, find_engine
from arena.hosting.rlimits import DATA_SHARE
from arena.hosting.runner import Job, Resources, Runner
from arena.hosting.seccomp import has_filter
from arena.hosting.sizes import MEBIBYTE
from arena.hosting.toolchains import find_toolchains

_TRIAL_SECONDS: Final = 60.0
_WITHOUT_SHELL: Final = (1, 127)
"""How a container ends whose image has no shell; where none could be made, 125 or 126."""
_PROGRAMS: Final = {
    bubblewrap.PROGRAM: "bubblewrap",
    "setpriv": "util-linux",
    "prlimit": "util-linux",
}
"""What bubblewrap's jobs are started with, and the package of Debian that has it."""


class RunnerError(Exception):
    """A runner that cannot be had, or a bot that it cannot contain; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Containment:
    """What contains the bots of an arena.

    Attributes:
        runner: starts them.
        resources: what each process of them may use.
        arena: names the arena among those of the machine: the beginning of its jobs' labels.
        bounds: what is bounded, and by what, in words.
        images: that bots may name, where they run in containers.
    """

    runner: Runner
    resources: Resources
    arena: str
    bounds: str
    images: tuple[str, ...] = ()

    def of_image(self, image: str | None) -> Containment:
        """The same for a bot that names an image to run in; for one that names none, itself.

        Raises:
            RunnerError: it cannot run in that image here.
        """
        if image is None:
            return self
        if not isinstance(self.runner, Containers):
            raise RunnerError(f"it names the image {image!r}, and this arena runs no images")
        if image not in self.images:
            known = ", ".join(map(repr, self.images))
            raise RunnerError(f"it names the image {image!r}, and this arena has {known} alone")
        return replace(self, runner=replace(self.runner, image=image))


def new_arena_id() -> str:
    """A name for an arena that no other on the machine has."""
    return secrets.token_hex(4)


def contain_by_bubblewrap(
    arena: str, resources: Resources, *, needs_cpus: bool = False, secret: Iterable[Path] = ()
) -> Containment:
    """Have jobs contained by bubblewrap.

    Args:
        arena: names it among those of the machine.
        resources: of each process of a bot.
        needs_cpus: whether processor time must be bounded.
        secret: folders that no job may see.

    Raises:
        RunnerError: it cannot be had here, or not with what is asked for.
    """
    _check_programs()
    toolchains = find_toolchains()
    for folder in secret:
        seen = toolchains.reveals(folder)
        if seen is not None:
            raise RunnerError(f"bots would see {folder}: they may read all of {seen}; move it")
    controllers = find_controllers()
    if needs_cpus and "cpu" not in controllers.parents:
        raise RunnerError("processor time cannot be bounded here: no control group can be made")
    runner = Bubblewrap(controllers, toolchains)
    controllers.reap()
    _try(runner, arena, resources)
    return Containment(runner, resources, arena, bounds_of(controllers, resources))


def contain_by_container(
    arena: str, resources: Resources, images: tuple[str, ...], engine: Engine | None = None
) -> Containment:
    """Have jobs contained by Podman or Docker.

    Args:
        arena: names it among those of the machine.
        resources: of each process of a bot.
        images: that containers are made from: of bots that name none, the first.
        engine: runs them; None for the one that is there.

    Raises:
        RunnerError: it cannot be had here, or not with all bounds.
    """
    if sys.platform != "linux":
        raise RunnerError("the container runner runs on Linux alone")
    if not has_filter():
        raise RunnerError("there is no filter of system calls for this processor")
    engine = engine or find_engine()
    if engine is None:
        raise RunnerError(f"the container runner needs {' or '.join(PROGRAMS)}")
    try:
        missing = engine.unbounded()
        if missing:
            raise RunnerError(f"{engine.name} cannot bound {', '.join(missing)} here")
        for image in images:
            if not engine.has_image(image):
                raise RunnerError(
                    f"{engine.name} has no image {image!r} here: build or pull it first"
                )
        engine.reap()
    except EngineError as error:
        raise RunnerError(f"nothing can be contained here: {error}") from error
    runner = Containers(engine, images[0])
    _try(runner, arena, resources, may_end=(0, *_WITHOUT_SHELL))
    all_bounds = Controllers(dict.fromkeys(("memory", "pids", "cpu"), Path()), unified=False)
    bounds = bounds_of(all_bounds, resources)
    return Containment(runner, resources, arena, bounds, images)


def _check_programs() -> None:
    if sys.platform != "linux":
        raise RunnerError("bubblewrap runs on Linux alone")
    for program, package in _PROGRAMS.items():
        if shutil.which(program) is None:
            raise RunnerError(f"bubblewrap needs {program}: apt-get install {package}")
    if not has_filter():
        raise RunnerError("there is no filter of system calls for this processor")


def _try(
    runner: Runner, arena: str, resources: Resources, *, may_end: tuple[int, ...] = (0,)
) -> None:
    """Contain a program that does nothing.

    Args:
        runner: is tried.
        arena: the beginning of its label.
        resources: as bots will have them.
        may_end: exit codes of a trial that went well.

    Raises:
        RunnerError: that fails.
    """
    try:
        launch = runner.launch(Job(("/bin/sh", "-c", ":"), f"{arena}-trial", resources=resources))
    except OSError as error:
        raise RunnerError(f"nothing can be contained here: {error}") from error
    try:
        done = subprocess.run(
            launch.argv,
            env=launch.environment,
            pass_fds=launch.descriptors,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TRIAL_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunnerError(f"nothing can be contained here: {error}") from error
    finally:
        for descriptor in launch.descriptors:
            os.close(descriptor)
        if launch.clear is not None:
            launch.clear()
    if done.returncode not in may_end:
        said = done.stderr.strip().splitlines()
        last = said[-1] if said else f"status {done.returncode}"
        raise RunnerError(f"{runner.kind.value} contains nothing here: {last}")


def bounds_of(controllers: Controllers, resources: Resources) -> str:
    """What is bounded, and by what: a control group, or a limit of each process."""
    memory = resources.memory_bytes // MEBIBYTE
    by = controllers.parents
    return ", ".join(
        (
            f"{memory} MiB of memory (control group)"
            if "memory" in by
            else f"{DATA_SHARE * memory} MiB of memory for each of its processes (rlimit)",
            f"{resources.processes} processes ({'control group' if 'pids' in by else 'rlimit'})",
            f"{processors(resources.cpus)} (control group)"
            if "cpu" in by
            else "processors not bounded (no control group)",
        )
    )


def check_containable(bot: BotCommand) -> None:
    """Refuse a bot with which more would be shown than its own files.

    Raises:
        RunnerError: it is one.
    """
    folder = bot.folder
    if folder is None:
        return
    home = Path(os.environ.get("HOME") or "/").resolve()
    here = folder.resolve()
    if here in (home, *home.parents, Path("/tmp")):
        raise RunnerError(
            f"{bot.name} lies in {folder}, and a contained bot sees all of its folder; "
            "give it one of its own"
        )
