"""Means to outlive its end: ``python -m ... WAY``.

What it leaves holds a connection to the one who started it: that ends only with the last of them.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time

from tests.hostile.programs.attempts import NOTE, facts, say

_SECONDS = 60.0
"""By then it ends by itself, wherever it is."""


def daemon() -> None:
    """Two forks and a session of its own, and the first process ends at once."""
    if os.fork():
        os.wait()
        say(NOTE, "daemon", "left")
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    _stay()


def deaf() -> None:
    """Ignores every signal that it may."""
    say(NOTE, "deaf")
    _stay()


def nameless() -> None:
    """As a daemon, and without the environment and the words by which it could be found."""
    if os.fork():
        os.wait()
        say(NOTE, "nameless", "left")
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(facts()["witness"])
        os.dup2(one.fileno(), 9)
    os.execve("/bin/sh", ["sh", "-c", f"trap '' TERM HUP INT; sleep {_SECONDS:.0f}"], {})


def _stay() -> None:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(facts()["witness"])
        one.send(b"x")
        time.sleep(_SECONDS)
    os._exit(0)


WAYS = {"daemon": daemon, "deaf": deaf, "nameless": nameless}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
