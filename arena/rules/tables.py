"""A variant compiled into tables, once.

Bowers, mate suits, orders without trump and missing ranks exist only in the builders here; the
engine (``hand``) reads rows.  ``tables_of`` caches by the variant's value, so equal variants
share their tables wherever they were loaded from.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from arena.rules.actions import (
    DISCARDS,
    FORCE_OPPONENTS,
    FORCE_PARTNER,
    GIVES,
    NO_LEVEL,
    NO_TRADE,
    PASS,
    PLAYS,
    SHOOTER_PARTNER,
    SHOOTER_SELF,
    TRADES,
    Action,
    ActionKind,
    action_of,
)
from arena.rules.calls import Call
from arena.rules.cards import CARDS, RANKS, Card, Rank, Seat, Suit, card_of, rank_of, suit_of
from arena.rules.errors import NotationError
from arena.rules.variant import (
    AllPass,
    Auction,
    Gift,
    GiftFallback,
    GiftTie,
    Naming,
    OpeningLead,
    TokenRules,
    Variant,
)

# Strength rows: plain cards of the suit led rank from 1, trumps from 100, the rest never win.
_NEVER_WINS: Final = 0
_LED_FROM: Final = 1
_TRUMP_FROM: Final = 100

# Next seat for each seat that sits out; the last row is for a hand in which nobody does. A
# sitter's own entry is filled in too, so that a seat beside it can be asked for its successor.
NOBODY: Final = 4
ROTATIONS: Final = tuple(
    tuple(
        Seat(next(s % 4 for s in range(seat + 1, seat + 4) if s % 4 != sitter)) for seat in range(4)
    )
    for sitter in range(5)
)


class Speech:
    """What a seat may say: the actions in canonical order, and the same as a set."""

    __slots__ = ("actions", "allowed")

    def __init__(self, actions: tuple[Action, ...]) -> None:
        self.actions = actions
        self.allowed = frozenset(actions)


class CallTables:
    """What a call means for the play.

    Attributes:
        follow: for each card led, the mask of the cards that follow it (rules C3.4).
        strength: for each card led, the strength of all 24 cards in that trick (rules C3.5).
        gifts: classes of cards as masks, best first; the partner gives from the first class
            of which it holds a card (rules T1.5).
    """

    __slots__ = ("follow", "gifts", "strength")

    def __init__(self, variant: Variant, call: Call) -> None:
        order = plain_order(variant, call)
        suits = {card: effective_suit(card, call) for card in map(Card, range(CARDS))}
        members = {suit: _mask(c for c, s in suits.items() if s is suit) for suit in Suit}
        value = {card: _value(card, call, order) for card in suits}
        self.follow = tuple(members[suits[Card(led)]] for led in range(CARDS))
        self.strength = tuple(
            tuple(_strength(Card(c), suits[Card(led)], call, suits, value) for c in range(CARDS))
            for led in range(CARDS)
        )
        self.gifts = _gift_classes(variant, call, suits, value)


def effective_suit(card: Card, call: Call) -> Suit:
    """The suit a card belongs to under a call (rules C3.1, C3.3)."""
    suit, trump = suit_of(card), call.trump
    left_bower = trump is not None and rank_of(card) is Rank.JACK and suit is trump.mate
    return trump if trump is not None and left_bower else suit


def plain_order(variant: Variant, call: Call) -> tuple[Rank, ...]:
    """The ranks of a suit that holds no bower, high to low (rules C3.2, C5)."""
    order = next((rule.order for rule in variant.calls if rule.call is call), ())
    return order or (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN, Rank.NINE)


def _value(card: Card, call: Call, order: tuple[Rank, ...]) -> int:
    """A card's height within its effective suit, 1 the lowest."""
    if call.trump is not None and rank_of(card) is Rank.JACK:
        if suit_of(card) is call.trump:
            return RANKS + 2
        if suit_of(card) is call.trump.mate:
            return RANKS + 1
    return RANKS - order.index(rank_of(card))


def _strength(
    card: Card, led: Suit, call: Call, suits: dict[Card, Suit], value: dict[Card, int]
) -> int:
    if suits[card] == call.trump:
        return _TRUMP_FROM + value[card]
    return _LED_FROM + value[card] if suits[card] is led else _NEVER_WINS


def _gift_classes(
    variant: Variant, call: Call, suits: dict[Card, Suit], value: dict[Card, int]
) -> tuple[int, ...]:
    everything = (1 << CARDS) - 1
    if variant.gift is Gift.ANY:
        return (everything,)
    if call.trump is None:
        return _rank_classes(variant, plain_order(variant, call))
    trumps = sorted((c for c in suits if suits[c] == call.trump), key=lambda c: -value[c])
    singles = tuple(1 << card for card in trumps)
    if variant.gift_without_trump is GiftFallback.ANY:
        return (*singles, everything)
    return (*singles, *_rank_classes(variant, plain_order(variant, call)))


def _rank_classes(variant: Variant, order: tuple[Rank, ...]) -> tuple[int, ...]:
    classes = [[card_of(suit, rank) for suit in Suit] for rank in order]
    if variant.gift_tie is GiftTie.FIRST_SUIT:
        return tuple(1 << card for cards in classes for card in cards)
    return tuple(_mask(cards) for cards in classes)


