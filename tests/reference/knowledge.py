"""What a seat may know, and nothing else: I1 while the hand lasts, I2 once it is scored."""

import copy
from typing import TypedDict

from tests.reference.auction import contract_of, sits_out
from tests.reference.cards import partner_of
from tests.reference.play import hands_now, is_finished
from tests.reference.scoring import result_now
from tests.reference.shapes import Action, Contract, Record

SECRET_VERBS = ["trade", "give", "discard"]


class Known(TypedDict):
    """All that `seat` is entitled to know.

    `actions` are all actions in order; where another seat moved a card face down, the text is
    its verb alone (`give`, `trade`, `discard`). `cards` is sorted. `received` is the card this
    seat got in the exchange. `opened` holds, after scoring only, the four dealt hands and the
    actions with their cards (I2).
    """

    variant: str
    seat: int
    dealer: int
    cards: list[str]
    actions: list[Action]
    contract: Contract | None
    sits_out: int | None
    gave: str | None
    received: str | None
    discarded: str | None
    scores: list[int]
    tokens: list[int]
    token_debt: list[bool]
    hlm_debt: list[int]
    opened: tuple[list[list[str]], list[Action]] | None


def as_seen_by(seat: int, action: Action) -> Action:
    """An action without the card, if somebody else moved that card face down (B4, T1.4, I1)."""
    actor, text = action
    verb = text.split()[0]
    if verb in SECRET_VERBS and actor != seat:
        return (actor, verb)
    return (actor, text)


def own_card(record: Record, seat: int, verbs: list[str]) -> str | None:
    """The card that this seat itself moved with one of these verbs."""
    for actor, text in record["actions"]:
        if actor == seat and text.split()[0] in verbs:
            return text.split()[1]
    return None


def received_card(record: Record, seat: int) -> str | None:
    """The card that came from the partner; in a trade once the partner has chosen (B4c)."""
    has_moved = any(text.startswith("give ") for _, text in record["actions"])
    return own_card(record, partner_of(seat), ["trade", "give"]) if has_moved else None


def known(record: Record, seat: int) -> Known:
    """I1, and after the last card I2."""
    result = result_now(record)
    return {
        "variant": record["variant"],
        "seat": seat,
        "dealer": record["given"]["dealer"],
        "cards": sorted(hands_now(record)[seat]),
        "actions": [as_seen_by(seat, action) for action in record["actions"]],
        "contract": contract_of(record),
        "sits_out": sits_out(record),
        "gave": own_card(record, seat, ["trade", "give"]),
        "received": received_card(record, seat),
        "discarded": own_card(record, seat, ["discard"]),
        "scores": result["scores"],
        "tokens": result["tokens"],
        "token_debt": result["token_debt"],
        "hlm_debt": result["hlm_debt"],
        "opened": opened(record),
    }


def opened(record: Record) -> tuple[list[list[str]], list[Action]] | None:
    """I2: after scoring the dealt hands and the exchanged cards are public."""
    if not is_finished(record):
        return None
    return copy.deepcopy(record["given"]["hands"]), list(record["actions"])
