"""Entrances: a socket for each contained process, which nobody else can dial.

A contained bot has no network, and sees one folder with one socket in it. Two processes with one
socket could talk to each other through it, and each could try the other's token. A port cannot be
added to a gRPC server that runs, so each socket has a server of its own, on the loop of all.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import grpc

from arena.hosting.runner import SOCKET
from arena.referee.seat import ArenaFault
from arena.server.admission import EntranceNumber
from arena.server.listening import ListenError, listen
from arena.server.short_folders import short_folder

PARENT: Final = "/tmp"  # TMPDIR may be too long for the path of a socket
FOLDER_MODE: Final = 0o711

_PARTING_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Entrance:
    """An open entrance.

    Attributes:
        number: never given twice by one arena.
        folder: that holds the socket and nothing else.
        server: that listens on it.
    """

    number: EntranceNumber
    folder: Path
    server: grpc.aio.Server


class Entrances:
    """Opens and closes entrances.

    Args:
        make_server: a server that admits by an entrance, with all its services, not started.
    """

    def __init__(self, make_server: Callable[[EntranceNumber], grpc.aio.Server]) -> None:
        self._make_server = make_server
        self._numbers = count(1)
        self._stack = contextlib.ExitStack()
        self._top: Path | None = None
        self._open: set[Entrance] = set()
        self._closing: set[asyncio.Task[None]] = set()

    async def open(self) -> Entrance:
        """A new one, which listens.

        Raises:
            ArenaFault: the machine has no room for it.
        """
        number = EntranceNumber(next(self._numbers))
        try:
            if self._top is None:
                self._top = self._stack.enter_context(short_folder(PARENT))
            folder = self._top / str(number)
            folder.mkdir()
            folder.chmod(FOLDER_MODE)
            server = self._make_server(number)
            # The user within is another one. Who may come this far, the folder above decides.
            listen(server, f"unix:{folder / SOCKET}", None, shared=True)
            await server.start()
        except (OSError, ListenError) as error:
            raise ArenaFault(f"no socket can be made for a bot: {error}") from error
        entrance = Entrance(number, folder, server)
        self._open.add(entrance)
        return entrance

    def close(self, entrance: Entrance) -> None:
        """Close one, soon: what it still has to say is said first."""
        self._open.discard(entrance)
        task = asyncio.create_task(_close(entrance))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def end(self) -> None:
        """Close all, wait until they are gone, and take their folder away."""
        for entrance in list(self._open):
            self.close(entrance)
        await self.closed()
        self._stack.close()

    async def closed(self) -> None:
        """Wait until those that were closed are gone."""
        if self._closing:
            await asyncio.wait(list(self._closing))


async def _close(entrance: Entrance) -> None:
    await entrance.server.stop(_PARTING_SECONDS)
    await asyncio.to_thread(shutil.rmtree, entrance.folder, ignore_errors=True)