def _mask(cards: Iterable[Card]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


class Tables:
    """Everything the engine looks up for one variant.

    Attributes:
        variant: the data they were made from.
        by_call: tables of the play, indexed by call; None for calls the variant lacks.
        call_prices: tokens, indexed by call.
        deck: all cards in the order of deal-v1 (rules S4).
        texts: every action of the variant by its notation.
    """

    __slots__ = (
        "_speeches",
        "bids",
        "by_call",
        "call_prices",
        "credit",
        "deck",
        "deck_mask",
        "declarer_leads",
        "force_opponents",
        "force_partner",
        "forced_level",
        "hlm_debt_level",
        "may_throw_in",
        "namings",
        "rounds",
        "texts",
        "token_debt_level",
        "uses_tokens",
        "variant",
    )

    def __init__(self, variant: Variant) -> None:
        tokens = variant.tokens
        self.variant = variant
        self.deck = tuple(
            card_of(suit, rank)
            for suit in Suit
            for rank in variant.ranks
            for _ in range(variant.copies)
        )
        self.deck_mask = _mask(self.deck)
        offered = {rule.call: rule for rule in variant.calls}
        self.by_call = tuple(CallTables(variant, c) if c in offered else None for c in Call)
        self.call_prices = tuple(offered[c].tokens if c in offered else 0 for c in Call)
        self.bids = tuple(_bids_at(variant, level) for level in range(len(variant.bids)))
        self.namings = tuple(
            tuple(action_of(ActionKind.CALL, call=c) for c in _calls_at(variant, level))
            for level in range(len(variant.bids))
        )
        self.token_debt_level = _level(variant, tokens.token_debt_minimum)
        self.hlm_debt_level = _level(variant, tokens.hlm_debt_minimum)
        self.forced_level = _level(variant, tokens.forced_bid)
        never = 1 << 30
        self.force_partner = never if tokens.force_partner is None else tokens.force_partner
        self.force_opponents = never if tokens.force_opponents is None else tokens.force_opponents
        paid = any(rule.tokens for rule in variant.calls)
        self.uses_tokens = paid or tokens != TokenRules()
        self.credit = tokens.credit
        self.rounds = variant.auction is Auction.UNTIL_PASSED
        self.declarer_leads = variant.opening_lead is OpeningLead.DECLARER
        self.may_throw_in = variant.all_pass is AllPass.THROWN_IN
        self._speeches = _speeches(self.bids)
        self.texts = {action.text: action for action in self._all_actions()}

    def __reduce__(self) -> tuple[object, ...]:
        # A pickled hand carries the variant's data, not these rows.
        return tables_of, (self.variant,)

    def speech(self, floor: int, *, passing: bool, partner: bool, opponents: bool) -> Speech:
        """What may be said: bids from level ``floor`` on, a pass, the two forces."""
        return self._speeches[floor * 8 + passing * 4 + partner * 2 + opponents]

    def under(self, call: Call | None) -> CallTables:
        """What a call means for the play; ``by_call`` without the empty places.

        Raises:
            ValueError: there is no call yet, or the variant lacks it.
        """
        play = None if call is None else self.by_call[call]
        if play is None:
            what = "there is no call yet" if call is None else f"no {call.text}"
            raise ValueError(f"{self.variant.name}: {what}")
        return play

    def parse(self, text: str) -> Action:
        """The action that ``text`` names (rules N).

        Raises:
            NotationError: it names none of this variant.
        """
        action = self.texts.get(text)
        if action is None:
            raise NotationError(f"{text!r} is no action of {self.variant.name!r}")
        return action

    def _all_actions(self) -> list[Action]:
        actions = [PASS, *(bid for level in self.bids for bid in level)]
        actions += [FORCE_PARTNER, FORCE_OPPONENTS, SHOOTER_SELF, SHOOTER_PARTNER, NO_TRADE]
        actions += [action_of(ActionKind.CALL, call=rule.call) for rule in self.variant.calls]
        for kind in (TRADES, GIVES, DISCARDS, PLAYS.of((1 << CARDS) - 1)):
            actions += kind
        return actions


def _level(variant: Variant, name: str | None) -> int:
    return NO_LEVEL if name is None else variant.level_of(name)


def _calls_at(variant: Variant, level: int) -> tuple[Call, ...]:
    return tuple(rule.call for rule in variant.calls if _level(variant, rule.lowest_bid) <= level)


def _bids_at(variant: Variant, level: int) -> tuple[Action, ...]:
    name = variant.bids[level].name
    if variant.naming is Naming.AFTER_AUCTION:
        return (action_of(ActionKind.BID, level=level, name=name),)
    return tuple(
        action_of(ActionKind.BID, level=level, name=name, call=call)
        for call in _calls_at(variant, level)
    )


def _speeches(bids: tuple[tuple[Action, ...], ...]) -> tuple[Speech, ...]:
    """Indexed by (floor, pass, force partner, force opponents); floor may be past the ladder."""
    speeches = []
    for floor in range(len(bids) + 1):
        above = tuple(bid for level in bids[floor:] for bid in level)
        for flags in range(8):
            first = (PASS,) if flags & 4 else ()
            forces = ((FORCE_PARTNER,) if flags & 2 else ()) + (
                (FORCE_OPPONENTS,) if flags & 1 else ()
            )
            speeches.append(Speech((*first, *above, *forces)))
    return tuple(speeches)


@lru_cache(maxsize=256)
def tables_of(variant: Variant) -> Tables:
    """The tables of a variant, made once for each value."""
    return Tables(variant)
