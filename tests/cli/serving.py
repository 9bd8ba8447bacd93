"""``arena serve`` in a process of its own, for tests of what talks to it."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.cli.commands import ARENA, PLAIN, ROOT

SECONDS = 120.0
"""In which it ends, with the bots that it has."""


@contextlib.contextmanager
def serving(
    data: Path, *options: str, environment: Mapping[str, str] = PLAIN
) -> Iterator[tuple[str, str]]:
    """An arena that serves a data folder on loopback, without pages; it ends in good order.

    Args:
        data: the folder.
        options: of the command, besides.
        environment: all of it.

    Yields:
        Where it is dialled, and what it said at its start.
    """
    here = ("--data", str(data), "--listen", "127.0.0.1:0", "--http", "none")
    with subprocess.Popen(
        [*ARENA, "serve", *here, *options],
        env=environment,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        said = ""
        try:
            while "token" not in said and (line := running.stderr.readline()):
                said += line
            found = re.search(r"bots +(\S+)", said)
            assert found is not None, said
            yield found[1], said
        finally:
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=SECONDS)
        assert running.returncode == 0
