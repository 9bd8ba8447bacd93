"""Open files: enough of them before anything starts, or a sentence that says so."""

from __future__ import annotations

import resource
from typing import Final

from arena.cli.errors import FAILED, CliError

PER_PROCESS: Final = 8
"""Two pipes, a connection, and what starting takes for a moment."""
BESIDES: Final = 64
"""The server itself, the journal, libraries."""
SERVER: Final = 65_536
"""What a server with many connections wants."""


def ensure_descriptors(processes: int) -> None:
    """See to it that so many bot processes can be held.

    Raises:
        CliError: the system allows too few open files.
    """
    need = BESIDES + PER_PROCESS * processes
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= need:
        return
    if hard != resource.RLIM_INFINITY and hard < need:
        raise CliError(
            f"{processes} bot processes need {need} open files and the system allows {hard}",
            hint=f"ulimit -n {need}",
            code=FAILED,
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (need, hard))


def raise_descriptors(wanted: int = SERVER) -> None:
    """Allow this process as many open files as the system lets it, up to ``wanted``."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
