"""deal-v1: commitments, streams, shuffles, deals (rules S), against published values."""

import hashlib
import hmac
from itertools import islice

import pytest

from arena.rules import (
    CLASSIC,
    DOUBLE,
    Dealer,
    DealError,
    Variant,
    bot_seed,
    card_text,
    commitment,
    parse_seed,
    tables_of,
)
from arena.rules.deal import uniform

ZERO = bytes(32)
RISING = bytes(range(32))
THIRD = bytes.fromhex("09dfb6795c7f46a6a2f8a47712aa1ab0b19191adf43ad125352e654b257c2d68")
REJECTING = 3_221_225_472


@pytest.mark.parametrize(
    ("seed", "digest"),
    [
        pytest.param(
            ZERO, "70c4c47b8e95f0ed374e00652636d78687a2fcbc0b152677f3a549570ab6ab7a", id="S5 zeros"
        ),
        pytest.param(
            RISING, "bacfd6f125f95eef384401b9419f62a207a7dce6b97c8e2b536553cfbd3ee21b", id="0 to 31"
        ),
        pytest.param(
            THIRD, "d474913e6e1d2fd6f96bb65c0a6dcaabfbb62a9af747ee4cf67dc6e182d16d91", id="a third"
        ),
    ],
)
def test_s1_commitment(seed: bytes, digest: str) -> None:
    assert commitment(seed) == digest


def test_s2_the_stream_is_hmac_of_numbered_blocks_as_big_endian_words() -> None:
    assert list(islice(Dealer(ZERO).stream("m1", 0), 8)) == [
        3076808639,
        2493689659,
        1089639829,
        891839629,
        3308066130,
        3031405033,
        2898457292,
        3507895320,
    ]


def test_s2_the_twelfth_block_has_a_number_of_two_digits() -> None:
    words = list(islice(Dealer(THIRD).stream("a:b", 7), 8 * 12))
    block = hmac.digest(THIRD, b"deal-v1\na:b\n7\n11", hashlib.sha256)
    assert b"".join(word.to_bytes(4, "big") for word in words[-8:]) == block


@pytest.mark.parametrize(
    ("seed", "set_id", "board", "order", "follower"),
    [
        pytest.param(
            ZERO,
            "m1",
            0,
            "22 1 4 14 3 30 23 21 6 18 27 15 25 0 7 9 2 11 8 10 5 12 24 17 20 16 13 26 29 19 28 31",
            0,
            id="S5 zero seed, board 0, 32 cards",
        ),
        pytest.param(
            ZERO,
            "m1",
            1,
            "28 19 10 13 25 8 31 23 27 26 22 30 3 29 4 18 11 24 12 1 7 0 17 21 20 16 2 9 14 5 15 6",
            0,
            id="S5 zero seed, board 1, 32 cards",
        ),
        pytest.param(
            RISING,
            "m1",
            0,
            "25 20 0 10 14 27 11 21 16 31 15 4 1 24 6 17 9 2 18 22 29 13 5 28 30 8 12 3 19 23 26 7",
            2,
            id="S4 rising seed, 32 cards",
        ),
        pytest.param(
            RISING,
            "cup-2024.r3.t1",
            17,
            "3 51 0 9 6 39 1 19 36 33 37 48 18 21 4 49 2 13 30 32 25 42 40 50 24 15 17 26 38 8 16 "
            "34 28 47 46 10 43 11 12 5 14 27 7 23 31 41 44 22 29 45 20 35",
            0,
            id="S4 a set id with dots and dashes, 52 numbers",
        ),
        pytest.param(
            THIRD,
            "a:b",
            0,
            "45 25 24 27 4 1 13 26 40 51 3 0 36 41 23 39 44 11 15 43 30 38 8 12 22 46 49 21 2 7 17 "
            "14 33 20 29 32 50 5 9 10 18 16 31 19 48 47 35 34 37 42 28 6",
            1,
            id="S4 a set id with a colon, 52 numbers",
        ),
        pytest.param(
            THIRD,
            "a:b",
            2**32,
            "14 20 5 1 6 12 18 4 2 13 15 3 9 0 19 22 11 10 16 8 23 21 7 17",
            1,
            id="S4 a board beyond 32 bits, 24 numbers",
        ),
    ],
)
def test_s4_shuffles(seed: bytes, set_id: str, board: int, order: str, follower: int) -> None:
    numbers = [int(word) for word in order.split()]
    dealer = Dealer(seed)
    assert dealer.shuffled(set_id, board, len(numbers)) == numbers
    rest = dealer.stream(set_id, board)
    for size in range(len(numbers), 1, -1):
        uniform(rest, size)
    assert uniform(rest, 4) == follower, "the stream goes on where the shuffle left it"


def test_s3_uniform_rejects_numbers_at_or_above_the_limit() -> None:
    numbers = Dealer(ZERO).stream("rej", 0)
    drawn = [uniform(numbers, REJECTING) for _ in range(6)]
    assert drawn == [298072252, 2971225701, 1839839831, 1629887767, 1262025296, 1915123142]
    untouched = list(islice(Dealer(ZERO).stream("rej", 0), 7))
    assert [number for number in untouched if number < REJECTING] == drawn


