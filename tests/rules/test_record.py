"""Records: who won a set, who sat where, whose faults they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.referee.sets import stopped
from arena.rules import Seat, Side
from arena.rules.record import (
    Ending,
    EndingKind,
    Faults,
    GameRecord,
    RecordedSeat,
    SetOutcome,
    SetRecord,
    Verdict,
    chair_at,
    entrant_at,
    judge,
)
from tests.referee.games import SET_ID, SHORT, plan_of
from tests.rules.recorded import completed, forfeited

# Who won.


def half_of(
    name: str,
    scores: tuple[int, int] = (0, 0),
    winner: int | None = None,
    *,
    kind: EndingKind = EndingKind.COMPLETED,
    seat: int | None = None,
) -> GameRecord:
    """A half with that end and no hands."""
    at_fault = None if seat is None else Seat(seat)
    return replace(
        stopped(plan_of(SHORT), name),
        scores=scores,
        winner=None if winner is None else Side(winner),
        ending=Ending(kind, at_fault, ""),
    )


STOPPED = EndingKind.STOPPED
TIMEOUT = EndingKind.TIMEOUT
FAULT = EndingKind.ARENA_FAULT

JUDGED: dict[str, tuple[GameRecord, GameRecord, Verdict]] = {
    "both games won": (
        half_of("a", (32, 10), 0),
        half_of("b", (5, 33), 1),
        Verdict(SetOutcome.FIRST_WINS, 50, 0, True),
    ),
    "both games lost": (
        half_of("a", (1, 32), 1),
        half_of("b", (32, 31), 0),
        Verdict(SetOutcome.SECOND_WINS, -32, 0, True),
    ),
    "one each: the sum of both point differences decides": (
        half_of("a", (32, 30), 0),
        half_of("b", (32, 20), 0),
        Verdict(SetOutcome.SECOND_WINS, -10, 0, True),
    ),
    "one each and equal points: a draw": (
        half_of("a", (32, 30), 0),
        half_of("b", (32, 30), 0),
        Verdict(SetOutcome.DRAW, 0, 0, True),
    ),
    "one won and one drawn: games count before points": (
        half_of("a", (10, 9), 0),
        half_of("b", (20, 20), None),
        Verdict(SetOutcome.FIRST_WINS, 1, 0, True),
    ),
    "games count before points, whatever these say (C6.2)": (
        half_of("a", (32, 40), 0),
        half_of("b", (5, 5), None),
        Verdict(SetOutcome.FIRST_WINS, -8, 0, True),
    ),
    "two draws": (
        half_of("a", (7, 7), None),
        half_of("b", (9, 9), None),
        Verdict(SetOutcome.DRAW, 0, 0, True),
    ),
    "a forfeit in half A loses the set, its points do not count": (
        half_of("a", (30, 0), 1, kind=TIMEOUT, seat=2),
        half_of("b", kind=STOPPED),
        Verdict(SetOutcome.SECOND_WINS, 0, 0, False),
    ),
    "seat 2 of half B belongs to the second bot": (
        half_of("a", kind=STOPPED),
        half_of("b", (30, 0), 1, kind=TIMEOUT, seat=2),
        Verdict(SetOutcome.FIRST_WINS, 0, 0, False),
    ),
    "forfeits of both are a draw": (
        half_of("a", kind=TIMEOUT, seat=1, winner=0),
        half_of("b", kind=TIMEOUT, seat=1, winner=0),
        Verdict(SetOutcome.DRAW, 0, 0, False),
    ),
    "one bot may forfeit both halves": (
        half_of("a", kind=TIMEOUT, seat=1, winner=0),
        half_of("b", kind=TIMEOUT, seat=2, winner=1),
        Verdict(SetOutcome.FIRST_WINS, 0, 0, False),
    ),
    "an arena fault leaves no result, whatever else happened": (
        half_of("a", kind=TIMEOUT, seat=1, winner=0),
        half_of("b", kind=FAULT),
        Verdict(SetOutcome.NONE, 0, 0, False),
    ),
}


@pytest.mark.parametrize(("a", "b", "verdict"), JUDGED.values(), ids=JUDGED)
def test_a_set_is_judged(a: GameRecord, b: GameRecord, verdict: Verdict) -> None:
    assert judge((a, b)) == verdict


def test_hands_of_both_halves_count_the_unfinished_one_not() -> None:
    record = completed()
    assert record.verdict.hands == sum(len(half.hands) for half in record.halves)
    lost = forfeited()
    assert lost.halves[0].hands[-1].result is None
    assert lost.verdict.hands == len(lost.halves[0].hands) - 1


def test_in_half_b_everybody_sits_one_seat_on_and_keeps_the_chair() -> None:
    assert [entrant_at("a", seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [entrant_at("b", seat) for seat in range(4)] == [1, 0, 1, 0]
    assert [chair_at("a", seat) for seat in range(4)] == [0, 0, 1, 1]
    assert [chair_at("b", seat) for seat in range(4)] == [1, 0, 0, 1]
    for seat in range(4):
        after_move = (seat + 1) % 4
        assert entrant_at("a", seat) == entrant_at("b", after_move)
        assert chair_at("a", seat) == chair_at("b", after_move)


def test_faults_of_an_entrant_are_those_of_both_its_seats_in_both_halves() -> None:
    def seats(name: str, counts: list[int]) -> tuple[RecordedSeat, ...]:
        return tuple(
            RecordedSeat(entrant_at(name, seat), Faults(illegal=count, crash=count * 10))
            for seat, count in enumerate(counts)
        )

    a = replace(half_of("a"), seats=seats("a", [1, 2, 3, 4]))
    b = replace(half_of("b"), seats=seats("b", [5, 6, 7, 8]))
    record = SetRecord.judged(SHORT, SET_ID, "", completed().entrants, (a, b))
    assert record.faults_of(0) == Faults(illegal=1 + 3 + 6 + 8, crash=180)
    assert record.faults_of(1).total == (2 + 4 + 5 + 7) * 11
