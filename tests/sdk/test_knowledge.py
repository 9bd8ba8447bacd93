"""What follows from a view, against the engine and against trying every deal there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    VARIANTS,
    Action,
    ActionKind,
    Call,
    Card,
    Dealer,
    Hand,
    Ledger,
    Rank,
    Seat,
    Variant,
    View,
    deal_hand,
    parse_card,
    tables_of,
    view_of,
)
from arena.rules.actions import NO_CARD
from arena.rules.errors import RulesError
from arena.rules.variant import BidRule, Exchange
from arena.sdk import Bot, Contradiction, Guess, Knowledge
from arena.sdk import View as LazyView
from arena.sdk.guesses import openings, replayed
from tests.sdk.feeder import SEED, Feeder, play_game, session_for
from tests.strategies import Start, starts

HANDS = 400
EXCHANGES = frozenset({ActionKind.TRADE, ActionKind.GIVE})


def assert_agrees(hand: Hand, seat: Seat, rng: Random, *, draws: int = 1) -> None:
    """Draw hands from a seat's view; each agrees with it, and what may be or must be is so."""
    view = view_of(hand, seat)
    known = Knowledge(hand.tables, view)
    assert known.sizes == tuple(sizes_of(hand))
    for drawn in [known.draw(rng) for _ in range(draws)] + [hand]:
        assert view_of(drawn, seat) == view
        for q in range(4):
            assert drawn.held[q] & ~known.may_hold[q] == 0
            assert known.must_hold[q] & ~drawn.held[q] == 0
            assert drawn.held[q] & known.voids[q] == 0


def sizes_of(hand: Hand) -> list[int]:
    return [hand.held[q].bit_count() + hand.twins[q].bit_count() for q in range(4)]


def fresh_hand(variant: Variant, rng: Random, board: int) -> Hand:
    """A hand with any dealer and, where the variant has them, any tokens and debts."""
    ledger = Ledger()
    if tables_of(variant).uses_tokens:
        ledger = Ledger(
            (rng.randint(-30, 40), rng.randint(-30, 40)),
            (rng.randrange(5), rng.randrange(5)),
            (rng.random() < 0.2, rng.random() < 0.2),
            (rng.choice([0, 0, 1, 2]), rng.choice([0, 0, 1, 2])),
        )
    cards = Dealer(SEED).deal(variant, "knowledge", board)
    return deal_hand(tables_of(variant), cards, dealer=Seat(board & 3), ledger=ledger)


def any_move(hand: Hand, rng: Random) -> Action:
    """A legal action; exchanges are rare at random, so bids that lead to one are helped."""
    bids = hand.tables.variant.bids
    leading = [
        a for a in hand.legal if a.level >= 0 and bids[a.level].exchange is not Exchange.NONE
    ]
    return rng.choice(leading if leading and rng.random() < 0.15 else hand.legal)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_drawn_hand_agrees_with_the_view(variant: Variant) -> None:
    rng, exchanges = Random(1), 0
    for board in range(HANDS):
        hand = fresh_hand(variant, rng, board)
        while hand.legal:
            assert_agrees(hand, hand.to_act, rng)
            hand.apply(any_move(hand, rng))
        exchanges += any(move.action.kind in EXCHANGES for move in hand.log)
    assert exchanges > HANDS // 20 or variant is DOUBLE


@given(starts(), st.randoms(use_true_random=False))
def test_it_does_so_in_house_rules_and_for_every_seat(start: Start, rng: Random) -> None:
    hand = start.played()
    for seat in range(4):
        assert_agrees(hand, Seat(seat), rng, draws=2)


def test_the_same_chance_draws_the_same_hands() -> None:
    hand = fresh_hand(TOKEN, Random(3), 3)
    while hand.legal:
        view = view_of(hand, hand.to_act)
        one, other = (Knowledge(hand.tables, view).draw(Random(7)) for _ in range(2))
        assert (one.held, one.moves()) == (other.held, other.moves())
        hand.apply(any_move(hand, Random(len(hand.log))))


# Eight cards can all be tried.

TINY = replace(
    CLASSIC,
    name="tiny",
    ranks=(Rank.JACK, Rank.ACE),
    hand_size=2,
    bids=(
        BidRule("1", 1),
        BidRule("shoot", 2, alone=True, exchange=Exchange.TRADE),
        BidRule("shot", 2, alone=True, exchange=Exchange.GIFT),
    ),
)
TRADES_SEEN = replace(TINY, trade_blind=False)


def every_guess(hand: Hand, seat: Seat, mine: tuple[Card, ...]) -> Iterator[Guess]:
    """Every deal that leaves a seat the cards dealt to it, with every exchange, possible or not."""
    kinds = {move.action.kind for move in hand.log}
    choices = [
        tables_of(TINY).deck if kind in kinds else (NO_CARD,)
        for kind in (ActionKind.TRADE, ActionKind.GIVE, ActionKind.DISCARD)
    ]
    others = [card for card in tables_of(TINY).deck if card not in mine]
    for order in permutations(others):
        three = [order[0:2], order[2:4], order[4:6]]
        if all(a < b for a, b in three):
            three.insert(seat, mine)
            for exchanged in product(*choices):
                yield Guess(tuple(three), *exchanged)


