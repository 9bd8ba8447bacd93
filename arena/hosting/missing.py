"""Which program a command wants that is not there: known from outside, or asked of the image."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from typing import Final

from arena.hosting.command import search_path
from arena.hosting.container import Containers, of_image
from arena.hosting.process import BotProcess
from arena.hosting.runner import Job, Runner

_ASKS: Final = 'command -v -- "$1" >/dev/null || echo missing'
_SECONDS: Final = 30.0


def is_missing(program: str) -> bool:
    """Whether this machine has no program of that name; of a path nothing is said."""
    return "/" not in program and shutil.which(program, path=search_path()) is None


async def missing_in_image(runner: Runner, job: Job) -> str | None:
    """The image of a job that has failed, where that has not the job's program; else None.

    The exit code says too little: a shell ends with the same one where it is a program of the
    script that is missing. An image without a shell is not found out.

    Args:
        runner: contained the job.
        job: that has ended.
    """
    if not (isinstance(runner, Containers) and job.argv):
        return None
    asks = ("/bin/sh", "-c", _ASKS, "sh", of_image(job.argv[0]))
    asking = replace(job, argv=asks, label=f"{job.label}-asked", home=None, writable=False)
    try:
        launch = await asyncio.to_thread(runner.launch, asking)
        process = await BotProcess.start(launch, on_exit=lambda _: None)
    except OSError:
        return None
    try:
        async with asyncio.timeout(_SECONDS):
            await process.ended()
    except TimeoutError:
        return None
    finally:
        process.kill()
        await process.ended()
    return runner.image if process.stdout.text() == "missing" else None
