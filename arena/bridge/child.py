"""The program behind the bridge: its lines read, its standard input fed, ended for certain.

It runs in a session and process group of its own, so that a signal for the bridge's group does not
end it before the bridge has said goodbye; the guard ends it where the bridge itself is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from arena.hosting.guard import Guard

MAX_LINE_BYTES: Final = 256 * 1024
"""The longest line that is read; 1,024 answers are shorter."""

MAX_BACKLOG_BYTES: Final = 16 * 1024 * 1024
"""The most that waits to be read by the program; 1,024 questions are less."""

GRACE_SECONDS: Final = 1.0
"""What a program has to end after its standard input was closed, and again after SIGTERM."""

_SETTLE_SECONDS: Final = 1.0
"""How long to wait, when one sign of an end has come, for the others that tell which it is."""

_STDIN: Final = 0
_STDOUT: Final = 1


class Child(asyncio.SubprocessProtocol):
    """A program that is started once.

    Attributes:
        name: what sentences call it.
        hear: takes the whole lines that it wrote, without their ends; set before ``start``.
        lost: told once, in a sentence, when it can play no more; likewise.
    """

    def __init__(self, argv: Sequence[str], *, name: str) -> None:
        self.name = name
        self.hear: Callable[[list[bytes]], None] = lambda _: None
        self.lost: Callable[[str], None] = lambda _: None
        self._argv = argv
        self._partial = bytearray()
        self._closed: set[int] = set()
        self._exited = asyncio.Event()
        self._silent = asyncio.Event()  # its standard output is closed
        self._leaving = False
        self._judging: asyncio.Task[None] | None = None
        self._guard = Guard()
        self._transport: asyncio.SubprocessTransport

    async def start(self, environment: Mapping[str, str]) -> None:
        """Start it; its standard error is the bridge's.

        Raises:
            OSError: it cannot be started.
        """
        self._transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: self,
            *self._argv,
            stderr=None,
            env=dict(environment),
            start_new_session=True,
        )
        try:
            self._guard.watch(self._transport.get_pid())
        except OSError:
            self._signal(signal.SIGKILL)
            raise

    def write(self, text: str) -> None:
        """Have lines read by the program; lost where it reads no more."""
        pipe = self._transport.get_pipe_transport(_STDIN)
        if self._leaving or _STDIN in self._closed or not isinstance(pipe, asyncio.WriteTransport):
            return
        pipe.write(text.encode())
        if pipe.get_write_buffer_size() > MAX_BACKLOG_BYTES:
            waiting = MAX_BACKLOG_BYTES // 1024**2
            self._give_up(f"{self.name} does not read: {waiting} MiB wait at its standard input")

    async def end(self) -> None:
        """End it and all that it has started: its input first, then for certain."""
        self._leaving = True
        pipe = self._transport.get_pipe_transport(_STDIN)
        if pipe is not None:
            pipe.close()
        if not await self._exits():
            self._signal(signal.SIGTERM)
            await self._exits()
        self._signal(signal.SIGKILL)
        await self._exited.wait()
        if isinstance(pipe, asyncio.WriteTransport) and pipe.get_write_buffer_size():
            pipe.abort()  # what nobody reads any more would keep it open
        self._transport.close()
        self._guard.release(self._transport.get_pid())
        await asyncio.to_thread(self._guard.close)

    async def _exits(self) -> bool:
        """Whether it ends within its grace."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                await self._exited.wait()
        return self._exited.is_set()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), number)

    # What the event loop tells.

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """What it wrote to its standard output."""
        if self._leaving:
            return
        head, *lines = data.split(b"\n")
        self._partial += head
        if lines:
            whole = [bytes(self._partial), *lines[:-1]]
            self._partial = bytearray(lines[-1])
            self._hear(whole)
        elif len(self._partial) > MAX_LINE_BYTES:
            self._refuse_long_line()

    def _hear(self, lines: list[bytes]) -> None:
        if max(map(len, lines)) > MAX_LINE_BYTES:
            self._refuse_long_line()
        else:
            self.hear(lines)

    def _refuse_long_line(self) -> None:
        self._give_up(f"{self.name} wrote a line of more than {MAX_LINE_BYTES // 1024} KiB")

    def pipe_connection_lost(self, fd: int, _: Exception | None) -> None:
        """It has closed its end, or has ended."""
        self._closed.add(fd)
        if fd == _STDOUT:
            self._silent.set()
        self._judge_soon()

    def process_exited(self) -> None:
        """It has ended."""
        self._exited.set()
        self._judge_soon()

    # When it can play no more.

    def _judge_soon(self) -> None:
        if not self._leaving and self._judging is None:
            self._judging = asyncio.create_task(self._judge())

    async def _judge(self) -> None:
        """Give up once it is clear what has happened and all its lines have been read."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE_SECONDS):
                await self._exited.wait()
                await self._silent.wait()
        self._give_up(self._ending())

    def _ending(self) -> str:
        code = self._transport.get_returncode()
        if code is None:
            which = "output" if _STDOUT in self._closed else "input"
            return f"{self.name} closed its standard {which}, which it needs until the goodbye"
        how = f"was ended by signal {-code}" if code < 0 else f"exited with status {code}"
        return f"{self.name} {how} before the arena said goodbye"

    def _give_up(self, sentence: str) -> None:
        if not self._leaving:
            self._leaving = True
            self.lost(sentence)
