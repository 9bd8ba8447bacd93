"""The course of a game: who is asked what, what is recorded, and how it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest

from arena.referee.policy import OnForfeit, Policy, TimeControl
from arena.referee.seat import ArenaFault, FaultKind, Question, Refusal, Reply
from arena.rules import CLASSIC, TOKEN, VARIANTS, ActionKind, Seat, Variant, tables_of, view_of
from arena.rules import Refusal as Code
from arena.rules.record import EndingKind, Faults, GameRecord, Mover
from tests.referee.games import SHORT, Respond, course_of, plan_of, play
from tests.referee.seats import Scripted, answer, at_random, fault, first

EACH_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)

STAND_IN = Policy(on_forfeit=OnForfeit.STAND_IN)

PLAY_9C = tables_of(CLASSIC).parse("play 9C")


def by(*scripts: Callable[[Question, Refusal | None], Reply | ArenaFault]) -> Respond:
    """A script for each seat; a refusal is of the seat's last question."""
    last: dict[int, Question] = {}

    def respond(seat: Seat, what: Question | Refusal) -> Reply | ArenaFault:
        if isinstance(what, Question):
            last[seat] = what
            return scripts[seat](what, None)
        return scripts[seat](last[seat], what)

    return respond


def at_seat(seat: int, script: Callable[[Question, Refusal | None], Reply | ArenaFault]) -> Respond:
    """That script at a seat, the first legal action at the others."""
    return by(*(script if number == seat else first for number in range(4)))


def movers(record: GameRecord, seat: int) -> Counter[Mover]:
    return Counter(m.mover for hand in record.hands for m in hand.moves if m.seat == seat)


# What is asked.


@EACH_VARIANT
def test_a_seat_is_asked_its_own_view_and_all_its_choices_and_never_fewer_than_two_a1(
    variant: Variant,
) -> None:
    course, chance, asked = course_of(plan_of(variant)), Random(1), 0

    def respond(seat: Seat, what: Question | Refusal) -> Reply:
        nonlocal asked
        assert isinstance(what, Question)
        assert course._current is not None
        hand = course._current.hand
        assert seat == hand.to_act
        assert what.view == view_of(hand, seat)
        assert what.legal == hand.legal
        assert len(what.legal) >= 2
        asked += 1
        return answer(chance.choice(what.legal))

    record = play(course, respond)
    assert record.ending.kind is EndingKind.COMPLETED
    by_bots = sum(movers(record, seat)[Mover.BOT] for seat in range(4))
    assert asked == by_bots > 0


@EACH_VARIANT
def test_forced_moves_are_recorded_and_told_to_their_own_seat_only_a1(variant: Variant) -> None:
    told: list[tuple[Seat, Question]] = []
    scripts = [at_random(seat) for seat in range(4)]

    def respond(seat: Seat, what: Question | Refusal) -> Reply | ArenaFault:
        assert isinstance(what, Question)
        told.append((seat, what))
        return scripts[seat](what, None)

    record = play(course_of(plan_of(variant)), respond)
    for seat, question in told:
        moves = record.hands[question.view.number].moves[: len(question.view.moves)]
        forced = [
            index
            for index, move in enumerate(moves)
            if move.seat == seat and move.mover is Mover.FORCED
        ]
        assert list(question.forced) == forced
        assert question.stood_in == ()
    assert any(question.forced for _, question in told)


def test_the_times_of_moves_that_were_not_the_bots_are_zero() -> None:
    def slow(question: Question, _: Refusal | None) -> Reply:
        return answer(question.legal[0], charged=7000, latency=6000 + question.view.seat)

    def silent(_: Question, __: Refusal | None) -> Reply:
        return fault(FaultKind.TIMEOUT, charged=1000)

    course = course_of(plan_of(SHORT, Policy(max_faults=1000)))
    record = play(course, by(slow, silent, slow, slow))
    for hand in record.hands:
        assert len(hand.times_us) == len(hand.moves)
        for move, time in zip(hand.moves, hand.times_us, strict=True):
            assert time == (6000 + move.seat if move.mover is Mover.BOT else 0)


# Illegal answers.


