"""A record in which anything was changed does not hold, and the sentence says where it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.rules import DOUBLE, DealError, GameEnd, Seat, Side, Variant
from arena.rules.record import EndingKind, Mover, SetOutcome, SetRecord
from arena.rules.variant import AllPass
from arena.rules.verify import RecordError, verify
from tests.referee.games import SEED, SET_ID, SHORT, plan_of, play_at_tables
from tests.referee.seats import Scripted, first
from tests.rules.recorded import (
    SHORT_VARIANTS,
    completed,
    faulty,
    forfeited,
    in_half,
    in_hand,
    in_move,
    in_result,
    unplayed,
    with_ending,
)
from tests.rules.tampered import (
    both_stopped,
    cut_hands,
    cut_moves,
    forfeit_beside_a_finished_half,
    half_stopped,
    more_hands,
    more_moves,
    not_the_first,
    one_card,
    other_order,
    other_points,
    swapped_cards,
    swapped_seats,
    without_fault,
    wrong_mover,
)

# Records that hold.


@pytest.mark.parametrize("name", SHORT_VARIANTS)
@pytest.mark.parametrize("seed", [None, SEED], ids=["without the seed", "with the seed"])
def test_a_finished_set_holds(name: str, seed: bytes | None) -> None:
    verify(completed(name), seed)


@pytest.mark.parametrize("make", [forfeited, faulty, unplayed], ids=lambda make: make.__name__)
def test_a_set_that_was_broken_off_holds(make: Callable[[], SetRecord]) -> None:
    verify(make(), SEED)


def test_a_hand_thrown_in_holds() -> None:
    variant = replace(SHORT, all_pass=AllPass.THROWN_IN)

    async def run() -> SetRecord:
        return await play_at_tables(plan_of(variant), lambda _: [Scripted(first) for _ in "0123"])

    record = asyncio.run(run())
    result = record.halves[0].hands[0].result
    assert result is not None
    assert result.made is None
    verify(record, SEED)


def test_the_record_used_below_has_an_exchange_and_forced_moves() -> None:
    moves = [move for hand in completed().halves[0].hands for move in hand.moves]
    assert any(move.action.startswith("give") for move in moves)
    assert {move.mover for move in moves} == {Mover.BOT, Mover.FORCED}
    stood_in = [move for hand in forfeited().halves[0].hands for move in hand.moves]
    assert Mover.STAND_IN in {move.mover for move in stood_in}


# Records that do not.


BREAKS: dict[str, tuple[Callable[[], SetRecord], str]] = {
    "the format": (lambda: replace(completed(), format=2), "it has format 2"),
    "the commitment": (
        lambda: replace(completed(), commitment="0" * 64),
        "the seed does not match the commitment",
    ),
    "what is no commitment": (
        lambda: replace(completed(), commitment=completed().commitment[:-1] + "\n"),
        "the commitment is not 64 hexadecimal digits",
    ),
    "the number of entrants": (
        lambda: replace(completed(), entrants=completed().entrants[:1]),
        "a set has two entrants",
    ),
    "the order of the halves": (
        lambda: replace(completed(), halves=completed().halves[::-1]),
        "a set has the halves a and b",
    ),
    "a half too few": (
        lambda: replace(completed(), halves=completed().halves[:1]),
        "a set has the halves a and b",
    ),
    "a seat too few": (
        lambda: in_half(completed(), 1, seats=completed().halves[1].seats[:3]),
        "half b: a game has four seats",
    ),
    "who sat where": (swapped_seats, "half a: seat 0 belongs to entrant 0"),
    "the set": (
        lambda: replace(completed(), set_id="r9:1-2:1"),
        f"half a: the deals are of '{SET_ID}', not of this set",
    ),
    "the deals of one half": (
        lambda: in_half(completed(), 1, deal_set=f"{SET_ID}:b"),
        "half b, hand 1: deal-v1 gives seat 0",
    ),
    "a board": (lambda: in_hand(completed(), 0, 1, board=4), "half a, hand 2: the board is 1"),
    "a hand left out": (cut_hands, "half a: it is marked completed and is not over"),
    "a hand after the end": (more_hands, "half a, hand 4: the game was over before it"),
    "the dealer": (
        lambda: in_hand(completed(), 0, 1, dealer=Seat(0)),
        "half a, hand 2: the dealer is 1, not 0",
    ),
    "cards that changed hands": (swapped_cards, "half a, hand 1: deal-v1 gives seat 0"),
    "the order of a hand's cards": (other_order, "half a, hand 1: deal-v1 gives seat 0"),
    "a hand too few in a deal": (
        lambda: in_hand(completed(), 0, 0, dealt=completed().halves[0].hands[0].dealt[:3]),
        "half a, hand 1: a deal",
    ),
    "an action": (
        lambda: in_move(completed(), 0, 1, 0, action="bid 99"),
        "half a, hand 2, action 1: 'bid 99' is no action",
    ),
    "an action that was not legal": (
        lambda: in_move(completed(), 0, 1, 0, action="call H"),
        "half a, hand 2, action 1: 'call H' does not answer the question",
    ),
    "whose action it was": (
        lambda: in_move(completed(), 0, 1, 0, seat=Seat(3)),
        "half a, hand 2, action 1: seat 3 may not",
    ),
    "a seat that does not exist": (
        lambda: in_move(completed(), 0, 1, 0, seat=Seat(7)),
        "half a, hand 2, action 1: seat 7 may not",
    ),
    "a free move marked as forced": (
        lambda: wrong_mover(Mover.BOT, Mover.FORCED, completed()),
        "is marked forced, and",
    ),
    "a forced move marked as the bot's": (
        lambda: wrong_mover(Mover.FORCED, Mover.BOT, completed()),
        "is marked bot, and 1 were legal",
    ),
    "a choice marked as the stand-in's": (not_the_first, "the stand-in plays 'pass', not 'bid"),
    "actions left out": (cut_moves, "half b, hand 3: it has a result but"),
    "actions after the last trick": (more_moves, "comes after the last trick"),
    "a result left out": (
        lambda: in_hand(completed(), 0, 1, result=None),
        "half a, hand 2: it has no result",
    ),
    "whether it was made": (
        lambda: in_result(completed(), made=None),
        "half a, hand 2: made is",
    ),
    "tricks": (lambda: in_result(completed(), tricks=(9, 9)), "half a, hand 2: tricks is"),
    "points": (lambda: in_result(completed(), points=(9, 9)), "half a, hand 2: points is"),
    "scores": (lambda: in_result(completed(), scores=(9, 9)), "half a, hand 2: scores is"),
    "tokens": (lambda: in_result(completed(), tokens=(9, 9)), "half a, hand 2: tokens is (0, 0)"),
    "token debt": (
        lambda: in_result(completed(), token_debt=(True, True)),
        "half a, hand 2: token_debt is (False, False)",
    ),
    "HLM debt": (lambda: in_result(completed(), hlm_debt=(1, 0)), "half a, hand 2: hlm_debt is"),
    "the winner of a game": (
        lambda: in_half(completed(), 0, winner=None),
        "half a: the winner is",
    ),
    "why a game was over": (
        lambda: in_half(completed(), 0, end=GameEnd.TARGET),
        "half a: it ended by hand-limit",
    ),
    "the final scores": (
        lambda: in_half(completed(), 1, scores=(1, 1)),
        "half b: the scores are",
    ),
    "a finished game marked as a forfeit": (
        lambda: with_ending(completed(), 0, EndingKind.CRASH, 1),
        "half a: it is marked crash and was played to its end",
    ),
    "a finished game marked as stopped": (
        lambda: with_ending(completed(), 0, EndingKind.STOPPED, None),
        "half a: a stopped half keeps no hands",
    ),
    "a finished game with a seat at fault": (
        lambda: with_ending(completed(), 0, EndingKind.COMPLETED, 2),
        "half a: it is completed, so no seat is at fault",
    ),
    "a finished half left out": (half_stopped, "half b: it was stopped, but half a was not lost"),
    "both halves left out": (both_stopped, "half a: it was stopped, but half b was not lost"),
    "a forfeit beside a finished half": (
        forfeit_beside_a_finished_half,
        "half a: it was not stopped by the forfeit in the other",
    ),
    "another seat at fault": (
        lambda: with_ending(forfeited(), 0, EndingKind.TIMEOUT, 0),
        "half a: the side that did not forfeit wins",
    ),
    "its partner at fault": (
        lambda: with_ending(forfeited(), 0, EndingKind.TIMEOUT, 3),
        "half a: seat 3 forfeited by timeout and has no such fault",
    ),
    "another kind of forfeit": (
        lambda: with_ending(forfeited(), 0, EndingKind.CRASH, 1),
        "half a: seat 1 forfeited by crash and has no such fault",
    ),
    "a forfeit without its faults": (without_fault, "half a: seat 1 forfeited by timeout"),
    "a forfeit by nobody": (
        lambda: with_ending(forfeited(), 0, EndingKind.TIMEOUT, None),
        "half a: a forfeit names the seat at fault",
    ),
    "a forfeit by a seat that does not exist": (
        lambda: with_ending(forfeited(), 0, EndingKind.TIMEOUT, 4),
        "half a: a forfeit names the seat at fault",
    ),
    "the winner of a forfeit": (
        lambda: in_half(forfeited(), 0, winner=Side(1)),
        "half a: the side that did not forfeit wins",
    ),
    "a regular end of a forfeit": (
        lambda: in_half(forfeited(), 0, end=GameEnd.TARGET),
        "half a: a forfeit has no regular end",
    ),
    "a forfeit marked as completed": (
        lambda: with_ending(forfeited(), 0, EndingKind.COMPLETED, None),
        "has no result",
    ),
    "a winner of a stopped half": (
        lambda: in_half(forfeited(), 1, winner=Side(0)),
        "half b: it is stopped and has no winner",
    ),
    "an end of a stopped half": (
        lambda: in_half(forfeited(), 1, end=GameEnd.TARGET),
        "half b: it is stopped and has no regular end",
    ),
    "a winner of a half that the arena broke": (
        lambda: in_half(faulty(), 1, winner=Side(0)),
        "half b: it is arena-fault and has no winner",
    ),
    "the set's points": (other_points, "the set's result is"),
    "the set's outcome": (
        lambda: replace(
            unplayed(), verdict=unplayed().verdict._replace(outcome=SetOutcome.SECOND_WINS)
        ),
        "the set's result is first-wins, 0, 0, False, not second-wins, 0, 0, False",
    ),
    "the set's hands": (
        lambda: replace(completed(), verdict=completed().verdict._replace(hands=5)),
        "the set's result is",
    ),
    "whether its points count": (
        lambda: replace(completed(), verdict=completed().verdict._replace(counts_points=False)),
        "the set's result is",
    ),
}


@pytest.mark.parametrize(("tamper", "sentence"), BREAKS.values(), ids=BREAKS)
def test_a_change_is_found_and_its_place_told(
    tamper: Callable[[], SetRecord], sentence: str
) -> None:
    with pytest.raises(RecordError) as broken:
        verify(tamper(), SEED)
    assert sentence in str(broken.value)


UNSEEDED: dict[str, tuple[Callable[[], SetRecord], str]] = {
    "cards that are not the deck": (lambda: one_card("JH"), "half a, hand 1: "),
    "a text that is no card": (lambda: one_card("1X"), "half a, hand 1: '1X' is no card"),
    "cards that changed hands": (swapped_cards, "half a, hand 1"),
    "a hand too few in a deal": (
        lambda: in_hand(completed(), 0, 0, dealt=completed().halves[0].hands[0].dealt[:3]),
        "half a, hand 1: a deal is four hands",
    ),
    "one half's own deals": (
        lambda: in_half(completed(), 1, deal_set=f"{SET_ID}:b"),
        "the halves must share their deals",
    ),
}


@pytest.mark.parametrize(("tamper", "sentence"), UNSEEDED.values(), ids=UNSEEDED)
def test_without_the_seed_the_replay_finds_it(
    tamper: Callable[[], SetRecord], sentence: str
) -> None:
    with pytest.raises(RecordError) as broken:
        verify(tamper())
    assert sentence in str(broken.value)


def test_another_seed_does_not_fit() -> None:
    with pytest.raises(RecordError, match="the seed does not match the commitment"):
        verify(completed(), bytes(32))


def test_a_seed_of_the_wrong_length_is_no_seed() -> None:
    with pytest.raises(DealError, match="32 bytes"):
        verify(completed(), b"short")


@pytest.mark.parametrize("name", SHORT_VARIANTS)
def test_no_single_action_can_be_left_out_or_doubled(name: str) -> None:
    record = completed(name)
    hand = record.halves[0].hands[0]
    for index in range(len(hand.moves)):
        left_out = (*hand.moves[:index], *hand.moves[index + 1 :])
        doubled = (*hand.moves[: index + 1], *hand.moves[index:])
        for moves in (left_out, doubled):
            with pytest.raises(RecordError, match=r"half a, hand 1"):
                verify(in_hand(record, 0, 0, moves=moves))


VARIANT_CHANGES: dict[str, Callable[[Variant], Variant]] = {
    "the target": lambda variant: replace(variant, target=1),
    "who leads": lambda variant: replace(variant, opening_lead=DOUBLE.opening_lead),
    "the first dealer": lambda variant: replace(variant, first_dealer=2),
    "the limit of hands": lambda variant: replace(variant, max_hands=2),
}


@pytest.mark.parametrize("change", VARIANT_CHANGES.values(), ids=VARIANT_CHANGES)
def test_the_rules_cannot_be_changed_afterwards(change: Callable[[Variant], Variant]) -> None:
    with pytest.raises(RecordError):
        verify(replace(completed(), variant=change(SHORT)), SEED)
