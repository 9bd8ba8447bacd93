"""A whole game: hands dealt by `deal-v1` until the rules end it (C1.2, C6, T6, D8)."""

from typing import TypedDict

from tests.reference.cards import left_of
from tests.reference.deals import deal
from tests.reference.oracle import Hand
from tests.reference.shapes import Contract, Result
from tests.reference.tables import FIRST_DEALER


class ScoredHand(TypedDict):
    """One hand of a game after its last card, in the shape of the game vectors."""

    board: int
    dealer: int
    contract: Contract
    trick_counts: list[int]
    scores: list[int]
    tokens: list[int]
    token_debt: list[bool]
    hlm_debt: list[int]


class Game:
    """A game from 0-0; its deals are the boards `first_board`, `first_board` + 1, ... of a set."""

    def __init__(self, variant: str, seed: bytes, set_id: str, first_board: int) -> None:
        self.variant = variant
        self.seed = seed
        self.set_id = set_id
        self.first_board = first_board
        self.scored: list[ScoredHand] = []
        nothing: Result = {
            "scores": [0, 0],
            "tokens": [0, 0],
            "token_debt": [False, False],
            "hlm_debt": [0, 0],
            "end": None,
            "winner": None,
        }
        self.hand = self.next_hand(FIRST_DEALER, nothing)

    def board(self) -> int:
        """The board of the hand that is being played, or of the last one."""
        return self.first_board + self.hand.record["given"].get("hands_played", 0)

    def next_hand(self, dealer: int, before: Result) -> Hand:
        """One board a hand; scores, tokens and debts go on."""
        board = self.first_board + len(self.scored)
        return Hand(
            self.variant,
            {
                "dealer": dealer,
                "hands": deal(self.variant, self.seed, self.set_id, board),
                "scores": before["scores"],
                "tokens": before["tokens"],
                "token_debt": before["token_debt"],
                "hlm_debt": before["hlm_debt"],
                "hands_played": len(self.scored),
            },
        )

    def apply(self, seat: int, text: str) -> None:
        """One action; after a hand's last card the next hand is dealt, unless the game is over."""
        self.hand.apply(seat, text)
        if not self.hand.is_finished():
            return
        self.scored.append(self.score_of_the_hand())
        if not self.is_over():  # C1.2: the deal passes after every hand but the last
            dealer = left_of(self.hand.record["given"]["dealer"])
            self.hand = self.next_hand(dealer, self.hand.result())

    def score_of_the_hand(self) -> ScoredHand:
        """The finished hand as the game vectors print it."""
        result = self.hand.result()
        contract = self.hand.contract()
        assert contract is not None
        return {
            "board": self.board(),
            "dealer": self.hand.record["given"]["dealer"],
            "contract": contract,
            "trick_counts": self.hand.trick_counts(),
            "scores": result["scores"],
            "tokens": result["tokens"],
            "token_debt": result["token_debt"],
            "hlm_debt": result["hlm_debt"],
        }

    def is_over(self) -> bool:
        """The rules have ended the game with the hand just played."""
        return self.hand.result()["end"] is not None
