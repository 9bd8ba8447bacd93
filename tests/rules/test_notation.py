"""The notation, both ways, and what keeps its identity (rules N, C1.4)."""

import copy
import pickle

import pytest

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    VARIANTS,
    Action,
    ActionKind,
    Call,
    IllegalAction,
    Ledger,
    NotationError,
    Rank,
    Refusal,
    Seat,
    Suit,
    Variant,
    card_text,
    parse_card,
    tables_of,
)
from arena.rules.actions import GIVES, HIDDEN_GIVE, PASS, action_of, chosen
from arena.rules.cards import card_of, left_of, partner_of, rank_of, side_of, suit_of
from tests.rules.positions import hand_of, legal, play_out

DECK = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]
EVERY_TEXT = [(variant, text) for variant in VARIANTS.values() for text in tables_of(variant).texts]


def test_c14_a_card_prints_as_rank_then_suit() -> None:
    assert [card_text(parse_card(text)) for text in DECK] == DECK
    assert [int(parse_card(text)) for text in DECK] == list(range(24))
    assert card_text(card_of(Suit.HEARTS, Rank.JACK)) == "JH"


def test_c14_suit_and_rank_of_a_card() -> None:
    assert (suit_of(parse_card("TD")), rank_of(parse_card("TD"))) == (Suit.DIAMONDS, Rank.TEN)
    assert (suit_of(parse_card("AS")), rank_of(parse_card("AS"))) == (Suit.SPADES, Rank.ACE)


def test_c11_seats_partners_sides() -> None:
    seats = [Seat(seat) for seat in range(4)]
    assert [partner_of(seat) for seat in seats] == [2, 3, 0, 1]
    assert [side_of(seat) for seat in seats] == [0, 1, 0, 1]
    assert [left_of(seat) for seat in seats] == [1, 2, 3, 0]


@pytest.mark.parametrize("text", ["", "HJ", "10H", "jh", "JHH", "J", "J H", " JH", "JX", "2C"])
def test_c14_a_text_that_is_no_card(text: str) -> None:
    with pytest.raises(NotationError, match="a card is a rank of 9TJQKA and a suit of CDHS"):
        parse_card(text)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_n_every_action_round_trips(variant: Variant) -> None:
    tables = tables_of(variant)
    for text in tables.texts:
        action = tables.parse(text)
        assert action.text == text
        assert repr(action) == f"<{text}>"
        assert pickle.loads(pickle.dumps(action)) is action
        assert copy.deepcopy(action) is action
        assert [(move.seat, move.action) for move in action.moves] == [
            (seat, action) for seat in range(4)
        ]


