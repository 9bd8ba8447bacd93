"""Bots that come, drop, come back and go, as events.

A bot that dials in and drops in a loop must not fill a disk: an event of one bot is told once in
``QUIET_SECONDS`` at most, with the number of those that were not told.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any, Final
from weakref import WeakKeyDictionary

from arena.events import Event, event_log
from arena.ids import VersionId
from arena.referee.clock import Clock, Micros
from arena.referee.seat import FaultKind
from arena.server.counts import Counts
from arena.server.places import place_fields
from arena.server.refused import StreamRefused
from arena.server.sessions import NO_STREAM, Session

QUIET_SECONDS: Final = 1

_QUIET: Final[Micros] = QUIET_SECONDS * 1_000_000
_AT_ONCE: Final = 4
"""Events of one kind that a bot may cause together: it has a session for each chair and lane."""

log = event_log(__name__)


class Comings:
    """Tells who comes and goes at one server.

    Args:
        clock: of the server.
        counts: takes the numbers.
    """

    def __init__(self, clock: Clock, counts: Counts) -> None:
        self._clock = clock
        self._counts = counts
        self._numbers: WeakKeyDictionary[Session, int] = WeakKeyDictionary()
        self._count = itertools.count(1)
        self._told: dict[tuple[VersionId, Event], _Quota] = {}

    @contextlib.contextmanager
    def admitting(self) -> Iterator[None]:
        """Tell of a stream that the block refuses: detail, for anybody can make such streams."""
        try:
            yield
        except StreamRefused as refused:
            self._counts.streams_refused[refused.status.name] += 1
            log.debug(Event.STREAM_REFUSED, reason=refused.sentence, status=refused.status.name)
            raise

    @contextlib.contextmanager
    def told(self, session: Session, stream: int, *, resumed: bool) -> Iterator[None]:
        """Tell that a session has a stream, and when the block ends how it lost it.

        A stream that breaks ends its block by cancelling it.
        """
        refusal: StreamRefused | None = None
        self._tell(Event.BOT_RESUMED if resumed else Event.BOT_DIALLED_IN, session)
        try:
            yield
        except StreamRefused as refused:
            refusal = refused
            raise
        finally:
            if session.stream in (NO_STREAM, stream):  # else another took over, and was told
                self._tell_end(session, refusal)

    def _tell_end(self, session: Session, refusal: StreamRefused | None) -> None:
        if refusal is not None:
            fields = {"reason": refusal.sentence, "status": refusal.status.name}
            self._tell(Event.BOT_CUT_OFF, session, **fields)
        elif session.gone is FaultKind.PROTOCOL:
            self._tell(Event.BOT_CUT_OFF, session, reason=session.gone_sentence)
        elif session.gone is not None:
            self._tell(Event.BOT_LEFT, session, reason=session.gone_sentence)
        elif session.farewell is not None:
            self._tell(Event.BOT_LEFT, session, reason=session.farewell)
        else:
            self._tell(Event.BOT_DROPPED, session)

    def _tell(self, event: Event, session: Session, **fields: Any) -> None:
        """Bots of this machine come and go with their sets: that is detail."""
        fields |= place_fields(session.admission, session.place)
        fields["session"] = self._number(session)
        if session.admission.hosted:
            log.debug(event, hosted=True, **fields)
            return
        quota = self._told.setdefault((session.place.version, event), _Quota())
        if quota.spend(self._clock.now()):
            unsaid, quota.unsaid = quota.unsaid, 0
            log.info(event, hosted=False, **fields, **({"unsaid": unsaid} if unsaid else {}))

    def _number(self, session: Session) -> int:
        """The session's number: its token is a secret."""
        number = self._numbers.get(session)
        if number is None:
            number = self._numbers[session] = next(self._count)
        return number


class _Quota:
    """How much of one kind may be told of one bot now."""

    __slots__ = ("left", "since", "unsaid")

    def __init__(self) -> None:
        self.left = _AT_ONCE
        self.since: Micros = 0
        self.unsaid = 0

    def spend(self, now: Micros) -> bool:
        """Whether one more may be told."""
        if now - self.since >= _QUIET:
            self.since, self.left = now, _AT_ONCE
        if self.left:
            self.left -= 1
            return True
        self.unsaid += 1
        return False
