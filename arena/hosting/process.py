"""One bot process: started in its own process group, its output drained, ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping
from typing import Final

from arena.hosting.command import search_path

TAIL_BYTES: Final = 8192
TERM_SECONDS: Final = 2.0
_CHUNK: Final = 65536

# What a bot process inherits from the arena's environment; nothing else.
_INHERITED: Final = ("HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "PYTHONHASHSEED")


class Tail:
    """The last bytes of an output."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, chunk: bytes) -> None:
        """Take more; what no longer fits is forgotten from the front."""
        self._bytes += chunk
        del self._bytes[:-TAIL_BYTES]

    def text(self) -> str:
        """The text so far, without its trailing white space."""
        return self._bytes.decode("utf-8", "replace").rstrip()

    def last_line(self) -> str:
        """The last line, for a sentence about the process."""
        lines = self.text().splitlines()
        return lines[-1] if lines else ""


class BotProcess:
    """A running bot.

    Attributes:
        stdout: the tail of its standard output.
        stderr: the tail of its standard error.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.stdout = Tail()
        self.stderr = Tail()
        self._watching: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls,
        argv: tuple[str, ...],
        variables: Mapping[str, str],
        *,
        on_exit: Callable[[BotProcess], None],
    ) -> BotProcess:
        """Start a bot; ``on_exit`` is called once it has ended, whoever ended it.

        Raises:
            OSError: it cannot be started.
        """
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        environment["PATH"] = search_path()
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment | dict(variables),
            start_new_session=True,
        )
        bot = cls(process)
        bot._watching = asyncio.create_task(bot._watch(on_exit))
        return bot

    @property
    def pid(self) -> int:
        """The process id, which is its process group's too."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.returncode is None

    def ending(self) -> str:
        """How it ended, in words."""
        code = self._process.returncode
        assert code is not None, "the process has not ended"
        how = f"ended by signal {-code}" if code < 0 else f"exited with status {code}"
        last = self.stderr.last_line()
        return f"the bot's process {how}" + (f": {last}" if last else "")

    async def ended(self) -> None:
        """Wait until it has ended and its output has been read."""
        if self._watching is not None:
            await asyncio.wait([self._watching])

    async def stop(self) -> None:
        """End it: asked first, then for certain, its whole group."""
        self._signal(signal.SIGTERM)
        if self._watching is not None:
            await asyncio.wait([self._watching], timeout=TERM_SECONDS)
        self.kill()
        if self._watching is not None:
            await asyncio.wait([self._watching])

    def kill(self) -> None:
        """End its whole group at once."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        # The group may be gone, or hold only processes that are not ours any more.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    async def _watch(self, on_exit: Callable[[BotProcess], None]) -> None:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        draining = [
            asyncio.create_task(_drain(self._process.stdout, self.stdout)),
            asyncio.create_task(_drain(self._process.stderr, self.stderr)),
        ]
        await self._process.wait()
        # What it had started may still hold its pipes: end the group, then read the rest.
        self.kill()
        await asyncio.wait(draining, timeout=TERM_SECONDS)
        for task in draining:
            task.cancel()
        on_exit(self)


async def _drain(stream: asyncio.StreamReader, tail: Tail) -> None:
    while chunk := await stream.read(_CHUNK):
        tail.add(chunk)
