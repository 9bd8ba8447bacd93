"""Hands for rule cases, written as text: cards, seats that matter, and what was said and played."""

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Final

from arena.rules import (
    CLASSIC,
    Action,
    Card,
    Hand,
    Ledger,
    Seat,
    Variant,
    card_text,
    deal_hand,
    parse_card,
    tables_of,
)
from arena.rules.variant import TokenRules

START: Final = Ledger()
ALL_FIELDS: Final = attrgetter(*Hand.__slots__)
MATES: Final = {"C": "S", "S": "C", "D": "H", "H": "D"}


def cards(text: str) -> tuple[Card, ...]:
    """The cards of ``"JH 9C"``."""
    return tuple(parse_card(word) for word in text.split())


def deck_texts(variant: Variant) -> list[str]:
    """The variant's deck as text, in deal-v1 order."""
    return [card_text(card) for card in tables_of(variant).deck]


def deal(variant: Variant, held: Mapping[int, str]) -> list[list[str]]:
    """Four full hands: the cards given, the rest of the deck filled in from seat 0 on."""
    rest = deck_texts(variant)
    hands = [held.get(seat, "").split() for seat in range(4)]
    for cards_held in hands:
        for card in cards_held:
            rest.remove(card)
    for cards_held in hands:
        while len(cards_held) < variant.hand_size:
            cards_held.append(rest.pop(0))
    return hands


def hand_of(
    variant: Variant = CLASSIC,
    held: Mapping[int, str] | None = None,
    *,
    said: str = "",
    dealer: int = 3,
    ledger: Ledger = START,
) -> Hand:
    """A hand with those cards in which ``said`` has been done; seat 0 speaks first by default."""
    hands = [cards(" ".join(texts)) for texts in deal(variant, held or {})]
    hand = deal_hand(tables_of(variant), hands, dealer=Seat(dealer), ledger=ledger)
    do(hand, said)
    return hand


def do(hand: Hand, script: str) -> None:
    """Apply ``"pass, bid 3, 2 pass"``; a seat in front claims whose turn it is."""
    for step in filter(None, (part.strip() for part in script.split(","))):
        seat, _, rest = step.partition(" ")
        if seat.isdigit():
            assert hand.to_act == int(seat), f"{step!r}, but it is seat {hand.to_act}'s turn"
        hand.apply(action(hand, rest if seat.isdigit() else step))


def action(hand: Hand, text: str) -> Action:
    """The action of that hand's variant."""
    return hand.tables.parse(text)


def legal(hand: Hand) -> str:
    """The legal actions in the engine's order, ``"pass, bid 3"``."""
    return ", ".join(move.text for move in hand.legal)


def legal_cards(hand: Hand) -> str:
    """The cards of the legal actions, ``"JH 9C"``."""
    return " ".join(card_text(move.card) for move in hand.legal)


def held_by(hand: Hand, seat: int) -> str:
    """What a seat holds now, in card order, a twin twice."""
    held, twins = hand.held[seat], hand.twins[seat]
    return " ".join(
        text
        for text in sorted(set(deck_texts(hand.tables.variant)), key=parse_card)
        for _ in range((held >> parse_card(text) & 1) + (twins >> parse_card(text) & 1))
    )


def play_out(hand: Hand) -> Hand:
    """Finish the hand, always with the first legal action."""
    while hand.legal:
        hand.apply(hand.legal[0])
    return hand


def with_tokens(variant: Variant, **changes: object) -> Variant:
    """The variant with some of its token rules changed."""
    tokens: TokenRules = replace(variant.tokens, **changes)  # type: ignore[arg-type]
    return replace(variant, tokens=tokens)


def fingerprint(hand: Hand) -> list[object]:
    """Every field of a hand; its lists are copied, all else in it never changes."""
    return [list(value) if type(value) is list else value for value in ALL_FIELDS(hand)]


def suit_in(call: str, card: str) -> str:
    """The effective suit of a card as rules C3.1 says it, in letters."""
    if call in MATES and card == "J" + MATES[call]:
        return call
    return card[1]


def trick_hand(variant: Variant, call: str, trick: str) -> Hand:
    """A hand in which seat 0 is to lead and the cards of ``trick`` may be played by 0, 1, 2, 3.

    A seat whose card does not follow gets no card of the suit led; these go to the others.
    """
    played = trick.split()
    led = suit_in(call, played[0])
    rest = deck_texts(variant)
    for card in played:
        rest.remove(card)
    follows = [suit_in(call, card) == led for card in played]
    rest.sort(key=lambda card: suit_in(call, card) == led, reverse=True)
    hands = [[card] for card in played]
    for seat in sorted(range(4), key=lambda seat: not follows[seat]):
        while len(hands[seat]) < variant.hand_size:
            hands[seat].append(rest.pop(0))
    auction = {
        "after-auction": f"pass, pass, pass, bid 3, call {call}",
        "in-bid": f"bid 1 {call}, pass, pass, pass",
    }[variant.naming.value]
    held = {seat: " ".join(texts) for seat, texts in enumerate(hands)}
    hand = hand_of(variant, held, said=auction)
    assert hand.to_act == 0, "seat 0 should lead"
    return hand
