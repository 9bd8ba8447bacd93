"""Reaches for more than it was given: mounts, name spaces, roots, keys, the kernel's machinery."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import stat
import subprocess
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from tests.hostile.programs.attempts import (
    DONE,
    REFUSED,
    attempt,
    attempt_call,
    call,
    say,
)

# The numbers of x86_64. The arguments harm nobody, should one be heard.
CALLS: tuple[tuple[str, int, tuple[int | bytes | None, ...]], ...] = (
    ("mount", 165, (b"none", b"/tmp", b"tmpfs", 0, None)),
    ("umount2", 166, (b"/tmp", 2)),
    ("pivot_root", 155, (b"/tmp", b"/tmp")),
    ("chroot", 161, (b"/tmp",)),
    ("setns", 308, (-1, 0)),
    ("open_tree", 428, (-100, b"/", 1)),
    ("move_mount", 429, (-1, b"", -1, b"", 0)),
    ("fsopen", 430, (b"tmpfs", 0)),
    ("fsmount", 432, (-1, 0, 0)),
    ("mount_setattr", 442, (-1, b"", 0, None, 0)),
    ("unshare users", 272, (0x10000000,)),
    ("unshare mounts", 272, (0x00020000,)),
    ("unshare network", 272, (0x40000000,)),
    ("clone into new users", 56, (0x10000000 | 17, 0, 0, 0, 0)),
    ("clone3", 435, (None, 0)),
    ("keyctl", 250, (0, -3, 0)),
    ("add_key", 248, (b"user", b"hostile", b"x", 1, -2)),
    ("request_key", 249, (b"user", b"hostile", None, 0)),
    ("bpf", 321, (0, None, 0)),
    ("perf_event_open", 298, (None, 0, -1, -1, 0)),
    ("io_uring_setup", 425, (1, None)),
    ("io_uring_enter", 426, (-1, 0, 0, 0, None, 0)),
    ("io_uring_register", 427, (-1, 0, None, 0)),
    ("userfaultfd", 323, (0,)),
    ("name_to_handle_at", 303, (-100, b"/", None, None, 0)),
    ("open_by_handle_at", 304, (-1, None, 0)),
    ("fanotify_init", 300, (0x0200, 0)),
    ("init_module", 175, (None, 0, b"")),
    ("finit_module", 313, (-1, b"", 0)),
    ("delete_module", 176, (b"hostile", 0)),
    ("kexec_load", 246, (0, 0, None, 0)),
    ("reboot", 169, (0, 0, 0, None)),
    ("syslog", 103, (10, None, 0)),
    ("swapon", 167, (b"/hostile", 0)),
    ("acct", 163, (b"/hostile",)),
    ("iopl", 172, (3,)),
    ("quotactl", 179, (0, None, 0, None)),
    ("move_pages", 279, (0, 0, None, None, None, 0)),
)

_SETUID = 105
_SETRESUID = 117
_SETGROUPS = 116
_MKNOD = 133
_SETHOSTNAME = 170
_SETTIMEOFDAY = 164
_CAPSET = 126
_PRCTL = 157
_CAP_AMBIENT = 47
_RAISE = 2
_TIOCSTI = 0x5412
_TIOCLINUX = 0x541C
_PROGRAMS = ("su", "passwd", "mount", "chsh", "newgrp", "sudo")


def main() -> None:
    """The program."""
    for name, number, arguments in CALLS:
        # A call that is heard may change this process; none of that is for the next one.
        _apart(partial(attempt_call, name, number, *arguments))
    attempt("become the superuser", partial(call, _SETUID, 0))
    attempt("become somebody else", partial(call, _SETRESUID, 1, 1, 1))
    attempt("join groups", partial(call, _SETGROUPS, 0, None))
    attempt("make a device", partial(call, _MKNOD, b"/tmp/device", stat.S_IFBLK | 0o666, 0xFE00))
    attempt("rename the machine", partial(call, _SETHOSTNAME, b"hostile", 7))
    attempt("raise a capability", partial(call, _PRCTL, _CAP_AMBIENT, _RAISE, 21, 0, 0))
    _push_input()
    _run_with_rights()
    _look_at_rights()


def _apart(deed: partial[None]) -> None:
    """In a child of its own."""
    child = os.fork()
    if child == 0:
        deed()
        os._exit(0)
    os.waitpid(child, 0)


def _push_input() -> None:
    """Type for somebody else, on a terminal of one's own: to the filter that is all the same."""
    ours, theirs = pty.openpty()
    attempt("push input (TIOCSTI)", partial(fcntl.ioctl, theirs, _TIOCSTI, b"x"))
    attempt("paste on a console (TIOCLINUX)", partial(fcntl.ioctl, theirs, _TIOCLINUX, b"\3"))
    os.close(ours)
    os.close(theirs)


def _run_with_rights() -> None:
    """Programs that give their caller more rights, and one made so."""
    own = Path("/tmp/own")
    own.write_bytes(Path("/usr/bin/id").read_bytes())
    own.chmod(0o6755)
    attempt("gain rights by an own program", partial(_gain, str(own)))
    for name in _PROGRAMS:
        program = Path("/usr/bin", name)
        if program.exists() and program.stat().st_mode & stat.S_ISUID:
            attempt(f"gain rights by {name}", partial(_gain, str(program)))


def _gain(program: str) -> object:
    """Whose rights a program has; it waits for words that do not come, or has just ended."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=quiet, stderr=quiet) as child:
        status = Path(f"/proc/{child.pid}/status").read_text()
        child.kill()
    users = next(line.split()[1:] for line in status.splitlines() if line.startswith("Uid"))
    if "0" not in users:
        raise PermissionError(errno.EPERM, "it has none")
    return users


def _look_at_rights() -> None:
    lines = dict(
        line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines()
    )
    _want("no new privileges", lines["NoNewPrivs"], ["1"])
    _want("a filter of system calls", lines["Seccomp"], ["2"])
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        _want(f"{name} is empty", lines[name], ["0" * 16])


def _want(what: str, found: str, allowed: Iterable[str]) -> None:
    say(REFUSED if found.strip() in allowed else DONE, what, found)


if __name__ == "__main__":
    main()
