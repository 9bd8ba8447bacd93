"""What must hold in every state of every hand, whoever plays it.

Each function takes a hand (or a hand just finished) and asserts; none knows how the engine works
inside beyond the attributes it publishes.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, permutations
from random import Random
from typing import NamedTuple

import pytest

from arena.rules import (
    Action,
    ActionKind,
    Card,
    Hand,
    IllegalAction,
    Ledger,
    Phase,
    Seat,
    Settlement,
    Suit,
    Variant,
    deal_hand,
    tables_of,
    view_of,
)
from arena.rules.actions import NO_CARD, PLAYS
from arena.rules.variant import Auction, GiftTie
from tests.rules.positions import fingerprint

ORDER = {
    kind: place
    for place, kind in enumerate(
        [
            ActionKind.PASS,
            ActionKind.BID,
            ActionKind.FORCE_PARTNER,
            ActionKind.FORCE_OPPONENTS,
            ActionKind.CALL,
            ActionKind.SHOOTER_SELF,
            ActionKind.SHOOTER_PARTNER,
            ActionKind.NO_TRADE,
            ActionKind.TRADE,
            ActionKind.GIVE,
            ActionKind.DISCARD,
            ActionKind.PLAY,
        ]
    )
}


FACE_DOWN = {ActionKind.TRADE, ActionKind.GIVE, ActionKind.DISCARD}


class Step(NamedTuple):
    """One decision of a hand: who, out of what, and what."""

    seat: Seat
    legal: tuple[Action, ...]
    action: Action


Choose = Callable[[Hand], Action]


def place(action: Action) -> tuple[int, int, int, int]:
    """Where an action stands in canonical order (docs/design)."""
    call = -1 if action.call is None else int(action.call)
    return ORDER[action.kind], action.level, call, action.card


def cards_of(hand: Hand, seat: int) -> list[Card]:
    """What a seat holds now, in no order, a twin twice."""
    held = PLAYS.of(hand.held[seat]) + PLAYS.of(hand.twins[seat])
    return [action.card for action in held]


def played_by(hand: Hand, seat: int) -> list[Card]:
    """The cards a seat has played."""
    moves = [move for move in hand.log if move.seat == seat]
    return [move.action.card for move in moves if move.action.kind is ActionKind.PLAY]


# Of every state.


def check_state(hand: Hand) -> None:
    """One seat acts and can; the legal actions are in order; the deck is all there."""
    assert hand.over == (not hand.legal) == (hand.to_act == -1) == (hand.phase is Phase.OVER)
    if not hand.over:
        assert hand.to_act in range(4)
        assert hand.to_act != hand.sitter or hand.phase is not Phase.PLAY
        assert hand.to_act in hand.waiting or hand.phase is not Phase.SPEAK
    places = [place(action) for action in hand.legal]
    assert all(low < high for low, high in pairwise(places)), hand.legal
    assert set(hand.allowed) == set(hand.legal)
    check_deck(hand)
    check_stock(hand.ledger)


def check_deck(hand: Hand) -> None:
    """Every card of the deck is held, played or discarded, and no other."""
    there = [move.action.card for move in hand.log if move.action.kind is ActionKind.PLAY]
    for seat in range(4):
        there += cards_of(hand, seat)
    if hand.discarded >= 0:
        there.append(hand.discarded)
    assert tuple(sorted(there)) == hand.tables.deck


def check_stock(ledger: Ledger) -> None:
    """Tokens and units of debt are never negative (T2.1, T4.2)."""
    assert min(ledger.tokens) >= 0
    assert min(ledger.hlm_debt) >= 0


def check_refused(hand: Hand, actions: Sequence[object]) -> None:
    """Each of these that is not legal raises and changes nothing (C3.7)."""
    before = fingerprint(hand)
    for action in actions:
        if action not in hand.legal:
            with pytest.raises(IllegalAction):
                hand.apply(action)  # type: ignore[arg-type]
    assert fingerprint(hand) == before


def check_copy(hand: Hand, chance: Random) -> None:
    """A copy is equal, and what is done to it leaves the original alone."""
    copy, before = hand.copy(), fingerprint(hand)
    assert fingerprint(copy) == before
    while copy.legal:
        copy.apply(chance.choice(copy.legal))
    assert fingerprint(hand) == before


def check_hidden(hand: Hand, seat: Seat, chance: Random) -> None:
    """Whatever cards the others hold or moved out of sight, the seat's view is the same (I1)."""
    other = hand.copy()
    others = [index for index in range(4) if index != seat]
    cards = [card for index in others for card in cards_of(hand, index)]
    chance.shuffle(cards)
    for index in others:
        size = len(cards_of(hand, index))
        other.held[index], other.twins[index] = masks(cards[:size])
        del cards[:size]
    hide_exchange(other, seat)
    assert all(move.action.card == NO_CARD for move in hand.log if move.action.kind in FACE_DOWN)
    assert view_of(other, seat) == view_of(hand, seat)


