"""Who of the bots that dial in is here, told as it changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Final

from arena.server.lobby import Lobby
from arena.server.sessions import Session

LOOK_SECONDS: Final = 1.0

log = logging.getLogger(__name__)


class Attendance:
    """The bots that are here, hosted ones apart: those come and go with their sets."""

    def __init__(self) -> None:
        self._here: frozenset[str] = frozenset()

    def look(self, sessions: Iterable[Session]) -> None:
        """Tell, a line a bot, who has come and who has left since the last look."""
        here = frozenset(
            f"{session.admission.name} {session.admission.label}"
            for session in sessions
            if session.connected and session.gone is None and not session.admission.hosted
        )
        for bot in sorted(here - self._here):
            log.info("bot %s has dialled in", bot)
        for bot in sorted(self._here - here):
            log.info("bot %s has left", bot)
        self._here = here


async def keep_attendance(lobby: Lobby) -> None:
    """Look again and again, until cancelled."""
    attendance = Attendance()
    while True:
        attendance.look(lobby.sessions())
        await asyncio.sleep(LOOK_SECONDS)
