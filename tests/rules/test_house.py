"""House rules as TOML: round trips, and each refusal by the field's name."""

from collections.abc import Mapping
from dataclasses import fields, replace

import pytest

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    VARIANTS,
    Call,
    Rank,
    Variant,
    VariantError,
    variant_from_toml,
    variant_hash,
    variant_to_toml,
)
from arena.rules.house import MAX_TEXT, variant_from_data, variant_to_data
from arena.rules.variant import Auction, BidRule, CallRule, Exchange, Gift, Naming, TokenRules

ODD = replace(
    DOUBLE,
    name="odd-1",
    auction=Auction.UNTIL_PASSED,
    gift=Gift.ANY,
    trade_blind=False,
    bids=(BidRule("2", 2, made=0, set=1), BidRule("all", 8, alone=True, exchange=Exchange.TRADE)),
    calls=(CallRule(Call.HEARTS, lowest_bid="all"), DOUBLE.calls[4]),
    hands=None,
    target=1_000_000,
    tokens=TokenRules(sympathy=(-1,), force_partner=1, forced_bid="2"),
)


@pytest.mark.parametrize("variant", [*VARIANTS.values(), ODD], ids=lambda variant: variant.name)
def test_a_printed_variant_reads_back_equal(variant: Variant) -> None:
    text = variant_to_toml(variant)
    assert variant_from_toml(text) == variant
    assert variant_from_toml("\ufeff" + text.replace("\n", "\r\n")) == variant
    assert variant_from_data(variant_to_data(variant)) == variant


def test_every_field_is_printed() -> None:
    text = variant_to_toml(TOKEN)
    for record in (Variant, BidRule, CallRule, TokenRules):
        for field in fields(record):
            assert f"\n{field.name} = " in f"\n{text}" or f"[{field.name}]" in text


def test_extends_changes_what_differs() -> None:
    variant = variant_from_toml('extends = "classic"\nname = "to-50"\ntarget = 50\n')
    assert variant == replace(CLASSIC, name="to-50", target=50)


def test_extends_merges_the_tokens() -> None:
    variant = variant_from_toml('extends = "token"\n[tokens]\ncredit = false\nsympathy = []\n')
    assert variant == replace(TOKEN, tokens=replace(TOKEN.tokens, credit=False, sympathy=()))


def test_extends_replaces_lists() -> None:
    text = 'extends = "double"\ncalls = [{call="S", tokens=0, lowest_bid="none", order=""}]\n'
    assert variant_from_toml(text).calls == (CallRule(Call.SPADES),)


def test_none_stands_for_not_there() -> None:
    variant = variant_from_toml('extends = "classic"\ntarget = "none"\nhands = 8\n')
    assert (variant.target, variant.hands) == (None, 8)


def test_the_hash_is_of_the_data_without_the_name() -> None:
    assert variant_hash(replace(TOKEN, name="else")) == variant_hash(TOKEN)
    assert variant_hash(replace(TOKEN, target=43)) != variant_hash(TOKEN)
    assert len({variant_hash(variant) for variant in VARIANTS.values()}) == 3


def test_the_hashes_of_the_shipped_variants_stay() -> None:
    """They are the keys of ladders: a change here orphans every stored result."""
    assert {name: variant_hash(variant)[:16] for name, variant in VARIANTS.items()} == {
        "classic": "3621590d498980f3",
        "token": "fb7780889dd7d627",
        "double": "1bc3dcb6351cf491",
    }


def refused(text: str) -> str:
    with pytest.raises(VariantError) as caught:
        variant_from_toml(text)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


