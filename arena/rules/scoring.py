"""Points, tokens and both debts after a hand (rules C4, T2, T3, T4).

``settle`` is a pure function from the ledger before to the ledger after; ``pay_for_call`` and
``pay`` move tokens while a hand is under way.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple, TypeVar

from arena.rules.cards import Side
from arena.rules.tables import Tables
from arena.rules.variant import BidRule, TokenRules, Variant

T = TypeVar("T")


class Ledger(NamedTuple):
    """What both sides own, each field indexed by side.

    Attributes:
        scores: points; no floor (rules C4.6).
        tokens: the stock, never negative (rules T2.1).
        token_debt: in token debt or not (rules T3.1).
        hlm_debt: units of HLM debt (rules T4.2).
    """

    scores: tuple[int, int] = (0, 0)
    tokens: tuple[int, int] = (0, 0)
    token_debt: tuple[bool, bool] = (False, False)
    hlm_debt: tuple[int, int] = (0, 0)


START: Final = Ledger()


class Contract(NamedTuple):
    """What was to be made.

    Attributes:
        level: the bid's place on the ladder.
        side: the declaring side.
    """

    level: int
    side: Side


class Settlement(NamedTuple):
    """A scored hand.

    Attributes:
        ledger: after points, clearings and crossings.
        points: what each side scored in this hand.
        made: whether the contract was made; None for a hand thrown in.
    """

    ledger: Ledger
    points: tuple[int, int]
    made: bool | None


def pay(ledger: Ledger, side: Side, price: int) -> Ledger:
    """Take ``price`` tokens from a side that has them (rules T5.1)."""
    tokens = _with(ledger.tokens, side, ledger.tokens[side] - price)
    assert tokens[side] >= 0, "a price was taken that the side could not pay"
    return Ledger(ledger.scores, tokens, ledger.token_debt, ledger.hlm_debt)


def pay_for_call(ledger: Ledger, side: Side, price: int) -> Ledger:
    """Take the price of a call, or add a unit of HLM debt (rules T4.1, T4.2)."""
    if ledger.tokens[side] >= price:
        return pay(ledger, side, price)
    hlm_debt = _with(ledger.hlm_debt, side, ledger.hlm_debt[side] + 1)
    return Ledger(ledger.scores, ledger.tokens, ledger.token_debt, hlm_debt)


def settle(
    tables: Tables,
    ledger: Ledger,
    contract: Contract | None,
    *,
    tricks: tuple[int, int],
    old_hlm_debt: tuple[int, int],
) -> Settlement:
    """Score a hand.

    Args:
        tables: of the variant.
        ledger: as it stands after the last trick, calls and forces already paid.
        contract: None for a hand thrown in.
        tricks: taken by side 0 and side 1.
        old_hlm_debt: units that stood before this hand's call (rules T4.4).
    """
    if contract is None:
        return Settlement(ledger, (0, 0), None)
    bid = tables.variant.bids[contract.level]
    made = tricks[contract.side] >= bid.tricks
    points = hand_points(tables.variant, bid, contract.side, tricks, made=made)
    old = ledger.scores
    new = (old[0] + points[0], old[1] + points[1])
    if tables.uses_tokens:
        after = _with_tokens(tables, ledger, contract, old_hlm_debt, new)
    else:
        after = Ledger(new, ledger.tokens, ledger.token_debt, ledger.hlm_debt)
    return Settlement(after, points, made)


def hand_points(
    variant: Variant, bid: BidRule, declaring: Side, tricks: tuple[int, int], *, made: bool
) -> tuple[int, int]:
    """The points of both sides (rules C4.1 to C4.5)."""
    if made:
        declared = tricks[declaring] if bid.made is None else bid.made
    else:
        declared = -(bid.tricks if bid.set is None else bid.set)
    defended = tricks[1 - declaring] if variant.defenders_score else 0
    return (declared, defended) if declaring == 0 else (defended, declared)


def _with_tokens(
    tables: Tables,
    ledger: Ledger,
    contract: Contract,
    old_hlm_debt: tuple[int, int],
    new: tuple[int, int],
) -> Ledger:
    """The ledger at ``new`` scores: debts cleared first, then both sides' crossings (T3.4)."""
    old, tokens = ledger.scores, ledger.tokens
    token_debt, hlm_debt = _cleared(tables, ledger, contract, old_hlm_debt)
    rules = tables.variant.tokens
    stock0, debt0 = _crossed(rules, tokens[0], old[0], new[0], in_debt=token_debt[0])
    stock1, debt1 = _crossed(rules, tokens[1], old[1], new[1], in_debt=token_debt[1])
    return Ledger(new, (stock0, stock1), (debt0, debt1), hlm_debt)


def _cleared(
    tables: Tables, ledger: Ledger, contract: Contract, old_hlm_debt: tuple[int, int]
) -> tuple[tuple[bool, bool], tuple[int, int]]:
    """Both debts after the declaring side has played its contract (rules T3.3, T4.4)."""
    side = contract.side
    token_debt, hlm_debt = ledger.token_debt, ledger.hlm_debt
    if token_debt[side] and contract.level >= tables.token_debt_level:
        token_debt = _with(token_debt, side, value=False)
    if old_hlm_debt[side] > 0 and contract.level >= tables.hlm_debt_level:
        hlm_debt = _with(hlm_debt, side, hlm_debt[side] - 1)
    return token_debt, hlm_debt


def _crossed(
    rules: TokenRules, stock: int, old: int, new: int, *, in_debt: bool
) -> tuple[int, bool]:
    """One side's stock and token debt after its crossings (rules T2.2 to T2.6, T3.1).

    The decades at or below a score are counted before and after: more are gains, fewer losses.
    """
    stock += bisect_right(rules.decades, new) - bisect_right(rules.decades, old)
    if new >= old:
        return stock, in_debt
    if stock < 0:
        stock, in_debt = 0, True
    for step in rules.sympathy:
        if new <= step < old:
            stock += 1
    return stock, in_debt


def _with(pair: tuple[T, T], side: Side, value: T) -> tuple[T, T]:
    return (value, pair[1]) if side == 0 else (pair[0], value)
