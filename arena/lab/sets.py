"""One mirrored set in this process: the referee's course of a game, its seats asked in turn."""

from __future__ import annotations

from collections.abc import Sequence

from arena.lab.seats import LabSeat, Wait
from arena.referee.course import Course
from arena.referee.seat import ArenaFault, Question, Reply
from arena.referee.sets import SetPlan, deals_of, set_of_halves
from arena.rules import Seat
from arena.rules.cards import SEATS
from arena.rules.record import EndingKind, GameRecord, SetRecord, entrant_at
from arena.sdk.bot import Bot
from arena.sdk.local import local_bot
from arena.sdk.values import Match


def play_set_here(plan: SetPlan, bots: tuple[type[Bot], type[Bot]], wait: Wait) -> SetRecord:
    """Play both halves of a set, one after the other.

    Args:
        plan: what is played; of its clocks bots are told, but no time is charged.
        bots: of the two entrants.
        wait: waits for bots that are ``async``.

    Raises:
        ArenaFault: the arena failed.
        BotError: a bot returned what is no action. Whatever else a bot raises goes through.
    """
    first = _play_half(plan, "a", bots, wait)
    return set_of_halves(plan, first, lambda: _play_half(plan, "b", bots, wait))


def _play_half(
    plan: SetPlan, half: str, bots: tuple[type[Bot], type[Bot]], wait: Wait
) -> GameRecord:
    seats = [LabSeat(_bot(plan, half, Seat(seat), bots), wait) for seat in range(SEATS)]
    game = _play_course(
        Course(
            plan.variant,
            plan.policy,
            half=half,
            deal_set=plan.deal_set(half),
            deal=deals_of(plan, half),
        ),
        seats,
    )
    if game.ending.kind is EndingKind.ARENA_FAULT:
        raise ArenaFault(game.ending.sentence)
    for seat in seats:
        seat.game_finished(game)
    return game


def _bot(plan: SetPlan, half: str, seat: Seat, bots: tuple[type[Bot], type[Bot]]) -> Bot:
    entrant = entrant_at(half, seat)
    policy = plan.policy
    match = Match(
        variant=plan.variant,
        bank_ms=policy.time.bank_ms,
        increment_ms=policy.time.increment_ms,
        decision_ms=policy.time.decision_ms,
        max_faults=policy.max_faults,
        opponent=plan.entrants[1 - entrant].name if policy.reveal_names else "",
    )
    return local_bot(bots[entrant], match, seat, seed=plan.seed, set_id=plan.set_id, half=half)


def _play_course(course: Course, seats: Sequence[LabSeat]) -> GameRecord:
    """Play a game: what the course asks is put to its seat, and the reply sent back."""
    course.watch(seats)
    asking = course.play()
    replies: list[Reply] = []

    def take(reply: Reply | ArenaFault) -> None:
        assert isinstance(reply, Reply), "a seat of this process has no faults of its own"
        replies.append(reply)

    try:
        seat, what = next(asking)
        while True:
            if isinstance(what, Question):
                seats[seat].ask(what, take)
            else:
                seats[seat].ask_again(what, take)
            seat, what = asking.send(replies.pop())
    except StopIteration as stop:
        game: GameRecord = stop.value
        return game
