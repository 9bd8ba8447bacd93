"""One bot process: started in its own process group, its output drained, ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from typing import Final, cast

from arena.hosting.runner import Launch

TAIL_BYTES: Final = 8192
TERM_SECONDS: Final = 2.0


class Tail:
    """The last bytes of an output.

    Attributes:
        size: bytes of the whole output so far.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self.size = 0

    def add(self, chunk: bytes) -> None:
        """Take more; what no longer fits is forgotten from the front."""
        self.size += len(chunk)
        self._bytes += chunk
        del self._bytes[:-TAIL_BYTES]

    @property
    def ends_line(self) -> bool:
        """Whether what comes next begins a line."""
        return not self._bytes or self._bytes.endswith(b"\n")

    def text(self) -> str:
        """The text so far, without its trailing white space."""
        return self._bytes.decode("utf-8", "replace").rstrip()

    def last_line(self) -> str:
        """The last line, for a sentence about the process."""
        lines = self.text().splitlines()
        return lines[-1] if lines else ""


class _Protocol(asyncio.SubprocessProtocol):
    """What the event loop tells of a process.

    ``asyncio.create_subprocess_exec`` would do, but its ``wait`` returns only once the outputs are
    closed, and what a bot has started can hold these open after its end.

    Args:
        heard: told of all that is written to either output.
        pause: seconds for which an output is not read after each piece of it.
    """

    def __init__(self, heard: Callable[[bytes], None], pause: float = 0.0) -> None:
        self.tails = {1: Tail(), 2: Tail()}
        self._heard = heard
        self._pause = pause
        self._pipes: dict[int, asyncio.ReadTransport] = {}
        self.ended = asyncio.Event()
        self.closed = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        process = cast("asyncio.SubprocessTransport", transport)
        for fd in self.tails:
            self._pipes[fd] = cast("asyncio.ReadTransport", process.get_pipe_transport(fd))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.tails[fd].add(data)
        self._heard(data)
        if self._pause and not self.ended.is_set():
            # Who writes without end, byte by byte even, has the loop only now and then.
            self._pipes[fd].pause_reading()
            loop = asyncio.get_running_loop()
            loop.call_later(self._pause, self._pipes[fd].resume_reading)

    def told(self, sentence: str) -> None:
        """A line behind its standard error, which may have ended within one."""
        before = "" if self.tails[2].ends_line else "\n"
        self.pipe_data_received(2, f"{before}{sentence}\n".encode())

    def process_exited(self) -> None:
        self.ended.set()
        for pipe in self._pipes.values():
            pipe.resume_reading()

    def connection_lost(self, _: Exception | None) -> None:
        self.closed.set()


class BotProcess:
    """A running bot. Made by ``start``.

    Attributes:
        stdout: the tail of its standard output.
        stderr: the tail of its standard error; behind it, as a line of its own, for what it was
            ended by what contains it.
    """

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: _Protocol,
        launch: Launch,
        on_exit: Callable[[BotProcess], None],
    ) -> None:
        self._transport = transport
        self.stdout = protocol.tails[1]
        self.stderr = protocol.tails[2]
        self._watching = asyncio.create_task(self._watch(protocol, launch, on_exit))

    @classmethod
    async def start(
        cls,
        launch: Launch,
        *,
        on_exit: Callable[[BotProcess], None],
        heard: Callable[[bytes], None] = lambda _: None,
        pause: float = 0.0,
    ) -> BotProcess:
        """Start a bot.

        Args:
            launch: what to execute.
            on_exit: called once it has ended, whoever ended it.
            heard: told of all that it writes to either output, as it comes.
            pause: seconds for which an output is not read after each piece of it, so that what
                floods it waits, and not the loop; 0 to read on at once.

        Raises:
            OSError: it cannot be started.
        """
        try:
            transport, protocol = await asyncio.get_running_loop().subprocess_exec(
                lambda: _Protocol(heard, pause),
                *launch.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=launch.environment,
                cwd=launch.folder,
                pass_fds=launch.descriptors,
                start_new_session=True,
            )
        except OSError:
            await _clear(launch)
            raise
        finally:
            for descriptor in launch.descriptors:
                os.close(descriptor)
        return cls(transport, protocol, launch, on_exit)

    @property
    def pid(self) -> int:
        """The process id, which is its process group's too."""
        return self._transport.get_pid()

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._transport.get_returncode() is None

    @property
    def code(self) -> int | None:
        """How it ended: its exit code, a signal's number below zero; None while it runs."""
        return self._transport.get_returncode()

    def ending(self) -> str:
        """How it ended, in words; none of its own, for a record must not depend on them."""
        code = self._transport.get_returncode()
        assert code is not None, "the process has not ended"
        how = f"ended by signal {-code}" if code < 0 else f"exited with status {code}"
        return f"the bot's process {how}"

    def last_words(self) -> str:
        """The last line of its standard error, to be put behind a sentence about it."""
        last = self.stderr.last_line()
        return f": {last}" if last else ""

    async def ended(self) -> None:
        """Wait until it has ended and its output has been read."""
        await asyncio.wait([self._watching])

    def ask_to_end(self) -> None:
        """Send SIGTERM."""
        self._signal(signal.SIGTERM)

    async def stop(self) -> None:
        """End it: asked first, then for certain, its whole group."""
        self.ask_to_end()
        await asyncio.wait([self._watching], timeout=TERM_SECONDS)
        self.kill()
        await self.ended()

    def kill(self) -> None:
        """End its whole group at once."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        # The group may be gone, or hold only processes that are not ours any more.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    async def _watch(
        self, protocol: _Protocol, launch: Launch, on_exit: Callable[[BotProcess], None]
    ) -> None:
        await protocol.ended.wait()
        # What it had started may still hold its outputs: end the group, then read the rest.
        self.kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TERM_SECONDS):
                await protocol.closed.wait()
        self._transport.close()
        await _tell_cause(launch, protocol)
        # What cannot be cleared away now the next arena finds by its label.
        with contextlib.suppress(OSError):
            await _clear(launch)
        on_exit(self)


async def _tell_cause(launch: Launch, protocol: _Protocol) -> None:
    """To those who read its errors: an exit status alone says nothing of want of memory."""
    sentence = "" if launch.cause is None else await asyncio.to_thread(launch.cause)
    if sentence:
        protocol.told(sentence)


async def _clear(launch: Launch) -> None:
    if launch.clear is not None:
        await asyncio.to_thread(launch.clear)
