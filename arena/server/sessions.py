"""A session with a bot: what it was asked, what it answered, what it has yet to be sent.

A session outlives its stream: when the stream drops, the open decisions wait (their clocks
running) and a stream that shows the session token takes over.

**Pacing.** An item is sent at once to a session that holds nothing; otherwise items gather until
everything it holds is answered, ``MAX_BATCH`` are ready, or ``HOLD_SECONDS`` have passed.
Without this rule tables drift apart and batches shrink to two or three (docs/design).

**Time.** A session that holds n decisions is charged 1/n of the time for each: ``_meter`` is the
integral of 1/n, so a decision's charge is the difference of two readings.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from arena.referee.clock import Micros
from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault, FaultKind, Question, Refusal, Reply
from arena.rules.tables import tables_of
from arena.rules.variant import Variant
from arena.server.admission import Admission, Place
from arena.server.pulse import Pulse
from arena.v1 import referee_pb2
from arena.wire.actions import ActionReader
from arena.wire.enums import REFUSALS
from arena.wire.variants import variant_message
from arena.wire.views import PublicEncoder, write_decision

MAX_BATCH: Final = 64
HOLD_SECONDS: Final = 0.001
RESUME_BUFFER: Final = 1024
MAX_TABLES: Final = 1024
NO_STREAM: Final = 0

_UNKNOWN_DECISION: Final = referee_pb2.REJECTION_CODE_UNKNOWN_DECISION
_STALE: Final = referee_pb2.REJECTION_CODE_STALE


class MatchTerms:
    """What holds for all games of a match, and how its actions are read.

    Args:
        variant: the rules.
        policy: clocks and faults.
        opponent: the name to tell, empty where it is hidden.
    """

    __slots__ = ("_message", "reader")

    def __init__(self, variant: Variant, policy: Policy, opponent: str = "") -> None:
        self.reader = ActionReader(tables_of(variant))
        self._message = referee_pb2.MatchStart(
            variant=variant_message(variant),
            time_control=referee_pb2.TimeControl(
                bank_ms=policy.time.bank_ms,
                increment_ms=policy.time.increment_ms,
                decision_ms=policy.time.decision_ms,
            ),
            max_faults=policy.max_faults,
            opponent=opponent,
        )

    def message(self, match_id: int) -> referee_pb2.MatchStart:
        """The announcement under the session's name for the match."""
        message = referee_pb2.MatchStart(match_id=match_id)
        message.MergeFrom(self._message)
        return message


@dataclass(slots=True, eq=False)
class OpenTable:
    """A table as one session knows it.

    Attributes:
        table_id: its name in the session.
        match: what it belongs to.
        public: the shared part of its views; one for the four seats of a table.
    """

    table_id: int
    match: MatchTerms
    public: PublicEncoder = field(default_factory=PublicEncoder)


@dataclass(slots=True, eq=False)
class Pending:
    """A decision that waits for its answer.

    Attributes:
        decision_id: its name in the session; 0 until first sent.
        table: where it arose.
        question: what is asked.
        future: gets the reply.
        handed: when the bot got it, or when it fell due while no stream was there.
        meter: the session's meter then.
        lag: the server's lag then.
        overdue: found past its time by the last sweep.
    """

    decision_id: int
    table: OpenTable
    question: Question
    future: asyncio.Future[Reply]
    handed: Micros
    meter: float
    lag: Micros
    overdue: bool = False


