"""A variant on the wire: the whole record, so that a bot can play one it was not compiled for.

Bids are named by their place on the ladder from 1, 0 or an absent field meaning "none".
"""

from __future__ import annotations

from arena.rules.variant import BidRule, CallRule, TokenRules, Variant
from arena.v1 import variant_pb2
from arena.wire.enums import (
    ALL_PASSES,
    AUCTIONS,
    BOTH_REACHES,
    CALLS,
    EXCHANGES,
    GIFT_FALLBACKS,
    GIFT_TIES,
    GIFTS,
    NAMINGS,
    OPENING_LEADS,
    RANKS,
    TIES,
    UnknownValue,
)


def variant_message(variant: Variant) -> variant_pb2.Variant:
    """The message of a variant."""
    return variant_pb2.Variant(
        name=variant.name,
        ranks=[RANKS.number(rank) for rank in variant.ranks],
        copies=variant.copies,
        hand_size=variant.hand_size,
        bids=[_bid_message(bid) for bid in variant.bids],
        calls=[_call_message(variant, rule) for rule in variant.calls],
        first_dealer=variant.first_dealer,
        auction=AUCTIONS.number(variant.auction),
        naming=NAMINGS.number(variant.naming),
        all_pass=ALL_PASSES.number(variant.all_pass),
        trade_optional=variant.trade_optional,
        trade_blind=variant.trade_blind,
        gift=GIFTS.number(variant.gift),
        gift_without_trump=GIFT_FALLBACKS.number(variant.gift_without_trump),
        gift_tie=GIFT_TIES.number(variant.gift_tie),
        opening_lead=OPENING_LEADS.number(variant.opening_lead),
        defenders_score=variant.defenders_score,
        tokens=_tokens_message(variant),
        target=variant.target,
        hands=variant.hands,
        max_hands=variant.max_hands,
        both_reach=BOTH_REACHES.number(variant.both_reach),
        tie=TIES.number(variant.tie),
    )


def _bid_message(bid: BidRule) -> variant_pb2.BidRule:
    return variant_pb2.BidRule(
        name=bid.name,
        tricks=bid.tricks,
        alone=bid.alone,
        exchange=EXCHANGES.number(bid.exchange),
        made=bid.made,
        set=bid.set,
    )


def _call_message(variant: Variant, rule: CallRule) -> variant_pb2.CallRule:
    return variant_pb2.CallRule(
        call=CALLS.number(rule.call),
        tokens=rule.tokens,
        lowest_bid=_place(variant, rule.lowest_bid) or 0,
        order=[RANKS.number(rank) for rank in rule.order],
    )


def _tokens_message(variant: Variant) -> variant_pb2.TokenRules:
    tokens = variant.tokens
    return variant_pb2.TokenRules(
        decades=tokens.decades,
        sympathy=tokens.sympathy,
        token_debt_minimum=_place(variant, tokens.token_debt_minimum),
        credit=tokens.credit,
        hlm_debt_minimum=_place(variant, tokens.hlm_debt_minimum),
        force_partner=tokens.force_partner,
        force_opponents=tokens.force_opponents,
        forced_bid=_place(variant, tokens.forced_bid),
    )


def _place(variant: Variant, name: str | None) -> int | None:
    return None if name is None else variant.level_of(name) + 1


def read_variant(message: variant_pb2.Variant) -> Variant:
    """The variant of a message.

    Raises:
        UnknownValue: an enum value that this version does not know.
        VariantError: data that make no sense.
    """
    names = [bid.name for bid in message.bids]
    return Variant(
        name=message.name,
        ranks=tuple(RANKS.member(rank) for rank in message.ranks),
        copies=message.copies,
        hand_size=message.hand_size,
        bids=tuple(_read_bid(bid) for bid in message.bids),
        calls=tuple(_read_call(rule, names) for rule in message.calls),
        first_dealer=message.first_dealer,
        auction=AUCTIONS.member(message.auction),
        naming=NAMINGS.member(message.naming),
        all_pass=ALL_PASSES.member(message.all_pass),
        trade_optional=message.trade_optional,
        trade_blind=message.trade_blind,
        gift=GIFTS.member(message.gift),
        gift_without_trump=GIFT_FALLBACKS.member(message.gift_without_trump),
        gift_tie=GIFT_TIES.member(message.gift_tie),
        opening_lead=OPENING_LEADS.member(message.opening_lead),
        defenders_score=message.defenders_score,
        tokens=_read_tokens(message.tokens, names),
        target=message.target if message.HasField("target") else None,
        hands=message.hands if message.HasField("hands") else None,
        max_hands=message.max_hands,
        both_reach=BOTH_REACHES.member(message.both_reach),
        tie=TIES.member(message.tie),
    )


def _read_bid(message: variant_pb2.BidRule) -> BidRule:
    return BidRule(
        name=message.name,
        tricks=message.tricks,
        alone=message.alone,
        exchange=EXCHANGES.member(message.exchange),
        made=message.made if message.HasField("made") else None,
        set=message.set if message.HasField("set") else None,
    )


def _read_call(message: variant_pb2.CallRule, names: list[str]) -> CallRule:
    return CallRule(
        call=CALLS.member(message.call),
        tokens=message.tokens,
        lowest_bid=_name(names, message.lowest_bid) if message.lowest_bid else None,
        order=tuple(RANKS.member(rank) for rank in message.order),
    )


def _read_tokens(message: variant_pb2.TokenRules, names: list[str]) -> TokenRules:
    def bid(field: str) -> str | None:
        present = message.HasField(field)  # type: ignore[arg-type]
        return _name(names, getattr(message, field)) if present else None

    def price(field: str) -> int | None:
        present = message.HasField(field)  # type: ignore[arg-type]
        return int(getattr(message, field)) if present else None

    return TokenRules(
        decades=tuple(message.decades),
        sympathy=tuple(message.sympathy),
        token_debt_minimum=bid("token_debt_minimum"),
        credit=message.credit,
        hlm_debt_minimum=bid("hlm_debt_minimum"),
        force_partner=price("force_partner"),
        force_opponents=price("force_opponents"),
        forced_bid=bid("forced_bid"),
    )


def _name(names: list[str], place: int) -> str:
    if not 1 <= place <= len(names):
        raise UnknownValue(f"{place} is no place on a ladder of {len(names)} bids")
    return names[place - 1]