BIG = "1" * 5000


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("", "name is no field", id="an empty file lacks every field"),
        pytest.param("name = ", "the file is no TOML: Invalid value", id="a broken line"),
        pytest.param("\0", "the file is no TOML", id="a null byte"),
        pytest.param(f"target = {BIG}", "the file is no TOML", id="a number of 5,000 digits"),
        pytest.param("x = " + "[" * 20_000, "nested too deeply", id="20,000 brackets"),
        pytest.param("#" * (MAX_TEXT + 1), f"longer than {MAX_TEXT} characters", id="too long"),
        pytest.param('extends = "bridge"', "extends must be one of classic, token, double", id="x"),
        pytest.param("extends = 3", "extends must be one of", id="extends a number"),
        pytest.param('extends = ["token"]', "extends must be one of", id="extends a list"),
    ],
)
def test_a_file_that_is_none(text: str, sentence: str) -> None:
    if not text:
        sentence = "name is missing"
    assert sentence in refused(text)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        pytest.param("colour = 1", "colour is no field of a variant", id="an unknown field"),
        pytest.param("Target = 40", "Target is no field", id="a field in capitals"),
        pytest.param("tokens.x = 1", "tokens.x is no field", id="an unknown field of tokens"),
        pytest.param("target = 3.0", "target must be a whole number", id="3.0"),
        pytest.param("target = nan", "target must be a whole number", id="nan"),
        pytest.param("target = inf", "target must be a whole number", id="inf"),
        pytest.param("target = true", "target must be a whole number", id="true for a number"),
        pytest.param('target = "42"', "target must be a whole number", id="a text for a number"),
        pytest.param("target = [42]", "target must be a whole number", id="a list for a number"),
        pytest.param("target = 2024-01-01", "target must be a whole number", id="a date"),
        pytest.param('copies = "none"', "copies must be a whole number", id="none where needed"),
        pytest.param("trade_blind = 1", "trade_blind must be true or false", id="1 for true"),
        pytest.param("trade_optional = 0", "trade_optional must be true or false", id="0"),
        pytest.param('defenders_score = "no"', "defenders_score must be true", id="no"),
        pytest.param("name = 5", "name must be a text", id="a number for a text"),
        pytest.param("ranks = 9", "ranks must be a text of the ranks 9TJQKA", id="ranks 9"),
        pytest.param('ranks = "9XJ"', "ranks must be a text of the ranks", id="an unknown rank"),
        pytest.param('ranks = ["J"]', "ranks must be a text of the ranks", id="a list of ranks"),
        pytest.param("bids = 3", "bids must be a list", id="bids 3"),
        pytest.param("bids = [3]", "bids[0] must be a table", id="a bid that is a number"),
        pytest.param("bids = [{}]", "bids[0].name is missing", id="an empty bid"),
        pytest.param("calls = [{call = 1}]", "calls[0].tokens is missing", id="half a call"),
        pytest.param("tokens = 3", "tokens must be a table", id="tokens 3"),
        pytest.param("tokens.decades = 10", "tokens.decades must be a list", id="one decade"),
        pytest.param(
            "tokens.decades = [10, 2.5]",
            "tokens.decades[1] must be a whole number",
            id="half a decade",
        ),
        pytest.param('auction = "wild"', "auction must be one of one-round, until-passed", id="a"),
        pytest.param("auction = 1", "auction must be one of", id="auction 1"),
        pytest.param('naming = "later"', "naming must be one of after-auction, in-bid", id="nam"),
        pytest.param('all_pass = ""', "all_pass must be one of dealer-bids, thrown-in", id="all"),
        pytest.param("gift = []", "gift must be one of best, any", id="gift"),
        pytest.param("gift_without_trump = {}", "gift_without_trump must be one of any", id="gwt"),
        pytest.param('gift_tie = "none"', "gift_tie must be one of partner, first-suit", id="tie"),
        pytest.param('opening_lead = "x"', "opening_lead must be one of left-of-dealer", id="ol"),
        pytest.param('both_reach = "x"', "both_reach must be one of declaring-side", id="br"),
        pytest.param('tie = "coin"', "tie must be one of draw, declaring-side", id="tie coin"),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused_by_name(line: str, sentence: str) -> None:
    assert refused(f'extends = "token"\n{line}\n').startswith(sentence)


def test_a_missing_field_is_refused_by_name() -> None:
    for name in [field.name for field in fields(Variant)]:
        data = variant_to_data(TOKEN)
        del data[name]
        with pytest.raises(VariantError, match=f"^{name} is missing$"):
            variant_from_data(data)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        pytest.param("X", "calls[0].call must be one of C, D, H, S, NT, high, low, mid", id="X"),
        pytest.param(4, "calls[0].call must be one of", id="a number"),
        pytest.param([], "calls[0].call must be one of", id="a list"),
    ],
)
def test_a_call_that_is_none(call: object, sentence: str) -> None:
    data = variant_to_data(CLASSIC)
    data["calls"][0]["call"] = call
    with pytest.raises(VariantError) as caught:
        variant_from_data(data)
    assert str(caught.value).startswith(sentence)


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


def test_nonsense_in_a_file_is_refused_like_nonsense_in_code() -> None:
    assert refused('extends = "token"\nhand_size = 7\n').startswith("hand_size must be 6")
