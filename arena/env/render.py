"""A hand as text, for whoever watches a learner; all cards are shown."""

from __future__ import annotations

from arena.rules import Hand, card_text
from arena.rules.cards import SEATS
from arena.rules.view import cards_in


def render_modes() -> list[str]:
    """The render modes of both environments."""
    return ["ansi"]


def table_text(hand: Hand) -> str:
    """The score, the four hands, and the moves in the notation."""
    scores = hand.ledger.scores
    lines = [f"hand {hand.number + 1}, dealer {hand.dealer}, score {scores[0]} to {scores[1]}"]
    for seat in range(SEATS):
        cards = " ".join(map(card_text, cards_in(hand.held[seat], hand.twins[seat])))
        mark = ">" if seat == hand.to_act else " "
        lines.append(f"{mark} seat {seat}: {cards}")
    lines += [f"  {move.seat} {move.action.text}" for move in hand.moves()]
    return "\n".join(lines)
