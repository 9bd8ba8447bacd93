"""The oracle of tests/reference in the shape that the runner asks for."""

from collections.abc import Sequence

from tests.reference import shapes
from tests.reference.game import Game
from tests.reference.oracle import Hand
from tests.vectors.engine import Facts, Refused
from tests.vectors.files import Given


class OracleHand:
    """One hand of the oracle."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand

    def facts(self) -> Facts:
        """Everything that a case may expect."""
        return {**self.hand.state(), "trick_counts": self.hand.trick_counts()}

    def fingerprint(self) -> object:
        """The oracle is its list of actions."""
        return (self.hand.actions(), self.facts(), self.hand.hands())

    def apply(self, seat: int, text: str) -> None:
        """Do it, or raise `Refused`."""
        try:
            self.hand.apply(seat, text)
        except shapes.Refused as refusal:
            raise Refused(str(refusal)) from None


class OracleGame:
    """A whole game of the oracle."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def legal(self) -> tuple[int | None, Sequence[str]]:
        """The seat to act and its legal actions."""
        return self.game.hand.to_act(), self.game.hand.legal()

    def apply(self, seat: int, text: str) -> None:
        """Do it, or raise `Refused`."""
        try:
            self.game.apply(seat, text)
        except shapes.Refused as refusal:
            raise Refused(str(refusal)) from None

    def dealt(self) -> list[list[str]]:
        """The four hands of the current deal."""
        return self.game.hand.record["given"]["hands"]

    def scored(self) -> Sequence[Facts]:
        """The scored state after each finished hand."""
        return [dict(hand) for hand in self.game.scored]

    def final(self) -> Facts:
        """Scores, winner and how the game ended."""
        over = self.game.is_over()
        return {**self.game.hand.result(), "over": over, "hands_played": len(self.game.scored)}


class OracleEngine:
    """Makes hands and games of the oracle."""

    def hand(self, variant: str, given: Given) -> OracleHand:
        """A hand from a given position."""
        position: shapes.Given = {
            "dealer": given.dealer,
            "hands": [list(hand) for hand in given.hands],
            "scores": list(given.scores),
            "tokens": list(given.tokens),
            "token_debt": list(given.token_debt),
            "hlm_debt": list(given.hlm_debt),
            "hands_played": given.hands_played,
        }
        return OracleHand(Hand(variant, position))

    def game(self, variant: str, seed: bytes, set_id: str, first_board: int) -> OracleGame:
        """A game from 0-0."""
        return OracleGame(Game(variant, seed, set_id, first_board))
