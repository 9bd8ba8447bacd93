"""What is kept of faults for the authors of bots."""

from __future__ import annotations

from arena.referee.incident import MAX_INCIDENTS, Incident
from arena.referee.policy import Policy
from arena.referee.seat import FaultKind, Question, Refusal, Reply
from arena.rules import CLASSIC
from arena.rules.record import EndingKind
from tests.referee.games import SHORT, course_of, plan_of, play
from tests.referee.seats import answer, fault
from tests.referee.test_course import PLAY_9C, STAND_IN, at_seat

BANK = Policy().time.bank_ms * 1000


def test_an_illegal_answer_is_kept_with_its_place_and_what_it_cost() -> None:
    def script(question: Question, refusal: Refusal | None) -> Reply:
        if refusal is None and not question.view.moves:
            return answer(PLAY_9C, charged=700)
        return answer(question.legal[0], charged=900)

    course = course_of(plan_of(SHORT))
    record = play(course, at_seat(1, script))
    assert record.ending.kind is EndingKind.COMPLETED
    first = course.incidents[0]
    assert first == Incident(
        entrant=1,
        kind=FaultKind.ILLEGAL,
        sentence="illegal answer: 'play 9C' does not answer the question, which is: speak",
        half="a",
        board=0,
        move=0,
        seat=1,
        answer="play 9C",
        took=700,
        charged=700,
        bank=BANK,
    )


def test_an_answer_that_names_no_action_is_kept_without_one() -> None:
    course = course_of(plan_of(SHORT))
    play(course, at_seat(2, lambda question, refusal: answer(None)))
    assert [incident.answer for incident in course.incidents] == ["", "", ""]
    assert {incident.seat for incident in course.incidents} == {2}
    assert {incident.entrant for incident in course.incidents} == {0}


def test_in_half_b_seats_belong_to_the_entrants_of_half_b() -> None:
    course = course_of(plan_of(SHORT), "b")
    play(course, at_seat(2, lambda question, refusal: fault(FaultKind.CRASH, "it is gone")))
    [incident] = course.incidents
    assert (incident.entrant, incident.half, incident.seat) == (1, "b", 2)
    assert (incident.kind, incident.sentence) == (FaultKind.CRASH, "it is gone")


def test_no_more_than_so_many_are_kept_of_a_game() -> None:
    policy = Policy(max_faults=1000, on_forfeit=STAND_IN.on_forfeit)
    course = course_of(plan_of(CLASSIC, policy))
    record = play(course, at_seat(3, lambda question, refusal: fault(FaultKind.TIMEOUT)))
    assert record.seats[3].faults.timeout > MAX_INCIDENTS
    assert len(course.incidents) == MAX_INCIDENTS
