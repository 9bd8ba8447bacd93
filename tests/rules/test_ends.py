"""How a game goes on and ends (rules C1.2, C6, T6, D8)."""

from dataclasses import replace

import pytest

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    Dealer,
    DealError,
    Game,
    GameEnd,
    GameResult,
    Ledger,
    Seat,
    Side,
    Variant,
)
from arena.rules.actions import NO_CARD
from arena.rules.game import end_of_game
from arena.rules.variant import AllPass, BothReach, Tie
from tests.rules.positions import cards, deal, do, play_out

WINS_0, WINS_1 = Side(0), Side(1)
HIGHER = replace(CLASSIC, name="higher", both_reach=BothReach.HIGHER_SCORE)
NO_DRAW = replace(CLASSIC, name="no-draw", tie=Tie.DECLARING_SIDE)
SHORT = replace(CLASSIC, name="short", max_hands=3)


@pytest.mark.parametrize(
    ("variant", "scores", "hands_played", "declaring", "expected"),
    [
        pytest.param(CLASSIC, (31, 31), 9, 0, None, id="C6.1 below the target it goes on"),
        pytest.param(
            CLASSIC, (32, 31), 9, 0, (WINS_0, GameEnd.TARGET), id="C6.1 32 is reached at 32"
        ),
        pytest.param(
            CLASSIC, (30, 33), 9, 0, (WINS_1, GameEnd.TARGET), id="C6.1 the defender wins too"
        ),
        pytest.param(
            CLASSIC, (32, 40), 9, 0, (WINS_0, GameEnd.BOTH_REACHED), id="C6.2 the declarer's side"
        ),
        pytest.param(
            CLASSIC, (40, 32), 9, 1, (WINS_1, GameEnd.BOTH_REACHED), id="C6.2 even with less"
        ),
        pytest.param(TOKEN, (41, 41), 9, 0, None, id="T6.1 42 in token"),
        pytest.param(TOKEN, (42, 0), 9, 1, (WINS_0, GameEnd.TARGET), id="T6.1 first to 42"),
        pytest.param(
            TOKEN, (42, 44), 9, 0, (WINS_0, GameEnd.BOTH_REACHED), id="T6.1 both at once: C6.2"
        ),
        pytest.param(CLASSIC, (5, 4), 199, 0, None, id="C6.3 not before 200 hands"),
        pytest.param(
            CLASSIC, (5, 4), 200, 1, (WINS_0, GameEnd.HAND_LIMIT), id="C6.3 the higher score"
        ),
        pytest.param(
            CLASSIC, (-9, -4), 200, 0, (WINS_1, GameEnd.HAND_LIMIT), id="C6.3 also below zero"
        ),
        pytest.param(CLASSIC, (4, 4), 200, 0, (None, GameEnd.HAND_LIMIT), id="C6.3 equal: a draw"),
        pytest.param(
            CLASSIC, (33, 4), 200, 0, (WINS_0, GameEnd.TARGET), id="C6.3 unless C6.1 decides"
        ),
        pytest.param(SHORT, (4, 5), 3, 0, (WINS_1, GameEnd.HAND_LIMIT), id="max_hands 3"),
        pytest.param(DOUBLE, (90, 3), 7, 0, None, id="D8 no target, no early end"),
        pytest.param(
            DOUBLE, (9, 3), 8, 1, (WINS_0, GameEnd.ALL_HANDS), id="D8 eight hands, the higher score"
        ),
        pytest.param(DOUBLE, (-9, 3), 8, 0, (WINS_1, GameEnd.ALL_HANDS), id="D8 the other side"),
        pytest.param(DOUBLE, (3, 3), 8, 0, (None, GameEnd.ALL_HANDS), id="D8 equal: a draw"),
        pytest.param(
            replace(DOUBLE, hands=2), (3, 1), 2, 0, (WINS_0, GameEnd.ALL_HANDS), id="hands 2"
        ),
        pytest.param(
            replace(DOUBLE, hands=300), (3, 1), 200, 0, None, id="C6.3 max_hands is not for these"
        ),
        # Decision fields.
        pytest.param(
            HIGHER,
            (32, 40),
            9,
            0,
            (WINS_1, GameEnd.BOTH_REACHED),
            id="both_reach higher-score: the higher",
        ),
        pytest.param(
            HIGHER,
            (40, 40),
            9,
            0,
            (None, GameEnd.BOTH_REACHED),
            id="both_reach higher-score: equal is a tie",
        ),
        pytest.param(
            replace(HIGHER, tie=Tie.DECLARING_SIDE),
            (40, 40),
            9,
            1,
            (WINS_1, GameEnd.BOTH_REACHED),
            id="both_reach higher-score with tie declaring-side",
        ),
        pytest.param(
            NO_DRAW,
            (4, 4),
            200,
            1,
            (WINS_1, GameEnd.HAND_LIMIT),
            id="tie declaring-side: the last declarer's side",
        ),
        pytest.param(
            NO_DRAW, (4, 4), 200, None, (None, GameEnd.HAND_LIMIT), id="tie: none when thrown in"
        ),
        pytest.param(
            replace(DOUBLE, tie=Tie.DECLARING_SIDE),
            (3, 3),
            8,
            0,
            (WINS_0, GameEnd.ALL_HANDS),
            id="tie declaring-side in double",
        ),
    ],
)
def test_the_end(
    variant: Variant,
    scores: tuple[int, int],
    hands_played: int,
    declaring: int | None,
    expected: tuple[Side | None, GameEnd] | None,
) -> None:
    side = None if declaring is None else Side(declaring)
    result = end_of_game(variant, scores, hands_played=hands_played, declaring=side)
    assert result == expected


