"""Why an action is refused: code, paragraph and sentence.

The engine only asks "is it in ``allowed``"; this cold path finds the reason afterwards, from the
most general (the hand is over, another seat's turn) to the particular.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from arena.rules.actions import Action, ActionKind
from arena.rules.cards import Seat, Side, card_text
from arena.rules.errors import IllegalAction, Refusal

if TYPE_CHECKING:
    from arena.rules.hand import Hand

_PHASE_KINDS = {
    "speak": {
        ActionKind.PASS,
        ActionKind.BID,
        ActionKind.FORCE_PARTNER,
        ActionKind.FORCE_OPPONENTS,
    },
    "shooter": {ActionKind.SHOOTER_SELF, ActionKind.SHOOTER_PARTNER},
    "call": {ActionKind.CALL},
    "trade": {ActionKind.TRADE, ActionKind.NO_TRADE},
    "give": {ActionKind.GIVE},
    "discard": {ActionKind.DISCARD},
    "play": {ActionKind.PLAY},
    "over": set[ActionKind](),
}


def refuse(hand: Hand, seat: Seat, action: object) -> IllegalAction:
    """The refusal of ``action`` by ``seat``, which must not be legal in ``hand``."""
    if not isinstance(action, Action):
        return IllegalAction(Refusal.UNKNOWN_ACTION, "N", f"{action!r} is no action")
    if hand.over:
        return IllegalAction(
            Refusal.HAND_IS_OVER, "C3.6", f"{action.text!r} comes after the last trick"
        )
    if seat != hand.to_act:
        return IllegalAction(
            Refusal.NOT_YOUR_TURN,
            "C2.1" if hand.phase.value == "speak" else "C3.6",
            f"seat {seat} may not {action.text!r}: it is the turn of seat {hand.to_act}",
        )
    if action.kind not in _PHASE_KINDS[hand.phase.value]:
        return IllegalAction(
            Refusal.WRONG_PHASE,
            "N",
            f"{action.text!r} does not answer the question, which is: {hand.phase.value}",
        )
    return _particular(hand, seat, action)


def _particular(hand: Hand, seat: Seat, action: Action) -> IllegalAction:
    kind = action.kind
    match kind:
        case ActionKind.PASS:
            return _no_pass(seat)
        case ActionKind.BID:
            return _no_bid(hand, seat, action)
        case ActionKind.FORCE_PARTNER | ActionKind.FORCE_OPPONENTS:
            return _no_force(hand, seat, action)
        case ActionKind.CALL:
            return _no_call(hand, action)
        case ActionKind.NO_TRADE:
            return IllegalAction(Refusal.WRONG_PHASE, "B4", "this trade may not be declined")
        case ActionKind.GIVE:
            return _no_gift(hand, seat, action)
        case ActionKind.TRADE | ActionKind.DISCARD:
            return _not_in_hand(seat, action, "B4" if kind is ActionKind.TRADE else "T1.4")
        case ActionKind.PLAY:
            return _no_play(hand, seat, action)
        case ActionKind.SHOOTER_SELF | ActionKind.SHOOTER_PARTNER:
            raise AssertionError("both shooters are always legal")
        case _:
            assert_never(kind)


def _no_pass(seat: Seat) -> IllegalAction:
    return IllegalAction(
        Refusal.STUCK_DEALER,
        "C2.4",
        f"seat {seat} may not pass: the three others have passed, so the dealer must bid",
    )


def _no_bid(hand: Hand, seat: Seat, action: Action) -> IllegalAction:
    if action not in hand.tables.texts.values():
        name = hand.tables.variant.name
        return IllegalAction(Refusal.UNKNOWN_ACTION, "N", f"{name} has no {action.text!r}")
    standing = hand.tables.variant.bids[hand.level].name if hand.level >= 0 else ""
    if action.level <= hand.level:
        return IllegalAction(
            Refusal.BID_TOO_LOW, "C2.2", f"{action.text!r} is not above the standing {standing}"
        )
    minimum = hand.tables.variant.bids[hand.minimum_level(Side(seat & 1))].name
    return IllegalAction(
        Refusal.DEBT_MINIMUM,
        "T4.3" if hand.ledger.hlm_debt[seat & 1] else "T3.2",
        f"{action.text!r} is below {minimum}, the least that a side in this debt may bid",
    )


def _no_call(hand: Hand, action: Action) -> IllegalAction:
    variant, call = hand.tables.variant, action.call
    rule = next((rule for rule in variant.calls if rule.call is call), None)
    if rule is None:
        paragraph = "T1.2" if hand.tables.uses_tokens else "B3"
        sentence = f"{variant.name} has no {action.text!r}"
    elif rule.lowest_bid is not None and hand.level < variant.level_of(rule.lowest_bid):
        paragraph = "T1.3"
        sentence = f"{action.text!r} may be named on {rule.lowest_bid} or higher only"
    else:
        paragraph = "T4.1"
        sentence = f"{action.text!r} costs more than the tokens of the side"
    return IllegalAction(Refusal.CALL_NOT_OFFERED, paragraph, sentence)


def _no_force(hand: Hand, seat: Seat, action: Action) -> IllegalAction:
    forced = hand.tables.forced_level
    tokens = hand.tables.variant.tokens
    partner = action.kind is ActionKind.FORCE_PARTNER
    if (tokens.force_partner if partner else tokens.force_opponents) is None:
        sentence = f"{hand.tables.variant.name} has no {action.text!r}"
    elif hand.level >= forced:
        name = hand.tables.variant.bids[forced].name
        sentence = f"{action.text!r} comes too late: the standing bid is not below {name}"
    else:
        stock = hand.ledger.tokens[seat & 1]
        sentence = f"{action.text!r} costs more than the {stock} tokens of the side"
    return IllegalAction(Refusal.CANNOT_FORCE, "T5.1", sentence)


def _no_gift(hand: Hand, seat: Seat, action: Action) -> IllegalAction:
    if not action.bit & hand.held[seat]:
        return _not_in_hand(seat, action, "T1.4" if hand.offered < 0 else "B4")
    return IllegalAction(
        Refusal.MUST_GIVE_BEST,
        "T1.5",
        f"{action.text!r} is not the best card that seat {seat} has to give",
    )


def _no_play(hand: Hand, seat: Seat, action: Action) -> IllegalAction:
    if not action.bit & hand.held[seat]:
        return _not_in_hand(seat, action, "C3.4")
    return IllegalAction(
        Refusal.MUST_FOLLOW,
        "C3.4",
        f"{action.text!r} does not follow, and seat {seat} holds a card of the suit led",
    )


def _not_in_hand(seat: Seat, action: Action, paragraph: str) -> IllegalAction:
    return IllegalAction(
        Refusal.NOT_IN_HAND, paragraph, f"seat {seat} does not hold {card_text(action.card)}"
    )
