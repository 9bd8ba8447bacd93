"""Whether a server is alive, and whether it is ready: two questions with two answers.

*Alive* is a server whose event loop beats; one that is not has to be killed. *Ready* is one that
takes new work: its database answers, the last finished set could be written, and it does not drain.
A server that is not ready may well be alive, and killing it would help nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from grpc_health.v1 import health, health_pb2
from sqlalchemy.exc import DBAPIError

from arena.events import Event, event_log
from arena.server.pulse import Pulse
from arena.store import Store, StoreError

ALIVE_SECONDS: Final = 5.0
"""A beat comes every 50 ms; without one for so long the task that beats is dead."""

LOOK_SECONDS: Final = 1.0

LIVENESS: Final = "liveness"
"""The name under which the health service tells alive; the empty name tells ready."""

_SERVING: Final = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING

log = event_log(__name__)


class Vitals:
    """The state of one server.

    Attributes:
        draining: set once it begins nothing new.
        written: False once a finished set could not be written, until one could again.
        seen: why it was not ready when it was last looked at.

    Args:
        pulse: the server's beat.
        store: its database.
    """

    def __init__(self, pulse: Pulse, store: Store) -> None:
        self.draining = asyncio.Event()
        self.written = True
        self.seen: tuple[str, ...] = ("starting",)
        self._listening = False
        self._clock = pulse.clock
        self._beat = pulse.clock.now()
        self._store = store
        pulse.each_beat(self._note_beat)

    def _note_beat(self) -> None:
        self._beat = self._clock.now()

    def listens(self) -> None:
        """Everything that serves is there."""
        self._listening = True

    def alive(self) -> bool:
        """Whether the event loop beats; asked within it, so that it also answers."""
        return (self._clock.now() - self._beat) / 1e6 < ALIVE_SECONDS

    def unready(self) -> tuple[str, ...]:
        """Why it is not ready, a word a reason; reads the database, so it belongs into a thread."""
        reasons = {
            "starting": not self._listening,
            "draining": self.draining.is_set(),
            "journal": not self.written,
            "database": not self._store_answers(),
        }
        return tuple(reason for reason, holds in reasons.items() if holds)

    def _store_answers(self) -> bool:
        try:
            self._store.revision()
        except (StoreError, DBAPIError):  # the second: somebody has put another database there
            return False
        return True


async def keep_health(vitals: Vitals, servicer: health.aio.HealthServicer) -> None:
    """Keep the health service true, and tell of changes, until cancelled."""
    known: tuple[str, ...] = ("unknown",)
    while True:
        await servicer.set(LIVENESS, _SERVING if vitals.alive() else _NOT_SERVING)
        reasons = vitals.seen = await asyncio.to_thread(vitals.unready)
        if reasons != known:
            _tell(known, reasons)
            await servicer.set("", _NOT_SERVING if reasons else _SERVING)
            known = reasons
        await _pause(vitals.draining if "draining" not in known else asyncio.Event())


async def _pause(early: asyncio.Event) -> None:
    """Wait until the next look is due, or until that is set."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LOOK_SECONDS):
            await early.wait()


def _tell(before: tuple[str, ...], now: tuple[str, ...]) -> None:
    """Draining has an event of its own, and so has the start."""
    if set(now) - {"draining"}:
        log.warning(Event.NOT_READY, reasons=", ".join(now))
    elif set(before) - {"draining", "unknown"}:
        log.info(Event.READY)