def played(game: Game, said: str = "") -> Game:
    """The game after one more hand, dealt in deck order and played by the first legal action."""
    hand = game.deal([cards(" ".join(texts)) for texts in deal(game.tables.variant, {})])
    do(hand, said)
    game.score(play_out(hand))
    return game


def test_c12_the_first_dealer_is_seat_0_and_the_deal_passes_clockwise() -> None:
    game = Game(CLASSIC)
    dealers = []
    for _ in range(5):
        dealers.append(int(game.dealer))
        played(game)
    assert dealers == [0, 1, 2, 3, 0]


def test_c12_after_the_last_hand_the_deal_does_not_pass() -> None:
    game = Game(DOUBLE)
    while game.result is None:
        played(game)
    assert (game.hands_played, game.dealer) == (8, 3)
    with pytest.raises(AssertionError, match="after the end"):
        game.deal([])


def test_first_dealer_2_the_house_rule() -> None:
    game = Game(replace(CLASSIC, name="south", first_dealer=2))
    hand = game.deal(Dealer(bytes(32)).deal(CLASSIC, "m1", 0))
    assert (game.dealer, hand.dealer, hand.to_act) == (2, 2, 3)


def test_a_hand_carries_its_number_dealer_and_ledger() -> None:
    ledger = Ledger(scores=(7, -2))
    game = Game(CLASSIC, ledger=ledger, dealer=Seat(1), hands_played=5)
    hand = game.deal(Dealer(bytes(32)).deal(CLASSIC, "m1", 5))
    assert (hand.number, hand.dealer, hand.ledger) == (5, 1, ledger)


def test_c61_a_defending_side_wins_a_game() -> None:
    game = played(Game(CLASSIC, ledger=Ledger(scores=(0, 31))), "1 pass, 2 bid lone")
    assert game.ledger.scores[1] > 31
    assert game.result == GameResult(WINS_1, GameEnd.TARGET)


def test_c64_tokens_and_debts_move_after_the_last_hand_too() -> None:
    ledger = Ledger(scores=(41, 11), tokens=(0, 0), hlm_debt=(0, 1))
    game = played(Game(TOKEN, ledger=ledger), "1 bid shot")
    assert game.result is not None
    assert game.ledger.scores[1] == -1
    assert (game.ledger.token_debt, game.ledger.hlm_debt) == ((False, True), (0, 0))


def test_thrown_in_hands_count_and_the_deal_passes() -> None:
    variant = replace(SHORT, name="thrown", all_pass=AllPass.THROWN_IN)
    game = Game(variant)
    for _ in range(3):
        played(game, "pass, pass, pass, pass")
    assert (game.hands_played, game.dealer) == (3, 2)
    assert game.result == GameResult(None, GameEnd.HAND_LIMIT)


@pytest.mark.parametrize(
    ("variant", "hands", "sentence"),
    [
        pytest.param(CLASSIC, ["9C"] * 4, "four hands of 6 cards", id="too few cards"),
        pytest.param(CLASSIC, [], "four hands of 6 cards", id="no hands"),
        pytest.param(
            CLASSIC,
            ["9C TC JC QC KC AC"] * 5,
            "four hands of 6 cards",
            id="five hands",
        ),
        pytest.param(
            CLASSIC,
            ["9C TC JC QC KC AC"] * 2 + ["9H TH JH QH KH AH", "9S TS JS QS KS AS"],
            "9C is there 2 times and should be 1 times",
            id="a card dealt to two seats",
        ),
        pytest.param(
            CLASSIC,
            ["9C 9C JC QC KC AC", "9D TD JD QD KD AD", "9H TH JH QH KH AH", "9S TS JS QS KS AS"],
            "9C is there 2 times and should be 1 times",
            id="a card twice in one hand",
        ),
        pytest.param(
            DOUBLE,
            ["JC JC JC JC QC QC KC KC", "AC AC", "", ""],
            "JC is there 4 times and should be 2 times",
            id="four copies in one hand of double",
        ),
        pytest.param(
            DOUBLE,
            ["JC JC JC QC QC KC KC AC", "", "", ""],
            "JC is there 3 times and should be 2 times",
            id="three copies in double",
        ),
        pytest.param(
            DOUBLE,
            ["9C JC QC QC KC KC AC AC", "", "", ""],
            "9C is there 1 times and should be 0 times",
            id="a card that the deck lacks",
        ),
    ],
)
def test_a_deal_that_is_not_the_deck_is_refused(
    variant: Variant, hands: list[str], sentence: str
) -> None:
    if variant is DOUBLE:
        hands = filled_up(hands)
    with pytest.raises(DealError, match=sentence):
        Game(variant).deal([cards(text) for text in hands])


def test_a_deal_with_a_number_below_every_card_is_refused() -> None:
    hands = [cards(" ".join(held)) for held in deal(CLASSIC, {})]
    hands[2] = (*hands[2][:5], NO_CARD)
    with pytest.raises(DealError, match="-1 is no card"):
        Game(CLASSIC).deal(hands)


def filled_up(hands: list[str]) -> list[str]:
    """Hands of eight, from a deck of which the cards already there are taken as far as it goes."""
    rest = " ".join(" ".join(texts) for texts in deal(DOUBLE, {})).split()
    for card in " ".join(hands).split():
        if card in rest:
            rest.remove(card)
    full = []
    for text in hands:
        held = text.split()
        full.append(" ".join(held + [rest.pop() for _ in range(8 - len(held))]))
    return full
