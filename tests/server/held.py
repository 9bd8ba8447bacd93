"""A session without a network: questions go in, messages come out, on a clock moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.ids import VersionId
from arena.referee.clock import ManualClock, Micros
from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault, Question, Refusal, Reply
from arena.rules import CLASSIC, Action, Dealer, Game, tables_of, view_of
from arena.rules.refusal import refuse
from arena.server.admission import Admission, Chair, Lane, Place
from arena.server.pulse import Pulse
from arena.server.remote import MatchTerms, RemoteSeat
from arena.server.sessions import Session
from arena.server.tally import Tally
from arena.v1 import action_pb2, referee_pb2
from arena.wire.actions import ACTIONS
from arena.wire.views import PublicEncoder

MILLI = 1000
SECOND = 1_000_000

HAND = Game(CLASSIC).deal(Dealer(bytes(32)).deal(CLASSIC, "held", 0))
PASS = tables_of(CLASSIC).parse("pass")
ILLEGAL = tables_of(CLASSIC).parse("play 9C")

ADMISSION = Admission(VersionId(1), "ann", "v1")
PLACE = Place(VersionId(1), Chair.FIRST, Lane.A)


class JumpingClock(ManualClock):
    """Can move on while nobody is woken, as when the event loop is busy.

    It does not begin at 0: no machine's clock stands there, and to a session it means "not yet".
    """

    def __init__(self) -> None:
        super().__init__()
        self._now = SECOND

    def jump(self, duration: int) -> None:
        self._now = self._now + duration


def question(
    *, bank: int = 60 * SECOND, limit: int = 10 * SECOND, last_latency: int = 0
) -> Question:
    """A question to the first seat that speaks."""
    view = view_of(HAND, HAND.to_act)
    return Question(view, HAND.legal, bank, limit, last_latency, (), ())


def answer(decision_id: int, action: Action | None = PASS) -> referee_pb2.Answer:
    """An answer; None for one that names no action."""
    message = action_pb2.Action() if action is None else ACTIONS[action]
    return referee_pb2.Answer(decision_id=decision_id, action=message)


class Held:
    """A session with a stream, and what came of its questions.

    Attributes:
        replies: what the tables got, in order: the table's id and the reply.
        refusing: whether illegal answers are refused and asked again, as a course does.
    """

    def __init__(self, *, hand_results: bool = False, streaming: bool = True) -> None:
        self.clock = JumpingClock()
        self.pulse = Pulse(self.clock)
        self.tally = Tally()
        self.session = Session(
            ADMISSION,
            PLACE,
            tables=1024,
            hand_results=hand_results,
            pulse=self.pulse,
            tally=self.tally,
        )
        self.pulse.each_beat(self.session.sweep)
        self.terms = MatchTerms(CLASSIC, Policy())
        self.replies: list[tuple[int, Reply | ArenaFault]] = []
        self.refusing = True
        self.stream = self.session.attach() if streaming else 0
        self.session.wake.clear()

    # Tables.

    def seats(self, count: int) -> list[RemoteSeat]:
        """That many games, announced already."""
        public = PublicEncoder()
        seats = [self.session.open_seat(self.terms, 1, b"chance", public) for _ in range(count)]
        while self.batch():
            pass
        self.session.wake.clear()
        return seats

    def ask(self, *seats: RemoteSeat, **limits: int) -> None:
        """Ask at these tables."""
        for seat in seats:
            seat.ask(question(**limits), lambda reply, seat=seat: self._take(seat, reply))  # type: ignore[misc]

    def _take(self, seat: RemoteSeat, reply: Reply | ArenaFault) -> None:
        self.replies.append((seat.table_id, reply))
        if self.refusing and isinstance(reply, Reply) and reply.action is ILLEGAL:
            error = refuse(HAND, HAND.to_act, ILLEGAL)
            seat.ask_again(Refusal(error, 1), lambda again: self._take(seat, again))

    def asked(self, count: int, **limits: int) -> tuple[list[RemoteSeat], list[int]]:
        """That many questions which the bot holds: seats and decision ids."""
        seats = self.seats(count)
        self.ask(*seats, **limits)
        ids = [decision.decision_id for decision in self.decisions()]
        self.session.wake.clear()
        return seats, ids

    def reply(self) -> Reply:
        """The one reply since the last look."""
        [(_, reply)] = self.replies
        self.replies.clear()
        assert isinstance(reply, Reply)
        return reply

    # The bot's side.

    def batch(self) -> list[referee_pb2.Item]:
        """The items of the next message; none where there is no message."""
        data = self.session.take_batch()
        if data is None:
            return []
        response = referee_pb2.PlayResponse.FromString(data)
        assert response.WhichOneof("message") == "items"
        return list(response.items.items)

    def decisions(self) -> list[referee_pb2.Decision]:
        """The decisions of the next message."""
        return [item.decision for item in self.batch() if item.HasField("decision")]

    def rejected(self) -> list[referee_pb2.Rejected]:
        """The rejections of the next message."""
        return [item.rejected for item in self.batch() if item.HasField("rejected")]

    def answer(self, *ids: int, action: Action | None = PASS) -> None:
        """Answers in one message."""
        self.session.receive(
            referee_pb2.Answers(answers=[answer(number, action) for number in ids])
        )

    def awake(self) -> bool:
        """Whether the writer would write now."""
        return self.session.wake.is_set()

    async def advance(self, duration: int) -> None:
        """Move the clock on, waking the beat on the way."""
        await self.clock.advance(Micros(duration))


@asynccontextmanager
async def holding(*, hand_results: bool = False, streaming: bool = True) -> AsyncIterator[Held]:
    """A session whose server's pulse beats."""
    held = Held(hand_results=hand_results, streaming=streaming)
    beat = asyncio.create_task(held.pulse.run())
    yield held
    beat.cancel()
    await asyncio.wait([beat])