def possible(hand: Hand, view: View, mine: tuple[Card, ...]) -> list[Guess]:
    """The guesses that agree with the view, found by replaying all of them."""
    guesses = every_guess(hand, view.seat, mine)
    return [guess for guess in guesses if agrees(hand, view, guess)]


def agrees(hand: Hand, view: View, guess: Guess) -> bool:
    try:
        state = replayed(hand.tables, view, guess, hand.opening)
    except Contradiction:
        return False
    return view_of(state, view.seat) == view


def tiny_hand(
    dealt: tuple[tuple[Card, ...], ...], variant: Variant, bid: str, call: str, moves: int
) -> Hand:
    """A tiny hand in the middle: seat 1 declares, then the last legal moves."""
    hand = deal_hand(tables_of(variant), dealt)
    for text in (f"bid {bid}", "pass", "pass", "pass", f"call {call}"):
        hand.apply(hand.tables.parse(text))
    for _ in range(moves):
        hand.apply(hand.legal[-1])
    return hand


TINY_HANDS = [
    (variant, bid, call, moves)
    for variant, bid in [(TINY, "1"), (TINY, "shoot"), (TRADES_SEEN, "shoot"), (TINY, "shot")]
    for call in ("H", "NT")
    for moves in (1, 3, 5)
]


@pytest.mark.parametrize(
    ("variant", "bid", "call", "moves"),
    TINY_HANDS,
    ids=lambda value: value.name if isinstance(value, Variant) else str(value),
)
def test_it_counts_what_trying_every_deal_finds(
    variant: Variant, bid: str, call: str, moves: int
) -> None:
    dealt = Dealer(SEED).deal(variant, "tiny", moves)
    hand = tiny_hand(dealt, variant, bid, call, moves)
    for seat in {hand.to_act, Seat(0), Seat(3)}:
        view = view_of(hand, seat)
        guesses, known = possible(hand, view, dealt[seat]), Knowledge(hand.tables, view)
        assert known.count == len(guesses) > 0
        states = [replayed(hand.tables, view, guess, hand.opening) for guess in guesses]
        for q in range(4):
            masks = [state.held[q] for state in states]
            union, common = 0, -1
            for mask in masks:
                union, common = union | mask, common & mask
            assert (known.may_hold[q], known.must_hold[q]) == (union, common)
        rng = Random(5)
        drawn = Counter(normal(known.guess(rng)) for _ in range(20 * len(guesses)))
        assert set(drawn) <= set(map(normal, guesses))
        assert_even(drawn, len(guesses))


def normal(guess: Guess) -> Guess:
    return replace(guess, dealt=tuple(tuple(sorted(cards)) for cards in guess.dealt))


def assert_even(drawn: Counter[Guess], kinds: int) -> None:
    """Twenty draws a kind: by chi-square no further from even than one time in a million."""
    expected = drawn.total() / kinds
    squares = sum((count - expected) ** 2 for count in drawn.values())
    squares += (kinds - len(drawn)) * expected**2
    freedom = max(kinds - 1, 1)
    assert squares / expected < freedom + 5 * (2 * freedom) ** 0.5 + 10


def test_unseen_counts_twins() -> None:
    hand = deal_hand(tables_of(DOUBLE), Dealer(SEED).deal(DOUBLE, "unseen", 0))
    known = Knowledge(hand.tables, view_of(hand, Seat(1)))
    mine = view_of(hand, Seat(1)).cards
    assert sorted(known.unseen + mine) == sorted(hand.tables.deck)
    assert known.sizes == (8, 8, 8, 8)
    assert known.must_hold[0] == 0


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def test_who_does_not_follow_has_no_more() -> None:
    dealt = (
        cards("9C TC JC QC KC AC"),
        cards("9D TD JD QD KD AD"),
        cards("9H TH JH QH KH AH"),
        cards("9S TS JS QS KS AS"),
    )
    hand = deal_hand(tables_of(CLASSIC), dealt)
    for text in ("bid 3", "pass", "pass", "pass", "call H", "play JD", "play AH", "play JS"):
        hand.apply(hand.tables.parse(text))
    # Seat 0 sees hearts led by the left bower; seat 3 did not follow, seat 2 did.
    known = Knowledge(hand.tables, view_of(hand, Seat(0)))
    hearts = sum(1 << card for card in cards("9H TH JH QH KH AH JD"))
    assert known.voids == (0, 0, 0, hearts)
    assert known.may_hold[3] & hearts == 0
    assert known.may_hold[2] == sum(1 << card for card in known.unseen)
    with pytest.raises(Contradiction, match="no deal agrees"):
        # A view that no deal gives: seat 3 could only hold hearts.
        _ = Knowledge(hand.tables, view_of(hand, Seat(0))._replace(held=0)).count