@pytest.mark.parametrize(
    ("variant", "text", "kind", "card", "level", "call"),
    [
        pytest.param(CLASSIC, "pass", "PASS", None, -1, None, id="pass"),
        pytest.param(CLASSIC, "bid 3", "BID", None, 0, None, id="bid 3"),
        pytest.param(CLASSIC, "bid shoot", "BID", None, 4, None, id="bid shoot"),
        pytest.param(CLASSIC, "bid lone", "BID", None, 5, None, id="bid lone"),
        pytest.param(TOKEN, "bid shot", "BID", None, 4, None, id="bid shot"),
        pytest.param(TOKEN, "bid loner", "BID", None, 5, None, id="bid loner"),
        pytest.param(TOKEN, "force partner", "FORCE_PARTNER", None, -1, None, id="force partner"),
        pytest.param(TOKEN, "force opponents", "FORCE_OPPONENTS", None, -1, None, id="opponents"),
        pytest.param(TOKEN, "shooter self", "SHOOTER_SELF", None, -1, None, id="shooter self"),
        pytest.param(TOKEN, "shooter partner", "SHOOTER_PARTNER", None, -1, None, id="shooter p"),
        pytest.param(DOUBLE, "bid 4 H", "BID", None, 3, Call.HEARTS, id="bid 4 H"),
        pytest.param(DOUBLE, "bid 5 NT", "BID", None, 4, Call.NO_TRUMP, id="bid 5 NT"),
        pytest.param(DOUBLE, "bid solo S", "BID", None, 8, Call.SPADES, id="bid solo S"),
        pytest.param(CLASSIC, "call NT", "CALL", None, -1, Call.NO_TRUMP, id="call NT"),
        pytest.param(TOKEN, "call low", "CALL", None, -1, Call.LOW, id="call low"),
        pytest.param(TOKEN, "call mid", "CALL", None, -1, Call.MID, id="call mid"),
        pytest.param(TOKEN, "call high", "CALL", None, -1, Call.HIGH, id="call high"),
        pytest.param(CLASSIC, "no trade", "NO_TRADE", None, -1, None, id="no trade"),
        pytest.param(CLASSIC, "trade JH", "TRADE", "JH", -1, None, id="trade JH"),
        pytest.param(CLASSIC, "give 9C", "GIVE", "9C", -1, None, id="give 9C"),
        pytest.param(TOKEN, "discard 9C", "DISCARD", "9C", -1, None, id="discard 9C"),
        pytest.param(DOUBLE, "play JH", "PLAY", "JH", -1, None, id="play JH"),
    ],
)
def test_n_what_a_text_means(
    variant: Variant, text: str, kind: str, card: str | None, level: int, call: Call | None
) -> None:
    action = tables_of(variant).parse(text)
    number = -1 if card is None else parse_card(card)
    assert (action.kind, action.card) == (ActionKind[kind], number)
    assert (action.level, action.call) == (level, call)
    assert action.bit == (0 if card is None else 1 << number)


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (CLASSIC, ""),
        (CLASSIC, "Pass"),
        (CLASSIC, "pass "),
        (CLASSIC, "bid"),
        (CLASSIC, "bid 2"),
        (CLASSIC, "bid 7"),
        (CLASSIC, "bid shot"),
        (CLASSIC, "bid 3 H"),
        (CLASSIC, "bid  3"),
        (CLASSIC, "call high"),
        (CLASSIC, "call X"),
        (CLASSIC, "play"),
        (CLASSIC, "play HJ"),
        (CLASSIC, "force"),
        (TOKEN, "bid shoot"),
        (TOKEN, "bid lone"),
        (TOKEN, "call NT"),
        (DOUBLE, "bid 4"),
        (DOUBLE, "bid 9 H"),
        (DOUBLE, "bid solo"),
        (DOUBLE, "bid H 4"),
        (DOUBLE, "call low"),
    ],
    ids=lambda part: getattr(part, "name", None) or repr(part),
)
def test_n_a_text_that_is_no_action(variant: Variant, text: str) -> None:
    with pytest.raises(NotationError, match=f"is no action of '{variant.name}'"):
        tables_of(variant).parse(text)


def test_actions_are_interned() -> None:
    assert action_of(ActionKind.PASS) is PASS
    assert action_of(ActionKind.PLAY, parse_card("JH")) is tables_of(TOKEN).parse("play JH")
    assert chosen(GIVES, 1 << 2 | 1 << 20) == (GIVES[2], GIVES[20])
    assert HIDDEN_GIVE.text == "give"


def test_equal_variants_share_their_tables() -> None:
    again = pickle.loads(pickle.dumps(TOKEN))
    assert again is not TOKEN
    assert tables_of(again) is tables_of(TOKEN)


SAID = "0 force opponents, 1 shooter self, 2 pass, 3 pass, 1 call low"


def test_a_pickled_hand_goes_on_like_the_original() -> None:
    hand = hand_of(TOKEN, said=SAID, ledger=Ledger(tokens=(3, 1)))
    data = pickle.dumps(hand)
    assert len(data) < 20_000
    again = pickle.loads(data)
    assert again.tables is hand.tables
    assert legal(again) == legal(hand)
    assert play_out(again).settle() == play_out(hand).settle()
    assert again.moves() == hand.moves()


def test_a_refusal_survives_pickling() -> None:
    refusal = IllegalAction(Refusal.MUST_FOLLOW, "C3.4", "no")
    again = pickle.loads(pickle.dumps(refusal))
    assert (again.refusal, again.paragraph, str(again)) == (Refusal.MUST_FOLLOW, "C3.4", "no")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_no_two_actions_share_a_text(variant: Variant) -> None:
    texts: dict[str, Action] = tables_of(variant).texts
    assert len(set(texts.values())) == len(texts)


def test_a_call_that_is_not_there_is_named() -> None:
    tables = tables_of(CLASSIC)
    assert tables.under(Call.HEARTS) is tables.by_call[Call.HEARTS]
    with pytest.raises(ValueError, match="classic: there is no call yet"):
        tables.under(None)
    with pytest.raises(ValueError, match="classic: no mid"):
        tables.under(Call.MID)