def test_an_illegal_answer_is_refused_with_code_and_paragraph_and_the_question_stays_c3_7() -> None:
    refusals: list[Refusal] = []

    def script(question: Question, refusal: Refusal | None) -> Reply:
        if refusal is not None:
            refusals.append(refusal)
        elif question.view.number == 0 and not question.view.moves:
            return answer(PLAY_9C)
        return answer(question.legal[0])

    # Seat 0 deals, so seat 1 speaks first.
    record = play(course_of(plan_of(SHORT)), at_seat(1, script))
    [refusal] = refusals
    assert (refusal.error.refusal, refusal.error.paragraph) == (Code.WRONG_PHASE, "N")
    assert refusal.faults == 1
    assert record.ending.kind is EndingKind.COMPLETED
    assert record.seats[1].faults == Faults(illegal=1)
    assert record.hands[0].moves[0] == (1, "pass", Mover.BOT)


def revoke(question: Question, refusal: Refusal | None) -> Reply:
    """Plays a card of the hand that does not follow, once."""
    plays = tables_of(CLASSIC).texts
    own = {plays[f"play {text}"] for text in own_cards(question)}
    wrong = sorted(own - set(question.legal), key=lambda action: action.card)
    if question.view.phase.value == "play" and wrong and refusal is None:
        return answer(wrong[0])
    return answer(question.legal[0])


