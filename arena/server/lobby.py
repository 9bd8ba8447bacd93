"""Who is here: live sessions by bot, chair and lane, and waiting for those that are not."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from arena.ids import VersionId
from arena.referee.seat import FaultKind
from arena.server.admission import Admission, GameNumber, Lane, Place, Tokens
from arena.server.pulse import Pulse
from arena.server.sessions import Session
from arena.server.tally import Tally

MAX_STREAMS: Final = 32
"""Streams of one bot, those included that end once the bot has read the rest."""


class PlaceTaken(Exception):
    """A second live session for one bot, chair and lane."""


class TooManyStreams(Exception):
    """One bot keeps more streams open than it can have a use for."""


class Lobby:
    """All sessions of a server.

    Attributes:
        tokens: who may come in.
        pulse: the server's beat.
        tally: what its sessions have done.
        dismiss: told of a place whose hosted process has lost its session.
    """

    def __init__(self, pulse: Pulse) -> None:
        self.tokens = Tokens()
        self.pulse = pulse
        self.tally = Tally()
        self.dismiss: Callable[[Place], None] = lambda _: None
        self._places: dict[Place, Session] = {}
        self._by_token: dict[str, Session] = {}
        self._streams: Counter[tuple[VersionId, GameNumber]] = Counter()
        self._changed = asyncio.Event()
        pulse.each_beat(self._sweep)

    def _sweep(self) -> None:
        for session in self._places.values():
            session.sweep()

    def open(
        self, admission: Admission, place: Place, *, tables: int, hand_results: bool
    ) -> Session:
        """A new session at a place.

        Raises:
            PlaceTaken: another one is live there.
        """
        if any(old.connected for old in self._beside(place)):
            raise PlaceTaken
        old = self._places.get(place)
        if old is not None:
            self._forget(old, "another session took its place")
        session = Session(
            admission,
            place,
            tables=tables,
            hand_results=hand_results,
            pulse=self.pulse,
            tally=self.tally,
        )
        self._places[place] = session
        self._by_token[session.token] = session
        self._announce()
        return session

    def check_return(self, session: Session) -> None:
        """Let a session be resumed.

        Raises:
            PlaceTaken: another one is live by now where it plays; with another lane it did not
                replace this one.
        """
        others = (old for old in self._beside(session.place) if old is not session)
        if any(old.connected for old in others):
            raise PlaceTaken

    def _beside(self, place: Place) -> list[Session]:
        """The sessions that play what a place plays; one without a lane plays both halves."""
        lanes = (*Lane, None) if place.lane is None else (place.lane, None)
        found = (self._places.get(place._replace(lane=lane)) for lane in lanes)
        return [session for session in found if session is not None]

    @contextlib.contextmanager
    def stream_of(self, admission: Admission) -> Iterator[None]:
        """Count a stream of a bot while the block runs.

        Raises:
            TooManyStreams: it has ``MAX_STREAMS`` already.
        """
        # A bot whose processes play one game each has as many as it plays games.
        bot = admission.version, admission.game
        if self._streams[bot] >= MAX_STREAMS:
            raise TooManyStreams(
                f"this bot has {MAX_STREAMS} streams open already; read them to their end"
            )
        self._streams[bot] += 1
        try:
            yield
        finally:
            self._streams[bot] -= 1
            if not self._streams[bot]:
                del self._streams[bot]

    def by_token(self, token: str) -> Session | None:
        """The session of a session token."""
        return self._by_token.get(token)

    def find(self, place: Place) -> Session | None:
        """The live session that plays a place; one without a lane plays both."""
        for candidate in (place, place._replace(lane=None)):
            session = self._places.get(candidate)
            if session is not None and session.connected and session.gone is None:
                return session
        return None

    async def wait_for(
        self, place: Place, seconds: float, hopeless: Callable[[], bool] = lambda: False
    ) -> Session | None:
        """The session of a place once it is there.

        Returns:
            None where it does not come in time, or once ``hopeless`` holds.
        """
        clock = self.pulse.clock
        begun = clock.now()
        lag = self.pulse.lag(begun)
        left = seconds
        while (session := self.find(place)) is None and not hopeless() and left > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()
            # What the server itself was late by, as when it was stopped, is not the bot's.
            now = clock.now()
            left = seconds - (now - begun - (self.pulse.lag(now) - lag)) / 1e6
        return session

    def _announce(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def came_back(self) -> None:
        """A session has a stream again: whoever waits for its bot may look."""
        self._announce()

    def crashed(self, place: Place, sentence: str) -> None:
        """The process of a place has ended."""
        session = self._places.pop(place, None)
        if session is not None:
            session.leave(FaultKind.CRASH, sentence)
            self._by_token.pop(session.token, None)
        self._announce()

    def withdrawn(self, place: Place, sentence: str) -> None:
        """The process of a place was ended by the arena: what it was playing failed."""
        session = self._places.get(place)
        if session is not None:
            session.withdraw(sentence)
        self.crashed(place, sentence)

    def left(self, session: Session, sentence: str) -> None:
        """The bot said goodbye."""
        self._forget(session, sentence)
        self._dismiss(session)

    def revoke(self, version: VersionId) -> None:
        """The token of a bot is good no more: its sessions end, and nobody waits for it."""
        for session in self.sessions():
            if session.admission.version == version:
                self.left(session, "its token was revoked")
        self._announce()

    def expel(self, session: Session, sentence: str) -> None:
        """The bot broke the contract."""
        session.leave(FaultKind.PROTOCOL, sentence)
        self._forget(session, sentence)
        self._dismiss(session)

    def _dismiss(self, session: Session) -> None:
        """Without its session a hosted process is of no use: its token has served."""
        if session.admission.hosted:
            self.dismiss(session.place)

    def _forget(self, session: Session, sentence: str) -> None:
        session.leave(FaultKind.DISCONNECT, sentence)
        self._by_token.pop(session.token, None)
        for place, other in list(self._places.items()):
            if other is session:
                del self._places[place]

    def sessions(self) -> list[Session]:
        """All sessions."""
        return list(self._by_token.values())