@pytest.mark.parametrize(
    ("numbers", "n", "drawn"),
    [
        pytest.param([REJECTING, 5], REJECTING, 5, id="S3 the limit itself is rejected"),
        pytest.param([REJECTING - 1], REJECTING, REJECTING - 1, id="S3 one below is not"),
        pytest.param([2**32 - 1, 7], 3, 1, id="S3 modulo n"),
        pytest.param([2**32 - 1], 2, 1, id="S3 nothing to reject for a power of two"),
        pytest.param([2**32 - 1], 1, 0, id="S3 one choice"),
    ],
)
def test_s3_uniform(numbers: list[int], n: int, drawn: int) -> None:
    assert uniform(iter(numbers), n) == drawn


@pytest.mark.parametrize(
    ("variant", "deck"),
    [
        pytest.param(
            CLASSIC,
            "9C TC JC QC KC AC 9D TD JD QD KD AD 9H TH JH QH KH AH 9S TS JS QS KS AS",
            id="B1 24 cards",
        ),
        pytest.param(
            DOUBLE,
            "JC JC QC QC KC KC AC AC JD JD QD QD KD KD AD AD "
            "JH JH QH QH KH KH AH AH JS JS QS QS KS KS AS AS",
            id="D1 32 cards, two of each",
        ),
    ],
)
def test_s4_the_deck_is_suits_then_ranks_then_copies(variant: Variant, deck: str) -> None:
    assert " ".join(map(card_text, tables_of(variant).deck)) == deck


def test_s4_seat_s_gets_the_cards_from_s_times_the_hand_size() -> None:
    dealer = Dealer(ZERO)
    hands = dealer.deal(DOUBLE, "m1", 0)
    deck = tables_of(DOUBLE).deck
    order = dealer.shuffled("m1", 0, 32)
    assert [deck[index] for index in order] == [card for hand in hands for card in hand]
    assert [len(hand) for hand in hands] == [8, 8, 8, 8]
    assert card_text(hands[0][0]) == "AH", "card 22 of the deck of two copies"


def test_s6_a_deal_does_not_depend_on_what_was_dealt_before() -> None:
    fresh, used = Dealer(RISING), Dealer(RISING)
    for board in (5, 3, 4):
        used.deal(CLASSIC, "r1:1-2:0", board)
    assert used.deal(CLASSIC, "r1:1-2:0", 2) == fresh.deal(CLASSIC, "r1:1-2:0", 2)
    assert used.deal(CLASSIC, "r1:1-2:1", 2) != fresh.deal(CLASSIC, "r1:1-2:0", 2)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), bytes(64)], ids=len)
def test_s1_a_seed_is_32_bytes(seed: bytes) -> None:
    sentence = f"a seed is 32 bytes, not {len(seed)}"
    with pytest.raises(DealError, match=sentence):
        commitment(seed)
    with pytest.raises(DealError, match=sentence):
        Dealer(seed)
    with pytest.raises(DealError, match=sentence):
        bot_seed(seed, "m1", "a", 0, 0)


@pytest.mark.parametrize(
    "set_id",
    ["", "a" * 65, "m 1", "m1\n", "\nm1", "ä", "m/1", "m1\0", "٣"],
    ids=ascii,
)
def test_s2_a_set_id_is_1_to_64_letters(set_id: str) -> None:
    with pytest.raises(DealError, match="no set id"):
        Dealer(ZERO).deal(CLASSIC, set_id, 0)


@pytest.mark.parametrize("set_id", ["a", "a" * 64, "A-Z.0_9:x", "r1:2-3:0"])
def test_s2_good_set_ids(set_id: str) -> None:
    assert len(Dealer(ZERO).deal(CLASSIC, set_id, 0)) == 4


def test_s2_boards_count_from_zero() -> None:
    with pytest.raises(DealError, match="-1 is no board"):
        Dealer(ZERO).deal(CLASSIC, "m1", -1)


@pytest.mark.parametrize("text", ["00" * 32, "fF" * 32, THIRD.hex()], ids=["0", "both", "third"])
def test_a_seed_is_read_from_64_hexadecimal_digits(text: str) -> None:
    assert parse_seed(text).hex() == text.lower()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("", "this one has 0 characters", id="nothing"),
        pytest.param("00" * 31, "this one has 62 characters", id="too short"),
        pytest.param("00" * 33, "this one has 66 characters", id="too long"),
        pytest.param("0x" + "00" * 31, "this one holds other characters", id="a prefix"),
        pytest.param("00" * 31 + " 0", "this one holds other characters", id="a blank"),
        pytest.param("٣" * 64, "this one holds other characters", id="digits of another script"),
        pytest.param("0" * 63 + "\n", "this one holds other characters", id="a line feed"),
        pytest.param("0" * 64 + "\n", "this one has 65 characters", id="a line feed too many"),
    ],
)
def test_a_seed_that_is_none(text: str, sentence: str) -> None:
    with pytest.raises(DealError, match=sentence):
        parse_seed(text)


def test_a_bot_seed_is_the_first_eight_bytes_of_an_hmac() -> None:
    whole = hmac.digest(THIRD, b"bot-v1\nr1:1-2:0\nb\n3\n2", hashlib.sha256)
    assert bot_seed(THIRD, "r1:1-2:0", "b", 3, 2) == whole[:8]