class Session:
    """One bot, one chair, one lane.

    Args:
        admission: whose session it is.
        place: what it plays.
        tables: how many tables it takes at once.
        hand_results: whether it wants HandFinished items.
        pulse: the server's beat.
    """

    def __init__(
        self, admission: Admission, place: Place, *, tables: int, hand_results: bool, pulse: Pulse
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
        self.gone: FaultKind | None = None
        self.gone_sentence = ""
        self._pulse = pulse
        self._matches: dict[MatchTerms, tuple[int, int]] = {}
        self._outbox: deque[Pending | referee_pb2.Item] = deque()
        self._in_flight: dict[int, Pending] = {}
        self._unacknowledged: deque[referee_pb2.Item] = deque(maxlen=RESUME_BUFFER)
        self._sequence = 0
        self._last_decision = 0
        self._hold: asyncio.TimerHandle | None = None
        self._meter = 0.0
        self._metered = pulse.clock.now()
        self._last_accepted = Micros(0)

    # What the tables ask of it.

    def ask(self, table: OpenTable, question: Question) -> Pending:
        """Put a question; its future gets the answer, or the end of its time."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        pending = Pending(0, table, question, future, Micros(0), 0.0, Micros(0))
        if self.gone is not None:
            future.set_result(_absent(self.gone, self.gone_sentence))
            return pending
        if not self.connected:
            self._start_clock(pending)
        self._outbox.append(pending)
        self._pace()
        return pending

    def ask_again(self, pending: Pending, refusal: Refusal) -> None:
        """Renew a question whose answer was refused: a new future, the same clock."""
        pending.future = asyncio.get_running_loop().create_future()
        if self.gone is not None:
            pending.future.set_result(_absent(self.gone, self.gone_sentence))
            return
        self._advance_meter()
        self._in_flight[pending.decision_id] = pending
        rejected = referee_pb2.Rejected(
            decision_id=pending.decision_id,
            code=REFUSALS.number(refusal.error.refusal),
            paragraph=refusal.error.paragraph,
            text=str(refusal.error),
            open=True,
            faults=refusal.faults,
        )
        self.send(referee_pb2.Item(rejected=rejected))
        # The bot holds this question again and waits for news of it: never hold that back.
        self.wake.set()

    def open_table(self, match: MatchTerms, seat: int, bot_seed: bytes) -> OpenTable:
        """Begin a game at a new table; the match is announced with its first table."""
        match_id, games = self._matches.get(match, (0, 0))
        if not match_id:
            match_id = _new_id()
            start = match.message(match_id)
            self.send(referee_pb2.Item(match_start=start))
        self._matches[match] = match_id, games + 1
        table_id = _new_id()
        start_game = referee_pb2.GameStart(
            match_id=match_id, table_id=table_id, seat=seat, bot_seed=bot_seed
        )
        self.send(referee_pb2.Item(game_start=start_game))
        return OpenTable(table_id, match)

    def close_table(self, table: OpenTable, finished: referee_pb2.GameFinished) -> None:
        """End a game; the match is over for the bot when it has no table left."""
        if self.gone is not None:
            return
        self.send(referee_pb2.Item(game_finished=finished))
        match_id, games = self._matches[table.match]
        self._matches[table.match] = match_id, games - 1
        if games == 1:
            del self._matches[table.match]
            over = referee_pb2.MatchFinished(match_id=match_id)
            self.send(referee_pb2.Item(match_finished=over))

    def send(self, item: referee_pb2.Item) -> None:
        """Put an event into the outbox; ``sequence`` is set when it goes out."""
        self._outbox.append(item)
        self._pace()

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
        for pending in self._waiting():
            if not pending.future.done():
                pending.future.set_result(_absent(kind, sentence))
        self._outbox.clear()
        self._in_flight.clear()
        self.wake.set()

    def fail(self, sentence: str) -> None:
        """Something of ours failed in this session: its tables end as arena faults."""
        for pending in self._waiting():
            if not pending.future.done():
                pending.future.set_exception(ArenaFault(sentence))
        self._outbox.clear()
        self._in_flight.clear()

    def _waiting(self) -> Iterator[Pending]:
        yield from self._in_flight.values()
        yield from (entry for entry in self._outbox if isinstance(entry, Pending))

    # Pacing.

    def _pace(self) -> None:
        if not self.connected:
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

    def attach(self, acknowledged: int) -> int:
        """A stream is there, the first or one that resumes and takes over; its number."""
        self._streams += 1
        self.stream = self._streams
        self.acknowledge(acknowledged)
        again = [
            *self._unacknowledged,
            *(entry for entry in self._outbox if not isinstance(entry, Pending)),
        ]
        due = [*self._in_flight.values()]
        due += [entry for entry in self._outbox if isinstance(entry, Pending)]
        self._unacknowledged.clear()
        self._outbox = deque([*again, *due])
        # Also to let the writer of a stream that was taken over see it, and end.
        self.wake.set()
        return self.stream

    @property
    def busy(self) -> bool:
        """Whether anything is asked, or waits to be sent."""
        return bool(self._in_flight or self._outbox)

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
        for entry in self._outbox:
            if isinstance(entry, Pending) and not entry.handed:
                self._start_clock(entry)

    def acknowledge(self, sequence: int) -> bool:
        """Forget events up to ``sequence``; False where that was never sent."""
        if sequence > self._sequence:
            return False
        kept = self._unacknowledged
        while kept and kept[0].sequence <= sequence:
            kept.popleft()
        return True

    def take_batch(self) -> referee_pb2.PlayResponse | None:
        """The next message to write, or None; the clocks of its decisions start now."""
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None
        outbox = self._outbox
        if not outbox:
            return None
        response = referee_pb2.PlayResponse()
        items = response.items.items
        self._advance_meter()
        now = self._metered
        lag = self._pulse.lag(now)
        for _ in range(min(len(outbox), MAX_BATCH)):
            entry = outbox.popleft()
            if isinstance(entry, Pending):
                if not entry.future.done():
                    self._write_decision(items.add(), entry, now, lag)
            else:
                if not entry.sequence:
                    self._sequence += 1
                    entry.sequence = self._sequence
                self._unacknowledged.append(entry)
                items.append(entry)
        if outbox:
            self._pace()
        return response if items else None

    def _write_decision(
        self, item: referee_pb2.Item, pending: Pending, now: Micros, lag: Micros
    ) -> None:
        question = pending.question
        if not pending.decision_id:
            self._last_decision += 1
            pending.decision_id = self._last_decision
        if not pending.handed:
            pending.handed = now
            pending.meter = self._meter
            pending.lag = lag
        self._sequence += 1
        item.sequence = self._sequence
        decision = item.decision
        decision.decision_id = pending.decision_id
        decision.table_id = pending.table.table_id
        write_decision(
            decision, question.view, question.legal, pending.table.public.message(question.view)
        )
        if question.forced:
            decision.private.forced_moves.extend(question.forced)
        if question.stood_in:
            decision.private.stand_in_moves.extend(question.stood_in)
        gone = now - pending.handed
        bank = question.budget.bank
        limit = question.budget.decision
        decision.bank_left_ms = max(0, bank - gone) // 1000
        decision.time_left_ms = max(0, min(bank, limit) - gone) // 1000
        decision.last_latency_us = question.last_latency
        self._in_flight[pending.decision_id] = pending

    # Answers.

    def receive(self, answers: referee_pb2.Answers) -> None:
        """Take the answers of one message."""
        self._advance_meter()
        now = self._metered
        lag = self._pulse.lag(now)
        in_flight = self._in_flight
        meter = self._meter
        for answer in answers.answers:
            pending = in_flight.pop(answer.decision_id, None)
            if pending is None or pending.future.done():
                self._reject(answer.decision_id)
                continue
            self._last_accepted = now
            credit = lag - pending.lag
            charged = int(meter - pending.meter) - credit
            latency = now - pending.handed - credit
            pending.future.set_result(
                Reply(
                    pending.table.match.reader.read(answer.action),
                    Micros(charged if charged > 0 else 0),
                    Micros(latency if latency > 0 else 0),
                )
            )
        if not in_flight and self._outbox:
            self.wake.set()

    def _reject(self, decision_id: int) -> None:
        known = 0 < decision_id <= self._last_decision
        rejected = referee_pb2.Rejected(
            decision_id=decision_id,
            code=_STALE if known else _UNKNOWN_DECISION,
            text="this decision is closed" if known else "this decision was never asked",
        )
        self.send(referee_pb2.Item(rejected=rejected))

    # Time.

    def _start_clock(self, pending: Pending) -> None:
        self._advance_meter()
        pending.handed = self._metered
        pending.meter = self._meter
        pending.lag = self._pulse.lag(self._metered)

    def _advance_meter(self) -> None:
        now = self._pulse.clock.now()
        self._meter += (now - self._metered) / max(1, len(self._in_flight))
        self._metered = now

    def sweep(self) -> None:
        """End the questions whose time is over.

        A question must be found overdue by two sweeps: an answer that arrived in time but lay
        unread in the socket is then taken first.
        """
        if not self._in_flight and self.connected:
            return
        self._advance_meter()
        now = self._metered
        lag = self._pulse.lag(now)
        for pending in list(self._waiting()):
            if not pending.handed or pending.future.done():
                continue
            if not self._is_overdue(pending, now, lag):
                continue
            if pending.overdue:
                self._time_out(pending, now, lag)
            pending.overdue = True

    def _is_overdue(self, pending: Pending, now: Micros, lag: Micros) -> bool:
        credit = lag - pending.lag
        budget = pending.question.budget
        if self._meter - pending.meter - credit > budget.bank:
            return True
        since = max(pending.handed, self._last_accepted)
        return now - since - credit > budget.decision

    def _time_out(self, pending: Pending, now: Micros, lag: Micros) -> None:
        self._in_flight.pop(pending.decision_id, None)
        charged = max(0, int(self._meter - pending.meter) - (lag - pending.lag))
        kind = FaultKind.TIMEOUT if self.connected else FaultKind.DISCONNECT
        sentence = "the time for a decision ran out"
        if not self.connected:
            sentence += " while the bot was not connected"
        latency = Micros(now - pending.handed)
        pending.future.set_result(Reply(None, Micros(charged), latency, kind, sentence))
        if not self._in_flight and self._outbox:
            self.wake.set()


def _new_id() -> int:
    """A name that says nothing: not how many came before, nor what happens in another lane."""
    return secrets.randbits(31) | 1


def _absent(kind: FaultKind, sentence: str) -> Reply:
    return Reply(None, Micros(0), Micros(0), kind, sentence)
