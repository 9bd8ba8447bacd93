"""What a session does with items: ask once, answer once, ignore what it does not know."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest

from arena.rules import VARIANTS, Action
from arena.rules.actions import PASS
from arena.sdk import Bot, FinishedGame, FinishedHand, View
from arena.sdk.decode import ArenaError
from arena.sdk.session import MAX_ANSWERS, MAX_UNACKNOWLEDGED, BotError, Session
from arena.v1 import record_pb2, referee_pb2
from tests.sdk.feeder import MATCH_ID, Feeder, answered, deal, failing, session_for, silent

CLASSIC = VARIANTS["classic"]


class Counting(Bot):
    """The last legal action; counts its calls."""

    calls: ClassVar[list[str]] = []

    def game_started(self) -> None:
        self.calls.append(f"started at seat {self.seat}")

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        self.calls.append(f"act {view.number}")
        return legal[-1]

    def hand_finished(self, hand: FinishedHand) -> None:
        self.calls.append(f"hand {hand.points} {hand.moves[0].action.text} {hand.dealt[0]}")

    def game_finished(self, game: FinishedGame) -> None:
        self.calls.append(f"finished {game.winner} {game.scores}")


@pytest.fixture(autouse=True)
def nothing_called() -> None:
    Counting.calls.clear()


def begun(bot: type[Bot] = Counting, **settings: object) -> tuple[Feeder, Session]:
    feeder, session = Feeder(CLASSIC), session_for(bot, **settings)  # type: ignore[arg-type]
    for item in feeder.opening(seats=(1,)):
        session.take(item)
    return feeder, session


def test_the_answers_of_a_batch_are_one_request_with_the_last_number_taken_in() -> None:
    feeder, session = Feeder(CLASSIC), session_for(Counting)
    for item in feeder.opening():
        session.take(item)
    asked = [feeder.decision(deal(CLASSIC)) for _ in range(1)]
    for table in (1, 3, 4):
        item = feeder.decision(deal(CLASSIC)).item
        item.decision.table_id = table
        asked.append(asked[0]._replace(item=item))
    for question in asked:
        session.take(question.item)
    request = session.request()
    assert request is not None
    assert request.acknowledged == feeder.sequence
    assert [answer.decision_id for answer in request.answers.answers] == [1, 2, 3, 4]
    assert session.request() is None


def test_more_answers_than_the_contract_allows_are_split() -> None:
    _, session = begun()
    session.answers = [(number, (1, 0, 0, 0)) for number in range(MAX_ANSWERS + 1)]
    sizes = [len(request.answers.answers) for request in iter(session.request, None)]
    assert sizes == [MAX_ANSWERS, 1]


def test_many_events_without_answers_are_acknowledged() -> None:
    feeder, session = begun()
    while feeder.sequence < MAX_UNACKNOWLEDGED:
        assert session.request() is None
        session.take(feeder.item())
    request = session.request()
    assert request is not None
    assert request.WhichOneof("message") == "answers"
    assert (request.acknowledged, len(request.answers.answers)) == (MAX_UNACKNOWLEDGED, 0)


def test_an_item_with_an_unknown_arm_is_taken_in_and_ignored() -> None:
    feeder, session = begun()
    # Field 15, a message: an arm of a later version.
    item = feeder.item()
    item.MergeFromString(b"\x7a\x02\x08\x01")
    session.take(item)
    assert session.acknowledged == item.sequence
    assert Counting.calls == ["started at seat 1"]


def test_an_item_that_comes_again_is_dropped() -> None:
    feeder, session = Feeder(CLASSIC), session_for(Counting)
    items = list(feeder.opening(seats=(1,)))
    for item in [*items, *items]:
        session.take(item)
    assert Counting.calls == ["started at seat 1"]


def test_a_question_that_comes_again_gets_the_same_answer_without_asking_the_bot() -> None:
    feeder, session = begun()
    asked = feeder.decision(deal(CLASSIC))
    session.take(asked.item)
    first = answered(session, CLASSIC)
    session.resume()
    session.take(asked.item)
    asked.item.sequence = feeder.sequence + 1
    session.take(asked.item)
    assert answered(session, CLASSIC) == first * 2
    assert Counting.calls == ["started at seat 1", "act 0"]


def test_a_new_session_starts_from_nothing() -> None:
    feeder, session = begun()
    session.take(feeder.decision(deal(CLASSIC)).item)
    session.begin()
    assert (session.acknowledged, session.answers) == (0, [])
    with pytest.raises(ArenaError, match="table 2"):
        session.take(feeder.decision(deal(CLASSIC)).item)


def test_a_refused_answer_is_replaced_by_the_first_legal_action_once() -> None:
    lines: list[str] = []
    feeder, session = begun(say=lines.append)
    session.take(feeder.decision(deal(CLASSIC)).item)
    [(decision_id, _)] = answered(session, CLASSIC)
    item = feeder.item()
    item.rejected.decision_id = decision_id
    item.rejected.code = referee_pb2.REJECTION_CODE_BID_TOO_LOW
    item.rejected.paragraph = "C2.2"
    item.rejected.text = "'bid lone' is not above the standing lone"
    item.rejected.open = True
    session.take(item)
    assert answered(session, CLASSIC) == [(decision_id, PASS)]
    assert "'bid lone' is not above the standing lone (rules C2.2)" in lines[0]
    assert "'pass' in its place" in lines[1]
    again = feeder.item()
    again.rejected.CopyFrom(item.rejected)
    session.take(again)
    assert answered(session, CLASSIC) == []


def test_a_late_answer_is_reported_and_not_repeated() -> None:
    lines: list[str] = []
    feeder, session = begun(say=lines.append)
    session.take(feeder.decision(deal(CLASSIC)).item)
    [(decision_id, _)] = answered(session, CLASSIC)
    item = feeder.item()
    item.rejected.decision_id = decision_id
    item.rejected.code = referee_pb2.REJECTION_CODE_STALE
    item.rejected.text = "the clock had run out"
    session.take(item)
    assert answered(session, CLASSIC) == []
    assert lines == ["the arena did not take the answer 'bid lone': the clock had run out"]


def test_the_hooks_get_values_of_the_rules() -> None:
    feeder, session = begun()
    item = feeder.item()
    item.hand_finished.table_id = 2
    item.hand_finished.hand.CopyFrom(
        record_pb2.HandRecord(
            dealer=0,
            dealt=[record_pb2.DealtHand(cards=["9C", "AS"])],
            moves=[record_pb2.RecordedMove(seat=1, action="bid 3")],
            result=record_pb2.HandResult(
                made=True,
                tricks=[4, 2],
                points=[4, 2],
                scores=[4, 2],
                tokens=[0, 0],
                token_debt=[False, False],
                hlm_debt=[0, 0],
            ),
        )
    )
    session.take(item)
    item = feeder.item()
    item.game_finished.table_id = 2
    item.game_finished.winner = 1
    item.game_finished.scores.extend([30, 33])
    item.game_finished.ending.kind = record_pb2.ENDING_KIND_COMPLETED
    session.take(item)
    assert Counting.calls[1:] == ["hand (4, 2) bid 3 (0, 23)", "finished 1 (30, 33)"]


@pytest.mark.parametrize("kind", [1, 99], ids=["a known ending", "an ending of a later version"])
def test_an_ending_is_none_where_it_is_not_known(kind: int) -> None:
    games: list[FinishedGame] = []

    class Listening(Counting):
        def game_finished(self, game: FinishedGame) -> None:
            games.append(game)

    feeder, session = begun(Listening)
    item = feeder.item()
    item.game_finished.table_id = 2
    item.game_finished.scores.extend([30, 30])
    item.game_finished.ending.kind = kind  # type: ignore[assignment]
    session.take(item)
    assert games[0].winner is None
    assert (games[0].ending is None) == (kind == 99)


def test_a_finished_match_closes_its_tables() -> None:
    feeder, session = begun()
    item = feeder.item()
    item.match_finished.match_id = MATCH_ID
    session.take(item)
    with pytest.raises(ArenaError, match="never opened"):
        session.take(feeder.decision(deal(CLASSIC)).item)


def test_rules_that_make_no_sense_are_the_arenas_error() -> None:
    feeder = Feeder(CLASSIC)
    item = next(feeder.opening())
    item.match_start.variant.hand_size = 7
    with pytest.raises(ArenaError, match="hand_size"):
        session_for(Counting).take(item)


def test_a_game_of_an_unknown_match_is_the_arenas_error() -> None:
    item = list(Feeder(CLASSIC).opening())[1]
    with pytest.raises(ArenaError, match="match 7"):
        session_for(Counting).take(item)


@pytest.mark.parametrize(
    "answer", [None, "pass", ["pass"], VARIANTS["double"]], ids=["None", "text", "list", "object"]
)
def test_what_is_no_action_is_the_bots_error(answer: object) -> None:
    class Wrong(Bot):
        def act(self, view: View, legal: tuple[Action, ...]) -> Action:
            return answer  # type: ignore[return-value]

    feeder, session = begun(Wrong)
    with pytest.raises(BotError, match=r"Wrong\.act returned"):
        session.take(feeder.decision(deal(CLASSIC)).item)


def test_only_a_bot_that_overrides_the_hook_asks_for_hands() -> None:
    assert session_for(Counting).wants_hands
    assert not session_for(Bot).wants_hands


def test_the_same_seed_gives_the_same_chance() -> None:
    class Chance(Bot):
        drawn: ClassVar[list[float]] = []

        def game_started(self) -> None:
            self.drawn.append(self.rng.random())

    begun(Chance)
    begun(Chance)
    assert Chance.drawn[0] == Chance.drawn[1]


class Slow(Bot):
    """Thinks until it is told to go on."""

    go: ClassVar[dict[int, asyncio.Event]] = {}
    calls: ClassVar[list[int]] = []
    stopped: ClassVar[list[int]] = []

    def game_started(self) -> None:
        self.go[self.seat] = asyncio.Event()

    async def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        self.calls.append(self.seat)
        try:
            await self.go[self.seat].wait()
        except asyncio.CancelledError:
            self.stopped.append(self.seat)
            raise
        return legal[0]


async def turns(count: int = 3) -> None:
    """Let the loop's ready tasks run."""
    for _ in range(count):
        await asyncio.sleep(0)