def own_cards(question: Question) -> list[str]:
    return ["9TJQKA"[card % 6] + "CDHS"[card // 6] for card in question.view.cards]


def test_a_renege_is_refused_by_c3_4_each_time_and_costs_a_fault() -> None:
    refusals: list[Refusal] = []

    def script(question: Question, refusal: Refusal | None) -> Reply:
        if refusal is not None:
            refusals.append(refusal)
        return revoke(question, refusal)

    record = play(course_of(plan_of(CLASSIC)), at_seat(2, script))
    assert [r.error.refusal for r in refusals] == [Code.MUST_FOLLOW] * 2
    assert {r.error.paragraph for r in refusals} == {"C3.4"}
    assert [r.faults for r in refusals] == [1, 2]
    # The third fault is not told: it ends the game.
    assert record.ending.kind is EndingKind.ILLEGAL
    assert record.ending.seat == 2
    assert record.seats[2].faults == Faults(illegal=3)


def test_an_answer_that_names_no_action_is_refused_as_unknown() -> None:
    refusals: list[Refusal] = []

    def script(question: Question, refusal: Refusal | None) -> Reply:
        if refusal is None:
            return answer(None)
        refusals.append(refusal)
        return answer(question.legal[0])

    play(course_of(plan_of(SHORT)), at_seat(1, script))
    assert refusals[0].error.refusal is Code.UNKNOWN_ACTION
    assert "names no action" in str(refusals[0].error)


def test_the_third_fault_forfeits_the_game_for_the_side_and_keeps_the_hand_as_far_as_it_went() -> (
    None
):
    def script(_: Question, __: Refusal | None) -> Reply:
        return answer(PLAY_9C)

    record = play(course_of(plan_of(SHORT)), at_seat(3, script))
    assert record.ending.kind is EndingKind.ILLEGAL
    assert record.ending.seat == 3
    assert record.ending.sentence.startswith("seat 3: illegal answer: 'play 9C' does not answer")
    assert (record.winner, record.end, record.scores) == (0, None, (0, 0))
    [hand] = record.hands
    assert hand.result is None
    assert [move.action for move in hand.moves] == ["pass", "pass"]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_max_faults_says_how_many_faults_forfeit(limit: int) -> None:
    asked = 0

    def script(_: Question, __: Refusal | None) -> Reply:
        nonlocal asked
        asked += 1
        return answer(None)

    record = play(course_of(plan_of(SHORT, Policy(max_faults=limit))), at_seat(1, script))
    assert asked == limit
    assert record.seats[1].faults.total == limit


def test_faults_count_for_a_seat_and_a_game_not_for_a_side() -> None:
    def twice(question: Question, refusal: Refusal | None) -> Reply:
        early = question.view.number == 0 and len(question.view.moves) < 4
        return answer(
            None if early and (refusal is None or refusal.faults < 2) else question.legal[0]
        )

    record = play(course_of(plan_of(SHORT)), by(twice, twice, twice, twice))
    assert record.ending.kind is EndingKind.COMPLETED
    assert [seat.faults for seat in record.seats] == [Faults(illegal=2)] * 4


# No answers.

NOT_FINAL = [FaultKind.TIMEOUT, FaultKind.DISCONNECT]
FINAL = [FaultKind.CRASH, FaultKind.PROTOCOL]


@pytest.mark.parametrize("kind", NOT_FINAL)
def test_without_an_answer_the_stand_in_plays_the_first_of_the_canonical_order(
    kind: FaultKind,
) -> None:
    def script(question: Question, _: Refusal | None) -> Reply:
        if question.view.number == 0:
            return fault(kind)
        return answer(question.legal[-1])

    questions: list[Question] = []

    def respond(seat: Seat, what: Question | Refusal) -> Reply:
        assert isinstance(what, Question)
        if seat == 0:
            questions.append(what)
            return script(what, None)
        return first(what, None)

    record = play(course_of(plan_of(SHORT, Policy(max_faults=1000))), respond)
    stood_in = [m for m in record.hands[0].moves if m.mover is Mover.STAND_IN]
    assert {m.seat for m in stood_in} == {0}
    in_first = [question for question in questions if question.view.number == 0]
    assert [m.action for m in stood_in] == [question.legal[0].text for question in in_first]
    assert getattr(record.seats[0].faults, kind.value) == len(in_first)
    # It is told, with the next question, what was done in its name; and only within the hand.
    for before, question in pairwise(in_first):
        assert question.stood_in[:-1] == before.stood_in
        assert question.view.moves[question.stood_in[-1]].action is before.legal[0]
    assert all(question.stood_in == () for question in questions[len(in_first) :])


@pytest.mark.parametrize("kind", NOT_FINAL)
def test_the_third_missing_answer_forfeits(kind: FaultKind) -> None:
    record = play(course_of(plan_of(SHORT)), at_seat(0, lambda _, __: fault(kind, "too late")))
    assert record.ending == (kind.ending, 0, "seat 0: too late")
    assert record.winner == 1
    assert movers(record, 0)[Mover.STAND_IN] == 2
    assert record.seats[0].faults == Faults(**{kind.value: 3})


@pytest.mark.parametrize("kind", FINAL)
def test_who_is_gone_for_good_forfeits_at_once(kind: FaultKind) -> None:
    record = play(course_of(plan_of(SHORT)), at_seat(2, lambda _, __: fault(kind, "gone")))
    assert record.ending == (kind.ending, 2, "seat 2: gone")
    assert record.seats[2].faults == Faults(**{kind.value: 1})


def test_an_illegal_answer_and_then_none_are_two_faults() -> None:
    def script(question: Question, refusal: Refusal | None) -> Reply:
        if question.view.number or question.view.phase.value != "speak":
            return answer(question.legal[0])
        return answer(None) if refusal is None else fault(FaultKind.TIMEOUT)

    record = play(course_of(plan_of(SHORT)), at_seat(1, script))
    assert record.seats[1].faults == Faults(illegal=1, timeout=1)
    assert record.hands[0].moves[0] == (1, "pass", Mover.STAND_IN)


ALL_KINDS = [
    (FaultKind.ILLEGAL, answer(None), 3),
    (FaultKind.TIMEOUT, fault(FaultKind.TIMEOUT), 3),
    (FaultKind.DISCONNECT, fault(FaultKind.DISCONNECT), 3),
    (FaultKind.CRASH, fault(FaultKind.CRASH), 1),
    (FaultKind.PROTOCOL, fault(FaultKind.PROTOCOL), 1),
]


@pytest.mark.parametrize(
    ("kind", "reply", "count"), ALL_KINDS, ids=[kind.value for kind, _, _ in ALL_KINDS]
)
def test_under_stand_in_the_stand_in_takes_over_and_the_game_counts(
    kind: FaultKind, reply: Reply, count: int
) -> None:
    asked = 0

    def script(_: Question, __: Refusal | None) -> Reply:
        nonlocal asked
        asked += 1
        return reply

    record = play(course_of(plan_of(SHORT, STAND_IN)), at_seat(1, script))
    assert record.ending.kind is EndingKind.COMPLETED
    assert record.seats[1].faults == Faults(**{kind.value: count})
    assert asked == count
    assert set(movers(record, 1)) <= {Mover.STAND_IN, Mover.FORCED}


# Clocks.


class Banks:
    """Charges what it is told to and keeps the questions of seat 1."""

    def __init__(self, charges: Iterator[int]) -> None:
        self.questions: list[Question] = []
        self._charges = charges

    def __call__(self, question: Question, _: Refusal | None) -> Reply:
        self.questions.append(question)
        charged = next(self._charges, 0)
        return answer(question.legal[0], charged=charged, latency=charged + 5)


def test_the_bank_pays_for_decisions_and_grows_by_the_increment() -> None:
    time = TimeControl(bank_ms=1000, increment_ms=10, decision_ms=700)
    bank = Banks(iter([100_000, 0, 5000, 30_000]))
    play(course_of(plan_of(SHORT, Policy(time=time))), at_seat(1, bank))
    banks = [question.bank for question in bank.questions[:5]]
    assert banks == [1_000_000, 910_000, 920_000, 925_000, 905_000]
    assert {question.limit for question in bank.questions} == {700_000}


def test_the_last_latency_is_that_of_the_answer_before() -> None:
    bank = Banks(iter([300, 200, 100]))
    play(course_of(plan_of(SHORT)), at_seat(1, bank))
    assert [question.last_latency for question in bank.questions[:5]] == [0, 305, 205, 105, 5]


def test_a_bank_is_never_below_zero() -> None:
    time = TimeControl(bank_ms=1, increment_ms=2)
    bank = Banks(iter([5000]))
    play(course_of(plan_of(SHORT, Policy(time=time))), at_seat(1, bank))
    assert [question.bank for question in bank.questions[:3]] == [1000, 2000, 4000]


def test_the_bank_lasts_for_the_whole_game_and_an_illegal_answer_is_not_free() -> None:
    """What is charged after a refusal counts from hand-over, so it is charged once."""
    questions: list[Question] = []

    def script(question: Question, refusal: Refusal | None) -> Reply:
        if refusal is None:
            questions.append(question)
        if len(questions) == 1 and refusal is None:
            return answer(None, charged=40_000)
        return answer(question.legal[0], charged=70_000 if len(questions) == 1 else 0)

    time = TimeControl(bank_ms=1000, increment_ms=0)
    play(course_of(plan_of(SHORT, Policy(time=time))), at_seat(1, script))
    assert questions[0].bank == 1_000_000
    assert {question.bank for question in questions[1:]} == {930_000}
    assert {question.view.number for question in questions} == {0, 1, 2}


# Our own failures, and the record.


def test_a_failing_assertion_of_ours_is_an_arena_fault_and_nobodys_loss() -> None:
    course = course_of(plan_of(SHORT))
    course.watch([Broken(first)])
    record = play(course, by(first, first, first, first))
    assert record.ending == (EndingKind.ARENA_FAULT, None, "the arena failed: it is broken")
    assert (record.winner, record.end) == (None, None)
    assert len(record.hands) == 1


class Broken(Scripted):
    """Its ``hand_finished`` fails."""

    def hand_finished(self, hand: object) -> None:
        raise AssertionError("it is broken")


def test_an_arena_fault_ends_the_game_and_drops_the_hand_under_way() -> None:
    def script(question: Question, _: Refusal | None) -> Reply | ArenaFault:
        if question.view.number == 1:
            return ArenaFault("the disk is full")
        return first(question, None)

    record = play(course_of(plan_of(SHORT)), at_seat(0, script))
    assert record.ending == (EndingKind.ARENA_FAULT, None, "the arena failed: the disk is full")
    assert [hand.board for hand in record.hands] == [0]


@EACH_VARIANT
def test_seats_are_told_of_each_hand_once_it_is_scored(variant: Variant) -> None:
    course, watcher = course_of(plan_of(variant)), Scripted(first)
    course.watch([watcher])
    record = play(course, by(*(at_random(seat) for seat in range(4))))
    assert tuple(watcher.hands) == record.hands
    assert all(hand.result is not None for hand in watcher.hands)


def test_a_recorded_hand_shows_the_cards_of_the_exchange_i2() -> None:
    scripts = [at_random(seat) for seat in range(4)]
    record = play(course_of(plan_of(TOKEN)), by(*scripts))
    texts = [move.action for hand in record.hands for move in hand.moves]
    given = [text for text in texts if text.startswith("give")]
    assert given
    for text in texts:
        kind = text.split()[0]
        if kind in {ActionKind.GIVE.value, ActionKind.DISCARD.value}:
            assert len(text.split()) == 2
