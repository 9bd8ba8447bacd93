"""Answers to a session: in any order, once each; and what a table hears when the bot is gone."""

from __future__ import annotations

import pytest

from arena.referee.course import STOPPED
from arena.referee.seat import ArenaFault, FaultKind, Reply
from arena.rules import CLASSIC, tables_of
from arena.v1 import referee_pb2
from tests.referee.games import SHORT, course_of, plan_of
from tests.server.held import HAND, ILLEGAL, PASS, Held, answer

STOPPED_GAME = course_of(plan_of(SHORT)).record(STOPPED)
BID = tables_of(CLASSIC).parse("bid 4")

STALE = referee_pb2.REJECTION_CODE_STALE
UNKNOWN = referee_pb2.REJECTION_CODE_UNKNOWN_DECISION


def actions(held: Held) -> list[tuple[int, object]]:
    """Which table got which action."""
    return [(table, reply.action) for table, reply in held.replies if isinstance(reply, Reply)]


async def test_answers_in_any_order_each_to_its_own_table(held: Held) -> None:
    seats, ids = held.asked(3)
    held.answer(ids[2], action=BID)
    held.answer(ids[0])
    held.answer(ids[1], action=BID)
    assert actions(held) == [
        (seats[2].table_id, BID),
        (seats[0].table_id, PASS),
        (seats[1].table_id, BID),
    ]


async def test_several_answers_in_one_message(held: Held) -> None:
    seats, ids = held.asked(3)
    held.answer(*reversed(ids))
    assert [table for table, _ in actions(held)] == [seat.table_id for seat in reversed(seats)]
    assert held.batch() == []


async def test_no_answers_are_no_fault(held: Held) -> None:
    held.asked(1)
    held.answer()
    assert held.replies == []
    assert held.batch() == []


async def test_an_answer_without_an_action_reaches_the_referee_as_none(held: Held) -> None:
    _, [number] = held.asked(1)
    held.session.receive(referee_pb2.Answers(answers=[referee_pb2.Answer(decision_id=number)]))
    assert held.reply().action is None


@pytest.mark.parametrize("number", [0, 2, 77, 2**32 - 1])
async def test_an_answer_to_what_was_never_asked_is_unknown(held: Held, number: int) -> None:
    held.asked(1)
    held.answer(number)
    [rejected] = held.rejected()
    assert (rejected.decision_id, rejected.code, rejected.open) == (number, UNKNOWN, False)
    assert (rejected.text, rejected.faults) == ("this decision was never asked", 0)
    assert held.replies == []


async def test_a_second_answer_is_stale_and_changes_nothing(held: Held) -> None:
    _, ids = held.asked(2)
    held.answer(ids[0], ids[0])
    assert len(held.replies) == 1
    held.answer(ids[0])
    rejected = held.rejected()
    assert [(r.decision_id, r.code, r.open) for r in rejected] == [(ids[0], STALE, False)] * 2
    assert rejected[0].text == "this decision is closed"
    assert len(held.replies) == 1


async def test_an_answer_to_a_table_that_was_stopped_is_stale(held: Held) -> None:
    seats, ids = held.asked(2)
    seats[0].game_finished(STOPPED_GAME)
    held.answer(*ids)
    assert [table for table, _ in actions(held)] == [seats[1].table_id]
    assert [rejected.code for rejected in held.rejected()] == [STALE]


async def test_a_refused_answer_leaves_the_question_open_under_its_number(held: Held) -> None:
    _, [number] = held.asked(1)
    held.answer(number, action=ILLEGAL)
    [rejected] = held.rejected()
    assert rejected == referee_pb2.Rejected(
        decision_id=number,
        code=referee_pb2.REJECTION_CODE_WRONG_PHASE,
        paragraph="N",
        text=f"'play 9C' does not answer the question, which is: {HAND.phase.value}",
        open=True,
        faults=1,
    )
    held.replies.clear()
    held.answer(number)
    assert held.reply().action is PASS


async def test_the_next_answer_in_the_same_message_may_mend_a_refused_one(held: Held) -> None:
    seats, [number] = held.asked(1)
    held.session.receive(
        referee_pb2.Answers(answers=[answer(number, ILLEGAL), answer(number, BID)])
    )
    assert actions(held) == [(seats[0].table_id, ILLEGAL), (seats[0].table_id, BID)]


# The bot is gone.


async def test_when_the_bot_has_left_every_open_question_gets_that_answer(held: Held) -> None:
    seats, _ = held.asked(2)
    waiting = held.seats(1)
    held.ask(*waiting)
    held.session.leave(FaultKind.CRASH, "it exited")
    expected = Reply(None, 0, 0, FaultKind.CRASH, "it exited")
    assert held.replies == [(seat.table_id, expected) for seat in (*seats, *waiting)]
    assert held.batch() == []