def test_who_gave_a_low_trump_had_no_higher() -> None:
    dealt = (
        cards("9C TC JC QC KC AC"),
        cards("9D TD JD QD KD AD"),
        cards("9S TS JS QS KS AS"),
        cards("9H TH JH QH KH AH"),
    )
    hand = deal_hand(tables_of(TOKEN), dealt)
    moves = ("bid shot", "pass", "pass", "pass", "call D", "give JH", "discard 9D")
    for text in moves:
        hand.apply(hand.tables.parse(text))
    declarer = Knowledge(hand.tables, view_of(hand, Seat(1)))
    onlooker = Knowledge(hand.tables, view_of(hand, Seat(2)))
    assert declarer.count == 17 * 16 * 15 * 14 * 13 // 120 * (12 * 11 * 10 * 9 * 8 * 7 // 720)
    for _ in range(50):
        drawn = onlooker.draw(Random(_))
        assert drawn.given in (drawn.held[3], NO_CARD) or drawn.given >= 0
    trump_right = 1 << parse_card("JD")
    assert onlooker.may_hold[3] & trump_right == 0  # it would have been given


def debts(hand: Hand, texts: str) -> View:
    for text in texts.split(", "):
        hand.apply(hand.tables.parse(text))
    return view_of(hand, hand.to_act)


def test_what_a_call_cost_may_be_open() -> None:
    variant = tables_of(TOKEN)
    dealt = Dealer(SEED).deal(TOKEN, "debts", 0)
    last_token = Ledger(tokens=(0, 1), hlm_debt=(0, 1))
    view = debts(
        deal_hand(variant, dealt, ledger=last_token), "bid shot, pass, pass, pass, call low"
    )
    on_credit = Ledger()
    assert view.ledger == Ledger(hlm_debt=(0, 1))
    assert openings(variant, view) == (on_credit, last_token)
    drawn = {Knowledge(variant, view).draw(Random(n)).opening for n in range(30)}
    assert drawn == {on_credit, last_token}
    remembered = Knowledge(variant, view, opening=last_token)
    assert {remembered.draw(Random(n)).opening for n in range(30)} == {last_token}


def test_a_bid_below_the_debt_says_what_it_cost() -> None:
    variant = tables_of(TOKEN)
    dealt = Dealer(SEED).deal(TOKEN, "debts", 0)
    view = debts(deal_hand(variant, dealt), "bid 3, pass, pass, pass, call low")
    assert openings(variant, view) == (Ledger(),)


def test_forces_are_paid_back() -> None:
    variant = tables_of(TOKEN)
    before = Ledger(tokens=(4, 3))
    hand = deal_hand(variant, Dealer(SEED).deal(TOKEN, "debts", 0), ledger=before)
    view = debts(hand, "force partner, pass, pass, call mid")
    assert view.ledger == Ledger(tokens=(4, 0))
    assert openings(variant, view) == (before,)


def test_an_impossible_ledger_is_refused() -> None:
    variant = tables_of(TOKEN)
    view = debts(
        deal_hand(variant, Dealer(SEED).deal(TOKEN, "debts", 0)), "bid 3, pass, pass, pass"
    )
    low = variant.parse("call low").moves[1]
    wrong = view._replace(moves=(*view.moves, low), call=Call.LOW, ledger=Ledger(tokens=(0, -3)))
    with pytest.raises(Contradiction, match="no tokens and debts"):
        Knowledge(variant, wrong).draw(Random(1))


def test_a_wrong_guess_is_refused_with_the_rule() -> None:
    hand = fresh_hand(CLASSIC, Random(1), 0)
    view = view_of(hand, hand.to_act)
    with pytest.raises(Contradiction, match="a deal is four hands") as caught:
        replayed(hand.tables, view, Guess(((), (), (), ())), hand.opening)
    assert isinstance(caught.value.__cause__, RulesError)


class Guessing(Bot):
    """Draws a hand in each decision and keeps it."""

    drawn: ClassVar[list[Hand]] = []

    def act(self, view: LazyView, legal: tuple[Action, ...]) -> Action:
        self.drawn.append(Knowledge(self.tables, view).draw(Random(len(view.moves))))
        return self.rng.choice(legal)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_the_kits_own_view_does_as_well(variant: Variant) -> None:
    feeder, session = Feeder(variant), session_for(Guessing)
    for item in feeder.opening():
        session.take(item)
    Guessing.drawn.clear()
    asked = list(play_game(session, feeder, name="guessing", hands=12))
    assert len(asked) == len(Guessing.drawn) > 100
    for question, drawn in zip(asked, Guessing.drawn, strict=True):
        assert view_of(drawn, question.view.seat) == question.view
