"""A table, whose seats answer now or later, rightly or not, until it is over or stopped."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arena.referee.policy import OnForfeit, Policy, TimeControl
from arena.referee.seat import ArenaFault, FaultKind, Question, Refusal, Reply, Take
from arena.referee.sets import SetPlan, stopped
from arena.referee.table import Table
from arena.rules import DOUBLE, TOKEN, Action, tables_of
from arena.rules.deal import commitment
from arena.rules.record import HALVES, EndingKind, GameRecord, HandRecord, Mover, SetRecord
from arena.rules.verify import verify
from tests.fuzz.efforts import tried
from tests.referee.games import ENTRANTS, SEED, SHORT, course_of, plan_of

VARIANTS: Final = {
    variant.name: variant
    for variant in (SHORT, replace(TOKEN, name="short-token", max_hands=3), DOUBLE)
}
NO_ANSWER: Final = (FaultKind.TIMEOUT, FaultKind.DISCONNECT)
FINAL: Final = (FaultKind.CRASH, FaultKind.PROTOCOL)

choices = st.integers(0, 99)
charges = st.sampled_from([0, 1, 5000, 2_000_000])


class Watched:
    """A seat that does what the machine wants, and knows what it was told.

    Attributes:
        prompt: how many questions it answers at once.
        illegal: how many of these answers are illegal.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.prompt = self.illegal = self.questions = self.moves = self.bank = self.limit = 0
        self.question: Question | None = None
        self.take: Take | None = None
        self.refusals: list[int] = []
        self.faults: dict[FaultKind, int] = dict.fromkeys(FaultKind, 0)
        self.hands: list[HandRecord] = []
        self.games: list[GameRecord] = []

    def ask(self, question: Question, take: Take) -> None:
        assert not self.games, "a question after the end"
        assert self.take is None, "a question beside a question"
        assert len(question.legal) > 1
        assert question.bank >= 0
        assert question.view.seat == self.number
        self.question, self.take = question, take
        self.questions += 1
        self.answer_at_once()

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        assert not self.games, "a question after the end"
        assert self.take is None
        assert refusal.faults == sum(self.faults.values())
        self.refusals.append(refusal.faults)
        self.take = take
        self.answer_at_once()

    def answer_at_once(self) -> None:
        if self.prompt:
            self.prompt -= 1
            if self.illegal:
                self.illegal -= 1
                self.reply_illegally(None, 0)
            else:
                self.reply_legally(self.prompt, 10)

    def reply_legally(self, which: int, charged: int) -> None:
        assert self.question is not None
        action = self.question.legal[which % len(self.question.legal)]
        self.moves += 1
        self.reply(Reply(action, charged, charged))

    def reply_illegally(self, action: Action | None, charged: int) -> None:
        self.faults[FaultKind.ILLEGAL] += 1
        self.reply(Reply(action, charged, charged))

    def fail(self, kind: FaultKind) -> None:
        self.faults[kind] += 1
        self.reply(Reply(None, 100, 100, kind, f"{kind.value} it was"))

    def reply(self, reply: Reply | ArenaFault) -> None:
        take, self.take = self.take, None
        assert take is not None
        take(reply)

    def hand_finished(self, hand: HandRecord) -> None:
        assert not self.games
        self.hands.append(hand)

    def game_finished(self, game: GameRecord) -> None:
        self.take = None
        self.games.append(game)