def thinking() -> tuple[Feeder, Session, asyncio.Event]:
    """A session of ``Slow`` with questions at tables 1 and 2."""
    Slow.calls.clear()
    Slow.stopped.clear()
    answered_event = asyncio.Event()
    session = Session(Slow, say=silent, ready=answered_event.set, fail=failing)
    feeder = Feeder(CLASSIC)
    for item in feeder.opening(seats=(0, 1)):
        session.take(item)
    for table in (1, 2):
        item = feeder.decision(deal(CLASSIC)).item
        item.decision.table_id = table
        session.take(item)
    return feeder, session, answered_event


async def test_an_async_bot_thinks_at_several_tables_at_once() -> None:
    _, session, answer_came = thinking()
    await turns()
    assert Slow.calls == [0, 1]
    Slow.go[1].set()
    await answer_came.wait()
    assert answered(session, CLASSIC) == [(2, PASS)]
    Slow.go[0].set()
    await turns()
    assert answered(session, CLASSIC) == [(1, PASS)]


async def test_a_repeated_question_does_not_interrupt_thinking() -> None:
    feeder, session, _ = thinking()
    await turns()
    item = feeder.item()
    item.decision.decision_id, item.decision.table_id = 1, 1
    session.resume()
    session.take(item)
    Slow.go[0].set()
    await turns()
    assert answered(session, CLASSIC) == [(1, PASS)]
    assert Slow.calls == [0, 1]