def hide_exchange(other: Hand, seat: Seat) -> None:
    """Change the exchanged cards that the seat may not know to other ones."""
    partner = other.declarer ^ 2
    party = seat in (other.declarer, partner)
    blind = other.tables.variant.trade_blind and other.given < 0
    if other.offered >= 0 and (not party or (seat == partner and blind)):
        other.offered = another(other.offered)
    if other.given >= 0 and not party:
        other.given = another(other.given)
    if other.discarded >= 0 and seat != other.declarer:
        other.discarded = another(other.discarded)


def another(card: Card) -> Card:
    return Card((card + 7) % 24)


def masks(cards: Sequence[Card]) -> tuple[int, int]:
    """The two masks that hold these cards."""
    held = sum(1 << card for card in set(cards))
    return held, sum(1 << card for card in set(cards) if cards.count(card) == 2)


def check_own_cards(hand: Hand, dealt: Sequence[Card], seat: Seat) -> None:
    """A view is complete: the dealt cards and what it tells explain the cards it shows."""
    view = view_of(hand, seat)
    gone, come = [*played_by(hand, seat), view.discarded], []
    if hand.offered < 0 or hand.given >= 0:  # no card lies on the table, waiting for another
        gone.append(view.gave)
        come.append(view.received)
    expected = Counter([*dealt, *come])
    expected.subtract(gone)
    del expected[NO_CARD]
    assert Counter(view.cards) == +expected


# Of a finished hand.


def check_replay(start: Hand, hand: Hand) -> None:
    """The log, with its hidden cards, gives an equal hand."""
    again = start.copy()
    for move in hand.moves():
        assert again.to_act == move.seat
        again.apply(move.action)
    assert fingerprint(again) == fingerprint(hand)


def check_rotation(deal: Sequence[Sequence[Card]], hand: Hand, steps: Sequence[Step]) -> None:
    """Everybody one seat on: the same questions, the same answers, the result moved on (C1.1)."""
    turned = deal_hand(
        hand.tables,
        [deal[3], *deal[:3]],
        dealer=Seat((hand.dealer + 1) % 4),
        ledger=Ledger(*(pair[::-1] for pair in hand.opening)),  # type: ignore[arg-type]
        number=hand.number,
    )
    for step in steps:
        assert (turned.to_act, turned.legal) == ((step.seat + 1) % 4, step.legal)
        turned.apply(step.action)
    ours, theirs = hand.settle(), turned.settle()
    assert theirs.points == ours.points[::-1]
    assert theirs.made == ours.made
    assert theirs.ledger == tuple(pair[::-1] for pair in ours.ledger)


def relabelings() -> Iterator[tuple[Suit, ...]]:
    """The eight ways to rename suits that keep the pairs of one colour (C1.5)."""
    for names in permutations(Suit):
        if all(names[suit.mate] is names[suit].mate for suit in Suit):
            yield names


RELABELINGS = tuple(relabelings())


@cache
def renaming(variant: Variant, names: tuple[Suit, ...]) -> dict[Action, Action]:
    """Every action of the variant under other names of the suits."""
    letters = {"CDHS"[suit]: "CDHS"[names[suit]] for suit in Suit}
    texts = tables_of(variant).texts
    return {action: texts[renamed(text, letters)] for text, action in texts.items()}