class TableMachine(RuleBasedStateMachine):
    """What is true of every game, whatever its seats do."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.seats = [Watched(number) for number in range(4)]
        self.failed = self.cancelled = False

    @initialize(
        variant=st.sampled_from(sorted(VARIANTS)),
        max_faults=st.integers(1, 4),
        on_forfeit=st.sampled_from(OnForfeit),
        bank=st.sampled_from([1, 60_000]),
        half=st.sampled_from(HALVES),
    )
    def begin(
        self, variant: str, max_faults: int, on_forfeit: OnForfeit, bank: int, half: str
    ) -> None:
        tried("examples of a table")
        time = TimeControl(bank_ms=bank)
        self.policy = Policy(time=time, max_faults=max_faults, on_forfeit=on_forfeit)
        self.plan: SetPlan = plan_of(VARIANTS[variant], self.policy)
        self.half = half
        self.every = tuple(tables_of(self.plan.variant).texts.values())
        table = Table(course_of(self.plan, half), self.seats)
        self.game = self.loop.create_task(table.play())
        self.turn()

    def turn(self) -> None:
        tried("steps of a table")
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.run_until_complete(asyncio.sleep(0))

    def teardown(self) -> None:
        try:
            if hasattr(self, "game"):
                self.play_on(10_000, 0, 7)
                assert self.game.done()
                self.look()
        finally:
            self.loop.close()

    @property
    def asked(self) -> Watched:
        return next(seat for seat in self.seats if seat.take is not None)

    # What the seats do.

    @precondition(lambda self: not self.game.done())
    @rule(which=choices, charged=charges)
    def answer(self, which: int, charged: int) -> None:
        self.asked.reply_legally(which, charged)
        self.turn()

    @precondition(lambda self: not self.game.done())
    @rule(which=choices, charged=charges)
    def answer_illegally(self, which: int, charged: int) -> None:
        seat = self.asked
        assert seat.question is not None
        wrong = [action for action in self.every if action not in seat.question.legal]
        seat.reply_illegally([None, *wrong][which % (len(wrong) + 1)], charged)
        self.turn()

    @precondition(lambda self: not self.game.done())
    @rule(kind=st.sampled_from(NO_ANSWER))
    def do_not_answer(self, kind: FaultKind) -> None:
        self.asked.fail(kind)
        self.turn()

    @rule(count=st.integers(1, 60), illegal=st.integers(-20, 3), which=st.integers(0, 3))
    def play_on(self, count: int, illegal: int, which: int) -> None:
        """All seats answer at once for so long, one of them illegally at first."""
        for seat in self.seats:
            seat.prompt = count
        self.seats[which % 4].illegal = max(0, illegal)
        if not self.game.done():
            self.asked.answer_at_once()
        for seat in self.seats:
            seat.prompt = seat.illegal = 0
        self.turn()

    @precondition(lambda self: not self.game.done())
    @rule(how=st.sampled_from([*FINAL, "arena fault", "cancel"]), sure=st.integers(0, 9))
    def break_off(self, how: FaultKind | str, sure: int) -> None:
        if sure:
            return  # mostly it goes on: there is more to see
        if how == "cancel":
            self.game.cancel()
            self.cancelled = True
        elif isinstance(how, FaultKind):
            self.asked.fail(how)
        else:
            self.asked.reply(ArenaFault("it was ours"))
            self.failed = True
        self.turn()

    # What always holds.

    @invariant()
    def one_seat_is_asked_until_the_end(self) -> None:
        if hasattr(self, "game"):
            asked = sum(seat.take is not None for seat in self.seats)
            assert asked == (0 if self.game.done() else 1)

    def look(self) -> None:
        """At the end: every seat was told of it once, of the same, and it is what happened."""
        record = self.seats[0].games[0]
        assert [seat.games for seat in self.seats] == [[record]] * 4
        assert self.cancelled or self.game.result() is record
        self.look_at_the_ending(record)
        for seat, recorded in zip(self.seats, record.seats, strict=True):
            assert recorded.faults == tuple(seat.faults.values())
            assert tuple(seat.hands) == record.hands[: len(seat.hands)]
            made = [m for hand in record.hands for m in hand.moves if m.seat == seat.number]
            if record.ending.kind is not EndingKind.STOPPED and not self.failed:
                assert sum(move.mover is Mover.BOT for move in made) == seat.moves
        for hand in record.hands:
            for move, time in zip(hand.moves, hand.times_us, strict=True):
                assert move.mover is Mover.BOT or not time
        if self.cancelled:
            assert record.ending.kind is EndingKind.STOPPED
        else:
            verify(self.of_set(record), SEED)

    def look_at_the_ending(self, record: GameRecord) -> None:
        worst = [seat for seat in self.seats if self.is_too_much(seat)]
        ending = record.ending
        if self.failed:
            assert ending.kind is EndingKind.ARENA_FAULT
        elif worst and self.policy.on_forfeit is OnForfeit.LOSE:
            assert [ending.seat] == [seat.number for seat in worst]
            assert record.winner == 1 - worst[0].number % 2
        elif not self.cancelled:
            assert ending.kind is EndingKind.COMPLETED

    def is_too_much(self, seat: Watched) -> bool:
        final = any(seat.faults[kind] for kind in FINAL)
        return final or sum(seat.faults.values()) >= self.policy.max_faults

    def of_set(self, record: GameRecord) -> SetRecord:
        """The set of which it is one half; the other was stopped, or went the same way."""
        if record.ending.kind is EndingKind.COMPLETED:
            other = self.the_other_way(record)
        else:
            other = stopped(self.plan, HALVES[1 - HALVES.index(self.half)])
        first, second = sorted((record, other), key=lambda half: half.half)
        digest = commitment(SEED)
        return SetRecord.judged(
            self.plan.variant, self.plan.set_id, digest, ENTRANTS, (first, second)
        )

    def the_other_way(self, record: GameRecord) -> GameRecord:
        half = HALVES[1 - HALVES.index(self.half)]
        seats = stopped(self.plan, half).seats
        return replace(record, half=half, seats=seats)
