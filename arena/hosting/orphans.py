"""The program of the guard: waits for the end of the arena, then ends the bots that it left.

Run by its path, with a bare interpreter: it imports next to nothing and starts in 10 ms. Standard
input is a pipe from the arena: ``+PID`` for each process group that it starts, ``-PID`` for each
that is gone. The pipe ends with the arena, however that ends; then what is left is killed.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Keep the list until the pipe ends, then end what is on it."""
    groups: dict[int, str] = {}
    for line in sys.stdin:
        number = int(line[1:])
        if line[0] == "+":
            groups[number] = birth(number)
        else:
            groups.pop(number, None)
    for number, born in groups.items():
        # A leader that was born later is another program that got the number meanwhile. Without a
        # leader the group is what ours has left: the kernel gives no number out that a group has.
        if birth(number) in ("", born):
            kill(number)


def birth(number: int) -> str:
    """When a process was started, as the kernel counts; empty for one that is not there."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def kill(group: int) -> None:
    """End a process group, where it is still there."""
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
