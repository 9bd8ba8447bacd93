"""The messages that docs/protocol.md shows: real ones, written as JSON.

One game of ``token`` is played through the server's own sessions, without network and with a
clock that is moved by hand. Names that the server draws at random are replaced by fixed ones.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.message import Message

from arena.ids import VersionId
from arena.referee.clock import ManualClock, Micros
from arena.referee.course import Course
from arena.referee.policy import Policy
from arena.referee.sets import SetPlan, deals_of
from arena.referee.table import Table
from arena.rules.deal import bot_seed
from arena.rules.record import Entrant
from arena.rules.tables import tables_of
from arena.rules.variants import TOKEN
from arena.server import play
from arena.server.admission import Admission, Chair, Lane, Place
from arena.server.pulse import Pulse
from arena.server.remote import MatchTerms
from arena.server.sessions import Session, seat_all
from arena.v1 import action_pb2, referee_pb2, view_pb2
from arena.wire.actions import ACTIONS

WIDTH: Final = 98
TOLD: Final = 1  # the seat whose messages are shown: it speaks first

# The first hand: seat 1 shoots in spades. One answer of the game is wrong.
_SAID: Final = ("bid shot", "pass", "pass", "pass", "call S")
_FIXED: Final = {
    "session_token": "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "match_id": 901,
    "table_id": 77,
}


class _Sitting:
    """The four sessions of a table, and what the one shown was sent."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        pulse = Pulse(self.clock)
        self.sessions = [_session(seat, pulse) for seat in range(4)]
        self.told: list[referee_pb2.Item] = []
        self.said: list[referee_pb2.PlayRequest] = []
        self.script = list(_SAID)
        self.erred = False

    async def turn(self) -> bool:
        """Have every session take what it is sent, and answer it; whether there was anything."""
        moved = False
        for seat, session in enumerate(self.sessions):
            batch = session.take_batch()
            if batch is None:
                continue
            moved = True
            items = _items(batch)
            await self.clock.advance(Micros(750))
            if seat == TOLD:
                self.told += items
            self.answer(session, seat, items)
            await asyncio.sleep(0)
        return moved

    def answer(self, session: Session, seat: int, items: list[referee_pb2.Item]) -> None:
        """Answer each question."""
        for item in items:
            if item.WhichOneof("item") != "decision":
                continue
            if seat == TOLD and not self.erred and self._reneges(session, item):
                continue
            request = _request(item, item.decision.decision_id, self._choice(item.decision))
            if seat == TOLD:
                self.said.append(request)
            session.receive(request.answers)

    def _reneges(self, session: Session, item: referee_pb2.Item) -> bool:
        """Once, play a card that does not follow; the question is then answered again."""
        decision = item.decision
        legal = {action.card for action in decision.legal}
        wrong = [card for card in decision.private.hand if card not in legal]
        if decision.public.phase != view_pb2.PHASE_PLAY or not wrong:
            return False
        self.erred = True
        action = action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, card=wrong[0])
        session.receive(_request(item, decision.decision_id, action).answers)
        batch = session.take_batch()
        assert batch is not None, "a refused answer is told"
        rejected = _items(batch)
        self.told += rejected
        again = _request(rejected[0], decision.decision_id, decision.legal[0])
        session.receive(again.answers)
        return True

    def _choice(self, decision: referee_pb2.Decision) -> action_pb2.Action:
        if self.script:
            text = self.script.pop(0)
            number = list(decision.legal).index(_named(text))
            return decision.legal[number]
        return decision.legal[0]


def _items(batch: bytes) -> list[referee_pb2.Item]:
    return list(referee_pb2.PlayResponse.FromString(batch).items.items)


def _named(text: str) -> action_pb2.Action:
    return ACTIONS[tables_of(TOKEN).parse(text)]


