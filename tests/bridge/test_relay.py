"""The conversation of a program, without a process and without a network."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from arena.bridge import relay as module
from arena.bridge.child import Child
from arena.bridge.relay import Manner, Relay
from arena.rules import VARIANTS
from arena.sdk.session import MAX_UNACKNOWLEDGED
from arena.v1 import referee_pb2
from tests.sdk.feeder import MATCH_ID, Feeder, deal

CLASSIC = VARIANTS["classic"]


class Paper(Child):
    """A program on paper: its lines are kept, and it says what the test says."""

    def __init__(self) -> None:
        super().__init__((), name="bot")
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def read(self) -> list[dict[str, Any]]:
        """The lines since the last time."""
        lines, self.text = self.text.splitlines(), ""
        return [json.loads(line) for line in lines]


class Scene:
    """A relay with all that is around it."""

    def __init__(self, manner: Manner | None = None) -> None:
        self.feeder = Feeder(CLASSIC)
        self.child = Paper()
        self.said: list[str] = []
        self.failures: list[BaseException] = []
        self.readies = 0
        self.ready = asyncio.Event()
        self.partings = 0
        self.relay = Relay(
            self.child,
            manner or Manner(),
            say=self.said.append,
            ready=self._ready,
            fail=self.failures.append,
            leave=self._leave,
        )

    def _ready(self) -> None:
        self.readies += 1
        self.ready.set()

    def _leave(self) -> None:
        self.partings += 1

    def take(self, *items: referee_pb2.Item) -> list[dict[str, Any]]:
        """Take items as one message; the lines that the program gets of it."""
        for item in items:
            self.relay.take(item)
        self.relay._pass_items_on()
        return self.child.read()

    def open(self, *tables: int) -> list[referee_pb2.Item]:
        """Open tables, by number; the questions there, not yet put."""
        self.take(*self.feeder.opening(seats=tuple(table - 1 for table in tables)))
        return [self.question(table) for table in tables]

    def question(self, table: int) -> referee_pb2.Item:
        item = self.feeder.decision(deal(CLASSIC)).item
        item.decision.table_id = table
        return item

    def answer(self, *lines: object) -> None:
        """Hear lines as one piece."""
        self.relay.hear([line if isinstance(line, bytes) else dump(line) for line in lines])

    def sent(self) -> list[tuple[int, int]]:
        """Decision and kind of each answer that would be sent now."""
        request = self.relay.request()
        answers = request.answers.answers if request is not None else ()
        return [(answer.decision_id, answer.action.kind) for answer in answers]


def dump(data: object) -> bytes:
    return json.dumps(data).encode()


def by_index(decision_id: int, index: int = 0) -> dict[str, int]:
    return {"decision_id": decision_id, "index": index}


@pytest.fixture
async def scene() -> Scene:
    return Scene()


def sequences(lines: list[dict[str, Any]]) -> list[list[int]]:
    return [[item["sequence"] for item in line["items"]["items"]] for line in lines]


async def test_an_item_is_a_line(scene: Scene) -> None:
    assert sequences(scene.take(*scene.feeder.opening(seats=(0, 1)))) == [[1], [2], [3]]


async def test_in_batches_a_message_is_a_line() -> None:
    scene = Scene(Manner(batches=True))
    assert sequences(scene.take(*scene.feeder.opening(seats=(0, 1)))) == [[1, 2, 3]]


async def test_items_are_written_with_the_next_turn_of_the_loop(scene: Scene) -> None:
    for item in scene.feeder.opening(seats=(0,)):
        scene.relay.take(item)
    assert scene.child.text == ""
    await asyncio.sleep(0)
    assert sequences(scene.child.read()) == [[1], [2]]


async def test_the_welcome_is_told_without_its_secret_and_a_resumed_one_not(scene: Scene) -> None:
    for resumed in (False, True):
        welcome = referee_pb2.Welcome(session_token="secret", resumed=resumed, tables=64)
        scene.relay.tell(referee_pb2.PlayResponse(welcome=welcome))
    assert scene.child.read() == [{"welcome": {"tables": 64}}]


async def test_items_come_before_the_goodbye(scene: Scene) -> None:
    for item in scene.feeder.opening(seats=()):
        scene.relay.take(item)
    scene.relay.tell(referee_pb2.PlayResponse(goodbye=referee_pb2.Goodbye(text="enough")))
    items, goodbye = scene.child.read()
    assert "items" in items
    assert goodbye == {"goodbye": {"text": "enough"}}


async def test_an_answer_goes_out_with_the_last_number_taken_in(scene: Scene) -> None:
    [question] = scene.open(1)
    [line] = scene.take(question)
    decision = line["items"]["items"][0]["decision"]
    scene.answer({"decision_id": decision["decision_id"], "action": decision["legal"][-1]})
    request = scene.relay.request()
    assert request is not None
    assert request.acknowledged == scene.feeder.sequence
    [answer] = request.answers.answers
    assert (answer.decision_id, answer.action) == (1, question.decision.legal[-1])
    assert scene.relay.request() is None


async def test_answers_wait_for_the_rest_but_not_for_ever(scene: Scene) -> None:
    scene.take(*scene.open(1, 2, 3))
    scene.answer(by_index(1))
    assert scene.readies == 0
    hold = scene.relay._hold
    assert hold is not None
    scene.answer(by_index(2))
    assert scene.relay._hold is hold, "the wait is that of the first answer"
    scene.answer(by_index(3))
    assert scene.readies == 1
    assert [number for number, _ in scene.sent()] == [1, 2, 3]
    assert hold.cancelled()


async def test_the_wait_ends(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_HOLD_SECONDS", 0.0)
    scene.take(*scene.open(1, 2, 3))
    for number in (1, 2):
        scene.ready.clear()
        scene.answer(by_index(number))
        await scene.ready.wait()
        # Nobody takes the answers, as while the arena is away; the next wait is a new one.
        scene.relay.resume()


async def test_many_answers_do_not_wait(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MANY_ANSWERS", 2)
    scene.take(*scene.open(1, 2, 3))
    scene.answer(by_index(1))
    scene.answer(by_index(2))
    assert scene.readies == 1


async def test_events_without_answers_are_acknowledged(scene: Scene) -> None:
    scene.open(1)
    while scene.feeder.sequence < MAX_UNACKNOWLEDGED:
        assert scene.relay.request() is None
        scene.take(scene.feeder.item())
    request = scene.relay.request()
    assert request is not None
    assert request.HasField("answers")
    assert (request.acknowledged, scene.relay.request()) == (MAX_UNACKNOWLEDGED, None)


async def test_an_item_without_a_known_arm_is_taken_in_and_not_passed_on(scene: Scene) -> None:
    assert scene.take(scene.feeder.item()) == []
    assert scene.relay.acknowledged == 1


async def test_what_a_resumed_stream_repeats_is_not_passed_on(scene: Scene) -> None:
    opening = list(scene.feeder.opening(seats=(0, 1)))
    questions = [scene.question(1), scene.question(2)]
    scene.take(*opening, *questions)
    scene.answer(by_index(1, 1))
    scene.relay.resume()
    assert scene.sent() == []
    again = referee_pb2.Item(sequence=9, decision=questions[0].decision)
    waiting = referee_pb2.Item(sequence=10, decision=questions[1].decision)
    assert scene.take(*opening, again, waiting) == []
    assert [number for number, _ in scene.sent()] == [1]
    scene.answer(by_index(2))
    assert [number for number, _ in scene.sent()] == [2]


async def test_a_new_session_starts_from_nothing(scene: Scene) -> None:
    scene.take(*scene.open(1))
    scene.relay.begin()
    scene.feeder = Feeder(CLASSIC)
    [question] = scene.open(1)
    assert len(scene.take(question)) == 1
    scene.answer(by_index(1))
    assert (len(scene.sent()), scene.said) == (1, [])


def rejected(scene: Scene, decision_id: int, *, is_open: bool) -> referee_pb2.Item:
    item = scene.feeder.item()
    item.rejected.decision_id = decision_id
    item.rejected.text = "the bid is too low"
    item.rejected.paragraph = "C2.2"
    item.rejected.open = is_open
    return item


async def test_a_refused_answer_is_told_and_replaced_once(scene: Scene) -> None:
    [question] = scene.open(1)
    scene.take(question)
    scene.answer(by_index(1, 2))
    scene.sent()
    [line] = scene.take(rejected(scene, 1, is_open=True))
    assert line["items"]["items"][0]["rejected"]["text"] == "the bid is too low"
    bid = '{"kind":"ACTION_KIND_BID","bid":2}'
    assert scene.said == [
        f"the arena did not take the answer {bid}: the bid is too low (rules C2.2)",
        'answered {"kind":"ACTION_KIND_PASS"} in its place; this counts as a fault of the bot',
    ]
    assert scene.sent() == [(1, question.decision.legal[0].kind)]
    scene.take(rejected(scene, 1, is_open=True))
    assert scene.sent() == []


async def test_a_refused_answer_to_a_question_without_a_choice_is_told(scene: Scene) -> None:
    [question] = scene.open(1)
    del question.decision.legal[:]
    scene.take(question)
    scene.answer({"decision_id": 1, "action": {"kind": "ACTION_KIND_PASS"}})
    scene.sent()
    scene.take(rejected(scene, 1, is_open=True))
    assert len(scene.said) == 1
    assert scene.sent() == []


async def test_a_late_answer_is_refused_for_good(scene: Scene) -> None:
    scene.take(*scene.open(1))
    scene.answer(by_index(1))
    scene.sent()
    scene.take(rejected(scene, 1, is_open=False))
    assert len(scene.said) == 1
    assert scene.sent() == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"index": 99}, "with index 99 of 5 legal actions, counted from 0"),
        ({"action": {"kind": "ACTION_KIND_WIN"}}, "with something that is no action"),
    ],
)
async def test_what_is_no_action_is_left_to_the_arena_to_refuse(
    scene: Scene, wrong: dict[str, Any], told: str
) -> None:
    [question] = scene.open(1)
    del question.decision.legal[5:]
    scene.take(question)
    scene.answer({"decision_id": 1} | wrong)
    assert scene.sent() == [(1, 0)]
    assert scene.said == [f"bot answered decision 1 {told}"]


@pytest.mark.parametrize("again", [1, 77])
async def test_an_answer_to_what_is_not_open_is_dropped(scene: Scene, again: int) -> None:
    scene.take(*scene.open(1))
    scene.answer(by_index(1), by_index(again))
    assert len(scene.sent()) == 1
    assert scene.said == [
        f"bot answered decision {again}, which is not open: never asked, answered already, or "
        "too late"
    ]


async def test_what_came_too_late_is_told(scene: Scene) -> None:
    scene.take(*scene.open(1))
    scene.take(scene.question(1))
    assert scene.said == ["bot did not answer decision 1 in time"]
    scene.answer(by_index(2))
    assert scene.readies == 1, "the first is not waited for"


async def test_the_end_of_a_game_or_match_closes_its_tables(scene: Scene) -> None:
    scene.take(*scene.open(1, 2, 3))
    finished = scene.feeder.item()
    finished.game_finished.table_id = 1
    assert len(scene.take(finished)) == 1
    scene.answer(by_index(1))
    assert scene.sent() == []
    over = scene.feeder.item()
    over.match_finished.match_id = MATCH_ID
    scene.take(over)
    assert (scene.relay._tables, scene.relay._questions, scene.relay._waiting) == ({}, {}, 0)


async def test_debugging_output_is_told_five_times(scene: Scene) -> None:
    for _ in range(7):
        scene.answer(b"my hand is good", b"", b"  ")
    told = (
        "bot wrote what is no message: 'my hand is good'; "
        "debugging output belongs on standard error"
    )
    assert scene.said == [told] * 4 + [f"{told} (more of this kind is not told)"]
    assert scene.failures == []


async def test_a_line_that_cannot_be_said_ends_the_session(scene: Scene) -> None:
    scene.take(*scene.open(1))
    scene.answer(b"{", by_index(1))
    assert list(map(str, scene.failures)) == ["bot wrote a line that is no JSON: '{'"]
    assert scene.sent() == []


@pytest.mark.parametrize("line", [b"x", b"", b" \r", dump(by_index(9)), b'{"answers":{}}'])
async def test_too_many_lines_that_answer_nothing_end_the_session(
    scene: Scene, line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_USELESS", 3)
    scene.take(*scene.open(1))
    scene.answer(line, line, by_index(1), line, line)
    assert scene.failures == []
    scene.answer(line)
    assert list(map(str, scene.failures)) == [
        "bot wrote 3 lines in a row that answer nothing",
    ]


async def test_a_program_may_say_goodbye(scene: Scene) -> None:
    scene.answer({"goodbye": {}})
    assert scene.partings == 1
