"""A simple model of a session: what it owes the bot, and what it owes the tables.

It knows nothing of pacing, messages or meters; it says which events and questions are to come, in
which order, and which answers are taken.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from arena.referee.clock import Micros
from arena.server.outbox import RESUME_BUFFER
from arena.server.rejections import USELESS_BURST, USELESS_PER_SECOND
from arena.server.remote import MatchTerms, RemoteSeat
from arena.v1 import referee_pb2

WRONG_PHASE: Final = referee_pb2.REJECTION_CODE_WRONG_PHASE
STALE: Final = referee_pb2.REJECTION_CODE_STALE
UNKNOWN: Final = referee_pb2.REJECTION_CODE_UNKNOWN_DECISION

Key = tuple[object, ...]


class Then(Enum):
    """What a table does with a reply."""

    REST = "rest"
    ASK_AGAIN = "ask again"
    FINISH = "finish"


@dataclass(slots=True)
class Game:
    """One table: its question, if one is open.

    Attributes:
        asked: when it was asked.
        put: when the session was really asked; the model may be a question ahead within a step.
        lag: the server's lag then.
        earliest: before when its clock cannot have begun; None while it cannot have at all.
        decision: its name, 0 until it was sent.
    """

    seat: RemoteSeat
    terms: MatchTerms
    then: Then = Then.REST
    open: bool = False
    asked: Micros = 0
    put: Micros = 0
    lag: Micros = 0
    earliest: Micros | None = None
    bank: Micros = 0
    limit: Micros = 0
    decision: int = 0


@dataclass(slots=True)
class Event:
    """One that is to go out; one that did has its number and its bytes."""

    key: Key
    sequence: int = 0
    data: bytes = b""


@dataclass(slots=True)
class Mirror:
    """What a session has to do."""

    tables: int
    now: Micros
    games: dict[int, Game] = field(default_factory=dict)
    in_flight: dict[int, Game] = field(default_factory=dict)
    due: dict[int, Game] = field(default_factory=dict)
    events: deque[Event] = field(default_factory=deque)
    kept: deque[Event] = field(default_factory=deque)
    matches: Counter[MatchTerms] = field(default_factory=Counter)
    rejected: Counter[int] = field(default_factory=Counter)
    sequence: int = 0
    forgotten: int = 0
    decisions: int = 0
    accepted: int = 0
    last_accepted: Micros = 0
    gone: bool = False
    useless: float = 0
    useless_since: Micros = 0

    def __post_init__(self) -> None:
        self.useless, self.useless_since = USELESS_BURST + 2 * self.tables, self.now

    # What the tables do.

    def begin(self, game: Game) -> None:
        """A game begins."""
        self.games[game.seat.table_id] = game
        if not self.matches[game.terms]:
            self.push("match_start")
        self.matches[game.terms] += 1
        self.push("game_start", game.seat.table_id)

    def finish(self, game: Game) -> None:
        """A game ends, whatever was asked."""
        self.close(game)
        del self.games[game.seat.table_id]
        self.push("game_finished", game.seat.table_id)
        self.matches[game.terms] -= 1
        if not self.matches[game.terms]:
            self.push("match_finished")

    def ask(self, game: Game, *, bank: Micros, limit: Micros, online: bool) -> None:
        """A table asks."""
        game.open = True
        game.asked, game.decision, game.bank, game.limit = self.now, 0, bank, limit
        game.earliest = None if online else self.now
        self.due[game.seat.table_id] = game

    def close(self, game: Game) -> None:
        """A question is answered, or of no use any more."""
        game.open = False
        self.in_flight.pop(game.decision, None)
        self.due.pop(game.seat.table_id, None)

    def push(self, *key: object) -> list[Game]:
        """An event; the games whose questions are lost where it was one too many."""
        if self.gone:
            return []
        if len(self.events) >= RESUME_BUFFER + 4 * self.tables:
            return self.leave()
        self.events.append(Event(key))
        return []

    def leave(self) -> list[Game]:
        """The bot is gone; the games whose questions were open."""
        self.gone = True
        return self.drop()

    def drop(self) -> list[Game]:
        """All that waits is forgotten; the games whose questions were open."""
        lost = [game for game in self.games.values() if game.open]
        for game in lost:
            self.close(game)
        self.events.clear()
        return lost

    # What the bot does.

    def answer(self, decision: int, *, illegal: bool) -> tuple[Game | None, list[Game]]:
        """An answer: the game that gets it, and those whose questions are lost over it."""
        game = self.in_flight.get(decision)
        if game is None:
            return None, self.waste(STALE if 0 < decision <= self.decisions else UNKNOWN, decision)
        if illegal:
            self.rejected[WRONG_PHASE] += 1
            lost = self.push("rejected", decision, WRONG_PHASE)
            if not self.gone:
                return game, lost
        else:
            self.close(game)
            lost = []
        self.accepted += 1
        self.last_accepted = self.now
        return game, lost

    def waste(self, code: int | None, decision: int = 0) -> list[Game]:
        """Something useless, answered with that code if any; the games lost over it."""
        if code is not None:
            self.rejected[code] += 1
        if self.gone:
            return []
        back = (self.now - self.useless_since) * USELESS_PER_SECOND / 1_000_000
        self.useless = min(USELESS_BURST + 2 * self.tables, self.useless + back)
        self.useless_since = self.now
        if self.useless < 1:
            return self.leave()
        self.useless -= 1
        return [] if code is None else self.push("rejected", decision, code)

    def acknowledge(self, sequence: int) -> bool:
        """The bot has taken in the items up to there."""
        if sequence > self.sequence:
            return False
        while self.kept and self.kept[0].sequence <= sequence:
            self.kept.popleft()
        while self.events and 0 < self.events[0].sequence <= sequence:
            self.events.popleft()
        return True

    def attach(self) -> None:
        """A stream: everything not acknowledged and everything open goes out again."""
        self.events.extendleft(reversed(self.kept))
        self.kept.clear()
        for game in self.in_flight.values():
            self.due[game.seat.table_id] = game

    def detach(self) -> None:
        """The stream is gone: the clocks of what waits run."""
        for game in self.due.values():
            if game.earliest is None:
                game.earliest = self.now

    # What goes out.

    def sent(self, item: referee_pb2.Item) -> None:
        """Check an item that goes out."""
        if item.WhichOneof("item") == "decision":
            self._sent_question(item)
        else:
            self._sent_event(item)

    def _sent_event(self, item: referee_pb2.Item) -> None:
        event = self.events.popleft()
        assert key_of(item) == event.key
        data = item.SerializeToString(deterministic=True)
        if event.sequence:
            assert (item.sequence, data) == (event.sequence, event.data), "it comes again as it was"
        else:
            self.sequence += 1
            assert item.sequence == self.sequence
            event.sequence, event.data = item.sequence, data
        if len(self.kept) == RESUME_BUFFER:
            self.forgotten = self.kept.popleft().sequence
        self.kept.append(event)

    def _sent_question(self, item: referee_pb2.Item) -> None:
        assert not self.events, "events go out before questions"
        self.sequence += 1
        assert item.sequence == self.sequence
        decision = item.decision
        game = self.due.pop(decision.table_id)
        assert game.open, "a closed question went out"
        if not game.decision:
            self.decisions += 1
            game.decision = self.decisions
        assert decision.decision_id == game.decision
        assert decision.time_left_ms <= decision.bank_left_ms <= game.bank // 1000
        assert decision.time_left_ms <= game.limit // 1000
        if game.earliest is None:
            game.earliest = self.now
        self.in_flight[game.decision] = game


def key_of(item: referee_pb2.Item) -> Key:
    """What an event is about."""
    arm = item.WhichOneof("item")
    match arm:
        case "game_start":
            return arm, item.game_start.table_id
        case "game_finished":
            return arm, item.game_finished.table_id
        case "rejected":
            return arm, item.rejected.decision_id, item.rejected.code
        case _:
            return (arm,)
