"""A mirrored set: both halves, whichever is faster, and what a forfeit does to the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from arena.referee.policy import OnForfeit, Policy
from arena.referee.seat import ArenaFault, FaultKind
from arena.referee.seat import Seat as Player
from arena.referee.sets import deals_of, lost_by_both, lost_unplayed, play_set, stopped
from arena.referee.table import Table
from arena.rules import CLASSIC, VARIANTS, Dealer, Variant
from arena.rules.record import EndingKind, Faults, GameRecord, SetOutcome, SetRecord
from arena.rules.verify import verify
from tests.referee.games import (
    SEED,
    SET_ID,
    SHORT,
    course_of,
    plan_of,
    play_at_tables,
    random_set,
)
from tests.referee.seats import Answer, Scripted, Waiting, after, answer, failing, first

EACH_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)

CRASH = failing(FaultKind.CRASH)


def fault_of_ours(_: object, __: object) -> ArenaFault:
    return ArenaFault("out of memory")


def seats(*scripts: Answer) -> list[Player]:
    return [Scripted(script) for script in scripts]


async def played(a: list[Player], b: list[Player], *, policy: Policy | None = None) -> SetRecord:
    """A set with those seats in its halves."""
    return await play_at_tables(plan_of(SHORT, policy), {"a": a, "b": b}.__getitem__)


@EACH_VARIANT
async def test_both_halves_are_played_on_the_same_deals_with_everybody_one_seat_on(
    variant: Variant,
) -> None:
    record = await random_set(variant)
    a, b = record.halves
    assert [seat.entrant for seat in a.seats] == [0, 1, 0, 1]
    assert [seat.entrant for seat in b.seats] == [1, 0, 1, 0]
    assert (a.deal_set, b.deal_set) == (SET_ID, SET_ID)
    for first_hand, second_hand in zip(a.hands, b.hands, strict=False):
        assert first_hand.dealt == second_hand.dealt
        assert first_hand.dealer == second_hand.dealer
    verify(record, SEED)


async def test_without_mirror_each_half_has_deals_of_its_own() -> None:
    record = await random_set(SHORT, mirror=False)
    a, b = record.halves
    assert (a.deal_set, b.deal_set) == (f"{SET_ID}:a", f"{SET_ID}:b")
    assert a.hands[0].dealt != b.hands[0].dealt
    verify(record, SEED)


@pytest.mark.parametrize("half", ["a", "b"])
def test_deals_are_those_of_deal_v1_s6(half: str) -> None:
    plan = plan_of(SHORT)
    deal = deals_of(plan, half)
    assert deal(2) == Dealer(SEED).deal(SHORT, SET_ID, 2)


async def test_a_forfeit_in_half_a_stops_half_b_wherever_it_is() -> None:
    crashing, waiting = Waiting(), Waiting()
    a: list[Player] = [*seats(first), crashing, *seats(first, first)]
    b: list[Player] = [*seats(first), waiting, *seats(first, first)]
    task = asyncio.create_task(played(a, b))
    await waiting.asked.wait()
    crashing.reply(CRASH(crashing.questions[-1], None))
    record = await task
    a_half, b_half = record.halves
    assert a_half.ending.kind is EndingKind.CRASH
    assert b_half == stopped(plan_of(SHORT), "b")
    assert waiting.games[0].ending.kind is EndingKind.STOPPED
    assert record.verdict.outcome is SetOutcome.FIRST_WINS
    assert record.verdict.counts_points is False
    verify(record, SEED)


async def test_the_record_is_the_same_when_half_b_was_over_before_half_a_was_forfeited() -> None:
    async def with_b_first() -> SetRecord:
        over = asyncio.Event()

        async def play_half(half: str) -> GameRecord:
            if half == "a":
                await over.wait()
                script = after(3, CRASH)
                return await play_at_table(seats(first, script, first, first), "a")
            game = await play_at_table(seats(first, first, first, first), "b")
            over.set()
            return game

        return await play_set(plan_of(SHORT), play_half)

    b: list[Player] = [Waiting(), Waiting(), Waiting(), Waiting()]
    at_once = await played(seats(first, after(3, CRASH), first, first), b)
    assert await with_b_first() == at_once


async def play_at_table(players: list[Player], half: str) -> GameRecord:
    return await Table(course_of(plan_of(SHORT), half), players).play()


async def test_a_forfeit_in_half_b_lets_half_a_finish_and_keeps_its_faults_only() -> None:
    a = seats(
        lambda q, r: answer(None) if r is None and not q.view.moves else first(q, r), *[first] * 3
    )
    a[1], a[0] = a[0], a[1]  # seat 1 speaks first in the first hand
    record = await played(a, seats(first, first, after(2, CRASH), first))
    a_half, b_half = record.halves
    assert isinstance(a[0], Scripted)
    assert a[0].games[0].ending.kind is EndingKind.COMPLETED
    assert a_half.ending.kind is EndingKind.STOPPED
    assert a_half.hands == ()
    assert a_half.seats[1].faults == Faults(illegal=1)
    # Seat 2 of half B is the second entrant's.
    assert (b_half.ending.kind, b_half.ending.seat) == (EndingKind.CRASH, 2)
    assert record.verdict.outcome is SetOutcome.FIRST_WINS
    verify(record, SEED)


async def test_forfeits_in_both_halves_count_half_a_s() -> None:
    waiting = Waiting()
    a: list[Player] = [*seats(first), waiting, *seats(first, first)]
    # Entrant 0 crashes in half B at once; entrant 1 in half A later.
    task = asyncio.create_task(played(a, seats(first, CRASH, first, first)))
    await waiting.asked.wait()
    waiting.reply(CRASH(waiting.questions[-1], None))
    record = await task
    assert record.halves[0].ending.seat == 1
    assert record.halves[1].ending.kind is EndingKind.STOPPED
    assert record.verdict.outcome is SetOutcome.FIRST_WINS


async def test_under_stand_in_a_crash_costs_faults_and_the_set_counts() -> None:
    policy = Policy(on_forfeit=OnForfeit.STAND_IN)
    players = seats(first, CRASH, first, first)
    record = await played(players, seats(*[first] * 4), policy=policy)
    assert [half.ending.kind for half in record.halves] == [EndingKind.COMPLETED] * 2
    assert record.verdict.counts_points
    assert record.faults_of(1) == Faults(crash=1)
    verify(record, SEED)


@pytest.mark.parametrize("half", ["a", "b"])
async def test_an_arena_fault_in_either_half_leaves_no_result(half: str) -> None:
    broken = seats(first, first, fault_of_ours, first)
    whole = seats(*[first] * 4)
    record = await (played(broken, whole) if half == "a" else played(whole, broken))
    assert record.verdict.outcome is SetOutcome.NONE
    assert record.halves["ab".index(half)].ending.kind is EndingKind.ARENA_FAULT
    verify(record, SEED)


@EACH_VARIANT
@pytest.mark.parametrize("seed", range(3))
async def test_records_hold(variant: Variant, seed: int) -> None:
    verify(await random_set(variant, seed=seed), SEED)


FORFEITS: dict[str, Callable[[], Answer]] = {
    kind.value: (lambda kind=kind: failing(kind))
    for kind in FaultKind
    if kind is not FaultKind.ILLEGAL
} | {"illegal": lambda: lambda _, __: answer(None)}


@pytest.mark.parametrize("make", FORFEITS.values(), ids=FORFEITS)
@pytest.mark.parametrize("questions", [0, 1, 7, 20])
async def test_records_of_forfeits_hold(make: Callable[[], Answer], questions: int) -> None:
    def players() -> list[Player]:
        return seats(first, first, first, after(questions, make()))

    record = await play_at_tables(plan_of(CLASSIC), lambda _: players())
    assert record.halves[0].ending.kind.is_forfeit
    verify(record, SEED)


@pytest.mark.parametrize("loser", [0, 1])
@pytest.mark.parametrize("kind", [EndingKind.CRASH, EndingKind.TIMEOUT, EndingKind.DISCONNECT])
def test_a_set_lost_unplayed_says_who_and_why(loser: int, kind: EndingKind) -> None:
    record = lost_unplayed(plan_of(SHORT), loser, kind, "the bot did not come")
    a, b = record.halves
    assert a.ending == (kind, loser, "the bot did not come")
    assert a.winner == 1 - loser
    assert b.ending.kind is EndingKind.STOPPED
    won = SetOutcome.SECOND_WINS if loser == 0 else SetOutcome.FIRST_WINS
    assert record.verdict == (won, 0, 0, False)
    assert record.faults_of(loser) == Faults(**{kind.value: 1})
    assert record.faults_of(1 - loser) == Faults()
    verify(record, SEED)


def test_a_set_for_which_neither_came_is_a_draw_and_says_so_of_both() -> None:
    timeout, crash = (EndingKind.TIMEOUT, "late"), (EndingKind.CRASH, "gone")
    record = lost_by_both(plan_of(SHORT), timeout, crash)
    a, b = record.halves
    assert a.ending == (EndingKind.TIMEOUT, 0, "late")
    assert b.ending.kind is EndingKind.CRASH
    assert b.ending.seat is not None
    assert b.seats[b.ending.seat].entrant == 1
    assert record.verdict == (SetOutcome.DRAW, 0, 0, False)
    assert (record.faults_of(0), record.faults_of(1)) == (Faults(timeout=1), Faults(crash=1))
    verify(record, SEED)


async def test_an_error_of_ours_ends_both_halves_and_is_raised_as_itself() -> None:
    cancelled = asyncio.Event()

    async def play_half(half: str) -> GameRecord:
        if half == "b":
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()
        await asyncio.sleep(0)
        raise ArenaFault("the session is gone")

    with pytest.raises(ArenaFault, match="the session is gone"):
        await play_set(plan_of(SHORT), play_half)
    assert cancelled.is_set()
