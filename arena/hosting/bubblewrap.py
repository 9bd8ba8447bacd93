"""Jobs contained by bubblewrap: own name spaces, and a view of the machine with what they need.

What a job sees: programs and libraries, read-only; its folder at ``/bot``; its socket in
``/run/arena``; an own ``/tmp`` and home in memory, an own ``/proc`` and ``/dev``.  No network but
where it was asked for, no capability, no way to new privileges, few system calls.

An arena of the superuser gives each job a user of its own: to the kernel user 0 may write settings
below ``/proc/sys`` even without a capability.  Any other arena uses a name space of users.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from arena.hosting.cgroups import Controllers, Group
from arena.hosting.command import search_path
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
from arena.hosting.rlimits import limiting
from arena.hosting.runner import SOCKET, Job, Launch, RunnerKind
from arena.hosting.seccomp import filter_file, memory_file
from arena.hosting.toolchains import NETWORK, SETTINGS, SYSTEM, Toolchains

PROGRAM: Final = "bwrap"

_USER_WITHIN: Final = 1000
_PASSWD: Final = "bot:x:{user}:{user}::{home}:/bin/sh\n"

_NAME_SPACES: Final = ("ipc", "pid", "uts", "cgroup-try")
_FIRST_MEMORY: Final = ("/proc/1/mem", "/proc/1/task/1/mem")
"""Of bwrap itself, which has fewer bounds than the job; without a user of its own it could write
there."""

_INTO_GROUPS: Final = (
    'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"'
)
"""A shell's way into the control groups whose entrances stand before ``--``."""


@dataclass(slots=True)
class Bubblewrap:
    """Contains jobs by the command ``bwrap``.

    Attributes:
        controllers: what bounds memory, processes and processor time.
        toolchains: what jobs may read besides the system.
    """

    controllers: Controllers
    toolchains: Toolchains
    kind: RunnerKind = RunnerKind.BUBBLEWRAP

    def launch(self, job: Job) -> Launch:
        """The command that makes the name spaces and starts the job in them.

        Raises:
            OSError: a control group or a temporary file cannot be made.
        """
        group = (
            self.controllers.make(job.label, job.resources)
            if self.controllers.parents
            else Group(())
        )
        user = new_user() if os.geteuid() == 0 else None
        try:
            if user is not None:
                give(job, user)
            descriptors = self._files(job, user)
        except OSError:
            group.clear()
            raise
        words = (*_entering(group), *self._command(job, user, options=descriptors[-1]))
        return Launch(
            words,
            {},
            descriptors=descriptors,
            members=group.members if group.folders else None,
            cause=partial(_cause, job, group),
            clear=_clearing(job, group, user),
        )

    def address(self, sockets: Path) -> str:
        """The same for every job: each has a folder of sockets of its own."""
        return f"unix:{SOCKETS / SOCKET}"

    def _files(self, job: Job, user: int | None) -> tuple[int, ...]:
        """Descriptors of what bwrap reads; the last one has its options.

        Options on a command line, the token among them, all users of the machine could read, and
        the job itself: its first process is bwrap.
        """
        home = _PASSWD.format(user=user or _USER_WITHIN, home=HOME)
        with contextlib.ExitStack() as opened:
            files = [filter_file(building=job.writable), memory_file(home.encode())]
            for descriptor in files:
                opened.callback(os.close, descriptor)
            words = self._options(job, user, *files)
            files.append(memory_file(b"".join(word.encode() + b"\0" for word in words)))
            opened.pop_all()
        return tuple(files)

    def _command(self, job: Job, user: int | None, *, options: int) -> Iterator[str]:
        yield from (shutil.which(PROGRAM) or PROGRAM, "--args", str(options), "--")
        if user is not None:
            yield from _becoming(user)
        yield from limiting(job.resources, memory="memory" not in self.controllers.parents)
        yield from (within(word, job.folder) for word in job.argv)

    def _options(self, job: Job, user: int | None, seccomp: int, passwd: int) -> Iterator[str]:
        yield from ("--die-with-parent", "--new-session")
        yield from (f"--unshare-{space}" for space in _NAME_SPACES)
        if not job.network:
            yield "--unshare-net"
        yield from _rights(user)
        yield from self._view(job)
        yield from ("--perms", "0644", "--ro-bind-data", str(passwd), "/etc/passwd")
        for memory in _FIRST_MEMORY:
            yield from ("--ro-bind", "/dev/null", memory)
        yield from ("--remount-ro", "/dev", "--remount-ro", "/")
        yield from ("--seccomp", str(seccomp), "--clearenv")
        for name, value in self._variables(job).items():
            yield from ("--setenv", name, value)
        yield from ("--chdir", str(BOT if job.folder is not None else HOME))

    def _view(self, job: Job) -> Iterator[str]:
        read = [path for path in (*SETTINGS, *self.toolchains.paths) if path.exists()]
        read += [path for path in NETWORK if job.network and path.exists()]
        yield from ("--proc", "/proc", "--dev", "/dev")
        for system in SYSTEM:
            if system.is_symlink():
                yield from ("--symlink", str(system.readlink()), str(system))
            elif system.is_dir():
                yield from ("--ro-bind", str(system), str(system))
        for place in ("/tmp", str(HOME), "/dev/shm"):
            yield from ("--size", str(TEMPORARY_BYTES), "--perms", "1777", "--tmpfs", place)
        # Folders that it makes by itself only the superuser could enter.
        for folder in sorted(
            {parent for path in (*read, SOCKETS, HOME) for parent in path.parents}
        ):
            yield from ("--perms", "0755", "--dir", str(folder))
        for path in read:
            yield from ("--ro-bind", str(path), str(path))
        if job.folder is not None:
            yield from ("--bind" if job.writable else "--ro-bind", str(job.folder), str(BOT))
        if job.home is not None:
            yield from ("--bind", str(job.home), str(HOME))
        if job.sockets is not None:
            yield from ("--ro-bind", str(job.sockets), str(SOCKETS))

    def _variables(self, job: Job) -> dict[str, str]:
        # Compilers want more room than there is in memory: where there is a home on disk, there.
        room = {} if job.home is None else {"TMPDIR": str(HOME)}
        return {
            "PATH": self.toolchains.search_path(search_path()),
            "HOME": str(HOME),
            "LANG": "C.UTF-8",
            **room,
            **self.toolchains.variables,
            **job.variables,
        }


def _rights(user: int | None) -> tuple[str, ...]:
    """No capability is left once the program runs; those here are for `_becoming`."""
    if user is not None:
        keep = ("SETUID", "SETGID", "SETPCAP")
        return ("--cap-drop", "ALL", *(w for name in keep for w in ("--cap-add", f"CAP_{name}")))
    number = str(_USER_WITHIN)
    return (
        *("--unshare-user", "--disable-userns", "--uid", number, "--gid", number),
        *("--cap-drop", "ALL"),
    )


def _becoming(user: int) -> tuple[str, ...]:
    return (
        "setpriv",
        f"--reuid={user}",
        f"--regid={user}",
        "--clear-groups",
        "--inh-caps=-all",
        "--bounding-set=-all",
        "--",
    )


def _entering(group: Group) -> tuple[str, ...]:
    if not group.folders:
        return ()
    return ("/bin/sh", "-c", _INTO_GROUPS, "arena", *map(str, group.entrances), "--")


def _cause(job: Job, group: Group) -> str:
    if not group.has_run_out():
        return ""
    return out_of_memory(job)


def _clearing(job: Job, group: Group, user: int | None) -> Callable[[], None]:
    def clear() -> None:
        group.clear()
        if user is not None:
            take_back(job)

    return clear
