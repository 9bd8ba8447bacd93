"""Many tables in one session: what a seat is told at one says nothing of hidden cards at another.

Which tables share a message, and the numbers of items and questions within the session, follow
from who answered when; they are time, which is no secret (docs/protocol). So the items of each
table are compared, without those numbers.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, replace
from random import Random

import pytest

from arena.referee.course import Course
from arena.referee.policy import Policy
from arena.referee.seat import Question
from arena.referee.table import Table
from arena.rules import VARIANTS, Action, Variant, View
from arena.rules.record import GameRecord
from arena.server import items
from arena.server.remote import RemoteSeat
from arena.server.seating import seat_all
from arena.v1 import referee_pb2
from arena.wire.actions import ACTIONS
from arena.wire.views import decision_bytes
from tests.leaks.script import Deal, Script, play
from tests.leaks.stage import NAMES, PunctualPulse, four_sessions, terms_of
from tests.leaks.worlds import Worlds
from tests.server.held import JumpingClock

TABLES = 24
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Seated:
    """A first hand to play at a table, and where to stop: before the observer's answer there."""

    deal: Deal
    moves: tuple[tuple[int, Action], ...]
    until: int


class Room:
    """Four sessions that share many tables; whoever holds questions answers all in one message."""

    def __init__(self, variant: Variant, seated: list[Seated]) -> None:
        NAMES.begin()
        self._sessions = four_sessions(PunctualPulse(JumpingClock()), tables=len(seated))
        self._seated = seated
        self._games: list[asyncio.Task[GameRecord]] = []
        self._tables: list[Table] = []
        self._at: dict[int, int] = {}
        self.told: list[dict[int, list[bytes]]] = [defaultdict(list) for _ in range(4)]
        self._held: list[list[referee_pb2.Decision]] = [[], [], [], []]
        policy = Policy()
        for number, one in enumerate(seated):
            course = Course(variant, policy, half="a", deal_set="x", deal=lambda _, d=one.deal: d)  # type: ignore[misc]
            seats = seat_all(self._sessions, [terms_of(variant, policy)] * 4, [b"chance"] * 4)
            self._at |= {seat.table_id: number for seat in seats}
            self._tables.append(Table(course, seats))

    async def play(self) -> None:
        """Play every table to where it is to stop."""
        self._games = [asyncio.create_task(table.play()) for table in self._tables]
        await asyncio.sleep(0)
        self._collect()
        while any(self._held):
            for seat, session in enumerate(self._sessions):
                held, self._held[seat] = self._held[seat], []
                answers = [a for decision in held if (a := self._answer(decision)) is not None]
                if answers:
                    session.receive(referee_pb2.Answers(answers=answers))
                await asyncio.sleep(0)  # tables that were stopped let go of their questions
                self._collect()
        await asyncio.wait(self._games)

    def _answer(self, decision: referee_pb2.Decision) -> referee_pb2.Answer | None:
        number = self._at[decision.table_id]
        one, index = self._seated[number], len(decision.public.moves)
        if index >= one.until or decision.public.hand_number:
            self._games[number].cancel()
            return None
        action = ACTIONS[one.moves[index][1]]
        return referee_pb2.Answer(decision_id=decision.decision_id, action=action)

    def _collect(self) -> None:
        for seat, session in enumerate(self._sessions):
            while session.wake.is_set():
                session.wake.clear()
                for item in referee_pb2.PlayResponse.FromString(
                    session.take_batch() or b""
                ).items.items:
                    self._read(seat, item)

    def _read(self, seat: int, item: referee_pb2.Item) -> None:
        if not item.HasField("decision"):
            return
        self._held[seat].append(referee_pb2.Decision.FromString(item.decision.SerializeToString()))
        item.sequence = item.decision.decision_id = 0
        self.told[seat][self._at[item.decision.table_id]].append(item.SerializeToString())


async def scripts(variant: Variant, first: int) -> list[Script]:
    """Games of one hand."""
    once = replace(variant, max_hands=1, hands=None if variant.hands is None else 1)
    return [await play(once, first + seed) for seed in range(TABLES)]


async def compare(variant: Variant, first: int, chance: Random) -> int:
    """Compare a room with one in which every table is in another world; the worlds compared."""
    observer = chance.randrange(4)
    here: list[Seated] = []
    there: list[Seated] = []
    for script in await scripts(variant, first):
        hand = script.hands[0]
        asked = [index for index, (seat, _) in hand.marks.items() if seat == observer]
        until = chance.choice(asked) if asked else 0
        world = Worlds(script.variant, Policy(), hand, chance).other(observer, until)
        if asked and world is not None:
            here.append(Seated(hand.deal, hand.moves, until))
            there.append(Seated(world.deal, world.moves, until))
    one, other = Room(variant, here), Room(variant, there)
    await one.play()
    await other.play()
    for table in range(len(here)):
        assert one.told[observer][table] == other.told[observer][table], (variant.name, table)
        assert one.told[observer][table]
    return len(here)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
async def test_no_table_tells_of_hidden_cards_at_another(variant: Variant) -> None:
    chance = Random(7)
    compared = 0
    for first in range(0, ROUNDS * TABLES, TABLES):
        compared += await compare(variant, first, chance)
    assert compared > ROUNDS * TABLES // 2


async def test_a_table_that_tells_of_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that shows how many questions are open elsewhere tells which moves were forced."""
    elsewhere = 0
    ask = RemoteSeat.ask

    def asked(seat: RemoteSeat, question: Question, take: object) -> None:
        nonlocal elsewhere
        elsewhere += seat.number
        ask(seat, question, take)  # type: ignore[arg-type]

    def told(view: View, legal: tuple[Action, ...], public: object, **more: object) -> bytes:
        told = decision_bytes(view, legal, public, **more)  # type: ignore[arg-type]
        return told + referee_pb2.Decision(last_latency_us=elsewhere).SerializeToString()

    monkeypatch.setattr(RemoteSeat, "ask", asked)
    monkeypatch.setattr(items, "decision_bytes", told)
    with pytest.raises(AssertionError):
        await compare(VARIANTS["classic"], 0, Random(7))