async def test_later_questions_get_it_at_once_and_nothing_is_sent_any_more(held: Held) -> None:
    [seat] = held.seats(1)
    held.session.leave(FaultKind.PROTOCOL, "a second Hello")
    held.ask(seat)
    assert held.reply().fault is FaultKind.PROTOCOL
    seat.game_finished(STOPPED_GAME)
    assert held.batch() == []


async def test_a_table_that_was_stopped_hears_nothing_more(held: Held) -> None:
    sent, unsent = held.asked(1)[0][0], held.seats(1)[0]
    held.ask(unsent)
    for seat in (sent, unsent):
        seat.game_finished(STOPPED_GAME)
    held.session.leave(FaultKind.CRASH, "it exited")
    assert held.replies == []


async def test_it_leaves_once(held: Held) -> None:
    held.asked(1)
    held.session.leave(FaultKind.CRASH, "first")
    held.session.leave(FaultKind.DISCONNECT, "second")
    assert held.reply().sentence == "first"
    assert held.session.gone is FaultKind.CRASH


async def test_a_bot_that_leaves_in_the_middle_of_a_refusal_is_not_asked_again(held: Held) -> None:
    _, [number] = held.asked(1)
    held.session.gone = FaultKind.CRASH
    held.session.gone_sentence = "it exited"
    held.answer(number, action=ILLEGAL)
    assert [reply.fault for _, reply in held.replies if isinstance(reply, Reply)] == [
        None,
        FaultKind.CRASH,
    ]


async def test_a_bot_that_the_arena_ended_has_not_crashed(held: Held) -> None:
    _, later = held.asked(1)[0], held.seats(1)
    held.session.withdraw("its deals are played again")
    held.ask(*later)
    assert [type(reply) for _, reply in held.replies] == [ArenaFault] * 2
    assert "the arena ended a bot" in str(held.replies[0][1])


async def test_a_failure_of_ours_fails_the_open_questions_as_ours(held: Held) -> None:
    held.asked(2)
    held.session.fail("a message could not be written")
    assert [str(reply) for _, reply in held.replies] == ["a message could not be written"] * 2


async def test_a_question_that_waits_to_be_sent_again_is_answered_for_once(held: Held) -> None:
    """The bot came back, and was gone before anything was sent."""
    held.asked(2)
    held.session.detach(held.stream)
    held.session.attach()
    held.session.leave(FaultKind.CRASH, "it exited")
    assert len(held.replies) == 2


# Coming back.


async def test_after_a_resume_open_questions_come_again_under_their_ids(held: Held) -> None:
    _, ids = held.asked(2)
    held.session.detach(held.stream)
    held.session.attach()
    again = held.batch()
    assert [item.decision.decision_id for item in again if item.HasField("decision")] == ids
    held.answer(*ids)
    assert len(actions(held)) == 2


async def test_an_answer_that_comes_before_its_question_was_sent_again_counts(
    held: Held,
) -> None:
    """As when a stream is taken over while an answer is on its way."""
    [seat], [number] = held.asked(1)
    held.session.attach()
    held.answer(number)
    assert held.reply().action is PASS
    held.ask(seat)
    [decision] = held.decisions()
    assert decision.decision_id != number
    assert held.batch() == []


async def test_events_come_again_with_their_numbers_until_they_are_acknowledged(
    held: Held,
) -> None:
    seats = [held.session.open_seat(held.terms, 1, b"x", s.public) for s in held.seats(2)]
    before = held.batch()
    held.session.detach(held.stream)
    held.session.attach()
    assert held.batch()[-len(before) :] == before
    assert held.session.acknowledge(before[0].sequence)
    held.session.detach(held.stream)
    held.session.attach()
    assert held.batch() == before[1:]
    assert held.session.acknowledge(before[-1].sequence)
    held.session.attach()
    assert held.batch() == []
    assert len(seats) == 2


async def test_events_come_before_the_questions_that_need_them(held: Held) -> None:
    held.session.detach(held.stream)
    seat = held.session.open_seat(held.terms, 1, b"x", held.seats(1)[0].public)
    held.ask(seat)
    held.session.attach()
    kinds = [item.WhichOneof("item") for item in held.batch()]
    assert kinds[-1] == "decision"
    assert "game_start" in kinds


async def test_what_was_never_sent_cannot_be_acknowledged(held: Held) -> None:
    held.ask(*held.seats(1))
    last = held.batch()[-1].sequence
    assert held.session.acknowledge(last)
    assert not held.session.acknowledge(last + 1)


async def test_events_beyond_the_buffer_are_forgotten_and_the_session_knows(held: Held) -> None:
    held.seats(1100)  # with the match that is 1,101 events, never acknowledged
    assert held.session.forgotten == 1101 - 1024
    held.session.acknowledge(1101)
    held.seats(1)
    assert held.session.forgotten == 1101 - 1024


async def test_a_second_stream_takes_over_and_the_first_ones_end_is_nothing(held: Held) -> None:
    held.asked(1)
    second = held.session.attach()
    held.session.detach(held.stream)
    assert held.session.connected
    held.session.detach(second)
    assert not held.session.connected
