"""Looks for other processes, and reaches for them: signals, tracing, their memory."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

from tests.hostile.programs.attempts import (
    DONE,
    NOTE,
    REFUSED,
    attempt,
    attempt_call,
    call,
    facts,
    find,
    say,
)

_MOST_PIDS = 100_000
_ATTACH = 16

# The numbers of x86_64.
_PTRACE = 101
_PROCESS_VM_READV = 310
_PROCESS_VM_WRITEV = 311
_KCMP = 312
_PIDFD_OPEN = 434
_PIDFD_GETFD = 438


def main() -> None:
    """The program."""
    known = facts()
    victim: int = known["victim"]
    shown = sorted(int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    say(NOTE, "processes", " ".join(map(str, shown)))
    lines = b"".join(_command_line(pid) for pid in shown if pid != os.getpid())
    find("see another process", lambda: lines, known["sign"])
    attempt("signal another process", partial(os.kill, victim, 0))
    attempt("read its environment", Path(f"/proc/{victim}/environ").read_bytes)
    attempt("read its memory", partial(_read_memory, victim))
    attempt("reach its root", partial(os.listdir, f"/proc/{victim}/root"))
    attempt("take hold of it", partial(call, _PIDFD_OPEN, victim, 0))
    _signal_all()
    attempt("change its limits", partial(_bound, victim))
    attempt_call("trace another process", _PTRACE, _ATTACH, victim, 0, 0)
    _be_traced()
    attempt_call("process_vm_readv", _PROCESS_VM_READV, os.getpid(), None, 0, None, 0, 0)
    attempt_call("process_vm_writev", _PROCESS_VM_WRITEV, os.getpid(), None, 0, None, 0, 0)
    attempt_call("kcmp", _KCMP, os.getpid(), os.getpid(), 0, 0, 0)
    attempt_call("pidfd_getfd", _PIDFD_GETFD, -1, 0, 0)


def _be_traced() -> None:
    """In a child, for it shows to who waits for a process."""
    child = os.fork()
    if child == 0:
        attempt_call("be traced", _PTRACE, 0, 0, 0, 0)
        os._exit(0)
    os.waitpid(child, 0)


def _signal_all() -> None:
    """The number of each process, but the first one's and its own."""
    reached = [pid for pid in range(2, _MOST_PIDS) if pid != os.getpid() and _is_reached(pid)]
    say(DONE if reached else REFUSED, "signal any process", reached[:5] or "none is there")


def _is_reached(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _read_memory(pid: int) -> bytes:
    with Path(f"/proc/{pid}/mem").open("rb") as memory:
        return memory.read(1)


def _bound(pid: int) -> object:
    import resource

    return resource.prlimit(pid, resource.RLIMIT_CORE)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    main()
