"""The messages that docs/protocol.md shows: real ones, written as JSON.

A set of ``token`` is played over gRPC by eight sessions, one of which notes what it is sent and
what it says.  The server's clock stands still, and names that it draws at random are replaced by
fixed ones, so that every run prints the same.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message

from arena.ids import VersionId
from arena.referee.clock import ManualClock
from arena.referee.policy import Policy
from arena.referee.sets import SetPlan
from arena.rules.record import Entrant
from arena.rules.tables import tables_of
from arena.rules.variants import TOKEN
from arena.schedule.execution import SetOrder
from arena.server.admission import Admission, Chair, Lane, Place, token_hash
from arena.server.app import running_arena
from arena.server.executor import all_places
from arena.v1 import action_pb2, referee_pb2, referee_pb2_grpc, view_pb2
from arena.wire.actions import ACTIONS

WIDTH: Final = 98

# Of the second bot in half A, seat 1: it speaks first. It shoots in spades.
TOLD: Final = Place(VersionId(2), Chair.FIRST, Lane.A)
_SAID: Final = ("bid shot", "call S")
_FIXED: Final = {
    "session_token": "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "match_id": 901,
    "table_id": 77,
    "server_version": "0.1.0",
}


class _Player:
    """A session that takes the first legal action, but for its script and one wrong answer."""

    def __init__(self, place: Place) -> None:
        told = place == TOLD
        self.script = list(_SAID) if told else []
        self.honest = not told
        self.got: list[referee_pb2.PlayResponse] = []
        self.said: list[referee_pb2.PlayRequest] = []

    @property
    def items(self) -> Iterator[referee_pb2.Item]:
        """All items, in order."""
        return (item for response in self.got for item in response.items.items)

    async def play(self, address: str, token: str) -> None:
        """Play until the arena says goodbye."""
        async with grpc.aio.insecure_channel(address) as channel:
            call = referee_pb2_grpc.RefereeServiceStub(channel).Play()
            await call.write(_hello(token))
            while isinstance(response := await call.read(), referee_pb2.PlayResponse):
                self.got.append(response)
                if response.HasField("goodbye"):
                    await call.done_writing()
                for item in response.items.items:
                    answer = self._answer(item)
                    if answer is not None:
                        self.said.append(_answers(item.sequence, answer))
                        await call.write(self.said[-1])

    def _answer(self, item: referee_pb2.Item) -> referee_pb2.Answer | None:
        decision = item.decision
        if item.HasField("rejected"):
            # The renewed question: answered by what was legal all along.
            asked = item.rejected.decision_id
            decision = next(i.decision for i in self.items if i.decision.decision_id == asked)
        elif not item.HasField("decision"):
            return None
        return referee_pb2.Answer(decision_id=decision.decision_id, action=self._choice(decision))

    def _choice(self, decision: referee_pb2.Decision) -> action_pb2.Action:
        legal = list(decision.legal)
        if self.script and (named := _named(self.script[0])) in legal:
            del self.script[0]
            return named
        cards = {action.card for action in legal}
        wrong = [card for card in decision.private.hand if card not in cards]
        if self.honest or decision.public.phase != view_pb2.PHASE_PLAY or not wrong:
            return legal[0]
        self.honest = True  # from here on
        return action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, card=wrong[0])


def _named(text: str) -> action_pb2.Action:
    return ACTIONS[tables_of(TOKEN).parse(text)]


def _hello(token: str = "(64 hexadecimal digits)") -> referee_pb2.PlayRequest:
    return referee_pb2.PlayRequest(
        hello=referee_pb2.Hello(
            token=token,
            protocol_version=1,
            bot_name="my-bot",
            bot_version="3",
            tables=64,
            hand_results=True,
        )
    )


def _answers(acknowledged: int, *answers: referee_pb2.Answer) -> referee_pb2.PlayRequest:
    return referee_pb2.PlayRequest(
        acknowledged=acknowledged, answers=referee_pb2.Answers(answers=answers)
    )


@cache
def _told() -> _Player:
    return asyncio.run(_play())


async def _play() -> _Player:
    versions = (VersionId(1), VersionId(2))
    players = {place: _Player(place) for place in all_places(versions)}
    entrants = (Entrant("other", "1"), Entrant("my-bot", "3"))
    plan = SetPlan("r1:1-2:1", TOKEN, Policy(), entrants, bytes(32))
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/s"
        async with (
            asyncio.TaskGroup() as group,
            running_arena(address, tables=2, clock=ManualClock()) as arena,
        ):
            for place, player in players.items():
                token = f"{place.version}-{place.chair}-{place.lane}"
                admission = Admission(place.version, "", "", place.chair, place.lane)
                arena.lobby.tokens.add(token_hash(token), admission)
                group.create_task(player.play(address, token))
            await arena.executor.play(SetOrder(plan, versions))
    return players[TOLD]


def _first(arm: str) -> referee_pb2.PlayResponse:
    """The first message with that arm."""
    return next(response for response in _told().got if response.WhichOneof("message") == arm)


def _item(arm: str, wanted: Callable[[Any], bool] = lambda _: True) -> referee_pb2.PlayResponse:
    """The first item of that arm, in a message of its own."""
    item = next(
        item
        for item in _told().items
        if item.WhichOneof("item") == arm and wanted(getattr(item, arm))
    )
    return referee_pb2.PlayResponse(items=referee_pb2.Items(items=[item]))


def _hello_with_chair() -> referee_pb2.PlayRequest:
    request = _hello()
    request.hello.chair = referee_pb2.CHAIR_FIRST
    return request


def _resume() -> referee_pb2.PlayRequest:
    request = _hello()
    request.acknowledged = 41
    request.hello.session_token = "x"  # a fixed one is shown
    return request


def _two_answers() -> referee_pb2.PlayRequest:
    """What was said first, in one message."""
    first, second = _told().said[:2]
    return _answers(second.acknowledged, *first.answers.answers, *second.answers.answers)


def _draining() -> referee_pb2.PlayResponse:
    return referee_pb2.PlayResponse(
        draining=referee_pb2.Draining(within_ms=30_000, text="the arena stops")
    )


EXAMPLES: Final[dict[str, Callable[[], str]]] = {
    "hello": lambda: _block(_hello()),
    "hello-chair": lambda: _block(_hello_with_chair()),
    "welcome": lambda: _block(_first("welcome")),
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
    "answers": lambda: _block(_two_answers()),
    "rejected": lambda: _block(_item("rejected")),
    "hand-finished": lambda: _block(_item("hand_finished")),
    "game-finished": lambda: _block(_item("game_finished")),
    "match-finished": lambda: _block(_item("match_finished")),
    "draining": lambda: _block(_draining()),
    "goodbye": lambda: _block(_first("goodbye")),
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