def renamed(text: str, letters: dict[str, str]) -> str:
    """The text with its last word's suit changed, where that names a card or a suit."""
    *first, last = text.split()
    if first and last[-1] in letters and len(last) <= 2 and last != "NT":
        last = last[:-1] + letters[last[-1]]
    return " ".join([*first, last])


def renamed_card(card: Card, names: tuple[Suit, ...]) -> Card:
    return Card(names[card // 6] * 6 + card % 6)


def check_relabeling(
    deal: Sequence[Sequence[Card]], hand: Hand, steps: Sequence[Step], names: tuple[Suit, ...]
) -> None:
    """Suits renamed within and between colours: the same questions and result, renamed."""
    if hand.tables.variant.gift_tie is GiftTie.FIRST_SUIT:
        return
    new = renaming(hand.tables.variant, names)
    other = deal_hand(
        hand.tables,
        [[renamed_card(card, names) for card in cards] for cards in deal],
        dealer=hand.dealer,
        ledger=hand.opening,
    )
    for step in steps:
        assert other.to_act == step.seat
        assert set(other.legal) == {new[action] for action in step.legal}
        other.apply(new[step.action])
    assert other.settle() == hand.settle()


def most_actions(variant: Variant) -> int:
    """More actions than a hand can take: words, a choice, a call, an exchange, the cards."""
    rounds = len(variant.bids) if variant.auction is Auction.UNTIL_PASSED else 0
    words = 4 + rounds + 1
    return words + 1 + 2 + 4 * variant.hand_size


def check_end(hand: Hand) -> Settlement:
    """A finished hand: all tricks taken, points as the contract says, the ledger adds up."""
    variant, contract = hand.tables.variant, hand.contract
    assert len(hand.log) <= most_actions(variant)
    settled = hand.settle()
    ledger, opening = settled.ledger, hand.opening
    check_stock(ledger)
    assert ledger.scores == tuple(
        old + more for old, more in zip(opening.scores, settled.points, strict=True)
    )
    if contract is None:
        assert (settled.points, settled.made, sum(hand.tricks)) == ((0, 0), None, 0)
        return settled
    assert sum(hand.tricks) == variant.hand_size
    bid = variant.bids[contract.level]
    taken, defended = hand.tricks[contract.side], hand.tricks[1 - contract.side]
    made = taken >= bid.tricks
    plus = taken if bid.made is None else bid.made
    minus = bid.tricks if bid.set is None else bid.set
    assert settled.made == made
    assert settled.points[contract.side] == (plus if made else -minus)
    assert settled.points[1 - contract.side] == (defended if variant.defenders_score else 0)
    for side in (0, 1):
        check_tokens(hand, settled, side)
    return settled


def check_tokens(hand: Hand, settled: Settlement, side: int) -> None:
    """One side's tokens, counted crossing by crossing (T2.2 to T2.6, T3.1, T3.3, T3.4)."""
    variant, contract = hand.tables.variant, hand.contract
    assert contract is not None
    rules = variant.tokens
    stock, in_debt = hand.ledger.tokens[side], hand.opening.token_debt[side]
    if rules.token_debt_minimum is not None and contract.side == side:
        in_debt = in_debt and contract.level < variant.level_of(rules.token_debt_minimum)
    old, new = hand.opening.scores[side], settled.ledger.scores[side]
    for decade in rules.decades:
        if old < decade <= new:
            stock += 1
        elif new < decade <= old and stock:
            stock -= 1
        elif new < decade <= old:
            in_debt = True
    stock += len([step for step in rules.sympathy if new <= step < old])
    assert (settled.ledger.tokens[side], settled.ledger.token_debt[side]) == (stock, in_debt)


# A whole hand.


def play(hand: Hand, choose: Choose) -> list[Step]:
    """Play it to the end, every state checked."""
    steps = []
    check_state(hand)
    while hand.legal:
        step = Step(hand.to_act, hand.legal, choose(hand))
        hand.apply(step.action)
        check_state(hand)
        steps.append(step)
    return steps
