"""How a bot under examination is started: contained, beside the event loop."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from arena.conformance.hosted import Contained, Hosted
from arena.conformance.verdicts import BotMissing
from arena.hosting.command import BotCommand
from arena.hosting.runner import Job, Launch, ProcessRunner, Resources


class Noting(ProcessRunner):
    """Notes in which threads it was asked to launch."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def launch(self, job: Job) -> Launch:
        """As if nothing contained it."""
        self.threads.append(threading.current_thread())
        return super().launch(job)


async def test_what_contains_a_bot_is_made_beside_the_loop(tmp_path: Path) -> None:
    runner, command = Noting(), BotCommand("ann", ("/bin/false",), "")
    contained = Contained(runner, None, "test", Resources())
    async with Hosted(command, tmp_path, 30.0, contained) as exam:
        with pytest.raises(BotMissing):
            await exam.session()
    assert [thread is threading.current_thread() for thread in runner.threads] == [False]
