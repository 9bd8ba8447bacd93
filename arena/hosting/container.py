"""Jobs contained by Podman or Docker: each a container of its own, made from one image.

A job sees the image, read-only, instead of the machine; its folder at ``/bot``; its socket in
``/run/arena``; an own ``/tmp`` and home in memory.  What it may do is what bubblewrap lets it do.

Only the command line is used, and its client is what the arena starts: the container itself
belongs to the engine.  So a job is ended by name, and what an arena left that was killed is known
by a label with its process.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from arena.hosting.lodgers import (
    BOT,
    HOME,
    SOCKETS,
    TEMPORARY_BYTES,
    give,
    new_user,
    out_of_memory,
    take_back,
    within,
)
from arena.hosting.places import is_alive, make_place, owner, remove_left_places
from arena.hosting.runner import SOCKET, Job, Launch, Resources, RunnerKind
from arena.hosting.seccomp import filter_profile, memory_file

PROGRAMS: Final = ("podman", "docker")

OWNER_LABEL: Final = "arena.owner"
"""The process of the arena that started a container, and when that was born."""
JOB_LABEL: Final = "arena.job"

_CLIENT: Final = (
    *("PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
    *("DBUS_SESSION_BUS_ADDRESS", "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF"),
    *("DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT"),
)
"""What the client of the engine inherits; nothing of it gets into a container."""

_TEMPORARY: Final = f"rw,exec,nosuid,nodev,mode=1777,size={TEMPORARY_BYTES}"
_CLOSED: Final = (
    *("--rm", "--pull", "never", "--init", "--read-only", "--hostname", "bot"),
    "--no-healthcheck",  # that of an image is for a service; it would run beside the job
    *("--cap-drop", "all", "--security-opt", "no-new-privileges", "--log-driver", "none"),
    *("--tmpfs", f"/tmp:{_TEMPORARY}", "--shm-size", str(TEMPORARY_BYTES)),
)
_FIRST: Final = "/proc/1/{0}:/proc/1/task/1/{0}"
_OF_PODMAN: Final = (
    "--read-only-tmpfs=false",
    *("--tmpfs", "/sys:ro,size=4096"),
    *("--security-opt", f"mask={_FIRST.format('mem')}:{_FIRST.format('environ')}"),
)
"""What only Podman can: leave out writable places of its own, and hide the kernel's settings and
the insides of the container's first process, which is none of the job's."""
_STRANGER: Final = 1000
"""Its user where user 0 of the engine is not ours: in a name space of users it is another one."""

_NO_MEMORY: Final = "oom"
_BOUNDED: Final = ("memory", "processes", "processor time")

_CLEAR_SECONDS: Final = 60.0
_ATTEMPTS: Final = 3


class EngineError(Exception):
    """The engine does not do what it is asked for; the sentence has its last words."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The command line of Podman or Docker.

    Attributes:
        program: an absolute path.
        variables: the environment of the client.
    """

    program: str
    variables: Mapping[str, str] = field(default_factory=lambda: _client_variables())

    @property
    def is_podman(self) -> bool:
        """Whether it is Podman, which has a few options of its own."""
        return self.name == "podman"

    @property
    def name(self) -> str:
        """As people call it."""
        return Path(self.program).name

    def has_image(self, image: str) -> bool:
        """Whether the image is in its store; nothing is fetched."""
        try:
            self.ask("image", "inspect", "--format", "{{.Id}}", image)
        except EngineError:
            return False
        return True

    def unbounded(self) -> tuple[str, ...]:
        """What it cannot bound here, in words; none where it can bound all.

        Raises:
            EngineError: it cannot be asked.
        """
        if self.is_podman:
            given = (
                self.ask("info", "--format", "{{.Host.CgroupControllers}}").strip("[]\n").split()
            )
            asked = ["memory" in given, "pids" in given, "cpu" in given]
        else:
            line = "{{.MemoryLimit}} {{.PidsLimit}} {{.CPUCfsQuota}}"
            asked = [word == "true" for word in self.ask("info", "--format", line).split()]
        return tuple(what for what, can in zip(_BOUNDED, asked, strict=True) if not can)

    def ask(self, *words: str) -> str:
        """What a command of it prints.

        Raises:
            EngineError: it fails.
        """
        try:
            done = subprocess.run(
                (self.program, *words),
                env=self.variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_CLEAR_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineError(f"{self.name} {words[0]}: {error}") from error
        if done.returncode != 0:
            last = (done.stderr.strip() or f"status {done.returncode}").splitlines()[-1]
            raise EngineError(f"{self.name} {words[0]}: {last}")
        return done.stdout

    def remove(self, container: str) -> bool:
        """End and remove a container, whether it runs or not; whether it is certainly gone."""
        for _ in range(_ATTEMPTS):
            try:
                self.ask("rm", "--force", *(("--time", "0") if self.is_podman else ()), container)
            except EngineError:
                if not self._has(container):
                    return True
            else:
                return True
        return False

    def reap(self) -> int:
        """End and remove the containers whose arenas have ended, and their folders; how many.

        Raises:
            EngineError: it cannot be asked.
        """
        left = [name for name, owner in self._owned() if not is_alive(owner)]
        removed = sum(self.remove(name) for name in left)
        remove_left_places()
        return removed

    def _owned(self) -> Iterator[tuple[str, str]]:
        """The containers of arenas: number and owner."""
        line = f'{{{{.Id}}}} {{{{index .Config.Labels "{OWNER_LABEL}"}}}}'
        for number in self.ask(
            "ps", "--all", "--quiet", "--filter", f"label={OWNER_LABEL}"
        ).split():
            try:
                name, _, owner = self.ask(
                    "inspect", "--type", "container", "--format", line, number
                ).partition(" ")
            except EngineError:  # it has just gone
                continue
            yield name, owner.strip()

    def _has(self, container: str) -> bool:
        try:
            self.ask("inspect", "--type", "container", "--format", "{{.Id}}", container)
        except EngineError:
            return False
        return True


@dataclass(slots=True)
class Containers:
    """Contains jobs by an engine.

    Attributes:
        engine: runs the containers.
        image: that they are made from.
        kind: which runner it is.
    """

    engine: Engine
    image: str
    kind: RunnerKind = RunnerKind.CONTAINER

    def launch(self, job: Job) -> Launch:
        """The command that runs the job in a container, attached to its output.

        Raises:
            OSError: a folder of it cannot be mounted, or there is no room for a temporary file.
        """
        mounts = tuple(_mounts(job))
        # Where memory runs out the monitor of a container leaves a file in its folder.
        place = make_place()
        own = self._own_user()
        try:
            if own is not None:
                give(job, own)
            profile = memory_file(filter_profile(building=job.writable).encode())
        except OSError:
            shutil.rmtree(place, ignore_errors=True)
            raise
        words = (
            *(self.engine.program, "run", "--name", name_of(job), *_CLOSED),
            *("--security-opt", f"seccomp=/proc/self/fd/{profile}"),
            *("--label", f"{OWNER_LABEL}={owner()}", "--label", f"{JOB_LABEL}={job.label}"),
            *self._user(job, own),
            *bounding(job.resources, processes_of_user=own is not None),
            *(() if job.network else ("--network", "none")),
            *(_OF_PODMAN if self.engine.is_podman else ()),
            *mounts,
            *self._variables(job),
            *("--workdir", str(BOT if job.folder is not None else HOME)),
            *self._command(job),
        )
        environment = {**job.variables, **self.engine.variables}
        return Launch(
            words,
            environment,
            place,
            (profile,),
            cause=partial(_cause, job, place),
            clear=_clearing(self.engine, job, own, place),
        )

    def address(self, sockets: Path) -> str:
        """The same for every job: each has a folder of sockets of its own."""
        return f"unix:{SOCKETS / SOCKET}"

    def _own_user(self) -> int | None:
        """A user for one job alone; None where we may not give files to anybody."""
        return new_user() if os.geteuid() == 0 else None

    def _user(self, job: Job, own: int | None) -> Iterator[str]:
        """A job that writes files of ours is us, where it cannot be given them."""
        number = own
        if number is None and (job.writable or not self.engine.is_podman):
            number = os.geteuid()
            if self.engine.is_podman:
                yield "--userns=keep-id"
        number = _STRANGER if number is None else number
        yield from ("--user", f"{number}:{number}")

    def _variables(self, job: Job) -> Iterator[str]:
        """Values stay off the command line, which all users of the machine could read."""
        yield from ("--env", f"HOME={HOME}", "--env", "LANG=C.UTF-8")
        for name, value in job.variables.items():
            known = name in self.engine.variables
            yield from ("--env", f"{name}={value}" if known else name)

    def _command(self, job: Job) -> Iterator[str]:
        if not job.argv:  # the image says itself what runs
            yield self.image
            return
        program, *arguments = (within(word, job.folder) for word in job.argv)
        yield from ("--entrypoint", of_image(program), self.image, *arguments)


def name_of(job: Job) -> str:
    """The name of a job's container."""
    return f"arena-job-{job.label}"


