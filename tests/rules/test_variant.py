"""What a variant may be: each nonsensical field is refused by its name."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from arena.rules import CLASSIC, DOUBLE, TOKEN, Call, Rank, Variant, VariantError
from arena.rules.variant import BidRule, CallRule, Exchange, Naming, TokenRules


def bids(*rules: BidRule) -> dict[str, object]:
    return {"bids": rules}


def tokens(**changes: object) -> dict[str, object]:
    return {"tokens": replace(TOKEN.tokens, **changes)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variant", "changes", "sentence"),
    [
        *(
            pytest.param(CLASSIC, {"name": name}, "name must be 1 to 32 of a-z, 0-9 and -", id=id_)
            for name, id_ in [
                ("", "no name"),
                ("a" * 33, "a name of 33 letters"),
                ("Classic", "a capital"),
                ("-", "a dash alone"),
                ("a b", "a blank"),
                ("ä", "a letter of another alphabet"),
                ("a\n", "a line feed"),
                ("a" * 16 + "B", "a capital after the 16th letter"),
                ("a" * 16 + "ß", "a foreign letter after the 16th"),
            ]
        ),
        pytest.param(CLASSIC, {"ranks": ()}, "ranks must rise", id="no ranks"),
        pytest.param(CLASSIC, {"ranks": (Rank.ACE, Rank.JACK)}, "ranks must rise", id="falling"),
        pytest.param(CLASSIC, {"ranks": (Rank.JACK, Rank.JACK)}, "ranks must rise", id="twice J"),
        pytest.param(
            CLASSIC, {"ranks": (Rank.NINE, Rank.ACE)}, "ranks must include J", id="no jacks"
        ),
        pytest.param(CLASSIC, {"copies": 0}, "copies must be 1 or 2", id="no copy"),
        pytest.param(CLASSIC, {"copies": 3}, "copies must be 1 or 2", id="three copies"),
        pytest.param(CLASSIC, {"copies": 2}, "hand_size must be 12", id="twelve cards a hand"),
        pytest.param(CLASSIC, {"hand_size": 5}, "hand_size must be 6", id="five cards a hand"),
        pytest.param(CLASSIC, {"first_dealer": 4}, "first_dealer must be a seat", id="dealer 4"),
        pytest.param(CLASSIC, {"first_dealer": -1}, "first_dealer must be a seat", id="dealer -1"),
        pytest.param(CLASSIC, bids(), "bids must be 1 to 20 bids", id="no bids"),
        pytest.param(
            CLASSIC,
            bids(*(BidRule(str(number), 1) for number in range(21))),
            "bids must be 1 to 20 bids",
            id="21 bids",
        ),
        pytest.param(
            CLASSIC, bids(BidRule("3", 3), BidRule("3", 4)), "bids.name must differ", id="twice 3"
        ),
        pytest.param(
            CLASSIC, bids(BidRule("7", 7)), "bids.tricks of '7' must be at most 6", id="7 of 6"
        ),
        pytest.param(
            CLASSIC,
            bids(BidRule("lone", 5, alone=True)),
            "bids.tricks of 'lone' must be 6: alone is all tricks",
            id="alone with five tricks",
        ),
        pytest.param(
            CLASSIC,
            bids(BidRule("4", 4), BidRule("3", 3)),
            "bids.tricks must not fall",
            id="a falling ladder",
        ),
        pytest.param(CLASSIC, {"calls": ()}, "calls must not be empty", id="no calls"),
        pytest.param(
            CLASSIC,
            {"calls": CLASSIC.calls[::-1]},
            "calls must be in the order",
            id="calls in another order",
        ),
        pytest.param(
            CLASSIC,
            {"calls": (CLASSIC.calls[0],) * 2},
            "calls must be in the order C D H S NT high low mid, each once",
            id="a call twice",
        ),
        pytest.param(
            CLASSIC,
            {"calls": (CallRule(Call.CLUBS), CallRule(Call.HEARTS, lowest_bid="9"))},
            "calls.lowest_bid names '9', which is not on the ladder",
            id="a lowest bid that is none",
        ),
        pytest.param(
            TOKEN,
            {"naming": Naming.IN_BID},
            "calls.tokens must be 0 where the call is part of the bid",
            id="a paid call in a bid",
        ),
        pytest.param(
            CLASSIC,
            {"calls": (CallRule(Call.CLUBS, lowest_bid="4"),)},
            "calls must leave a call that '3' can always name",
            id="nothing to name on a 3",
        ),
        pytest.param(
            TOKEN,
            {"calls": TOKEN.calls[4:], **tokens(credit=False)},
            "calls must leave a call that '3' can always name",
            id="paid calls only, without credit",
        ),
        pytest.param(
            TOKEN,
            tokens(token_debt_minimum="lone"),
            "tokens.token_debt_minimum names 'lone'",
            id="a token debt minimum that is no bid",
        ),
        pytest.param(
            TOKEN,
            tokens(hlm_debt_minimum="lone"),
            "tokens.hlm_debt_minimum names 'lone'",
            id="an HLM debt minimum that is no bid",
        ),
        pytest.param(
            TOKEN,
            tokens(forced_bid="lone"),
            "tokens.forced_bid names 'lone'",
            id="a forced bid that is none",
        ),
        pytest.param(
            TOKEN,
            tokens(token_debt_minimum=None),
            "tokens.token_debt_minimum is needed where tokens can be lost",
            id="losses without a debt minimum",
        ),
        pytest.param(CLASSIC, {"target": None}, "target or hands must be given", id="no end"),
        pytest.param(CLASSIC, {"hands": 8}, "target or hands must be given", id="two ends"),
        pytest.param(CLASSIC, {"target": 0}, "target must be from 1 to", id="target 0"),
        pytest.param(CLASSIC, {"target": 1_000_001}, "target must be from 1 to", id="too far"),
        pytest.param(DOUBLE, {"hands": 0}, "hands must be from 1 to 10000", id="no hands"),
        pytest.param(DOUBLE, {"hands": 10_001}, "hands must be from 1 to", id="too many hands"),
        pytest.param(CLASSIC, {"max_hands": 0}, "max_hands must be from 1 to", id="max_hands 0"),
        pytest.param(CLASSIC, {"max_hands": 10_001}, "max_hands must be", id="max_hands 10,001"),
    ],
)
def test_nonsense_is_refused_by_the_fields_name(
    variant: Variant, changes: Mapping[str, object], sentence: str
) -> None:
    with pytest.raises(VariantError) as caught:
        replace(variant, **changes)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("record", "values", "sentence"),
    [
        *(
            pytest.param(BidRule, {"name": name, "tricks": 1}, "bids.name must be 1 to 16", id=id_)
            for name, id_ in [
                ("", "a bid without a name"),
                ("a" * 17, "a name of 17 letters"),
                ("Solo", "a bid in capitals"),
                ("so lo", "a blank in a bid"),
                ("so-lo", "a dash in a bid"),
                ("é", "an accent in a bid"),
            ]
        ),
        pytest.param(
            BidRule, {"name": "none", "tricks": 1}, "bids.name must not be 'none'", id="none"
        ),
        pytest.param(BidRule, {"name": "0", "tricks": 0}, "bids.tricks must be", id="no tricks"),
        pytest.param(BidRule, {"name": "17", "tricks": 17}, "bids.tricks must be", id="17 tricks"),
        pytest.param(BidRule, {"name": "3", "tricks": 3, "made": -1}, "bids.made must", id="made"),
        pytest.param(BidRule, {"name": "3", "tricks": 3, "made": 1001}, "bids.made", id="1001"),
        pytest.param(BidRule, {"name": "3", "tricks": 3, "set": -3}, "bids.set must", id="set -3"),
        pytest.param(BidRule, {"name": "3", "tricks": 3, "set": 1001}, "bids.set", id="set 1001"),
        pytest.param(
            BidRule,
            {"name": "3", "tricks": 3, "exchange": Exchange.GIFT},
            "bids.exchange must be none for '3', which is not played alone",
            id="an exchange that is not alone",
        ),
        pytest.param(CallRule, {"call": Call.CLUBS, "tokens": -1}, "calls.tokens", id="price -1"),
        pytest.param(CallRule, {"call": Call.CLUBS, "tokens": 101}, "calls.tokens", id="price 101"),
        pytest.param(
            CallRule,
            {"call": Call.CLUBS, "order": tuple(Rank)},
            "calls.order must be empty for a trump suit",
            id="an order for a suit",
        ),
        pytest.param(
            CallRule, {"call": Call.LOW}, "calls.order must list all six ranks", id="no order"
        ),
        pytest.param(
            CallRule,
            {"call": Call.MID, "order": (Rank.ACE,) * 6},
            "calls.order must list all six ranks for 'mid'",
            id="an order of aces",
        ),
        pytest.param(
            CallRule, {"call": Call.MID, "order": tuple(Rank)[1:]}, "calls.order must", id="five"
        ),
        pytest.param(TokenRules, {"decades": (20, 10)}, "tokens.decades must rise", id="falling"),
        pytest.param(TokenRules, {"decades": (10, 10)}, "tokens.decades must rise", id="twice 10"),
        pytest.param(TokenRules, {"decades": (0, 10)}, "tokens.decades must be above 0", id="0"),
        pytest.param(
            TokenRules, {"decades": (1_000_001,)}, "tokens.decades must be above 0", id="too high"
        ),
        pytest.param(TokenRules, {"sympathy": (-40, -20)}, "tokens.sympathy must fall", id="rise"),
        pytest.param(TokenRules, {"sympathy": (0,)}, "tokens.sympathy must be below 0", id="zero"),
        pytest.param(TokenRules, {"sympathy": (-1_000_001,)}, "tokens.sympathy", id="too low"),
        *(
            pytest.param(
                TokenRules, {name: price}, f"tokens.{name} must be from 1", id=f"{name}{price}"
            )
            for name in ("force_partner", "force_opponents")
            for price in (0, 101)
        ),
        pytest.param(
            TokenRules, {"force_partner": 2}, "tokens.forced_bid is needed for forcing", id="force"
        ),
        pytest.param(
            TokenRules, {"force_opponents": 2}, "tokens.forced_bid is needed", id="force both"
        ),
        pytest.param(
            TokenRules,
            {"credit": True},
            "tokens.hlm_debt_minimum is needed where credit is true",
            id="credit without a minimum",
        ),
    ],
)
def test_nonsense_in_a_row_is_refused(
    record: type[BidRule | CallRule | TokenRules], values: Mapping[str, object], sentence: str
) -> None:
    with pytest.raises(VariantError) as caught:
        record(**values)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


def test_bounds_are_allowed() -> None:
    replace(CLASSIC, name="a" * 32, target=1_000_000, max_hands=10_000, first_dealer=3)
    replace(DOUBLE, name="0-9", hands=1)
    BidRule("a" * 16, 16, made=1000, set=0)
    CallRule(Call.LOW, tokens=100, order=tuple(Rank))
    TokenRules(force_partner=100, force_opponents=1, forced_bid="x", sympathy=(-1_000_000,))


def test_a_level_that_is_not_there() -> None:
    with pytest.raises(VariantError, match="there is no bid 'shot' in 'classic'"):
        CLASSIC.level_of("shot")
