"""A command that is run to its end: with it ends all of its process group, whatever comes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

TERM_SECONDS: Final = 2.0
"""What it has to end after SIGTERM."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_errand(argv: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> int:
    """Run a command; it writes where this process does, and has nothing to read.

    To be called from the main thread.

    Returns:
        its exit code, a signal's number below zero.

    Raises:
        OSError: it cannot be started.
        KeyboardInterrupt: SIGINT, SIGTERM or SIGHUP came for this process; the command has ended.
    """
    with (
        _interrupted_by_signals(),
        subprocess.Popen(
            argv,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        ) as process,
    ):
        try:
            return process.wait()
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End its group: asked first where it still runs, then for certain."""
    try:
        if process.returncode is None:
            _signal(process, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TERM_SECONDS)
    finally:
        _signal(process, signal.SIGKILL)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    # The group may be gone.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


@contextlib.contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """Signals that end a program interrupt it; one that is ignored already stays ignored."""

    def interrupt(_: int, __: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    taken = [one for one in _SIGNALS if signal.getsignal(one) is not signal.SIG_IGN]
    before = {one: signal.signal(one, interrupt) for one in taken}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
