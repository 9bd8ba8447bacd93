"""One table of four real sessions without a network: every message to every seat, as bytes.

A stage is deterministic: time stands still until it is moved, the random names of matches and
tables are drawn anew from one seed for each stage, and messages are taken as a writer takes them
whenever a session wakes it. So two stages differ only where their cards or their bots do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple, assert_never

from arena.ids import VersionId
from arena.referee.clock import Micros
from arena.referee.course import Course
from arena.referee.policy import Policy
from arena.referee.seat import FaultKind
from arena.referee.table import Table
from arena.rules import Action, Variant
from arena.rules.record import GameRecord
from arena.server.admission import Admission, Chair, Lane, Place
from arena.server.pulse import Pulse
from arena.server.remote import MatchTerms
from arena.server.seating import seat_all
from arena.server.sessions import Session
from arena.server.tally import Tally
from arena.v1 import action_pb2, referee_pb2
from arena.wire.actions import ACTIONS
from tests.server.held import JumpingClock

MILLI: Final = 1000
WAIT_SECONDS: Final = 10
NOTHING: Final = action_pb2.Action()
_ADMISSION: Final = Admission(VersionId(1), "ann", "v1")
_PLACES: Final = tuple(
    Place(VersionId(version), chair, Lane.A) for chair in Chair for version in (1, 2)
)


class Names:
    """Stands in for ``secrets``: the same names for every stage."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Draw from the start again."""
        self._random = Random(0)

    def randbits(self, bits: int) -> int:
        """As ``secrets.randbits``."""
        return self._random.getrandbits(bits)

    def token_hex(self, size: int) -> str:
        """As ``secrets.token_hex``."""
        return self._random.randbytes(size).hex()


NAMES: Final = Names()


class PunctualPulse(Pulse):
    """A server that is never late; its beat is struck by hand."""

    def lag(self, now: Micros) -> Micros:
        """None."""
        return Micros(0)


class Deed(Enum):
    """What a bot does with a question besides answering it."""

    WAIT = "wait"
    """It thinks."""
    WRONG = "wrong"
    """It answers with an action that is not legal, or with none."""
    STALE = "stale"
    """It answers a question that is closed."""
    RESUME = "resume"
    """It loses its stream, and comes back having acknowledged nothing since its last answer."""
    SILENCE = "silence"
    """It lets the time run out."""
    LEAVE = "leave"
    """Its process ends."""


