"""House rules as TOML: round trips, and each refusal by the field's name."""

from dataclasses import fields, replace

import pytest

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    VARIANTS,
    Call,
    Variant,
    VariantError,
    variant_from_toml,
    variant_hash,
    variant_to_toml,
)
from arena.rules.house import MAX_TEXT, variant_from_data, variant_to_data
from arena.rules.variant import Auction, BidRule, CallRule, Exchange, Gift, TokenRules

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


def test_nonsense_in_a_file_is_refused_like_nonsense_in_code() -> None:
    assert refused('extends = "token"\nhand_size = 7\n').startswith("hand_size must be 6")