def _session(seat: int, pulse: Pulse) -> Session:
    admission = Admission(VersionId(1 + seat % 2), "my-bot", "3")
    place = Place(admission.version, Chair(1 + seat // 2), Lane.A)
    session = Session(admission, place, tables=64, hand_results=True, pulse=pulse)
    session.attach(0)
    return session


def _request(
    item: referee_pb2.Item, decision_id: int, action: action_pb2.Action
) -> referee_pb2.PlayRequest:
    answer = referee_pb2.Answer(decision_id=decision_id, action=action)
    return referee_pb2.PlayRequest(
        acknowledged=item.sequence, answers=referee_pb2.Answers(answers=[answer])
    )


@cache
def _sitting() -> _Sitting:
    return asyncio.run(_play())


async def _play() -> _Sitting:
    sitting = _Sitting()
    plan = SetPlan("r1:1-2:1", TOKEN, Policy(), (Entrant("a", "1"), Entrant("b", "1")), bytes(32))
    terms = MatchTerms(plan.variant, plan.policy)
    seeds = [bot_seed(plan.seed, plan.set_id, "a", 0, seat) for seat in range(4)]
    seats = seat_all(sitting.sessions, [terms] * 4, seeds)
    course = Course(
        plan.variant, plan.policy, half="a", deal_set=plan.set_id, deal=deals_of(plan, "a")
    )
    game = asyncio.create_task(Table(course, seats).play())
    await asyncio.sleep(0)  # the table asks its first question
    while await sitting.turn():
        pass
    await game
    await sitting.turn()  # that the game and the match are over
    return sitting


def _item(arm: str, wanted: Callable[[Any], bool] = lambda _: True) -> referee_pb2.PlayResponse:
    """The first item of that arm, in a message of its own."""
    item = next(
        item
        for item in _sitting().told
        if item.WhichOneof("item") == arm and wanted(getattr(item, arm))
    )
    return referee_pb2.PlayResponse(items=referee_pb2.Items(items=[item]))


def _hello() -> Message:
    return referee_pb2.PlayRequest(
        hello=referee_pb2.Hello(
            token="(64 hexadecimal digits)",
            protocol_version=play.PROTOCOL_VERSION,
            bot_name="my-bot",
            bot_version="3",
            tables=64,
            hand_results=True,
        )
    )


def _resume() -> Message:
    hello = _hello()
    assert isinstance(hello, referee_pb2.PlayRequest)
    hello.acknowledged = 41
    hello.hello.session_token = "x"
    return hello


def _answers() -> Message:
    """Two answers in one message."""
    first, second = _sitting().said[:2]
    both = referee_pb2.PlayRequest(acknowledged=second.acknowledged)
    both.answers.answers.extend([*first.answers.answers, *second.answers.answers])
    return both


EXAMPLES: Final[dict[str, Callable[[], str]]] = {
    "hello": lambda: _block(_hello()),
    "welcome": lambda: _block(play._welcome(_sitting().sessions[TOLD], resumed=False)),
    "resume": lambda: _block(_resume()),
    "match-start": lambda: _block(_item("match_start")),
    "game-start": lambda: _block(_item("game_start")),
    "decision-speak": lambda: _block(
        _item("decision", lambda d: d.public.phase == view_pb2.PHASE_SPEAK)
    ),
    "decision-play": lambda: _block(
        _item(
            "decision", lambda d: d.public.phase == view_pb2.PHASE_PLAY and d.private.received != 0
        )
    ),
    "answers": lambda: _block(_answers()),
    "rejected": lambda: _block(_item("rejected")),
    "hand-finished": lambda: _block(_item("hand_finished")),
    "game-finished": lambda: _block(_item("game_finished")),
    "match-finished": lambda: _block(_item("match_finished")),
    "goodbye": lambda: _block(
        referee_pb2.PlayResponse(goodbye=referee_pb2.Goodbye(text="the arena closes"))
    ),
}
"""The examples by name."""


# JSON for people: what fits on a line is on one.


def _block(message: Message) -> str:
    data = json_format.MessageToDict(message, preserving_proto_field_name=True)
    return f"```json\n{_pretty(_fixed(data))}\n```"


def _fixed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _FIXED.get(key, _fixed(inner)) for key, inner in value.items()}
    return [_fixed(inner) for inner in value] if isinstance(value, list) else value


def _pretty(value: Any, indent: int = 0, room: int = WIDTH) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= room or not isinstance(value, (dict, list)) or not value:
        return line
    inner, outer = " " * (indent + 2), " " * indent
    is_list = isinstance(value, list)
    parts = _rows(value, indent + 2) if is_list else _members(value, indent + 2)
    opening, closing = "[]" if is_list else "{}"
    body = f",\n{inner}".join(parts)
    return f"{opening}\n{inner}{body}\n{outer}{closing}"


def _members(value: dict[str, Any], indent: int) -> Iterator[str]:
    for key, inner in value.items():
        label = f"{json.dumps(key)}: "
        yield label + _pretty(inner, indent, WIDTH - len(label) - 1)


def _rows(value: list[Any], indent: int) -> Iterator[str]:
    """The elements, as many on a line as fit where they are plain."""
    if any(isinstance(inner, (dict, list)) for inner in value):
        yield from (_pretty(inner, indent, WIDTH - 1) for inner in value)
        return
    row = ""
    for text in map(json.dumps, value):
        if row and len(row) + len(text) + indent > WIDTH - 3:
            yield row
            row = ""
        row = f"{row}, {text}" if row else text
    yield row
