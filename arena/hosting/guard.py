"""A small process beside the arena that ends the bots when the arena can do so no more.

A bot runs in a session of its own, so no terminal and no kernel ends it with an arena that was
killed. ``prctl(PR_SET_PDEATHSIG)`` would have to run between fork and exec, which is not safe with
the threads of gRPC, and would not reach what a bot has started. The guard's program is in
`orphans`.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Final

_PROGRAM: Final = Path(__file__).with_name("orphans.py")


class Guard:
    """Knows the process groups of bots. Its process starts with the first of them."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, group: int) -> None:
        """A group was started.

        Raises:
            OSError: the guard cannot be started.
        """
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # ctrl-C and a hang-up are not for it
                cwd="/",
                env={},
            )
        self._say(f"+{group}\n")

    def release(self, group: int) -> None:
        """A group is gone."""
        self._say(f"-{group}\n")

    def close(self) -> None:
        """End the guard, and with it any group that is still there."""
        if self._process is not None:
            process, self._process = self._process, None
            with contextlib.suppress(OSError):
                process.communicate()

    def _say(self, line: str) -> None:
        # Some bytes into an empty pipe never block. Without a guard bots are played all the same.
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()
