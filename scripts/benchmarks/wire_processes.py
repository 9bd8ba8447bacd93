"""CPU time of processes, and starting the peers of a measurement."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

_TICK_US = 1e6 / os.sysconf("SC_CLK_TCK")
ROOT = Path(__file__).resolve().parents[2]


def cpu_us(pid: int) -> float:
    """User and system time of a process so far, in microseconds (resolution 10 ms)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * _TICK_US


@asynccontextmanager
async def peers(
    script: str, argument_lists: Sequence[Sequence[str]], variables: Mapping[str, str] | None = None
) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    """Run ``script`` of this folder once for each list of arguments, until the block ends."""
    path = Path(__file__).with_name(script)
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            str(path),
            *arguments,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(variables or {})},
        )
        for arguments in argument_lists
    ]
    try:
        yield processes
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
        await asyncio.gather(*(process.wait() for process in processes))
