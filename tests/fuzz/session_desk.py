"""A session beside its model: what every step goes through, and what holds after each.

No network and no time but that of a manual clock: the steps are what tables, the stream, the bot
and the server's beat do to a `Session`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

from hypothesis.stateful import RuleBasedStateMachine, invariant

from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault, FaultKind, Refusal, Reply
from arena.referee.sets import stopped
from arena.rules import CLASSIC
from arena.rules.refusal import refuse
from arena.server.pulse import Pulse
from arena.server.remote import MatchTerms
from arena.server.sessions import Session
from arena.server.tally import Tally
from tests.fuzz.efforts import tried
from tests.fuzz.loops import ManualLoop
from tests.fuzz.mirror import Game, Mirror, Then
from tests.referee.games import plan_of
from tests.server.held import (
    ADMISSION,
    HAND,
    ILLEGAL,
    PLACE,
    JumpingClock,
    question,
)

TABLES: Final = 3
OVER: Final = stopped(plan_of(CLASSIC), "a")

Told = tuple[int, object]
"""A table's id, and what it was replied: an action, a fault, or that the arena failed."""


class SessionDesk(RuleBasedStateMachine):
    """A session, its model, and the tables between them."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = JumpingClock()
        self.loop = ManualLoop(self.clock)
        self.pulse = Pulse(self.clock)
        self.tally = Tally()
        self.session = Session(
            ADMISSION,
            PLACE,
            tables=TABLES,
            hand_results=False,
            pulse=self.pulse,
            tally=self.tally,
        )
        self.pulse.each_beat(self.session.sweep)
        self.terms = [MatchTerms(CLASSIC, Policy()), MatchTerms(CLASSIC, Policy())]
        self.model = Mirror(TABLES, self.clock.now())
        self.beat = self.loop.create_task(self.pulse.run())
        self.stream = 0
        self.writing = self.always_online = False
        self.messages = 0
        self.names = Counter[int]()
        self.told: list[Told] = []
        self.by_time = False
        self.began, self.spent, self.replies = self.clock.now(), 0, 0

    def teardown(self) -> None:
        try:
            if not self.model.gone:
                self.leave(FaultKind.DISCONNECT)
            assert not any(game.open for game in self.model.games.values())
        finally:
            self.beat.cancel()
            self.loop.run_until_complete(asyncio.wait([self.beat]))
            self.loop.close()

    # What every step goes through.

    def act(self, step: Callable[[], object]) -> list[Told]:
        """Do it on the event loop; what the tables were told meanwhile."""

        async def run() -> None:
            step()

        tried("steps of a session")
        self.told = []
        self.model.now = self.clock.now()
        self.loop.run_until_complete(run())
        return self.told

    def take(self, game: Game, reply: Reply | ArenaFault) -> None:
        """A table gets a reply: look at it, and do as the table has in mind."""
        table = game.seat.table_id
        self.told.append((table, _kind(reply)))
        if self.by_time:
            self.check_overdue(game, reply)
            self.model.close(game)
        if not isinstance(reply, Reply):
            return
        self.check_charge(game, reply)
        if reply.action is ILLEGAL:
            error = refuse(HAND, HAND.to_act, ILLEGAL)
            game.seat.ask_again(Refusal(error, 1), lambda again: self.take(game, again))
            return
        self.spent += reply.charged
        self.replies += 1
        if self.by_time:
            self.go_on(game)
        if self.session.gone is None:
            self.really_go_on(game)

    def check_charge(self, game: Game, reply: Reply) -> None:
        elapsed = self.clock.now() - game.put
        assert 0 <= reply.charged <= elapsed
        assert 0 <= reply.latency <= elapsed

    def check_overdue(self, game: Game, reply: Reply | ArenaFault) -> None:
        assert isinstance(reply, Reply)
        online = self.session.connected
        assert reply.fault is (FaultKind.TIMEOUT if online else FaultKind.DISCONNECT)
        begun = game.asked if game.earliest is None else game.earliest
        late = self.clock.now() - max(begun, self.model.last_accepted) > game.limit
        assert late or reply.charged > game.bank, "it ended before its time was over"

    def go_on(self, game: Game) -> None:
        """What the model expects of a table after a reply."""
        if game.then is Then.FINISH:
            self.model.finish(game)
        elif game.then is Then.ASK_AGAIN and not self.model.gone:
            online = self.session.connected
            self.model.ask(game, bank=game.bank, limit=game.limit, online=online)

    def really_go_on(self, game: Game) -> None:
        if game.then is Then.FINISH:
            game.seat.game_finished(OVER)
        elif game.then is Then.ASK_AGAIN:
            self.put(game)

    def put(self, game: Game) -> None:
        game.put = self.clock.now()
        asked = question(bank=game.bank, limit=game.limit)
        game.seat.ask(asked, lambda reply: self.take(game, reply))

    def idle(self) -> list[Game]:
        return [game for game in self.model.games.values() if not game.open]

    # Steps that others are made of.

    def attach(self) -> None:
        def step() -> None:
            self.stream = self.session.attach()

        self.model.attach()
        assert self.act(step) == []
        self.writing = False

    def expect(self, step: Callable[[], object], due: list[Told]) -> None:
        """Do it; exactly these replies come of it."""
        told = self.act(step)
        assert Counter(told) == Counter(due)
        assert (self.session.gone is not None) == self.model.gone

    def leave(self, kind: FaultKind) -> None:
        self.over(lambda: self.session.leave(kind, "it left"), self.model.leave(), kind)
        assert self.session.gone is kind

    def over(self, step: Callable[[], object], lost: list[Game], what: object) -> None:
        self.expect(step, [(game.seat.table_id, what) for game in lost])

    # What always holds.

    @invariant()
    def what_is_open_is_known(self) -> None:
        waits = {game.seat.table_id for game in self.model.games.values() if game.seat.take}
        assert waits == {table for table, game in self.model.games.items() if game.open}
        assert len(self.model.in_flight) <= TABLES
        assert all(count == 1 for count in self.names.values())
        assert self.session.forgotten == self.model.forgotten
        assert self.session.busy or not (self.model.matches.total() and not self.model.gone)

    @invariant()
    def nothing_waits_for_a_bot_that_holds_nothing(self) -> None:
        waits = self.model.events or self.model.due
        if self.session.connected and waits and not self.model.in_flight and not self.writing:
            assert self.session.wake.is_set()

    @invariant()
    def the_tally_adds_up(self) -> None:
        assert self.session.decisions == self.tally.decisions == self.model.decisions
        assert self.session.messages == self.tally.messages == self.messages
        assert self.tally.rejected == {**self.model.rejected}
        assert sum(self.tally.latencies) == self.model.accepted

    @invariant()
    def time_is_charged_once(self) -> None:
        if self.always_online and not self.writing:
            assert self.spent <= self.clock.now() - self.began + self.replies


def _kind(reply: Reply | ArenaFault) -> object:
    if isinstance(reply, ArenaFault):
        return ArenaFault
    return reply.action if reply.fault is None else reply.fault
