"""A session and its model, driven by the same steps in any order.

No network and no time but that of a manual clock: the steps are what tables, the stream, the bot
and the server's beat do to a `Session`.
"""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from arena.referee.seat import ArenaFault, FaultKind
from arena.server.pulse import PERIOD
from arena.server.sessions import HOLD_SECONDS, MAX_BATCH
from arena.v1 import referee_pb2
from arena.wire.views import PublicEncoder
from tests.fuzz.efforts import tried
from tests.fuzz.mirror import Game, Then
from tests.fuzz.session_desk import OVER, TABLES, SessionDesk, Told
from tests.server.held import (
    ILLEGAL,
    PASS,
    SECOND,
    answer,
)

HOLD: Final = int(HOLD_SECONDS * 1_000_000)

places = st.integers(0, 7)
"""Which one of those that are there."""
spans = st.sampled_from([0, 1, 700, HOLD, 49_999, PERIOD, 300_000, SECOND, 2 * SECOND, 11 * SECOND])
ends = st.sampled_from(["fail", "withdraw", "cut off", "crash", "protocol", "disconnect"])

T = TypeVar("T")


class SessionMachine(SessionDesk):
    """What is true of every session, whatever happens to it."""

    @initialize(tables=st.integers(0, TABLES), then=st.sampled_from(Then), away=st.integers(0, 5))
    def begin(self, tables: int, then: Then, away: int) -> None:
        tried("examples of a session")
        if away:
            self.attach()
            self.always_online = True
        for number in range(tables):
            self.open_table(number & 1, then)
            self.ask(number, 60 * SECOND, 10 * SECOND)

    # Tables.

    @precondition(lambda self: len(self.model.games) < TABLES and not self.model.gone)
    @rule(match=st.integers(0, 1), then=st.sampled_from(Then))
    def open_table(self, match: int, then: Then) -> None:
        terms, made = self.terms[match], []
        public = PublicEncoder()
        self.act(lambda: made.append(self.session.open_seat(terms, 1, b"chance", public)))
        [seat] = made
        self.names[seat.table_id] += 1
        self.model.begin(Game(seat, terms, then))

    @precondition(lambda self: self.idle())
    @rule(which=places, bank=st.sampled_from([400_000, 60 * SECOND]), limit=spans)
    def ask(self, which: int, bank: int, limit: int) -> None:
        game = _nth(self.idle(), which)
        game.bank, game.limit = bank, limit + PERIOD
        if self.model.gone:
            told = self.act(lambda: self.put(game))
            assert [table for table, _ in told] == [game.seat.table_id], "told so at once"
            return
        self.model.now = self.clock.now()
        online = self.session.connected
        self.model.ask(game, bank=game.bank, limit=game.limit, online=online)
        assert self.act(lambda: self.put(game)) == []

    @rule(bank=st.sampled_from([SECOND, 60 * SECOND]), limit=spans, illegal=st.integers(0, 2))
    def play_on(self, bank: int, limit: int, illegal: int) -> None:
        for _ in self.idle():
            self.ask(0, bank, limit)
        if self.session.connected and not self.writing:
            self.write_all()
            self.answer_all(2, illegal)

    @precondition(lambda self: self.model.games and not self.model.gone)
    @rule(which=places)
    def finish(self, which: int) -> None:
        game = _nth(list(self.model.games.values()), which)
        assert self.act(lambda: game.seat.game_finished(OVER)) == []
        self.model.finish(game)

    @rule(which=places, then=st.sampled_from(Then))
    def change_its_mind(self, which: int, then: Then) -> None:
        if self.model.games:
            _nth(list(self.model.games.values()), which).then = then

    @rule(count=st.sampled_from([1, 2, 70, 1000]))
    def tell(self, count: int) -> None:
        lost: list[Game] = []
        for _ in range(count):
            lost += self.model.push("match_finished")
        event = referee_pb2.MatchFinished(match_id=1)

        def send() -> None:
            for _ in range(count):
                self.session.send(referee_pb2.Item(match_finished=event))

        self.expect(send, [(game.seat.table_id, FaultKind.PROTOCOL) for game in lost])

    # The stream.

    @precondition(lambda self: not self.model.gone)
    @rule(back=st.integers(-1, 5))
    def resume(self, back: int) -> None:
        sequence = max(0, self.model.sequence - back)
        if sequence < self.model.forgotten:
            return  # refused: a fresh start
        if not self.acknowledge(sequence):
            return
        if self.stream and not self.session.connected:
            self.always_online = False
        self.attach()

    @rule(old=st.booleans())
    def detach(self, old: bool) -> None:
        stream = self.stream - 1 if old else self.stream
        if not old and self.session.connected:
            self.model.now = self.clock.now()
            self.model.detach()
            self.always_online = False
        assert self.act(lambda: self.session.detach(stream)) == []
        assert self.session.connected == (self.session.connected and old)

    @precondition(lambda self: self.session.connected and not self.writing)
    @rule(reads=st.booleans())
    def write(self, reads: bool) -> None:
        if not self.session.wake.is_set():
            self.pass_time(HOLD)
        waits = bool(self.model.events or self.model.due)
        assert self.session.wake.is_set() or not waits, "a writer sleeps over what waits"
        self.act(self.session.wake.clear)
        batches: list[bytes | None] = []
        self.act(lambda: batches.append(self.session.take_batch()))
        [data] = batches
        assert data is not None or not waits
        if data is None:
            return
        self.messages += 1
        self.look(data)
        self.writing = not reads
        if reads:
            self.session.written()

    @precondition(lambda self: self.session.connected and not self.writing)
    @rule()
    def write_all(self) -> None:
        while self.model.events or self.model.due:
            self.write(reads=True)

    def look(self, data: bytes) -> None:
        items = referee_pb2.PlayResponse.FromString(data).items.items
        assert 0 < len(items) <= MAX_BATCH
        for item in items:
            self.model.sent(item)
        room = MAX_BATCH - len(items) > 2 * TABLES  # where questions were that are closed by now
        assert not room or not (self.model.events or self.model.due), "something was held back"

    @precondition(lambda self: self.writing)
    @rule()
    def read(self) -> None:
        self.writing = False
        self.session.written()

    # The bot.

    @rule(back=st.integers(-2, 8))
    def say_what_it_has(self, back: int) -> None:
        self.acknowledge(max(0, self.model.sequence - back))

    def acknowledge(self, sequence: int) -> bool:
        known = self.model.acknowledge(sequence)
        done: list[bool] = []
        self.act(lambda: done.append(self.session.acknowledge(sequence)))
        assert done == [known]
        return known

    @precondition(lambda self: self.session.connected)
    @rule(
        said=st.lists(
            st.tuples(st.sampled_from(["open", "open", "closed", "unknown"]), places, st.booleans())
        )
    )
    def send_answers(self, said: list[tuple[str, int, bool]]) -> None:
        answers = [self.named(*one) for one in said]
        self.answer(answers, [])

    @precondition(lambda self: self.model.in_flight)
    @rule(times=st.integers(1, 3), illegal=st.integers(0, 2))
    def answer_all(self, times: int, illegal: int) -> None:
        answers = [(decision, n < illegal) for decision in self.model.in_flight for n in range(3)]
        self.answer(answers[: 3 * times], [])

    @rule(count=st.sampled_from([3, 300, 1024]))
    def flood(self, count: int) -> None:
        self.answer([(self.model.decisions + 1, False)] * count, [])

    def named(self, kind: str, which: int, illegal: bool) -> tuple[int, bool]:
        if kind == "open" and self.model.in_flight:
            return _nth(list(self.model.in_flight), which), illegal
        if kind == "unknown":
            return _nth([0, self.model.decisions + 1, 2**32 - 1], which), illegal
        return max(0, self.model.decisions - which), illegal

    def answer(self, answers: list[tuple[int, bool]], due: list[Told]) -> None:
        self.model.now = self.clock.now()
        if not answers:
            due += _lost(self.model.waste(None))
        for decision, illegal in answers:
            game, lost = self.model.answer(decision, illegal=illegal)
            if game is not None:
                due.append((game.seat.table_id, ILLEGAL if illegal else PASS))
                if not illegal:
                    self.go_on(game)
            due += _lost(lost)
        message = referee_pb2.Answers(
            answers=[answer(number, ILLEGAL if wrong else PASS) for number, wrong in answers]
        )
        self.expect(lambda: self.session.receive(message), due)

    # Time, and the end.

    @rule(span=spans)
    def pass_time(self, span: int) -> None:
        if self.writing:
            for game in self.model.due.values():
                game.earliest = game.asked
        self.by_time = True
        try:
            self.model.now = self.clock.now()
            tried("steps of a session")
            self.loop.run_until_complete(self.advance(span))
        finally:
            self.by_time = False
        for game in self.model.in_flight.values():
            assert game.earliest is not None
            since = max(game.earliest, self.model.last_accepted)
            credit = self.pulse.lag(self.clock.now()) - game.lag
            late = self.clock.now() - since - credit
            assert late <= game.limit + 3 * PERIOD, "nobody ended it"

    async def advance(self, span: int) -> None:
        """Beat by beat, as the model's clock must not lag behind the session's."""
        end = self.clock.now() + span
        while self.clock.now() < end:
            await self.clock.advance(min(PERIOD // 2, end - self.clock.now()))
            self.model.now = self.clock.now()
        await asyncio.sleep(0)

    @rule(span=spans)
    def hang(self, span: int) -> None:
        self.clock.jump(span)
        self.model.now = self.clock.now()

    @precondition(lambda self: not self.model.gone)
    @rule(how=ends, sure=st.integers(0, 9))
    def end(self, how: str, sure: int) -> None:
        if sure:
            return  # the bot stays, mostly: there is more to see
        session = self.session
        match how:
            case "fail":
                step = lambda: session.fail("a writer failed")  # noqa: E731
                self.over(step, self.model.drop(), ArenaFault)
            case "withdraw":
                step = lambda: session.withdraw("the arena ended it")  # noqa: E731
                self.over(step, self.model.leave(), ArenaFault)
            case "cut off":
                step = lambda: session.cut_off("it was cut off")  # noqa: E731
                self.over(step, self.model.leave(), FaultKind.PROTOCOL)
            case _:
                self.leave(FaultKind(how))


def _nth(values: list[T], which: int) -> T:
    return values[which % len(values)]


def _lost(games: list[Game]) -> list[Told]:
    return [(game.seat.table_id, FaultKind.PROTOCOL) for game in games]
