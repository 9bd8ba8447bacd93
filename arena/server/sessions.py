"""A session with a bot: what it was asked, what it answered, what it has yet to be sent.

A session outlives its stream: when the stream drops, the open decisions wait (their clocks
running) and a stream that shows the session token takes over.

**Pacing.** An item is sent at once to a session that holds nothing; otherwise items gather until
everything it holds is answered, ``MAX_BATCH`` are ready, or ``HOLD_SECONDS`` have passed.
Without this rule tables drift apart and batches shrink to two or three (docs/design).

What a decision is charged: ``charging``.  What waits to be sent: ``outbox``.  What is said of an
answer that is none: ``rejections``.

**A bot that is of no use** must not cost the others anything.  One that does not read what it is
sent, or sends what answers nothing, has some patience coming; then it is cut off.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from typing import Final

from arena.referee.seat import ArenaFault, FaultKind, Refusal, Reply
from arena.server.admission import Admission, Place
from arena.server.charging import SessionClock
from arena.server.games import Games, new_id
from arena.server.items import decision_parts, items_response
from arena.server.outbox import RESUME_BUFFER, Outbox
from arena.server.pulse import Pulse
from arena.server.rejections import TOO_MUCH, answers_nothing, patience, refused
from arena.server.remote import MatchTerms, RemoteSeat
from arena.server.tally import Tally
from arena.v1 import referee_pb2
from arena.wire.views import PublicEncoder

MAX_BATCH: Final = 64
HOLD_SECONDS: Final = 0.001
MAX_TABLES: Final = 1024
NO_STREAM: Final = 0
STALL_MICROS: Final = 1_000_000
"""How long a message may wait for the bot to read before what waits behind it is on its clock."""


class Session:
    """One bot, one chair, one lane.

    Args:
        admission: whose session it is.
        place: what it plays.
        tables: how many tables it takes at once.
        hand_results: whether it wants HandFinished items.
        pulse: the server's beat.
        tally: where it counts.
    """

    def __init__(
        self,
        admission: Admission,
        place: Place,
        *,
        tables: int,
        hand_results: bool,
        pulse: Pulse,
        tally: Tally,
    ) -> None:
        self.admission = admission
        self.place = place
        self.token = secrets.token_hex(16)
        self.tables = tables
        self.free_tables = asyncio.Semaphore(tables)
        self.hand_results = hand_results
        self.wake = asyncio.Event()
        self.stream = NO_STREAM
        self._streams = 0
        self.farewell: str | None = None
        self.notice: referee_pb2.Draining | None = None
        self.gone: FaultKind | None = None
        self.gone_sentence = ""
        self.over: asyncio.Future[None] | None = None
        self.cut: str | None = None
        self._withdrawn = False
        self._games = Games()
        self._outbox = Outbox()
        self._most_events = RESUME_BUFFER + 4 * tables
        self._in_flight: dict[int, RemoteSeat] = {}
        self._last_decision = 0
        self.messages = 0
        self._hold: asyncio.TimerHandle | None = None
        self._tally = tally
        self._clock = SessionClock(pulse)
        self._useless = patience(tables)
        self._writing_since = 0

    # What the tables ask of it.

    def ask(self, seat: RemoteSeat) -> None:
        """Put a seat's question."""
        if self.gone is not None:
            seat.reply(self._absent(self.gone))
            return
        if self.stream == NO_STREAM:
            self._start_clock(seat)
        # An answer may come in before its question was sent again after a resume; the next one
        # then goes out in that place.
        questions = self._outbox.questions
        if self._streams < 2 or seat not in questions:
            questions.append(seat)
        if self._hold is None or len(questions) >= MAX_BATCH:
            self._pace()

    def ask_again(self, seat: RemoteSeat, refusal: Refusal) -> None:
        """Renew a question whose answer was refused; its clock runs on."""
        if self.gone is not None:
            seat.reply(self._absent(self.gone))
            return
        self._in_flight[seat.decision_id] = seat
        rejected = refused(seat.decision_id, refusal)
        self._tally.reject(rejected.code)
        self.send(referee_pb2.Item(rejected=rejected))
        # The bot holds this question again and waits for news of it: never hold that back.
        self.wake.set()

    def open_seat(
        self, match: MatchTerms, number: int, bot_seed: bytes, public: PublicEncoder
    ) -> RemoteSeat:
        """Begin a game at seat ``number``; a match is announced with its first game."""
        seat = RemoteSeat(self, match, new_id(), public, number)
        for item in self._games.begin(match, seat.table_id, number, bot_seed):
            self.send(item)
        return seat

    def close_table(self, seat: RemoteSeat, finished: referee_pb2.GameFinished) -> None:
        """End a game; the match is over for the bot when it has no game left."""
        self._in_flight.pop(seat.decision_id, None)
        for item in self._games.end(seat.match, finished):
            self.send(item)

    def send(self, item: referee_pb2.Item) -> None:
        """Put an event into the outbox; its sequence number is set when it goes out."""
        if self.gone is not None:
            return
        events = self._outbox.events
        if len(events) >= self._most_events:  # more only after a resume
            self.cut_off("the bot does not read what it is sent")
            return
        events.append(item)
        self._pace()

    def warn(self, draining: referee_pb2.Draining) -> None:
        """Have the stream say that the server will stop; running games go on."""
        self.notice = draining
        self.wake.set()

    def part(self, sentence: str) -> None:
        """Have the stream say goodbye once nothing is open."""
        self.farewell = sentence
        self.wake.set()

    def leave(self, kind: FaultKind, sentence: str) -> None:
        """The bot is gone for good: every open question gets that answer."""
        if self.gone is not None:
            return
        self.gone = kind
        self.gone_sentence = sentence
        for seat in self._drop():
            seat.reply(self._absent(kind))
        self.wake.set()
        if self.over is not None and not self.over.done():
            self.over.set_result(None)

    def cut_off(self, sentence: str) -> None:
        """End the session for what the bot does to the server; its stream ends with a refusal."""
        if self.gone is None:
            self.cut = sentence
            self.leave(FaultKind.PROTOCOL, sentence)

    def withdraw(self, sentence: str) -> None:
        """The arena itself has ended the bot: no fault of the bot's, its games end as ours."""
        self._withdrawn = True
        self.leave(FaultKind.CRASH, sentence)

    def _absent(self, kind: FaultKind) -> Reply | ArenaFault:
        """What a question gets that nobody is there to answer."""
        if self._withdrawn:
            return ArenaFault(f"the arena ended a bot: {self.gone_sentence}")
        return Reply(None, 0, 0, kind, self.gone_sentence)

    def fail(self, sentence: str) -> None:
        """Something of ours failed in this session: its tables end as arena faults."""
        for seat in self._drop():
            seat.reply(ArenaFault(sentence))

    def _drop(self) -> list[RemoteSeat]:
        """Forget everything; the seats whose questions were open."""
        waiting = [seat for seat in self._waiting() if seat.take is not None]
        self._outbox.clear()
        self._in_flight.clear()
        return waiting

    def _waiting(self) -> Iterator[RemoteSeat]:
        yield from self._in_flight.values()
        for seat in self._outbox.questions:
            # After a resume a question may wait to be sent again; it is in flight all the same.
            if seat.decision_id not in self._in_flight:
                yield seat

    # Pacing.

    def _pace(self) -> None:
        if self.stream == NO_STREAM:
            return
        if not self._in_flight or len(self._outbox) >= MAX_BATCH:
            self.wake.set()
        elif self._hold is None:
            loop = asyncio.get_running_loop()
            self._hold = loop.call_later(HOLD_SECONDS, self._release)

    def _release(self) -> None:
        self._hold = None
        if self._outbox:
            self.wake.set()

    # The stream.

    def attach(self) -> int:
        """A stream is there, the first or one that resumes and takes over; its number."""
        self._streams += 1
        self.stream = self._streams
        self._writing_since = 0
        self._outbox.send_again(self._in_flight.values())
        # Also to let the writer of a stream that was taken over see it, and end.
        self.wake.set()
        return self.stream

    @property
    def gathers(self) -> bool:
        """Whether more than one item waits to be sent."""
        return len(self._outbox) > 1

    @property
    def busy(self) -> bool:
        """Whether a game is open, or anything waits to be sent."""
        return bool(self._games.open or self._outbox)

    @property
    def decisions(self) -> int:
        """Decisions asked so far."""
        return self._last_decision

    @property
    def connected(self) -> bool:
        """Whether a stream is there."""
        return self.stream != NO_STREAM

    def detach(self, stream: int) -> None:
        """That stream is gone; open questions wait, their clocks running."""
        if self.stream != stream:
            return  # another one took over before
        self.stream = NO_STREAM
        self.wake.set()  # the writer looks, and ends
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None
        self._start_clocks()

    @property
    def forgotten(self) -> int:
        """The highest number of an event that can not be sent again any more."""
        return self._outbox.forgotten

    def acknowledge(self, sequence: int) -> bool:
        """Forget events up to ``sequence``; False where that was never sent."""
        return self._outbox.acknowledge(sequence)

    def take_batch(self) -> bytes | None:
        """The next message to write, a serialised PlayResponse; None where nothing waits.

        The clocks of its decisions start now.  ``written`` says when it is out.
        """
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None
        events, questions = self._outbox.events, self._outbox.questions
        self._clock.read(len(self._in_flight))
        parts: list[bytes] = []
        room = MAX_BATCH
        while events and room:
            parts += self._outbox.send_event()
            room -= 1
        for _ in range(min(len(questions), room)):
            seat = questions.popleft()
            if seat.take is not None:
                parts += self._decision(seat)
        if events or questions:
            self._pace()
        if not parts:
            return None
        self.messages += 1
        self._tally.messages += 1
        self._writing_since = self._clock.now
        return items_response(parts)

    def written(self) -> None:
        """The last message is out: the bot reads, or there is room yet for what it has not read."""
        self._writing_since = 0

    def _decision(self, seat: RemoteSeat) -> tuple[bytes, ...]:
        """A question goes out, for the first time or again."""
        bank, limit = seat.question.bank, seat.question.limit
        if not seat.decision_id:
            self._last_decision += 1
            self._tally.decisions += 1
            seat.decision_id = self._last_decision
        if seat.handed:
            gone = self._clock.now - seat.handed
            bank, limit = max(0, bank - gone), max(0, limit - gone)
        else:
            self._clock.start(seat)
        self._in_flight[seat.decision_id] = seat
        self._outbox.sequence += 1
        return decision_parts(seat, self._outbox.sequence, bank, limit)

    # Answers.

    def receive(self, answers: referee_pb2.Answers) -> None:
        """Take the answers of one message."""
        in_flight, clock, tally = self._in_flight, self._clock, self._tally
        clock.read(len(in_flight))
        if not answers.answers:
            self._waste()
        for answer in answers.answers:
            seat = in_flight.pop(answer.decision_id, None)
            if seat is None:
                self.reject(answers_nothing(answer.decision_id, self._last_decision))
                continue
            charged, latency = clock.spent(seat)
            reply = (seat.match.reader.read(answer.action), charged, latency, None, "")
            seat.reply(tuple.__new__(Reply, reply))
            if answer.decision_id not in in_flight:
                # Not refused: a refused answer leaves the clock of its question as it was.
                clock.accepted = clock.now
                tally.count(latency)
        if not in_flight and self._outbox:
            self.wake.set()

    def reject(self, rejected: referee_pb2.Rejected) -> None:
        """Say that something answers nothing."""
        self._clock.read(len(self._in_flight))
        self._tally.reject(rejected.code)
        if self._waste():
            self.send(referee_pb2.Item(rejected=rejected))

    def _waste(self) -> bool:
        """Count something useless; False where it was too much, and the session is over."""
        if self.gone is None and not self._useless.take(self._clock.now):
            return True
        self.cut_off(TOO_MUCH)
        return False

    # Time.

    def _start_clock(self, seat: RemoteSeat) -> None:
        self._clock.read(len(self._in_flight))
        self._clock.start(seat)

    def _start_clocks(self) -> None:
        """What waits to be sent, and can not be, is on the bot's clock."""
        for seat in self._outbox.questions:
            if not seat.handed:
                self._start_clock(seat)

    def sweep(self) -> None:
        """End the questions whose time is over."""
        if not self._in_flight and self.connected and not self._writing_since:
            return
        self._clock.read(len(self._in_flight))
        if self._writing_since and self._clock.now - self._writing_since > STALL_MICROS:
            self._start_clocks()
        for seat in list(self._waiting()):
            if seat.handed and seat.take is not None and (overrun := self._clock.overdue(seat)):
                self._time_out(seat, overrun)

    def _time_out(self, seat: RemoteSeat, sentence: str) -> None:
        self._in_flight.pop(seat.decision_id, None)
        if seat in self._outbox.questions:
            # It was never sent, and the table may ask the next one at once.
            self._outbox.questions.remove(seat)
        charged, latency = self._clock.spent(seat)
        kind = FaultKind.TIMEOUT if self.connected else FaultKind.DISCONNECT
        if not self.connected:
            sentence += " while the bot was not connected"
        seat.reply(Reply(None, charged, latency, kind, sentence))
        if not self._in_flight and self._outbox:
            self.wake.set()