async def test_a_new_question_ends_thinking_about_the_old_one() -> None:
    feeder, session, _ = thinking()
    await turns()
    item = feeder.decision(deal(CLASSIC)).item
    item.decision.table_id = 1
    session.take(item)
    await turns()
    assert Slow.stopped == [0]
    Slow.go[0].set()
    await turns()
    assert answered(session, CLASSIC) == [(3, PASS)]


async def test_the_error_of_an_async_bot_reaches_the_client() -> None:
    class Broken(Bot):
        async def act(self, view: View, legal: tuple[Action, ...]) -> Action:
            raise ZeroDivisionError("mine")

    errors: list[BaseException] = []
    session = Session(Broken, say=silent, ready=lambda: None, fail=errors.append)
    feeder = Feeder(CLASSIC)
    for item in feeder.opening(seats=(1,)):
        session.take(item)
    session.take(feeder.decision(deal(CLASSIC)).item)
    await turns()
    assert isinstance(errors[0], ZeroDivisionError)


async def test_a_table_that_is_gone_ends_thinking() -> None:
    feeder, session, _ = thinking()
    await turns()
    item = feeder.item()
    item.match_finished.match_id = MATCH_ID
    session.take(item)
    await turns()
    assert Slow.stopped == [0, 1]
    assert answered(session, CLASSIC) == []