class Act(NamedTuple):
    """A deed and its particulars.

    Attributes:
        deed: what it is.
        time: how long it thinks, in microseconds.
        action: the wrong answer; None for one that names no action.
    """

    deed: Deed
    time: int = 0
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question as a bot reads it from its message.

    Attributes:
        seat: whose.
        hand: the hand's number within its game.
        index: how many moves the hand has so far.
        decision: the message.
    """

    seat: int
    hand: int
    index: int
    decision: referee_pb2.Decision


class Stage:
    """Four sessions at one table.

    Args:
        variant: the rules.
        policy: clocks and faults.
        course: the game, not begun.
        hand_results: which of the four want HandFinished.
        patient: whether bots think for longer than a session holds an item back, so that what
            was held is sent in a message of its own.

    Attributes:
        seats: the four seats of the game.
        messages: all that was sent to seats 0..3.
        asked: the open question, None while there is none.
        record: of the game, None until it is over.
    """

    def __init__(
        self,
        variant: Variant,
        policy: Policy,
        course: Course,
        hand_results: Sequence[bool],
        *,
        patient: bool,
    ) -> None:
        NAMES.begin()
        self._patient = patient
        self.messages: tuple[list[bytes], ...] = ([], [], [], [])
        self.asked: Asked | None = None
        self.record: GameRecord | None = None
        self._last: Asked | None = None
        self._seen = [0] * 4
        self._clock = JumpingClock()
        pulse = PunctualPulse(self._clock)
        self._sessions = four_sessions(pulse, hand_results)
        terms = [terms_of(variant, policy)] * 4
        self.seats = seat_all(self._sessions, terms, [b"chance-%d" % seat for seat in range(4)])
        self._table = Table(course, self.seats)
        self._game: asyncio.Task[GameRecord] | None = None

    async def open(self) -> None:
        """Begin the game, up to its first question."""
        self._game = asyncio.create_task(self._table.play())
        await self._settle()

    async def close(self) -> None:
        """Stop the game where it stands."""
        assert self._game is not None, "the stage is open"
        self._game.cancel()
        await asyncio.wait([self._game])

    async def answer(self, action: action_pb2.Action) -> None:
        """Answer the open question, up to the next one or the end."""
        asked = self._pop()
        self._sessions[asked.seat].acknowledge(self._seen[asked.seat])
        self._receive(asked.decision.decision_id, action)
        await self._settle()

    async def do(self, act: Act) -> None:
        """Do something else with the open question; it may be closed by it."""
        asked = self.asked
        assert asked is not None, "a question is open"
        session, number = self._sessions[asked.seat], asked.decision.decision_id
        match act.deed:
            case Deed.WAIT:
                self._clock.jump(act.time)
            case Deed.WRONG:
                self._pop()
                self._receive(number, NOTHING if act.action is None else ACTIONS[act.action])
            case Deed.STALE:
                session.receive(_answers(number - 1, NOTHING))
                if self._patient:
                    await asyncio.wait_for(session.wake.wait(), WAIT_SECONDS)
            case Deed.RESUME:
                session.detach(session.stream)
                session.attach()
            case Deed.SILENCE:
                self._pop()
                self._clock.jump((asked.decision.time_left_ms + 1) * MILLI + 1)
                session.sweep()
                session.sweep()
            case Deed.LEAVE:
                self._pop()
                session.leave(FaultKind.CRASH, "its process ended with exit code 3")
            case _:
                assert_never(act.deed)
        await self._settle()

    def _receive(self, number: int, action: action_pb2.Action) -> None:
        assert self._last is not None, "a question was asked"
        self._sessions[self._last.seat].receive(_answers(number, action))

    def _pop(self) -> Asked:
        asked, self.asked = self.asked, None
        assert asked is not None, "a question is open"
        return asked

    async def _settle(self) -> None:
        """Take what the sessions have to send; let the game end where it is over."""
        self.collect()
        if self.asked is None:
            assert self._game is not None, "the stage is open"
            for _ in range(3):
                await asyncio.sleep(0)
                self.collect()
            if self._game.done():
                self.record = self._game.result()

    def collect(self) -> None:
        """Take what the sessions want to send now."""
        for seat, session in enumerate(self._sessions):
            while session.wake.is_set():
                session.wake.clear()
                message = session.take_batch()
                session.written()
                if message is not None:
                    self.messages[seat].append(message)
                    self._read(seat, message)

    def _read(self, seat: int, message: bytes) -> None:
        """Read a message as a bot does."""
        for item in referee_pb2.PlayResponse.FromString(message).items.items:
            self._seen[seat] = item.sequence
            if item.HasField("decision"):
                public = item.decision.public
                self.asked = Asked(seat, public.hand_number, len(public.moves), item.decision)
                self._last = self.asked
            elif item.HasField("rejected") and item.rejected.open:
                self.asked = self._last


def four_sessions(
    pulse: Pulse, hand_results: Sequence[bool] = (False,) * 4, *, tables: int = 1
) -> list[Session]:
    """Sessions for seats 0..3, each with its stream."""
    sessions = [
        Session(_ADMISSION, place, tables=tables, hand_results=wanted, pulse=pulse, tally=Tally())
        for place, wanted in zip(_PLACES, hand_results, strict=True)
    ]
    for session in sessions:
        session.attach()
    return sessions


@lru_cache(maxsize=64)
def terms_of(variant: Variant, policy: Policy) -> MatchTerms:
    """What a match under these rules and clocks tells."""
    return MatchTerms(variant, policy)


def _answers(number: int, action: action_pb2.Action) -> referee_pb2.Answers:
    answer = referee_pb2.Answer(decision_id=max(0, number), action=action)
    return referee_pb2.Answers(answers=[answer])
