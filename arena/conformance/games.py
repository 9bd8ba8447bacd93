"""Whole games: the real referee, sessions at some seats, chance at the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from arena.conformance.asked import Asked, Table
from arena.conformance.session import (
    ANSWER_SECONDS,
    BANK_MS,
    DECISION_MS,
    INCREMENT_MS,
    Session,
)
from arena.conformance.streams import Silence
from arena.conformance.verdicts import StepFailed
from arena.referee.course import Course
from arena.referee.policy import Policy, TimeControl
from arena.referee.seat import Question, Refusal, Reply, Take
from arena.referee.seat import Seat as Player
from arena.referee.table import Table as RefereeTable
from arena.rules.actions import Action, ActionKind
from arena.rules.cards import SEATS, Card, Seat
from arena.rules.deal import Dealer, bot_seed
from arena.rules.record import GameRecord, HandRecord
from arena.rules.variant import Variant
from arena.v1 import referee_pb2
from arena.wire.records import ending_message, hand_message
from arena.wire.views import PublicEncoder

SEED: Final = b"the seed of the conformance game"
PASSES: Final = 0.6
_POLICY: Final = Policy(
    TimeControl(bank_ms=BANK_MS, increment_ms=INCREMENT_MS, decision_ms=DECISION_MS)
)


@dataclass(frozen=True, slots=True)
class Game:
    """A game to play.

    Attributes:
        variant: the rules.
        number: which deals, and what chance the others have.
        seats: the sessions at seats, by place in the list of sessions; chance plays the others.
    """

    variant: Variant
    number: int
    seats: Mapping[Seat, int]


@dataclass(slots=True)
class Played:
    """What was played.

    Attributes:
        games: to their end.
        decisions: by the bot.
        hands: scored.
    """

    games: int = 0
    decisions: int = 0
    hands: int = 0


class ByChance:
    """A seat that plays at random, and passes often, so that games come to an end."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def ask(self, question: Question, take: Take) -> None:
        """Choose at once."""
        legal, chance = question.legal, self._chance
        passes = legal[0].kind is ActionKind.PASS and chance.random() < PASSES
        take(Reply(legal[0] if passes else chance.choice(legal), 0, 0))

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        """Never needed: it chooses among what is legal."""
        raise AssertionError(str(refusal.error))

    def hand_finished(self, hand: HandRecord) -> None:
        """It does not care."""

    def game_finished(self, game: GameRecord) -> None:
        """It does not care."""


