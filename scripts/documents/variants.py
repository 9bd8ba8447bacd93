"""The variants table of the README, from the variants' data."""

from __future__ import annotations

from arena.rules.cards import RANK_TEXTS
from arena.rules.variant import BidRule, Exchange, Naming, OpeningLead, TokenRules, Variant
from arena.rules.variants import VARIANTS

_EXCHANGES = {Exchange.NONE: "", Exchange.TRADE: ", trade", Exchange.GIFT: ", gift"}
_LEADS = {OpeningLead.LEFT_OF_DEALER: "left of dealer", OpeningLead.DECLARER: "declarer"}
_NAMINGS = {Naming.AFTER_AUCTION: "after the auction", Naming.IN_BID: "in the bid"}


def variants_table() -> str:
    """One column a variant, one row a difference."""
    variants = list(VARIANTS.values())
    rows = [
        ("", [f"`{v.name}`" for v in variants]),
        ("deck", [_deck(v) for v in variants]),
        ("bids", [_plain_bids(v) for v in variants]),
        ("alone (made / set)", [_alone_bids(v) for v in variants]),
        ("calls", [_calls(v) for v in variants]),
        ("the call is named", [_NAMINGS[v.naming] for v in variants]),
        ("opening lead", [_LEADS[v.opening_lead] for v in variants]),
        ("tokens", [_tokens(v) for v in variants]),
        ("a game", [_game(v) for v in variants]),
    ]
    lines = [f"| {label} | {' | '.join(cells)} |" for label, cells in rows]
    lines.insert(1, "| --- " * (len(variants) + 1) + "|")
    return "\n".join(lines)


def _deck(variant: Variant) -> str:
    ranks = " ".join(RANK_TEXTS[rank] for rank in variant.ranks)
    copies = "" if variant.copies == 1 else f", {variant.copies} of each"
    cards = 4 * len(variant.ranks) * variant.copies
    return f"{cards} cards ({ranks}{copies}), {variant.hand_size} a hand"


def _plain_bids(variant: Variant) -> str:
    names = [bid.name for bid in variant.bids if not bid.alone]
    return f"{names[0]} to {names[-1]}"


def _alone_bids(variant: Variant) -> str:
    return "; ".join(_alone(bid) for bid in variant.bids if bid.alone)


def _alone(bid: BidRule) -> str:
    return f"{bid.name} +{bid.made} / -{bid.set}{_EXCHANGES[bid.exchange]}"


def _calls(variant: Variant) -> str:
    return " ".join(rule.call.text + "\\*" * (rule.tokens > 0) for rule in variant.calls)


def _tokens(variant: Variant) -> str:
    tokens = variant.tokens
    if tokens == TokenRules():
        return "none"
    prices = {rule.tokens for rule in variant.calls if rule.tokens}
    return (
        f"\\* costs {', '.join(map(str, sorted(prices)))}; "
        f"forcing the partner {tokens.force_partner}, the opponents {tokens.force_opponents}"
    )


def _game(variant: Variant) -> str:
    return f"{variant.hands} hands" if variant.target is None else f"to {variant.target}"
