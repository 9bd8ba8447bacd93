"""A lobby into which bots come, are lost, come back, leave, break the contract and crash."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from arena.ids import VersionId
from arena.referee.seat import FaultKind
from arena.server.admission import ANY_GAME, Admission, Chair, GameNumber, Lane, Place
from arena.server.lobby import MAX_STREAMS, Lobby, PlaceTaken, TooManyStreams
from arena.server.pulse import Pulse
from arena.server.sessions import Session
from tests.fuzz.efforts import tried
from tests.server.held import JumpingClock

VERSIONS: Final = (VersionId(1), VersionId(2))

all_places = st.builds(
    Place,
    st.sampled_from(VERSIONS),
    st.just(Chair.FIRST),
    st.sampled_from([None, *Lane]),
    st.sampled_from([ANY_GAME, GameNumber(1)]),
)
which_one = st.integers(0, 9)


class LobbyMachine(RuleBasedStateMachine):
    """One live session a place, and no stream forgotten."""

    def __init__(self) -> None:
        super().__init__()
        self.lobby = Lobby(Pulse(JumpingClock()))
        self.dismissed: list[Place] = []
        self.expected_dismissals: list[Place] = []
        self.lobby.dismiss = self.dismissed.append
        self.sessions: dict[Place, Session] = {}
        self.over: list[Session] = []
        self.streams: dict[VersionId, list[contextlib.ExitStack]] = {v: [] for v in VERSIONS}
        self.loop = asyncio.new_event_loop()

    @initialize()
    def begin(self) -> None:
        tried("examples of a lobby")

    def teardown(self) -> None:
        self.loop.close()
        for version in VERSIONS:
            while self.streams[version]:
                self.streams[version].pop().close()
        assert not self.lobby._streams

    def admission(self, place: Place, *, hosted: bool) -> Admission:
        return Admission(place.version, "ann", "v1", hosted=hosted)

    def beside(self, place: Place) -> list[Session]:
        """The sessions that play a half that the place plays."""
        return [
            session
            for other, session in self.sessions.items()
            if other._replace(lane=None) == place._replace(lane=None)
            and (None in (other.lane, place.lane) or other == place)
        ]

    def end(self, session: Session, kind: FaultKind) -> None:
        del self.sessions[session.place]
        self.over.append(session)
        assert session.gone is kind
        assert self.lobby.by_token(session.token) is None

    @rule(place=all_places, hosted=st.booleans())
    def come(self, place: Place, hosted: bool) -> None:
        tried("steps of a lobby")
        taken = any(session.connected for session in self.beside(place))
        admission = self.admission(place, hosted=hosted)
        try:
            session = self.lobby.open(admission, place, tables=1, hand_results=False)
        except PlaceTaken:
            assert taken, "it was free"
            return
        assert not taken, "it was taken"
        old = self.sessions.get(place)
        if old is not None:
            self.end(old, FaultKind.DISCONNECT)
        assert session.token not in {one.token for one in [*self.sessions.values(), *self.over]}
        self.sessions[place] = session
        session.attach()

    @rule(which=which_one)
    def lose_the_stream(self, which: int) -> None:
        for session in self.nth(which):
            session.detach(session.stream)

    @rule(which=which_one)
    def resume(self, which: int) -> None:
        for session in self.nth(which):
            taken = any(s.connected for s in self.beside(session.place) if s is not session)
            try:
                self.lobby.check_return(session)
            except PlaceTaken:
                assert taken, "it was free"
            else:
                assert not taken, "it was taken"
                session.attach()

    @rule(which=which_one)
    def say_goodbye(self, which: int) -> None:
        for session in self.nth(which):
            self.lobby.left(session, "it said goodbye")
            self.end(session, FaultKind.DISCONNECT)
            self.expected_dismissals += [session.place] * session.admission.hosted

    @rule(which=which_one)
    def break_the_contract(self, which: int) -> None:
        for session in self.nth(which):
            self.lobby.expel(session, "it broke the contract")
            self.end(session, FaultKind.PROTOCOL)
            self.expected_dismissals += [session.place] * session.admission.hosted

    @rule(place=all_places, ours=st.booleans())
    def crash(self, place: Place, ours: bool) -> None:
        session = self.sessions.get(place)
        if ours:
            self.lobby.withdrawn(place, "the arena ended it")
        else:
            self.lobby.crashed(place, "it crashed")
        if session is not None:
            self.end(session, FaultKind.CRASH)

    @rule(which=which_one)
    def end_one_that_is_over(self, which: int) -> None:
        """As a stream does whose session ended meanwhile."""
        if self.over:
            session = self.over[which % len(self.over)]
            kind = session.gone
            self.lobby.expel(session, "it broke the contract")
            assert session.gone is kind
            self.expected_dismissals += [session.place] * session.admission.hosted

    @rule(version=st.sampled_from(VERSIONS), count=st.sampled_from([1, MAX_STREAMS]))
    def open_streams(self, version: VersionId, count: int) -> None:
        for _ in range(count):
            stack = contextlib.ExitStack()
            full = len(self.streams[version]) == MAX_STREAMS
            try:
                stack.enter_context(self.lobby.stream_of(Admission(version, "ann", "v1")))
            except TooManyStreams:
                assert full
                return
            assert not full
            self.streams[version].append(stack)

    @rule(version=st.sampled_from(VERSIONS), count=st.integers(1, MAX_STREAMS))
    def close_streams(self, version: VersionId, count: int) -> None:
        for stack in self.streams[version][:count]:
            stack.close()
        del self.streams[version][:count]

    def nth(self, which: int) -> list[Session]:
        """One of the live sessions, if there is any."""
        live = list(self.sessions.values())
        return [live[which % len(live)]] if live else []

    @invariant()
    def who_is_here_is_known(self) -> None:
        assert set(self.lobby.sessions()) == set(self.sessions.values())
        for place, session in self.sessions.items():
            assert self.lobby.by_token(session.token) is session
            connected = [one for one in self.beside(place) if one.connected]
            assert len(connected) <= (2 if place.lane is None else 1)
            found = self.lobby.find(place)
            assert (found is session) == session.connected or place.lane is not None
        assert self.dismissed == self.expected_dismissals
        assert all(session.gone is not None for session in self.over)