class Pump:
    """Keeps one session going while games are played: items out, answers in.

    Attributes:
        session: the session.
    """

    def __init__(self, session: Session, played: Played) -> None:
        self.session = session
        self._played = played
        self._items: list[referee_pb2.Item] = []
        self._wake = asyncio.Event()
        self._open: dict[int, Asked] = {}

    def send(self, *items: referee_pb2.Item) -> None:
        """Have items sent with the next message."""
        self._items += items
        self._wake.set()

    def put(self, asked: Asked, item: referee_pb2.Item) -> None:
        """Have a question sent."""
        self._open[asked.decision.decision_id] = asked
        self.send(item)

    def answered(self, asked: Asked) -> None:
        """A question has its answer."""
        self._played.decisions += 1
        del self._open[asked.decision.decision_id]

    @property
    def open(self) -> int:
        """How many questions are open."""
        return len(self._open)

    async def write(self) -> None:
        """Send what is to be sent, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            items, self._items = self._items, []
            await self.session.send(*items)

    async def read(self) -> None:
        """Take answers, until cancelled."""
        while True:
            try:
                await self.session.hear(ANSWER_SECONDS)
            except Silence as error:
                if self._open:
                    left = list(self._open.values())
                    raise self.session.unanswered(left, ANSWER_SECONDS) from error

    async def leave(self) -> None:
        """End what is left: its late answers are forgiven."""
        for asked in self._open.values():
            self.session.withdraw(asked)
        items, self._items = self._items, []
        await self.session.send(*items)


class OfSession:
    """A seat that a session plays."""

    def __init__(self, pump: Pump, game: Game, seat: Seat, public: PublicEncoder) -> None:
        seed = bot_seed(SEED, f"check:{game.number}", "a", 0, seat)
        self._table, items = pump.session.begin(game.variant, seat, bot_seed=seed)
        self._pump = pump
        self._variant = game.variant
        self._public = public
        self._last: Asked | None = None
        pump.send(*items)

    @property
    def table(self) -> Table:
        """Its table."""
        return self._table

    def ask(self, question: Question, take: Take) -> None:
        """Ask the session."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        sharing = self._pump.open + 1

        def deliver(asked: Asked, action: Action | None) -> None:
            self._pump.answered(asked)
            latency = int((loop.time() - began) * 1e6)
            take(Reply(action, latency // sharing, latency))

        asked, item = self._pump.session.question_of(
            self._table, self._variant, question, self._public, deliver
        )
        self._last = asked
        self._pump.put(asked, item)

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        """The answer was refused, which ends the games."""
        last = self._last
        raise StepFailed(
            f"an answer that is not legal: {refusal.error} ({refusal.error.paragraph})",
            expected="one of legal",
            sent=None if last is None else last.decision,
            came=None if last is None else last.message,
        )

    def hand_finished(self, hand: HandRecord) -> None:
        """Tell the bot, where its Hello asked for it."""
        if self._pump.session.hello.hand_results:
            finished = referee_pb2.HandFinished(
                table_id=self._table.table_id, hand=hand_message(hand)
            )
            self._pump.send(referee_pb2.Item(hand_finished=finished))

    def game_finished(self, game: GameRecord) -> None:
        """Tell the bot; the table is gone."""
        finished = referee_pb2.GameFinished(
            table_id=self._table.table_id,
            winner=game.winner,
            scores=game.scores,
            ending=ending_message(game.ending),
        )
        self._pump.send(referee_pb2.Item(game_finished=finished))


@dataclass(slots=True)
class Hall:
    """Where games are played."""

    pumps: Sequence[Pump]
    played: Played
    dealer: Dealer = field(default_factory=lambda: Dealer(SEED))

    async def play(self, game: Game) -> None:
        """Play a game to its end."""
        set_id = f"check:{game.number}"

        def deal(board: int) -> Sequence[Sequence[Card]]:
            return self.dealer.deal(game.variant, set_id, board)

        course = Course(game.variant, _POLICY, half="a", deal_set=set_id, deal=deal)
        public = PublicEncoder()
        seats: list[Player] = [
            OfSession(self.pumps[game.seats[seat]], game, seat, public)
            if seat in game.seats
            else ByChance(Random(f"{game.number} {seat}"))
            for seat in map(Seat, range(SEATS))
        ]
        record = await RefereeTable(course, seats).play()
        self.played.games += 1
        self.played.hands += len(record.hands)


async def play_games(
    sessions: Sequence[Session], games: Iterable[Game], *, at_once: int, seconds: float
) -> Played:
    """Play games until all are played or the time is over; unfinished ones are broken off.

    Args:
        sessions: who plays.
        games: what is played.
        at_once: how many at a time.
        seconds: the time.

    Raises:
        StepFailed: an answer is not legal, or does not come.
    """
    played = Played()
    hall = Hall([Pump(session, played) for session in sessions], played)
    try:
        async with asyncio.TaskGroup() as pumping:
            tasks = [
                pumping.create_task(work())
                for pump in hall.pumps
                for work in (pump.read, pump.write)
            ]
            await _play_all(hall, games, at_once, seconds)
            for task in tasks:
                task.cancel()
    except* StepFailed as failures:
        raise next(_leaves(failures)) from None
    for pump in hall.pumps:
        await pump.leave()
    return played


async def _play_all(hall: Hall, games: Iterable[Game], at_once: int, seconds: float) -> None:
    """Play games, so many at a time, until the time is over."""
    left = iter(games)
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    running: set[asyncio.Task[None]] = set()
    try:
        while True:
            while len(running) < at_once and (game := next(left, None)) is not None:
                running.add(asyncio.create_task(hall.play(game)))
            if not running:
                return
            done, _ = await asyncio.wait(
                running,
                timeout=max(0.0, end - loop.time()),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if not done:
                return
            for task in done:
                task.result()
            running -= done
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _leaves(group: BaseExceptionGroup[StepFailed]) -> Iterator[StepFailed]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
