"""Decisions: what is written, read again by hand, is the view; what I1 hides is hidden."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from arena.rules import (
    VARIANTS,
    Action,
    Card,
    Hand,
    Ledger,
    Move,
    Phase,
    Seat,
    Variant,
    View,
    tables_of,
    view_of,
)
from arena.rules.actions import HIDDEN_DISCARD, HIDDEN_GIVE, HIDDEN_TRADE, NO_LEVEL
from arena.rules.hand import NO_SEAT
from arena.rules.tables import NOBODY
from arena.rules.variant import Exchange
from arena.v1 import action_pb2, referee_pb2, view_pb2
from arena.wire.actions import ActionReader
from arena.wire.enums import CALLS, PHASES
from arena.wire.views import PublicEncoder, write_decision
from tests.strategies import Start, starts
from tests.wire.playouts import states

HANDS = 120
MOST_BYTES = 1024
"""So that 64 decisions, the most of one message, stay below 64 KiB."""

BLANKS = {
    action_pb2.ACTION_KIND_TRADE: HIDDEN_TRADE,
    action_pb2.ACTION_KIND_GIVE: HIDDEN_GIVE,
    action_pb2.ACTION_KIND_DISCARD: HIDDEN_DISCARD,
}

EACH_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def written(hand: Hand, public: PublicEncoder) -> referee_pb2.Decision:
    """The decision for the seat to act, through the bytes of the wire."""
    decision = referee_pb2.Decision()
    write_decision(decision, view_of(hand, hand.to_act), hand.legal, public)
    return referee_pb2.Decision.FromString(decision.SerializeToString())


def read_move(message: action_pb2.Move, reader: ActionReader) -> Move:
    blank = BLANKS.get(message.action.kind)
    action = blank if blank is not None else reader.read(message.action)
    assert action is not None
    return Move(Seat(message.seat), action)


def read_ledger(message: view_pb2.Ledger) -> Ledger:
    return Ledger(
        tuple(message.scores),  # type: ignore[arg-type]
        tuple(message.tokens),  # type: ignore[arg-type]
        tuple(message.token_debt),  # type: ignore[arg-type]
        tuple(message.hlm_debt),  # type: ignore[arg-type]
    )


def read_decision(
    decision: referee_pb2.Decision, reader: ActionReader
) -> tuple[View, tuple[Action | None, ...]]:
    """The view and the legal actions, read straight by the contract's comments."""
    public, private = decision.public, decision.private
    contract = public.contract
    bid = public.HasField("contract")
    cards = Counter(card - 1 for card in private.hand)
    view = View(
        seat=Seat(decision.seat),
        number=public.hand_number,
        dealer=Seat(public.dealer),
        phase=PHASES.member(public.phase),
        to_act=Seat(decision.seat),
        ledger=read_ledger(public.ledger),
        moves=tuple(read_move(move, reader) for move in public.moves),
        level=contract.bid - 1 if bid else NO_LEVEL,
        call=CALLS.member(contract.call) if contract.call else None,
        declarer=Seat(contract.declarer) if bid else NO_SEAT,
        sitter=public.sits_out if public.HasField("sits_out") else NOBODY,
        tricks=tuple(public.tricks),
        leader=Seat(public.leader) if public.HasField("leader") else NO_SEAT,
        held=sum(1 << card for card in cards),
        twins=sum(1 << card for card, count in cards.items() if count == 2),
        gave=Card(private.gave - 1),
        received=Card(private.received - 1),
        discarded=Card(private.discarded - 1),
    )
    assert list(private.hand) == sorted(private.hand)
    return view, tuple(reader.read(action) for action in decision.legal)


@EACH_VARIANT
def test_a_decision_says_what_the_view_says_at_every_state(variant: Variant) -> None:
    public, reader = PublicEncoder(), ActionReader(tables_of(variant))
    phases = set()
    for hand in states(variant, hands=HANDS, seed=1):
        if hand.number == 0 and not hand.log:
            public = PublicEncoder()  # of a new game
        phases.add(hand.phase)
        view, legal = read_decision(written(hand, public), reader)
        assert view == view_of(hand, hand.to_act)
        assert legal == hand.legal
    assert Phase.PLAY in phases


def test_random_games_meet_every_phase() -> None:
    phases = {
        hand.phase for variant in VARIANTS.values() for hand in states(variant, hands=HANDS, seed=1)
    }
    assert phases == set(Phase) - {Phase.OVER}


@EACH_VARIANT
def test_cards_exchanged_are_blank_in_the_public_part(variant: Variant) -> None:
    public = PublicEncoder()
    moved = 0
    for hand in states(variant, hands=HANDS, seed=2):
        if hand.number == 0 and not hand.log:
            public = PublicEncoder()
        moves = written(hand, public).public.moves
        exchanged = [move.action for move in moves if move.action.kind in BLANKS]
        assert all(action.card == 0 for action in exchanged)
        moved += len(exchanged)
    assert (moved > 0) == any(bid.exchange is not Exchange.NONE for bid in variant.bids)


@given(starts())
@settings(max_examples=60)
def test_the_public_part_is_the_same_for_all_seats_whatever_they_hold(start: Start) -> None:
    hand = start.played()
    if hand.over:
        return
    parts = {PublicEncoder().public(view_of(hand, Seat(seat))) for seat in range(4)}
    assert len(parts) == 1


@given(starts())
@settings(max_examples=60)
def test_a_public_part_that_grew_equals_one_made_anew(start: Start) -> None:
    hand, public = start.fresh(), PublicEncoder()
    for choice in start.choices:
        if not hand.legal:
            return
        view = view_of(hand, hand.to_act)
        # The writer is asked now and then only: most seats' turns pass it by.
        if choice % 3:
            assert public.public(view) == PublicEncoder().public(view)
        hand.apply(hand.legal[choice % len(hand.legal)])


@EACH_VARIANT
def test_a_new_hand_begins_with_a_new_public_part(variant: Variant) -> None:
    public = PublicEncoder()
    seen: dict[int, view_pb2.PublicView] = {}
    for hand in states(variant, hands=3, seed=3):
        seen[hand.number] = view_pb2.PublicView.FromString(
            public.public(view_of(hand, hand.to_act))
        )
    assert len(seen) == 3
    assert len({id(message) for message in seen.values()}) == 3
    # The one before is left as it was: copies of it may still be under way.
    assert [message.hand_number for message in seen.values()] == [0, 1, 2]


@EACH_VARIANT
def test_a_full_message_of_decisions_stays_below_64_kib(variant: Variant) -> None:
    sizes, public = [], PublicEncoder()
    for hand in states(variant, hands=HANDS, seed=4):
        if hand.number == 0 and not hand.log:
            public = PublicEncoder()
        item = referee_pb2.Item(sequence=2**32 - 1)
        decision = item.decision
        decision.decision_id = decision.table_id = decision.last_latency_us = 2**32 - 1
        decision.bank_left_ms = decision.time_left_ms = 2**32 - 1
        write_decision(decision, view_of(hand, hand.to_act), hand.legal, public)
        sizes.append(item.ByteSize() + 4)
    assert max(sizes) <= MOST_BYTES