def bounding(resources: Resources, *, processes_of_user: bool) -> tuple[str, ...]:
    """The options that bound a container.

    Args:
        resources: what it may use.
        processes_of_user: whether its user is nobody else's, whose processes may be counted too.
    """
    memory = str(resources.memory_bytes)
    limits = {
        "nofile": resources.open_files,
        "fsize": resources.file_bytes,
        "core": 0,
        "memlock": 0,
        "msgqueue": 0,
    }
    if processes_of_user:
        limits["nproc"] = resources.processes
    if resources.cpu_seconds is not None:
        limits["cpu"] = resources.cpu_seconds
    return (
        *("--memory", memory, "--memory-swap", memory),
        *("--pids-limit", str(resources.processes), "--cpus", f"{resources.cpus:g}"),
        *(w for name, most in limits.items() for w in ("--ulimit", f"{name}={most}:{most}")),
    )


def _mounts(job: Job) -> Iterator[str]:
    places = [
        (job.folder, BOT, not job.writable),
        (job.home, HOME, False),
        (job.sockets, SOCKETS, True),
    ]
    for path, inner, only_read in places:
        if path is None:
            continue
        if "," in str(path):
            raise OSError(errno.EINVAL, "a path with a comma cannot be mounted", str(path))
        right = ",readonly" if only_read else ""
        yield from ("--mount", f"type=bind,source={path.absolute()},target={inner}{right}")
    if job.home is None:
        yield from ("--tmpfs", f"{HOME}:{_TEMPORARY}")


def of_image(program: str) -> str:
    """A program of the machine is the image's of the same name; this Python is its Python."""
    path = Path(program)
    if not path.is_absolute() or BOT in path.parents:
        return program
    return "python3" if program == sys.executable else path.name


def _client_variables() -> dict[str, str]:
    return {name: os.environ[name] for name in _CLIENT if name in os.environ}


def _cause(job: Job, place: Path) -> str:
    if not (place / _NO_MEMORY).exists():
        return ""
    return out_of_memory(job)


def _clearing(engine: Engine, job: Job, own: int | None, place: Path) -> Callable[[], None]:
    def clear() -> None:
        engine.remove(name_of(job))
        shutil.rmtree(place, ignore_errors=True)
        if own is not None:
            take_back(job)

    return clear


def find_engine() -> Engine | None:
    """Podman where it is there, else Docker; None where neither is."""
    found = (shutil.which(name) for name in PROGRAMS)
    return next((Engine(path) for path in found if path is not None), None)
