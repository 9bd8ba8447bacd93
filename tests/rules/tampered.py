"""Records of sets in which one thing was changed that makes them untrue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arena.referee.sets import stopped
from arena.rules.record import Faults, HandRecord, Mover, RecordedMove, SetRecord
from tests.referee.games import SET_ID, SHORT, plan_of
from tests.rules.recorded import completed, forfeited, in_half, in_hand, in_move, unplayed


def index_of(hand: HandRecord, wanted: Callable[[RecordedMove], bool]) -> int:
    """The first such move."""
    return next(index for index, move in enumerate(hand.moves) if wanted(move))


def swapped_cards() -> SetRecord:
    """Two seats' first cards changed places in half A's first hand."""
    dealt = [list(cards) for cards in completed().halves[0].hands[0].dealt]
    dealt[0][0], dealt[1][0] = dealt[1][0], dealt[0][0]
    return in_hand(completed(), 0, 0, dealt=tuple(map(tuple, dealt)))


def one_card(text: str) -> SetRecord:
    dealt = completed().halves[0].hands[0].dealt
    return in_hand(completed(), 0, 0, dealt=((text, *dealt[0][1:]), *dealt[1:]))


def other_order() -> SetRecord:
    """Seat 0's cards in another order: the same hand, but not as dealt."""
    dealt = completed().halves[0].hands[0].dealt
    return in_hand(completed(), 0, 0, dealt=(dealt[0][::-1], *dealt[1:]))


def wrong_mover(mover: Mover, marked: Mover, record: SetRecord) -> SetRecord:
    hand = record.halves[0].hands[0]
    index = index_of(hand, lambda move: move.mover is mover)
    return in_move(record, 0, 0, index, mover=marked)


def not_the_first() -> SetRecord:
    """A bot's move that was not the first of the canonical order, marked as the stand-in's."""
    hand = completed().halves[0].hands[0]
    index = index_of(hand, lambda move: move.action.startswith("bid"))
    return in_move(completed(), 0, 0, index, mover=Mover.STAND_IN)


def cut_moves() -> SetRecord:
    return in_hand(completed(), 1, 2, moves=completed().halves[1].hands[2].moves[:-1])


def more_moves() -> SetRecord:
    moves = completed().halves[1].hands[2].moves
    return in_hand(completed(), 1, 2, moves=(*moves, moves[-1]))


def cut_hands() -> SetRecord:
    return in_half(completed(), 0, hands=completed().halves[0].hands[:-1])


def more_hands() -> SetRecord:
    hands = completed().halves[0].hands
    return in_half(completed(), 0, hands=(*hands, replace(hands[-1], board=len(hands))))


def swapped_seats() -> SetRecord:
    seats = completed().halves[0].seats
    return in_half(completed(), 0, seats=(seats[1], seats[0], *seats[2:]))


def without_fault() -> SetRecord:
    seats = list(forfeited().halves[0].seats)
    seats[1] = replace(seats[1], faults=Faults())
    return in_half(forfeited(), 0, seats=tuple(seats))


def both_stopped() -> SetRecord:
    halves = (stopped(plan_of(SHORT), "a"), stopped(plan_of(SHORT), "b"))
    record = completed()
    return SetRecord.judged(SHORT, SET_ID, record.commitment, record.entrants, halves)


def half_stopped() -> SetRecord:
    """Half B, which the first bot lost, left out."""
    halves = (completed().halves[0], stopped(plan_of(SHORT), "b"))
    record = completed()
    return SetRecord.judged(SHORT, SET_ID, record.commitment, record.entrants, halves)


def forfeit_beside_a_finished_half() -> SetRecord:
    halves = (completed().halves[0], unplayed().halves[0])
    b = replace(
        halves[1],
        half="b",
        seats=tuple(replace(seat, entrant=1 - seat.entrant) for seat in halves[1].seats),
    )
    record = completed()
    return SetRecord.judged(SHORT, SET_ID, record.commitment, record.entrants, (halves[0], b))


def other_points() -> SetRecord:
    verdict = completed().verdict
    return replace(completed(), verdict=verdict._replace(points=verdict.points + 1))
